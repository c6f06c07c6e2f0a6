// What a uop that starts once all its inputs are there can say of latencies that belong to pairs of inputs and outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace corecast::sim {

/// Cycles by input, then by output; nothing where the output does not depend on the input.
using LatencyTable = std::vector<std::vector<std::optional<std::int32_t>>>;

/// Cycles from the uop's start to each output, and how much later than the others each input may arrive. No sum of both
/// is more than the table says: what is missing is the output's to wait for.
struct LatencySplit {
  std::vector<std::int32_t> to_output;
  std::vector<std::int32_t> after_input;
};

/// `unlisted`: cycles to outputs that depend on no input.
LatencySplit split_latencies(const LatencyTable& table, const std::vector<std::int32_t>& unlisted);

/// Outputs by the inputs that they depend on: a number for each, from 0.
std::vector<std::size_t> classes_of_outputs(const LatencyTable& table, std::size_t outputs);

} // namespace corecast::sim
