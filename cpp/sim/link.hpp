// Who waits for whom.
#pragma once

#include "cpp/sim/program.hpp"

namespace corecast::sim {

/// Links each input to the uop that makes its value. Inputs that no uop makes are left out: they are ready before the
/// first iteration.
void link_inputs(Program& program);

} // namespace corecast::sim
