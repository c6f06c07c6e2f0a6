// Everything that the cycles to come depend on, as one number.
#pragma once

#include "cpp/sim/core.hpp"

#include <cstdint>

namespace corecast::sim {

/// Hash of the core's state at the end of a cycle, relative to this cycle and to the iteration that retires: equal
/// numbers mean that all goes on in the same way.
std::uint64_t state_of(const Core& core);

} // namespace corecast::sim
