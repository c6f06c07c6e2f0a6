#include "cpp/bounds/ports.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <numeric>
#include <random>

using namespace corecast;

namespace {

/// The bound by its definition: over all sets of ports, the work that cannot leave the set divided by its size.
double brute_force_bound(const std::vector<PortDemand>& demands, unsigned ports) {
  double bound = 0;
  for (PortMask set = 1; set < (PortMask{1} << ports); ++set) {
    double work = 0;
    for (const PortDemand& demand : demands)
      if (demand.mask != 0 && (demand.mask & ~set) == 0) work += demand.count;
    bound = std::max(bound, work / std::popcount(set));
  }
  return bound;
}

std::vector<PortDemand> random_demands(std::mt19937& random, unsigned ports) {
  std::vector<PortDemand> demands(1 + random() % 12);
  for (std::uint32_t i = 0; i < demands.size(); ++i) {
    demands[i].instruction = i;
    demands[i].count = 0.25 * static_cast<double>(1 + random() % 12);
    demands[i].mask = 1 + random() % ((PortMask{1} << ports) - 1);
  }
  return demands;
}

} // namespace

TEST_CASE("balanced: two kinds of uops, one bound to a port of the other") {
  // 2 uops on p0 alone, 2 on p01: 2 cycles, all of the latter go to p1.
  const std::vector<PortDemand> demands{{0, 2, 0b01}, {1, 2, 0b11}};
  const auto out = distribute_balanced(demands, 2, 2);
  CHECK(out.bound == 2.0);
  CHECK(out.at(1, 0) == 0.0);
  CHECK(out.at(1, 1) == 2.0);
  CHECK(distribute_uniform(demands, 2, 2).bound == 3.0);
}

TEST_CASE("after the last: what had no choice counts, and the choices of two iterations are shared") {
  const std::vector<PortDemand> order{{0, 1, 0b10}, {1, 1, 0b11}, {2, 1, 0b10}, {3, 1, 0b11}};
  CHECK(distribute_after_last(order, 4, 2).bound == 2.0); // both behind port 1
  const std::vector<PortDemand> other{{0, 1, 0b10}, {1, 1, 0b10}, {2, 1, 0b11}, {3, 1, 0b11}};
  const auto out = distribute_after_last(other, 4, 2);
  CHECK(out.bound == 3.0);
  CHECK(out.at(2, 0) == 1.0);
  CHECK(out.at(3, 1) == 1.0);
  CHECK(out.limiting == 0b10);
  const std::vector<PortDemand> odd{{0, 1, 0b11}, {1, 2, 0b11}, {2, 0, 0}, {0, 1, 0b11}};
  const auto shared = distribute_after_last(odd, 3, 2);
  CHECK(shared.totals[0] == 2.0); // 1 + 1, then 2
  CHECK(shared.totals[1] == 2.0);
  CHECK(distribute_after_last({}, 3, 2).limiting == 0);
}

TEST_CASE("after the last: sets that share a port see what the others took") {
  const std::vector<PortDemand> demands{{0, 1, 0b011}, {1, 1, 0b110}, {2, 1, 0b101}};
  const auto out = distribute_after_last(demands, 3, 3);
  CHECK(out.totals[0] + out.totals[1] + out.totals[2] == doctest::Approx(3.0));
  CHECK(out.at(0, 0) + out.at(0, 1) == doctest::Approx(1.0));
}

TEST_CASE("balanced: limiting ports are the densest set, the rest is levelled too") {
  const std::vector<PortDemand> demands{{0, 3, 0b0001}, {1, 2, 0b0110}, {2, 1, 0b1110}, {3, 1, 0b0011}};
  const auto out = distribute_balanced(demands, 4, 4);
  CHECK(out.bound == 3.0);
  CHECK(out.limiting == 0b0001);
  CHECK(out.totals[1] == 1.5);
  CHECK(out.totals[2] == 1.5);
  CHECK(out.totals[3] == 1.0); // nothing more may go there
}

TEST_CASE("balanced equals the definition, and no distribution loses work") {
  std::mt19937 random(20260101);
  for (int round = 0; round < 2000; ++round) {
    const unsigned ports = 1 + random() % 7;
    const auto demands = random_demands(random, ports);
    const auto balanced = distribute_balanced(demands, demands.size(), ports);
    const auto uniform = distribute_uniform(demands, demands.size(), ports);
    REQUIRE(balanced.bound == doctest::Approx(brute_force_bound(demands, ports)));
    REQUIRE(balanced_bound(demands) == balanced.bound);
    REQUIRE(balanced.bound <= uniform.bound + 1e-9);
    double work = 0;
    for (const PortDemand& demand : demands)
      work += demand.count;
    REQUIRE(std::accumulate(balanced.totals.begin(), balanced.totals.end(), 0.0) == doctest::Approx(work));
    REQUIRE(std::accumulate(uniform.totals.begin(), uniform.totals.end(), 0.0) == doctest::Approx(work));
    for (const double total : balanced.totals)
      REQUIRE(total <= balanced.bound + 1e-6);
    for (std::size_t i = 0; i < demands.size(); ++i)
      for (unsigned p = 0; p < ports; ++p)
        if ((demands[i].mask >> p & 1) == 0) REQUIRE(balanced.at(i, p) == 0.0);
  }
}

TEST_CASE("balanced: another instruction never lowers the bound") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    auto demands = random_demands(random, 6);
    const double before = balanced_bound(demands);
    demands.push_back({static_cast<std::uint32_t>(demands.size()), 1, 1 + random() % 63});
    REQUIRE(balanced_bound(demands) >= before);
  }
}

TEST_CASE("nothing to distribute") {
  CHECK(balanced_bound({}) == 0.0);
  CHECK(distribute_balanced({}, 0, 4).bound == 0.0);
  CHECK(distribute_uniform({}, 3, 2).limiting == 0);
}
