// Cycles that ports are booked for.
#include "cpp/sim/units/port_calendar.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>

namespace corecast::sim {
namespace {

TEST_CASE("a port's first free cycle is taken") {
  PortCalendar calendar;
  calendar.reset(2);
  CHECK(calendar.take(0, 5) == 5);
  CHECK(calendar.take(0, 5) == 6);
  CHECK(calendar.take(1, 5) == 5);
  CHECK(calendar.take(0, 4) == 4);
  for (std::int32_t now = 1; now < 4; ++now)
    CHECK(calendar.pass(now) == 0);
  CHECK(calendar.pass(4) == 1);
  CHECK(calendar.pass(5) == 3);
  CHECK(calendar.pass(6) == 1);
}

/// The same as sets of cycles would tell, however far ahead, and as the cycles pass.
TEST_CASE("random bookings, near and far") {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    constexpr std::size_t ports = 5;
    PortCalendar calendar;
    calendar.reset(ports);
    std::map<std::size_t, std::set<std::int32_t>> taken;
    for (std::int32_t now = 1; now < 3000; ++now) {
      for (std::uint32_t booking = random() % 4; booking > 0; --booking) {
        const std::size_t port = random() % ports;
        const auto ahead =
            static_cast<std::int32_t>(random() % 50 == 0 ? random() % (200U << round % 8) : random() % 30);
        std::int32_t cycle = now + 1 + ahead;
        const std::int32_t got = calendar.take(port, cycle);
        while (taken[port].count(cycle) != 0)
          ++cycle;
        REQUIRE(got == cycle);
        taken[port].insert(cycle);
      }
      const PortMask starts = calendar.pass(now);
      for (std::size_t port = 0; port < ports; ++port)
        REQUIRE((starts >> port & 1) == taken[port].count(now));
    }
  }
}

} // namespace
} // namespace corecast::sim
