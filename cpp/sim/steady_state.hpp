// When to stop: the pipeline's state repeats, or enough has been seen to measure on (pipeline facts IN-160 to IN-167).
#pragma once

#include "cpp/sim/core.hpp"
#include "cpp/sim/cycle_span.hpp"
#include "cpp/sim/samples.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace corecast::sim {

/// Cycles until the first iteration has to be done.
inline constexpr std::int32_t most_cycles_of_first = 2000000;

class SteadyState {
public:
  /// `fewest_cycles`: of a measurement without a period; `span`: cycles to measure between, instead of looking for one.
  void reset(const Core& core, std::int32_t fewest_cycles, CycleSpan span);

  /// Call at the end of each cycle. True once the result can be measured.
  /// Throws SimulationLimitError where the first iteration takes more than most_cycles_of_first.
  bool finished(const Core& core) {
    return (core.reorder_buffer.head.iteration != seen_ || core.now >= next_look_) && look(core);
  }

  bool periodic() const { return periodic_; }
  Sample from() const { return samples_[from_]; }
  Sample to() const { return samples_[to_]; }

private:
  /// That what is measured without a period is cut into, as many before its middle as behind it.
  static constexpr std::size_t settled_parts = 8;
  /// Samples that they begin with, and the last.
  using Parts = std::array<std::size_t, settled_parts + 1>;

  /// A moment that later ones are compared with.
  struct Landmark {
    std::uint64_t place = 0;
    std::uint64_t outline = 0;
    std::optional<std::uint64_t> state; // nothing: not looked at
    std::size_t sample = 0;
  };

  bool look(const Core& core);
  static std::uint64_t place(const Core& core);
  static std::uint64_t outline(const Core& core);
  bool repeats(const Core& core);
  bool measured_span(const Core& core);
  bool measured_draws(const Core& core);
  /// Whether what is busiest can go on at this pace, in cycles per iteration: it may lag behind for a while.
  bool sustainable(double pace) const;
  void take_window();
  bool take_level_window();
  bool has_no_trend(const Parts& parts, double scatter) const;
  bool has_steady_rate(const Parts& parts, double scatter) const;
  bool is_level(const Parts& parts, double longer) const;
  bool take_settled_window(const Core& core);
  void take_fitted_window(std::size_t begin, std::size_t end);

  SampleLog samples_;
  std::vector<Landmark> landmarks_;
  std::int32_t fewest_cycles_ = 0;
  double busy_cycles_ = 0; // an iteration of what is busiest
  CycleSpan span_;
  std::uint64_t seen_ = 0;      // iterations retired
  std::int32_t last_cycle_ = 0; // in which one did
  std::int32_t next_look_ = 0;  // whether or not one does
  std::int32_t next_landmark_ = 0;
  std::int32_t next_comparison_ = 0;
  std::int32_t next_settled_look_ = 0;
  std::array<Parts, 3> windows_{}; // that may settle the matter, the longest first
  bool periodic_ = false;
  std::size_t from_ = 0, to_ = 0;
};

} // namespace corecast::sim
