// What has no effect on when uops run.
#pragma once

#include "cpp/sim/program.hpp"

namespace corecast::sim {

/// Leaves out inputs that no uop makes (they are ready before the first iteration) and outputs that no uop reads, and
/// numbers the values that are left anew.
void trim_values(Program& program);

} // namespace corecast::sim
