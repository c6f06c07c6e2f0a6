#include "host_cpuid.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace corecast::runner {

#if defined(__x86_64__)
namespace {

constexpr std::uint32_t most_caches = 16;
constexpr std::uint32_t cache_type = 0x1F; // of eax in the leaves of caches: 0 behind the last one

/// False where the core has no such leaf.
bool ask(std::uint32_t leaf, std::uint32_t subleaf, std::vector<CpuidLeaf>& found) {
  CpuidLeaf each{.leaf = leaf, .subleaf = subleaf};
  if (__get_cpuid_count(leaf, subleaf, &each.eax, &each.ebx, &each.ecx, &each.edx) == 0) return false;
  found.push_back(each);
  return true;
}

void ask_caches(std::uint32_t leaf, std::vector<CpuidLeaf>& found) {
  for (std::uint32_t number = 0; number < most_caches; ++number) {
    if (!ask(leaf, number, found)) return;
    if ((found.back().eax & cache_type) == 0) {
      found.pop_back();
      return;
    }
  }
}

} // namespace
#endif

std::vector<CpuidLeaf> host_cpuid() {
  std::vector<CpuidLeaf> found;
#if defined(__x86_64__)
  ask(0, 0, found);
  if (ask(1, 0, found)) found.back().ebx &= 0xFFFF; // without the core's number and the count of cores
  ask_caches(4, found);
  ask(7, 0, found);
  ask(7, 1, found);
  ask(0x1E, 1, found);
  ask(0x24, 0, found);
  ask(0x80000001, 0, found);
  ask(0x80000008, 0, found);
  ask_caches(0x8000001D, found);
  ask(0x80000021, 0, found);
#endif
  return found;
}

} // namespace corecast::runner
