#include "cpp/core/cycles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace corecast {
namespace {

// Latencies are decimals; as integers, sums and comparisons are exact. 1/10,000 of a cycle is finer than any source.
using Weight = std::int64_t;
constexpr double weights_per_cycle = 1e4;
constexpr std::size_t most_attempts = 64; // cycles looked at while collecting chains

Weight to_weight(double cycles) {
  return static_cast<Weight>(std::llround(cycles * weights_per_cycle));
}

struct Ratio {
  Weight weight = 0;
  Weight distance = 1;

  bool operator<(const Ratio& other) const { return weight * other.distance < other.weight * distance; }
};

struct Cycle {
  Ratio ratio;
  std::vector<std::uint32_t> edges; // in the order of execution
};

/// Searches cycles among a set of nodes, over the edges that are not cut.
class CycleFinder {
public:
  explicit CycleFinder(const DependencyGraph& graph)
      : edges_(graph.edges), cut_(graph.edges.size(), false), incoming_(graph.nodes.size() + 1, 0),
        component_(graph.nodes.size(), none), arrival_(graph.nodes.size()), parent_(graph.nodes.size()),
        mark_(graph.nodes.size(), 0) {
    for (const GraphEdge& edge : edges_)
      ++incoming_[edge.to + 1];
    std::partial_sum(incoming_.begin(), incoming_.end(), incoming_.begin());
    weight_.reserve(edges_.size());
    for (const GraphEdge& edge : edges_)
      weight_.push_back(to_weight(edge.cycles));
  }

  void cut(std::uint32_t edge) { cut_[edge] = true; }

  /// The strongly connected components of `nodes` that hold a cycle, each in program order (Tarjan, without recursion).
  std::vector<std::vector<std::uint32_t>> components(const std::vector<std::uint32_t>& nodes) {
    ++component_id_;
    for (const std::uint32_t n : nodes)
      component_[n] = component_id_;
    std::vector<std::vector<std::uint32_t>> found;
    index_.assign(arrival_.size(), none);
    low_.assign(arrival_.size(), 0);
    on_stack_.assign(arrival_.size(), false);
    next_index_ = 0;
    for (const std::uint32_t n : nodes)
      if (index_[n] == none) visit(n, found);
    return found;
  }

  /// The cycle of the largest ratio within one component; no edges where all ratios are 0.
  Cycle slowest(const std::vector<std::uint32_t>& nodes) {
    ++component_id_;
    for (const std::uint32_t n : nodes)
      component_[n] = component_id_;
    Cycle best;
    while (true) {
      std::vector<std::uint32_t> edges = positive_cycle(nodes, best.ratio);
      if (edges.empty()) return best;
      best.edges = std::move(edges);
      best.ratio = {0, 0};
      for (const std::uint32_t e : best.edges) {
        best.ratio.weight += weight_[e];
        best.ratio.distance += edges_[e].distance;
      }
    }
  }

private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  bool usable(std::uint32_t e) const { return !cut_[e] && component_[edges_[e].from] == component_[edges_[e].to]; }

  void visit(std::uint32_t root, std::vector<std::vector<std::uint32_t>>& found) {
    struct Frame {
      std::uint32_t node;
      std::uint32_t next_edge;
    };
    std::vector<Frame> frames;
    const auto enter = [&](std::uint32_t n) {
      index_[n] = low_[n] = next_index_++;
      stack_.push_back(n);
      on_stack_[n] = true;
      frames.push_back({n, incoming_[n]});
    };
    enter(root);
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const std::uint32_t n = frame.node;
      if (frame.next_edge < incoming_[n + 1]) {
        const std::uint32_t e = frame.next_edge++;
        const std::uint32_t from = edges_[e].from;
        if (cut_[e] || component_[from] != component_id_) continue;
        if (index_[from] == none)
          enter(from);
        else if (on_stack_[from])
          low_[n] = std::min(low_[n], index_[from]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) low_[frames.back().node] = std::min(low_[frames.back().node], low_[n]);
      if (low_[n] == index_[n]) pop_component(n, found);
    }
  }

  void pop_component(std::uint32_t root, std::vector<std::vector<std::uint32_t>>& found) {
    std::vector<std::uint32_t> members;
    std::uint32_t n = none;
    do {
      n = stack_.back();
      stack_.pop_back();
      on_stack_[n] = false;
      members.push_back(n);
    } while (n != root);
    bool cyclic = members.size() > 1;
    for (std::uint32_t e = incoming_[root]; e < incoming_[root + 1] && !cyclic; ++e)
      cyclic = !cut_[e] && edges_[e].from == root;
    if (!cyclic) return;
    std::sort(members.begin(), members.end());
    found.push_back(std::move(members));
  }

  /// A cycle whose weight exceeds ratio times its distance, or nothing. Longest paths from everywhere at once: they
  /// grow for ever exactly where such a cycle exists, and then the parents of some node lead back to it.
  std::vector<std::uint32_t> positive_cycle(const std::vector<std::uint32_t>& nodes, Ratio ratio) {
    for (const std::uint32_t n : nodes) {
      arrival_[n] = 0;
      parent_[n] = none;
    }
    const auto relax = [&](std::uint32_t e) {
      const Weight gain = weight_[e] * ratio.distance - ratio.weight * static_cast<Weight>(edges_[e].distance);
      const Weight reached = arrival_[edges_[e].from] + gain;
      if (reached <= arrival_[edges_[e].to]) return false;
      arrival_[edges_[e].to] = reached;
      parent_[edges_[e].to] = e;
      return true;
    };
    // Nodes are in program order: one sweep settles all paths within an iteration, each further one crosses one more.
    while (true) {
      bool changed = false;
      for (const std::uint32_t n : nodes)
        for (std::uint32_t e = incoming_[n]; e < incoming_[n + 1]; ++e)
          if (usable(e)) changed = relax(e) || changed;
      if (!changed) return {};
      std::vector<std::uint32_t> cycle = parents_cycle(nodes);
      if (!cycle.empty()) return cycle;
    }
  }

  std::vector<std::uint32_t> parents_cycle(const std::vector<std::uint32_t>& nodes) {
    for (const std::uint32_t start : nodes) {
      ++walk_;
      std::uint32_t n = start;
      // Marks of earlier walks of this search lead to no cycle.
      const std::uint64_t first_walk = search_base_;
      while (parent_[n] != none && mark_[n] <= first_walk) {
        mark_[n] = walk_;
        n = edges_[parent_[n]].from;
      }
      if (parent_[n] == none || mark_[n] != walk_) continue;
      std::vector<std::uint32_t> edges;
      const std::uint32_t first = n;
      do {
        edges.push_back(parent_[n]);
        n = edges_[parent_[n]].from;
      } while (n != first);
      std::reverse(edges.begin(), edges.end());
      search_base_ = walk_;
      return edges;
    }
    search_base_ = walk_;
    return {};
  }

  const std::vector<GraphEdge>& edges_;
  std::vector<bool> cut_;
  std::vector<std::uint32_t>
      incoming_; // edges are sorted by target: those of node n are incoming_[n]..incoming_[n + 1]
  std::vector<Weight> weight_;
  std::vector<std::uint32_t> component_;
  std::vector<Weight> arrival_;
  std::vector<std::uint32_t> parent_; // edge
  std::vector<std::uint64_t> mark_;
  std::vector<std::uint32_t> index_, low_, stack_;
  std::vector<bool> on_stack_;
  std::uint32_t next_index_ = 0;
  std::uint32_t component_id_ = 0;
  std::uint64_t walk_ = 0;
  std::uint64_t search_base_ = 0;
};

/// Adds cycles to an instruction of the chain; consecutive values of one instruction count as one step.
void add_step(DependencyChain& chain, std::uint32_t instruction, double cycles) {
  if (!chain.instructions.empty() && chain.instructions.back() == instruction) {
    chain.instruction_cycles.back() += cycles;
    return;
  }
  chain.instructions.push_back(instruction);
  chain.instruction_cycles.push_back(cycles);
}

DependencyChain to_chain(const DependencyGraph& graph, const Cycle& cycle) {
  DependencyChain chain;
  chain.cycles =
      static_cast<double>(cycle.ratio.weight) / static_cast<double>(cycle.ratio.distance) / weights_per_cycle;
  chain.distance = static_cast<std::uint32_t>(cycle.ratio.distance);
  // Begin with the earliest instruction that a carried value enters.
  std::size_t start = 0;
  std::uint32_t earliest = no_node;
  for (std::size_t i = 0; i < cycle.edges.size(); ++i) {
    const GraphEdge& edge = graph.edges[cycle.edges[i]];
    if (edge.distance > 0 && edge.to < earliest) {
      earliest = edge.to;
      start = i;
    }
  }
  for (std::size_t i = 0; i < cycle.edges.size(); ++i) {
    const GraphEdge& edge = graph.edges[cycle.edges[(start + i) % cycle.edges.size()]];
    chain.instructions.push_back(graph.nodes[edge.to].instruction);
    chain.instruction_cycles.push_back(edge.cycles);
  }
  return chain;
}

struct Candidate {
  Cycle cycle;
  std::vector<std::uint32_t> nodes;
};

/// Calls `each` with ever slower-ratio cycles; it returns false to stop.
template <typename Each> void for_each_cycle(const DependencyGraph& graph, Each each) {
  CycleFinder finder(graph);
  std::vector<std::uint32_t> all(graph.nodes.size());
  std::iota(all.begin(), all.end(), 0U);
  const auto slower = [](const Candidate& a, const Candidate& b) { return a.cycle.ratio < b.cycle.ratio; };
  std::vector<Candidate> heap;
  const auto add = [&](const std::vector<std::uint32_t>& nodes) {
    for (auto& component : finder.components(nodes)) {
      Candidate candidate{finder.slowest(component), std::move(component)};
      if (candidate.cycle.edges.empty()) continue;
      heap.push_back(std::move(candidate));
      std::push_heap(heap.begin(), heap.end(), slower);
    }
  };
  add(all);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), slower);
    const Candidate candidate = std::move(heap.back());
    heap.pop_back();
    if (!each(candidate.cycle)) return;
    for (const std::uint32_t e : candidate.cycle.edges)
      if (graph.edges[e].distance > 0) {
        finder.cut(e);
        break;
      }
    add(candidate.nodes);
  }
}

} // namespace

DependencyChain critical_path(const DependencyGraph& graph) {
  const std::size_t count = graph.nodes.size();
  std::vector<double> arrival(count, 0.0);
  std::vector<std::uint32_t> parent(count, no_node); // edge
  double longest = -1;
  std::uint32_t last = no_node;
  std::uint32_t last_edge = no_node; // edge into `last` where its end latency decides
  std::uint32_t e = 0;
  for (std::uint32_t n = 0; n < count; ++n) {
    arrival[n] = graph.nodes[n].entry_cycles;
    double end = graph.nodes[n].entry_end_cycles;
    std::uint32_t end_edge = no_node;
    for (; e < graph.edges.size() && graph.edges[e].to == n; ++e) {
      const GraphEdge& edge = graph.edges[e];
      if (edge.distance != 0) continue;
      if (arrival[edge.from] + edge.cycles >= arrival[n]) {
        arrival[n] = arrival[edge.from] + edge.cycles;
        parent[n] = e;
      }
      if (arrival[edge.from] + edge.end_cycles >= end) {
        end = arrival[edge.from] + edge.end_cycles;
        end_edge = e;
      }
    }
    if (end > longest) {
      longest = end;
      last = n;
      last_edge = end_edge;
    }
  }
  DependencyChain chain;
  if (last == no_node) return chain;
  chain.cycles = longest;
  std::uint32_t n = last;
  double own = last_edge == no_node ? graph.nodes[n].entry_end_cycles : graph.edges[last_edge].end_cycles;
  std::uint32_t edge = last_edge;
  while (true) {
    add_step(chain, graph.nodes[n].instruction, own);
    if (edge == no_node) break;
    n = graph.edges[edge].from;
    edge = parent[n];
    own = edge == no_node ? graph.nodes[n].entry_cycles : graph.edges[edge].cycles;
  }
  std::reverse(chain.instructions.begin(), chain.instructions.end());
  std::reverse(chain.instruction_cycles.begin(), chain.instruction_cycles.end());
  return chain;
}

std::vector<DependencyChain> loop_carried_chains(const DependencyGraph& graph, std::size_t count) {
  std::vector<DependencyChain> chains;
  std::vector<std::vector<std::uint32_t>> seen;
  std::size_t attempts = 0;
  if (count == 0) return chains;
  for_each_cycle(graph, [&](const Cycle& cycle) {
    DependencyChain chain = to_chain(graph, cycle);
    std::vector<std::uint32_t> members = chain.instructions;
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (std::find(seen.begin(), seen.end(), members) == seen.end()) {
      seen.push_back(std::move(members));
      chains.push_back(std::move(chain));
    }
    return chains.size() < count && ++attempts < most_attempts;
  });
  return chains;
}

double loop_carried_bound(const DependencyGraph& graph) {
  double bound = 0;
  for_each_cycle(graph, [&](const Cycle& cycle) {
    bound = static_cast<double>(cycle.ratio.weight) / static_cast<double>(cycle.ratio.distance) / weights_per_cycle;
    return false;
  });
  return bound;
}

} // namespace corecast
