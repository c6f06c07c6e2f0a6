#include "cpp/sim/latency_split.hpp"

#include <doctest/doctest.h>

#include <vector>

using corecast::sim::classes_of_outputs;
using corecast::sim::LatencyTable;
using corecast::sim::split_latencies;

namespace {

LatencyTable table_of(const std::vector<std::vector<LatencyTable::Cycles>>& rows) {
  LatencyTable out(rows.front().size());
  for (const auto& row : rows) {
    out.add_input();
    for (const auto& cycles : row)
      out.add(cycles);
  }
  return out;
}

} // namespace

TEST_CASE("latencies that are sums are split into what inputs wait and outputs take") {
  const LatencyTable table = table_of({{3, 5}, {4, 6}});
  const auto split = split_latencies(table, std::vector<std::int32_t>{1, 1});
  CHECK(split.to_output == corecast::Few<std::int32_t>{3, 5});
  CHECK(split.after_input == corecast::Few<std::int32_t>{0, 1});
}

TEST_CASE("latencies that are no sums are never exceeded") {
  const LatencyTable table = table_of({{4, 4}, {3, 4}, {4, 4}});
  const auto split = split_latencies(table, std::vector<std::int32_t>{1, 1});
  CHECK(split.to_output == corecast::Few<std::int32_t>{3, 4});
  for (std::size_t s = 0; s < table.inputs(); ++s)
    for (std::size_t d = 0; d < 2; ++d)
      CHECK(split.after_input[s] + split.to_output[d] <= *table.at(s, d));
}

TEST_CASE("outputs without inputs take what they are said to") {
  const auto split = split_latencies(table_of({{std::nullopt, 2}}), std::vector<std::int32_t>{7, 1});
  CHECK(split.to_output == corecast::Few<std::int32_t>{7, 2});
  CHECK(split.after_input == corecast::Few<std::int32_t>{0});
}

TEST_CASE("outputs are told apart by the inputs that they depend on") {
  const LatencyTable table = table_of({{1, 2, 1}, {std::nullopt, 1, std::nullopt}});
  CHECK(classes_of_outputs(table) == corecast::Few<std::size_t>{0, 1, 0});
}
