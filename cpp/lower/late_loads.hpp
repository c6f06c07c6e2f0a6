// Loads whose data lie beyond the first-level cache, as bounds know them: by their mean.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <vector>

namespace corecast {

class Machine;

/// How late the loads of one base register are.
struct MeanDelay {
  RegisterId base = 0; // 0: all loads that no other entry is about
  double cycles = 0;   // later than from the first-level cache, on average
  double share = 0;    // of the loads that are late at all
};

/// What `memory.late_loads` says, by base register; registers that do not exist are left out (the simulator refuses
/// them).
std::vector<MeanDelay> mean_delays(const Machine& machine);

/// Of the instruction's load; none where it loads nothing.
MeanDelay mean_delay(const std::vector<MeanDelay>& delays, const Instruction& instruction);

} // namespace corecast
