// Rename waits while what came before is more than the whole core can do at once (cpp/lower/activity.hpp).
#pragma once

#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace corecast {
class Machine;
}

namespace corecast::sim {

inline constexpr std::int32_t cycle_of_activity = 100;                       // hundredths
inline constexpr std::int32_t most_spared_activity = 16 * cycle_of_activity; // for later

/// What decoded uops take of the whole core, where the code has wide vectors.
void mark_activity(const Machine& machine, std::span<const Instruction* const> instructions, Program& program);

/// What an iteration takes of the whole core.
double cycles_of_activity(const Program& program);

/// Whether an iteration takes more of the whole core than the cycles that rename needs for it.
bool may_be_too_active(const Program& program, const CoreParameters& parameters);

/// What was renamed takes a cycle less. Cycles that needed less are made use of later, up to some.
inline void pass_cycle_of_activity(std::int32_t& owed) {
  owed = std::max(owed - cycle_of_activity, -most_spared_activity);
}

} // namespace corecast::sim
