// Ways to predict one block. A further method is one function and one line in methods.cpp.
#pragma once

#include "cpp/bounds/analyze.hpp"

#include <array>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace corecast {

/// A block, decoded and looked up.
struct Block {
  const Machine& machine;
  std::span<const Instruction* const> instructions; // the assumed loop branch included
  std::span<const Costing> costings;                // of each instruction
  const AnalyzeOptions& options;
};

struct BlockPrediction {
  double cycles = 0; // per iteration
  std::string bottleneck;
  bool simulated = false;
  /// Prediction::bounds; not a number where nobody asked for them.
  std::array<double, Prediction::bound_names.size()> bounds = [] {
    std::array<double, Prediction::bound_names.size()> none{};
    none.fill(std::numeric_limits<double>::quiet_NaN());
    return none;
  }();
};

/// Predicts block after block; used by one thread, so it may keep buffers. The result must not depend on earlier
/// blocks.
using Method = std::function<BlockPrediction(const Block&)>;

struct NamedMethod {
  std::string_view name;
  Method (*make)(); // called once a thread
};

std::span<const NamedMethod> all_methods();

} // namespace corecast
