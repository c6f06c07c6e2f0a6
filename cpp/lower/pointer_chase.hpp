// Loads whose base register was itself loaded: faster on some cores (pipeline facts IN-121).
#pragma once

#include "cpp/lower/graph.hpp"

#include <span>
#include <utility>
#include <vector>

namespace corecast {

struct PipelineParameters;

/// Answers for one region whose uses are known, in the order of their consumers.
class PointerChase {
public:
  PointerChase(const PipelineParameters& pipeline, std::span<const Instruction* const> instructions,
               std::span<const FormEntry* const> entries, const DependencyGraph& graph)
      : pipeline_(pipeline), instructions_(instructions), entries_(entries), graph_(graph) {}

  /// Cycles that a load gains on an address input (one of the graph's); 0 where the core or the code offers none.
  double gain(const DependencyUse& use);

private:
  bool loads_pointer(std::uint32_t node) const;
  bool is_zeroed(std::uint32_t load, RegisterId reg);
  const std::vector<std::uint32_t>& writers_of(RegisterId reg);

  const PipelineParameters& pipeline_;
  std::span<const Instruction* const> instructions_;
  std::span<const FormEntry* const> entries_;
  const DependencyGraph& graph_;
  std::vector<std::pair<RegisterId, std::vector<std::uint32_t>>> writers_; // of the registers asked for, in their order
};

} // namespace corecast
