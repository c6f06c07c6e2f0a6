// Which uops have many younger ones behind them, beside a list that is searched.
#include "cpp/sim/units/aged_uops.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace corecast::sim {
namespace {

TEST_CASE("a uop is old once more than so many younger ones wait") {
  std::mt19937 random(7);
  for (const std::uint32_t most : {0U, 1U, 3U, 24U}) {
    CAPTURE(most);
    constexpr std::uint32_t places = 64;
    AgedUops aged;
    aged.reset(most, places);
    std::vector<std::uint32_t> young, free(places);
    for (std::uint32_t place = 0; place < places; ++place)
      free[place] = place;
    for (int step = 0; step < 5000; ++step) {
      if (!free.empty() && (young.empty() || random() % 2 == 0)) {
        const std::size_t taken = random() % free.size();
        const std::uint32_t place = free[taken];
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(taken));
        young.push_back(place);
        const std::uint32_t old = aged.add(place);
        REQUIRE((old != AgedUops::no_place) == (young.size() > most + 1));
        if (old == AgedUops::no_place) continue;
        REQUIRE(old == young.front());
        young.erase(young.begin());
        free.push_back(old);
      } else if (!young.empty()) {
        const auto started = young.begin() + static_cast<std::ptrdiff_t>(random() % young.size());
        aged.remove(*started);
        free.push_back(*started);
        young.erase(started);
      }
    }
  }
}

} // namespace
} // namespace corecast::sim
