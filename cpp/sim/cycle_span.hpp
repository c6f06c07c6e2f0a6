// A stretch of simulated time.
#pragma once

#include <cstdint>

namespace corecast::sim {

/// From the end of cycle `first` to the end of cycle `last`; the simulation starts at 0.
struct CycleSpan {
  std::int32_t first = 0;
  std::int32_t last = 0;

  bool empty() const { return last <= first; }
};

} // namespace corecast::sim
