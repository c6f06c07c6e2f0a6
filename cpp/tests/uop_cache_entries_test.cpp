#include "cpp/lower/uop_cache_entries.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace corecast;

namespace {

struct Placed {
  unsigned start, length, uops;
  EncodedConstants constants = {};
};

struct Count {
  int entries = 0, lines = 0;
};

Count count_both(const FrontEndParameters& parameters, std::initializer_list<Placed> instructions) {
  UopCacheEntries cache(parameters);
  Count out;
  for (const Placed& each : instructions) {
    cache.begin(each.start, each.start + each.length - 1, each.uops, each.constants);
    out.entries += cache.begins_entry() ? 1 : 0;
    out.lines += cache.begins_line() ? 1 : 0;
    for (unsigned u = 0; u < each.uops; ++u)
      out.entries += cache.add() ? 1 : 0;
  }
  return out;
}

/// Lines of 64 bytes, 8 uops an entry.
FrontEndParameters eight() {
  FrontEndParameters out;
  out.uop_cache_entry_bytes = 64;
  out.uop_cache_entry_uops = 8;
  return out;
}

int count(std::initializer_list<Placed> instructions) {
  return count_both(eight(), instructions).entries;
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

TEST_CASE("uop cache entries that go on from line to line: lines are counted beside them") {
  FrontEndParameters parameters = eight();
  CHECK(count_both(parameters, {{32, 15, 4}, {47, 15, 2}, {62, 4, 2}}).entries == 2);
  parameters.uop_cache_entry_crosses_lines = true;
  const Count found = count_both(parameters, {{32, 15, 4}, {47, 15, 2}, {62, 4, 2}});
  CHECK(found.entries == 1);
  CHECK(found.lines == 2);
  CHECK(count_both(parameters, {{32, 15, 4}, {47, 15, 2}, {62, 4, 3}}).entries == 2);
}

TEST_CASE("uop cache entries: the more uops, the fewer constants go with them") {
  FrontEndParameters parameters = eight();
  parameters.uop_cache_entry_limits = {{4, 8, 8}, {8, 4, 2}};
  const auto entries = [&](std::initializer_list<Placed> instructions) {
    return count_both(parameters, instructions).entries;
  };
  CHECK(entries({{0, 4, 4, {8, 8}}}) == 1);
  CHECK(entries({{0, 4, 4, {8, 8}}, {4, 4, 1, {}}}) == 2);
  CHECK(entries({{0, 4, 4, {4, 2}}, {4, 4, 4, {}}}) == 1);
  CHECK(entries({{0, 4, 4, {4, 3}}, {4, 4, 4, {}}}) == 2);
  CHECK(entries({{0, 4, 4, {4, 2}}, {4, 4, 4, {1, 0}}}) == 2);
  // What did not fit begins the next entry with its own constants alone.
  CHECK(entries({{0, 4, 3, {8, 8}}, {4, 4, 1, {4, 0}}, {8, 4, 1, {4, 0}}}) == 2);
  CHECK(entries({{0, 4, 3, {8, 8}}, {4, 4, 1, {4, 0}}, {8, 4, 1, {5, 0}}}) == 3);
}
