// Longest paths and slowest cycles of a dependency graph.
#pragma once

#include "cpp/lower/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corecast {

/// A chain of instructions. `instruction_cycles` sum to `cycles` times `distance`.
struct DependencyChain {
  double cycles = 0;          // of one pass (critical path), or per iteration (loop-carried)
  std::uint32_t distance = 1; // iterations that a loop-carried chain spans
  std::vector<std::uint32_t> instructions;
  std::vector<double> instruction_cycles;
};

/// The longest path through one iteration, the last value's own latency included.
DependencyChain critical_path(const DependencyGraph& graph);

/// Loop-carried chains, slowest first: the exact maximum of cycles per iteration over all cycles of the graph, then the
/// maximum once a carried edge of that cycle is cut, and so on, at most `count`. Chains through the same instructions
/// as an earlier one are left out. Polynomial: Newton's iteration on the ratio, each step a Bellman-Ford in program
/// order.
std::vector<DependencyChain> loop_carried_chains(const DependencyGraph& graph, std::size_t count = 16);

/// The first of them alone: cycles per iteration, 0 where nothing is carried.
double loop_carried_bound(const DependencyGraph& graph);

} // namespace corecast
