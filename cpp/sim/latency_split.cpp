#include "cpp/sim/latency_split.hpp"

#include <algorithm>
#include <limits>

namespace corecast::sim {
namespace {

constexpr std::int32_t unbounded = std::numeric_limits<std::int32_t>::max();

} // namespace

LatencySplit split_latencies(const LatencyTable& table, const std::vector<std::int32_t>& unlisted) {
  LatencySplit out{std::vector<std::int32_t>(unlisted.size(), unbounded), std::vector<std::int32_t>(table.size(), 0)};
  for (const auto& cycles : table)
    for (std::size_t d = 0; d < unlisted.size(); ++d)
      if (cycles[d]) out.to_output[d] = std::min(out.to_output[d], *cycles[d]);
  for (std::size_t d = 0; d < unlisted.size(); ++d)
    if (out.to_output[d] == unbounded) out.to_output[d] = unlisted[d];
  for (std::size_t s = 0; s < table.size(); ++s) {
    std::int32_t least = unbounded;
    for (std::size_t d = 0; d < unlisted.size(); ++d)
      if (table[s][d]) least = std::min(least, *table[s][d] - out.to_output[d]);
    out.after_input[s] = least == unbounded ? 0 : least;
  }
  return out;
}

std::vector<std::size_t> classes_of_outputs(const LatencyTable& table, std::size_t outputs) {
  const auto alike = [&](std::size_t a, std::size_t b) {
    return std::all_of(table.begin(), table.end(),
                       [&](const auto& cycles) { return cycles[a].has_value() == cycles[b].has_value(); });
  };
  std::vector<std::size_t> out, first;
  for (std::size_t d = 0; d < outputs; ++d) {
    std::size_t number = 0;
    while (number < first.size() && !alike(first[number], d))
      ++number;
    if (number == first.size()) first.push_back(d);
    out.push_back(number);
  }
  return out;
}

} // namespace corecast::sim
