// Free entries that are counted several in a word are what counting each alone gives.
#include "cpp/sim/units/scheduler_room.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

using corecast::PortMask;
using corecast::sim::SchedulerPart;
using corecast::sim::SchedulerRoom;

TEST_CASE("schedulers have room where each and all together have") {
  constexpr std::uint32_t ports = 20; // each part has two of them, the last ones may belong to none
  std::mt19937 random(11);
  for (const std::size_t count : {0U, 1U, 3U, 4U, 6U}) {
    std::vector<SchedulerPart> parts(count);
    for (std::size_t part = 0; part < count; ++part) {
      parts[part].ports = PortMask{3} << (2 * part);
      parts[part].entries = 8 + static_cast<std::uint32_t>(part);
    }
    const std::uint32_t entries = 30;
    SchedulerRoom room;
    room.reset(entries, parts, ports);
    std::vector<std::uint32_t> inside; // ports of the uops that are in the schedulers
    const auto expected = [&](std::size_t more) {
      const auto in_part = [&](const SchedulerPart& part) {
        return static_cast<std::size_t>(std::count_if(
            inside.begin(), inside.end(), [&](std::uint32_t port) { return (part.ports >> port & 1) != 0; }));
      };
      return inside.size() + more <= entries && std::all_of(parts.begin(), parts.end(), [&](const SchedulerPart& part) {
               return in_part(part) + more <= part.entries;
             });
    };
    for (int step = 0; step < 3000; ++step) {
      // A group has more uops than slots, so that some enter beyond the last entry.
      if (random() % 2 == 0 && room.has(4)) {
        const bool together = random() % 2 == 0;
        SchedulerRoom::Entering entering(room);
        for (int uop = 0; uop < 7; ++uop) {
          inside.push_back(random() % ports);
          if (together)
            entering.add(inside.back());
          else
            room.take(inside.back());
        }
      } else if (random() % 2 == 0) { // at most one at each port
        PortMask leaving = 0;
        for (std::uint32_t& port : inside) {
          if (random() % 2 == 0 || (leaving >> port & 1) != 0) continue;
          leaving |= PortMask{1} << port;
          port = ports;
        }
        std::erase(inside, ports);
        room.give_back_each(leaving);
      } else if (!inside.empty()) {
        std::swap(inside[random() % inside.size()], inside.back());
        room.give_back(inside.back());
        inside.pop_back();
      }
      REQUIRE(room.taken() == inside.size());
      for (const std::size_t more : {1U, 4U, 8U})
        REQUIRE(room.has(more) == expected(more));
    }
  }
}
