#include "cpp/sim/latency_split.hpp"

#include <algorithm>
#include <limits>

namespace corecast::sim {
namespace {

constexpr std::int32_t unbounded = std::numeric_limits<std::int32_t>::max();

} // namespace

LatencySplit split_latencies(const LatencyTable& table, std::span<const std::int32_t> unlisted) {
  LatencySplit out{Few<std::int32_t>(unlisted.size(), unbounded), Few<std::int32_t>(table.inputs(), 0)};
  for (std::size_t s = 0; s < table.inputs(); ++s)
    for (std::size_t d = 0; d < unlisted.size(); ++d)
      if (const auto cycles = table.at(s, d)) out.to_output[d] = std::min(out.to_output[d], *cycles);
  for (std::size_t d = 0; d < unlisted.size(); ++d)
    if (out.to_output[d] == unbounded) out.to_output[d] = unlisted[d];
  for (std::size_t s = 0; s < table.inputs(); ++s) {
    std::int32_t least = unbounded;
    for (std::size_t d = 0; d < unlisted.size(); ++d)
      if (const auto cycles = table.at(s, d)) least = std::min(least, *cycles - out.to_output[d]);
    out.after_input[s] = least == unbounded ? 0 : least;
  }
  return out;
}

Few<std::size_t> classes_of_outputs(const LatencyTable& table) {
  const auto alike = [&](std::size_t a, std::size_t b) {
    for (std::size_t s = 0; s < table.inputs(); ++s)
      if (table.at(s, a).has_value() != table.at(s, b).has_value()) return false;
    return true;
  };
  Few<std::size_t> out, first;
  for (std::size_t d = 0; d < table.outputs(); ++d) {
    std::size_t number = 0;
    while (number < first.size() && !alike(first[number], d))
      ++number;
    if (number == first.size()) first.push_back(d);
    out.push_back(number);
  }
  return out;
}

} // namespace corecast::sim
