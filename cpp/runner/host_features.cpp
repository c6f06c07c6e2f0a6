#include "host_features.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace corecast::runner {

std::vector<std::string> host_features() {
  std::vector<std::string> found;
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) == 0) return found;
  if ((eax >> 21 & 1) != 0) found.emplace_back("amx_fp16");
  const bool has_avx10 = (edx >> 19 & 1) != 0;
  if ((edx >> 14 & 1) != 0) found.emplace_back("prefetchi");
  // A leaf of its own gives the version: 0 where a hypervisor passes the bit on and hides the leaf.
  if (has_avx10 && __get_cpuid_count(0x24, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & 0xFF) != 0)
    found.emplace_back("avx10");
#endif
  return found;
}

} // namespace corecast::runner
