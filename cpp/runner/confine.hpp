// System calls that timed code cannot make.
#pragma once

namespace corecast::runner {

/// From here on this process can only map memory, ask for its own usage and the time, return from signals and exit;
/// another system call raises SIGSYS. False where the system does not allow such a filter.
bool confine();

} // namespace corecast::runner
