// From lowered code to the program that is simulated (pipeline facts IN-140 to IN-149).
#pragma once

#include "cpp/lower/region.hpp"
#include "cpp/sim/program.hpp"

namespace corecast::sim {

/// Nothing of the program depends on dynamic state. `room` is a program that nobody needs any more: its memory serves
/// again.
Program expand(const Machine& machine, const Region& region, Program room = {});

} // namespace corecast::sim
