// How long an iteration takes what it has no choice of.
#pragma once

#include "cpp/sim/program.hpp"

namespace corecast::sim {

/// Cycles per iteration in which the unit that is needed longest is taken.
double most_unit_cycles(const Program& program);

/// The same of units, of ports, as far as uops may go to one alone, and of what the whole core can do at once: no
/// steady state is faster.
double most_busy_cycles(const Program& program);

} // namespace corecast::sim
