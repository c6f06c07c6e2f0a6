// The dependency graph as people read it: one edge per value handed from an instruction to another.
#pragma once

#include "cpp/lower/graph.hpp"

#include <span>
#include <string>
#include <vector>

namespace corecast {

class Machine;

struct ReportedEdge {
  std::uint32_t producer = 0; // instructions
  std::uint32_t consumer = 0;
  double cycles = 0; // the producer's latency, from the input that its value waits for longest
  std::uint32_t distance = 0;
  DependencyKind kind = DependencyKind::reg;
  std::string location; // register, flags ("cf zf") or address
};

std::vector<ReportedEdge> reported_edges(const Machine& machine, std::span<const Instruction* const> instructions,
                                         const DependencyGraph& graph);

} // namespace corecast
