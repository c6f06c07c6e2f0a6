// What happened to each uop and in each cycle, taken down beside the stages: nothing here changes what they do.
#pragma once

#include "cpp/sim/core.hpp"

#include <cstdint>
#include <vector>

namespace corecast::sim {

/// When a uop went through the stages, in cycles since the start. Uops are counted since the start, too: number n is
/// uop n % size of iteration n / size of the program.
struct UopEvents {
  std::int32_t renamed = -1;
  std::int32_t ready = -1; // its inputs are there and the scheduler sees it
  std::int32_t dispatched = -1;
  std::int32_t completed = -1;
  std::int32_t retired = -1;
  std::uint8_t port = 0;
  std::int8_t sooner = 0; // cycles: its results, than their latencies say
  bool eliminated = false;
  bool absent = false; // this iteration does without it
};

/// Entries taken at the end of a cycle.
struct Occupancy {
  std::uint32_t uop_queue = 0;
  std::uint32_t scheduler = 0; // of several: all of them together
  std::uint32_t reorder_buffer = 0;
  std::uint32_t load_queue = 0, store_queue = 0; // 0 where they have no limit
};

/// A cycle as rename saw it.
struct CycleEvents {
  Stall stall = Stall::none;
  Full full = Full::nothing;
  bool moved = false;     // something was renamed
  bool starved = false;   // there was nothing to rename
  std::uint32_t next = 0; // instruction that would have been renamed next
  Occupancy occupancy;
  std::uint64_t root = no_uop; // the oldest uop that is not done; for a full scheduler: not dispatched

  static constexpr std::uint64_t no_uop = ~std::uint64_t{0};
};

class Recorder {
public:
  explicit Recorder(const Core& core);

  void after_rename(const Core& core);
  void after_retire(const Core& core);
  void after_supply(const Core& core);

  /// Takes down what is still in flight.
  void finish(const Core& core);

  const std::vector<UopEvents>& uops() const { return uops_; }
  const std::vector<CycleEvents>& cycles() const { return cycles_; }        // the first is cycle 1
  const std::vector<std::int32_t>& delivered() const { return delivered_; } // by laminated uop, counted since the start

private:
  void take_down(const Core& core, std::uint64_t sequence);
  static std::uint64_t root_of(const Core& core);

  std::vector<UopEvents> uops_;
  std::vector<CycleEvents> cycles_;
  std::vector<std::int32_t> delivered_;
  std::uint64_t retired_ = 0;
};

} // namespace corecast::sim
