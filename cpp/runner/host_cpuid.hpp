// What this machine's core says of itself. Linux leaves out much of it, and a hypervisor may have changed it.
#pragma once

#include <cstdint>
#include <vector>

namespace corecast::runner {

/// The answer of x86's CPUID instruction to one question.
struct CpuidLeaf {
  std::uint32_t leaf = 0;
  std::uint32_t subleaf = 0;
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
};

/// The leaves that tell vendor, family and model, extensions and caches of the core that the caller runs on, as far as
/// it has them. Leaf 1 is without the number of the core. Empty elsewhere.
std::vector<CpuidLeaf> host_cpuid();

} // namespace corecast::runner
