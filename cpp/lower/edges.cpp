#include "cpp/lower/edges.hpp"

#include "cpp/machine/machine.hpp"

#include <algorithm>

namespace corecast {
namespace {

/// For each value the latency that its arrival is made of last: from the input that comes latest in one pass.
std::vector<double> own_latencies(const DependencyGraph& graph) {
  std::vector<double> arrival(graph.nodes.size(), 0.0);
  std::vector<double> own(graph.nodes.size(), 0.0);
  std::size_t e = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    arrival[n] = own[n] = graph.nodes[n].entry_cycles;
    for (; e < graph.edges.size() && graph.edges[e].to == n; ++e) {
      const GraphEdge& edge = graph.edges[e];
      if (edge.distance != 0 || arrival[edge.from] + edge.cycles < arrival[n]) continue;
      arrival[n] = arrival[edge.from] + edge.cycles;
      own[n] = edge.cycles;
    }
  }
  return own;
}

/// "[rsp + 8]" or "8(sp)" as the instruction's text has it; "stack" for pushes and pops.
std::string address_text(const Instruction& instruction) {
  const Traits& traits = instruction.traits;
  if (traits.address_end == 0) return "stack";
  return instruction.text.substr(traits.address_begin, traits.address_end - traits.address_begin);
}

} // namespace

std::vector<ReportedEdge> reported_edges(const Machine& machine, std::span<const Instruction* const> instructions,
                                         const DependencyGraph& graph) {
  const std::vector<double> own = own_latencies(graph);
  std::vector<ReportedEdge> edges;
  std::size_t consumer_start = 0; // uses are ordered by consumer
  for (const DependencyUse& use : graph.uses) {
    if (use.producer == no_node) continue;
    ReportedEdge edge{
        graph.nodes[use.producer].instruction, use.consumer, own[use.producer], use.distance, use.kind, {}};
    edge.location = use.kind == DependencyKind::memory ? address_text(*instructions[use.consumer])
                                                       : machine.registers().name_of(use.reg);
    if (!edges.empty() && edges.back().consumer != use.consumer) consumer_start = edges.size();
    const auto same = std::find_if(
        edges.begin() + static_cast<std::ptrdiff_t>(consumer_start), edges.end(), [&](const ReportedEdge& other) {
          return other.producer == edge.producer && other.distance == edge.distance && other.kind == edge.kind &&
                 (edge.kind == DependencyKind::flags || other.location == edge.location);
        });
    if (same == edges.end()) {
      edges.push_back(std::move(edge));
      continue;
    }
    same->cycles = std::max(same->cycles, edge.cycles);
    if (edge.kind == DependencyKind::flags && same->location.find(edge.location) == std::string::npos)
      same->location += " " + edge.location;
  }
  return edges;
}

} // namespace corecast
