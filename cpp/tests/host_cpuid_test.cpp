// What CPUID says of this machine.
#include "cpp/runner/host_cpuid.hpp"

#include <doctest/doctest.h>

#include <set>
#include <utility>

using namespace corecast::runner;

TEST_CASE("every question is asked once, the vendor first") {
  const std::vector<CpuidLeaf> found = host_cpuid();
  std::set<std::pair<std::uint32_t, std::uint32_t>> asked;
  for (const CpuidLeaf& each : found)
    CHECK(asked.emplace(each.leaf, each.subleaf).second);
#if defined(__x86_64__)
  REQUIRE(!found.empty());
  CHECK(found.front().leaf == 0);
#else
  CHECK(found.empty());
#endif
}

TEST_CASE("leaf 1 does not say on which core it was asked") {
  for (const CpuidLeaf& each : host_cpuid())
    if (each.leaf == 1) CHECK((each.ebx >> 16) == 0);
}
