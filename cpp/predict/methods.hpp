// Ways to predict blocks. A further method is one class and one line in methods.cpp.
#pragma once

#include "cpp/bounds/analyze.hpp"
#include "cpp/lower/region.hpp"
#include "cpp/sim/digest.hpp"
#include "cpp/sim/program.hpp"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace corecast {

/// A block, lowered.
struct Block {
  const Machine& machine;
  const Region& region;              // the assumed loop branch included
  std::span<const Costing> costings; // of each instruction
  const AnalyzeOptions& options;     // that it was lowered with
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

/// Of a block whose instructions may be gone.
struct BegunPrediction {
  BlockPrediction found;               // so far
  std::optional<sim::Program> program; // to simulate
  sim::Digest digest;                  // of it
};

/// Predicts blocks in two steps, so that the code of each stays in the nearest caches while several blocks take it;
/// used by one thread, so it may keep buffers. The result must not depend on other blocks.
class Method {
public:
  virtual ~Method() = default;
  /// Throws SimulationLimitError where a block of such instructions is too long for it. Before it is lowered.
  virtual void check(std::span<const Costing>) const {}
  /// LowerOptions::edges, of the region that begin() is given.
  virtual bool needs_edges() const { return true; }
  /// All that needs the block itself.
  virtual BegunPrediction begin(const Block& block) = 0;
  /// The rest. Throws SimulationLimitError.
  virtual BlockPrediction finish(const Machine& machine, BegunPrediction& begun) = 0;
};

struct NamedMethod {
  std::string_view name;
  std::unique_ptr<Method> (*make)(); // called once a thread
};

std::span<const NamedMethod> all_methods();

} // namespace corecast
