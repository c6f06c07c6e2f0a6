#include "cpp/core/uop_cache_entries.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace corecast;

namespace {

struct Placed {
  unsigned start, length, uops;
};

/// Entries that instructions take: lines of 64 bytes, 8 uops an entry.
int count(std::initializer_list<Placed> instructions) {
  UopCacheEntries cache(64, 8);
  int entries = 0;
  for (const Placed& each : instructions) {
    entries += cache.begin(each.start, each.start + each.length - 1, each.uops) ? 1 : 0;
    for (unsigned u = 0; u < each.uops; ++u)
      entries += cache.add() ? 1 : 0;
  }
  return entries;
}

} // namespace

TEST_CASE("uop cache entries: instructions of one line share an entry while there is room") {
  CHECK(count({{0, 4, 1}, {4, 4, 1}, {8, 4, 1}}) == 1);
  CHECK(count({{0, 4, 4}, {4, 4, 4}}) == 1);
  CHECK(count({{0, 4, 4}, {4, 4, 5}}) == 2);
}

TEST_CASE("uop cache entries: an instruction belongs to the line where it ends, the first one to where it starts") {
  CHECK(count({{56, 4, 1}, {60, 4, 1}}) == 1);
  CHECK(count({{56, 4, 1}, {60, 5, 1}}) == 2);
  CHECK(count({{60, 8, 1}, {68, 4, 1}}) == 2);
}

TEST_CASE("uop cache entries: microcode goes on in further ones") {
  CHECK(count({{0, 4, 8}}) == 1);
  CHECK(count({{0, 4, 20}}) == 3);
  CHECK(count({{0, 4, 20}, {4, 4, 4}}) == 3);
  CHECK(count({{0, 4, 20}, {4, 4, 5}}) == 4);
}
