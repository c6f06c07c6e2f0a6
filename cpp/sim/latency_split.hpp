// What a uop that starts once all its inputs are there can say of latencies that belong to pairs of inputs and outputs.
#pragma once

#include "cpp/base/few.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace corecast::sim {

/// Cycles by input, then by output; nothing where the output does not depend on the input.
class LatencyTable {
public:
  using Cycles = std::optional<std::int32_t>;

  explicit LatencyTable(std::size_t outputs = 0) : outputs_(outputs) {}

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  Cycles at(std::size_t input, std::size_t output) const { return cells_[input * outputs_ + output]; }
  std::span<const Cycles> row(std::size_t input) const {
    return std::span<const Cycles>(cells_.data(), cells_.size()).subspan(input * outputs_, outputs_);
  }

  /// Adds an input; then one figure for each output follows.
  void add_input() {
    ++inputs_;
    cells_.reserve(inputs_ * outputs_);
  }
  void add(Cycles cycles) { cells_.push_back(cycles); }
  /// Takes the last input out again.
  void drop_input() {
    --inputs_;
    cells_.resize(inputs_ * outputs_);
  }

private:
  std::size_t inputs_ = 0, outputs_ = 0;
  Few<Cycles, 16> cells_;
};

/// Cycles from the uop's start to each output, and how much later than the others each input may arrive. No sum of both
/// is more than the table says: what is missing is the output's to wait for.
struct LatencySplit {
  Few<std::int32_t> to_output;
  Few<std::int32_t> after_input;
};

/// `unlisted`: cycles to outputs that depend on no input.
LatencySplit split_latencies(const LatencyTable& table, std::span<const std::int32_t> unlisted);

/// Outputs by the inputs that they depend on: a number for each, from 0.
Few<std::size_t> classes_of_outputs(const LatencyTable& table);

} // namespace corecast::sim
