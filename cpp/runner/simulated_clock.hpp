// A clock that tells the time of a simulated core, whatever the code takes here: for emulators, whose own time says
// nothing. Everything else is done for real.
#pragma once

#include <cstdint>

namespace corecast::runner {

/// What a simulated core takes. Its reference link takes a cycle, as on every core.
struct SimulatedTimes {
  double ticks_per_cycle = 0; // of the clock; 0: there is no simulated core
  double shorter = 0;         // cycles of one iteration of the kernel's shorter loop ...
  double longer = 0;          // ... and of the longer one
  double witness = 0;         // of one iteration of the witness
};

class SimulatedClock {
public:
  explicit SimulatedClock(double ticks_per_cycle) : ticks_per_cycle_(ticks_per_cycle) {}

  /// Ticks between two readings with so many cycles of code between them. As with every clock that is slower than the
  /// core it depends on when they are made how many steps are seen.
  std::uint64_t pass(double cycles) {
    constexpr double reading_cycles = 60.0, between_cycles = 1234.5; // of the code around a run, and of what follows
    const std::uint64_t begin = now();
    cycles_ += reading_cycles + cycles;
    const std::uint64_t end = now();
    cycles_ += between_cycles;
    return end - begin;
  }

private:
  std::uint64_t now() const { return static_cast<std::uint64_t>(cycles_ * ticks_per_cycle_); }

  double ticks_per_cycle_;
  double cycles_ = 0;
};

} // namespace corecast::runner
