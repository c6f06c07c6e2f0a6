// Who starts at which port in cycles to come.
#include "cpp/sim/units/booked_starts.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <utility>

namespace corecast::sim {
namespace {

TEST_CASE("only some ports are kept") {
  BookedStarts starts;
  starts.reset(0b10100);
  CHECK(starts.keeps(2));
  CHECK(starts.keeps(4));
  CHECK_FALSE(starts.keeps(3));
  CHECK(starts.at(2, 7) == nullptr);
  starts.put(4, 7, 50, 1);
  CHECK(starts.at(2, 7) == nullptr);
  REQUIRE(starts.at(4, 7) != nullptr);
  CHECK(*starts.at(4, 7) == 50);
  starts.reset(0);
  CHECK_FALSE(starts.keeps(4));
}

/// The same as a map would tell, however far ahead, and as the cycles pass.
TEST_CASE("random starts, near and far") {
  std::mt19937 random(1);
  BookedStarts starts;
  starts.reset(0b1011);
  constexpr std::size_t ports[] = {0, 1, 3};
  std::map<std::pair<std::size_t, std::int32_t>, std::uint64_t> booked;
  std::uint64_t sequence = 0;
  for (std::int32_t now = 1; now < 4000; ++now) {
    const std::size_t port = ports[random() % 3];
    const auto cycle = now + static_cast<std::int32_t>(random() % 20 == 0 ? random() % (now / 2 + 1) : random() % 40);
    if (!booked.contains({port, cycle})) {
      starts.put(port, cycle, ++sequence, now);
      booked[{port, cycle}] = sequence;
    }
    for (const std::size_t each : ports) {
      const auto asked = now + static_cast<std::int32_t>(random() % 60);
      const auto found = booked.find({each, asked});
      const std::uint64_t* const start = starts.at(each, asked);
      REQUIRE((start != nullptr) == (found != booked.end()));
      if (start != nullptr) CHECK(*start == found->second);
    }
  }
}

} // namespace
} // namespace corecast::sim
