// Extensions of this machine's core that distinguish cores and that Linux does not list.
#pragma once

#include <string>
#include <vector>

namespace corecast::runner {

/// Of amx_fp16, avx10 and prefetchi those that CPUID names, whether programs may use them or not. Empty elsewhere.
std::vector<std::string> host_features();

} // namespace corecast::runner
