// When to stop: the pipeline's state repeats, or enough has been seen to measure on (pipeline facts IN-160 to IN-166).
#pragma once

#include "cpp/sim/core.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace corecast::sim {

/// What is counted, at one moment.
struct Sample {
  std::int32_t cycle = 0;
  std::uint64_t iteration = 0;
  std::uint32_t slot = 0; // of the last fused uop in its group of retirement
  Stalls stalls;
  std::array<std::uint64_t, PortBinding::most_ports> port_uses{};
};

class SteadyState {
public:
  SteadyState(Core& core, std::int32_t fewest_cycles) : core_(core), fewest_cycles_(fewest_cycles) {}

  /// Call at the end of each cycle. True once the result can be measured.
  bool finished();

  bool periodic() const { return periodic_; }
  const Sample& from() const { return from_; }
  const Sample& to() const { return to_; }

private:
  Sample sample() const;
  std::uint64_t signature(std::int32_t since) const;
  std::uint64_t full_hash() const;
  void take_window();

  Core& core_;
  std::int32_t fewest_cycles_; // of a measurement without a period
  std::uint64_t seen_ = 0;              // iterations retired
  std::int32_t last_cycle_ = 0;
  std::vector<Sample> window_;          // one per iteration
  bool armed_ = false;
  std::uint64_t checkpoint_signature_ = 0;
  std::uint64_t checkpoint_hash_ = 0;
  Sample checkpoint_;
  std::int32_t next_checkpoint_ = 48;
  std::int32_t next_full_hash_ = 0;
  bool periodic_ = false;
  Sample from_, to_;
};

} // namespace corecast::sim
