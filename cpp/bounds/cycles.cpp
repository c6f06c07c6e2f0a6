#include "cpp/bounds/cycles.hpp"

#include "cpp/base/interrupt.hpp"
#include "cpp/base/recycled.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace corecast {
namespace {

// Latencies are decimals; as integers, sums and comparisons are exact. 1/10,000 of a cycle is finer than any source.
using Weight = std::int64_t;
constexpr double weights_per_cycle = 1e4;
constexpr std::size_t many_nodes = 256;   // a search among which may take long
constexpr std::size_t most_attempts = 64; // cycles looked at while collecting chains

Weight to_weight(double cycles) {
  return static_cast<Weight>(std::llround(cycles * weights_per_cycle));
}

struct Ratio {
  Weight weight = 0;
  Weight distance = 1;

  bool operator<(const Ratio& other) const { return weight * other.distance < other.weight * distance; }
};

double cycles_of(Ratio ratio) {
  return static_cast<double>(ratio.weight) / static_cast<double>(ratio.distance) / weights_per_cycle;
}

struct Cycle {
  Ratio ratio;
  std::vector<std::uint32_t> edges; // in the order of execution
};

/// Searches cycles among a set of nodes, over the edges that are not cut.
class CycleFinder {
public:
  explicit CycleFinder(const DependencyGraph& graph) : edges_(graph.edges) {
    incoming_.resize(graph.nodes.size() + 1, 0);
    visits_.resize(graph.nodes.size());
    paths_.resize(graph.nodes.size());
    cut_.resize(edges_.size(), 0);
    stack_.reserve(graph.nodes.size());
    frames_.reserve(graph.nodes.size());
    for (const GraphEdge& edge : edges_)
      ++incoming_[edge.to + 1];
    std::partial_sum(incoming_.begin(), incoming_.end(), incoming_.begin());
    weight_.reserve(edges_.size());
    for (const GraphEdge& edge : edges_)
      weight_.push_back(to_weight(edge.cycles));
  }

  void cut(std::uint32_t edge) { cut_[edge] = 1; }

  /// Calls `each` with the strongly connected components of all nodes that hold a cycle, each in program order.
  template <typename Each> void components(const Each& each) {
    begin_search();
    for (Visit& visit : visits_)
      visit.component = search_id_;
    // Within an iteration edges lead forward: no cycle is without a value that goes to a later iteration.
    for (const GraphEdge& edge : edges_)
      if (edge.distance > 0 && visits_[edge.from].index == none) visit(edge.from, each);
  }

  /// The same among some nodes, in the order of their first ones.
  template <typename Each> void components(std::span<const std::uint32_t> nodes, const Each& each) {
    begin_search();
    for (const std::uint32_t n : nodes)
      visits_[n] = {search_id_, none, 0, false};
    for (const std::uint32_t n : nodes)
      if (visits_[n].index == none) visit(n, each);
  }

  /// The cycle of the largest ratio within one component, if that is above `least`; else no edges.
  Cycle slowest(std::span<const std::uint32_t> nodes, Ratio least = {}) {
    ++component_id_;
    for (const std::uint32_t n : nodes)
      visits_[n].component = component_id_;
    Cycle best{least, {}};
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

  /// What the search for components keeps of a node.
  struct Visit {
    std::uint32_t component = none; // or the set that is searched
    std::uint32_t index = none;     // in the order of visits
    std::uint32_t low = 0;
    bool on_stack = false;
  };

  struct Frame {
    std::uint32_t node;
    std::uint32_t next_edge;
  };

  /// The longest path to a node so far.
  struct Path {
    Weight arrival = 0;
    std::uint64_t mark = 0;      // the walk that came by last
    std::uint32_t parent = none; // edge
  };

  bool usable(std::uint32_t e) const {
    return !cut_[e] && visits_[edges_[e].from].component == visits_[edges_[e].to].component;
  }

  void enter(std::uint32_t n) {
    visits_[n].index = visits_[n].low = next_index_++;
    visits_[n].on_stack = true;
    stack_.push_back(n);
    frames_.push_back({n, incoming_[n]});
  }

  void begin_search() {
    search_id_ = ++component_id_;
    next_index_ = 0;
  }

  /// Components from one node on (Tarjan, without recursion).
  template <typename Each> void visit(std::uint32_t root, const Each& each) {
    enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::uint32_t n = frame.node;
      Visit& here = visits_[n];
      if (frame.next_edge < incoming_[n + 1]) {
        const std::uint32_t e = frame.next_edge++;
        const std::uint32_t from = edges_[e].from;
        const Visit& there = visits_[from];
        if (cut_[e] || there.component != search_id_) continue;
        if (there.index == none)
          enter(from);
        else if (there.on_stack)
          here.low = std::min(here.low, there.index);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) {
        Visit& before = visits_[frames_.back().node];
        before.low = std::min(before.low, here.low);
      }
      if (here.low == here.index) pop_component(n, each);
    }
  }

  template <typename Each> void pop_component(std::uint32_t root, const Each& each) {
    auto first = stack_.end();
    do
      visits_[*--first].on_stack = false;
    while (*first != root);
    bool cyclic = stack_.end() - first > 1;
    for (std::uint32_t e = incoming_[root]; e < incoming_[root + 1] && !cyclic; ++e)
      cyclic = !cut_[e] && edges_[e].from == root;
    if (cyclic) {
      std::sort(first, stack_.end());
      each(std::span<const std::uint32_t>(first, stack_.end()));
    }
    stack_.erase(first, stack_.end());
  }

  /// A cycle whose weight exceeds ratio times its distance, or nothing. Longest paths from everywhere at once: they
  /// grow for ever exactly where such a cycle exists, and then the parents of some node lead back to it.
  std::vector<std::uint32_t> positive_cycle(std::span<const std::uint32_t> nodes, Ratio ratio) {
    for (const std::uint32_t n : nodes) {
      paths_[n].arrival = 0;
      paths_[n].parent = none;
    }
    const auto relax = [&](std::uint32_t e) {
      const Weight gain = weight_[e] * ratio.distance - ratio.weight * static_cast<Weight>(edges_[e].distance);
      const Weight reached = paths_[edges_[e].from].arrival + gain;
      Path& to = paths_[edges_[e].to];
      if (reached <= to.arrival) return false;
      to.arrival = reached;
      to.parent = e;
      return true;
    };
    // Nodes are in program order: one sweep settles all paths within an iteration, each further one crosses one more.
    while (true) {
      if (nodes.size() >= many_nodes) poll_interrupt();
      bool changed = false;
      for (const std::uint32_t n : nodes)
        for (std::uint32_t e = incoming_[n]; e < incoming_[n + 1]; ++e)
          if (usable(e)) changed = relax(e) || changed;
      if (!changed) return {};
      std::vector<std::uint32_t> cycle = parents_cycle(nodes);
      if (!cycle.empty()) return cycle;
    }
  }

  std::vector<std::uint32_t> parents_cycle(std::span<const std::uint32_t> nodes) {
    for (const std::uint32_t start : nodes) {
      ++walk_;
      std::uint32_t n = start;
      // Marks of earlier walks of this search lead to no cycle.
      const std::uint64_t first_walk = search_base_;
      while (paths_[n].parent != none && paths_[n].mark <= first_walk) {
        paths_[n].mark = walk_;
        n = edges_[paths_[n].parent].from;
      }
      if (paths_[n].parent == none || paths_[n].mark != walk_) continue;
      std::vector<std::uint32_t> edges;
      const std::uint32_t first = n;
      do {
        edges.push_back(paths_[n].parent);
        n = edges_[paths_[n].parent].from;
      } while (n != first);
      std::reverse(edges.begin(), edges.end());
      search_base_ = walk_;
      return edges;
    }
    search_base_ = walk_;
    return {};
  }

  const std::vector<GraphEdge>& edges_;
  Recycled<std::uint8_t> cut_;       // by edge
  Recycled<std::uint32_t> incoming_; // edges are sorted by target: those of node n are incoming_[n]..incoming_[n + 1]
  Recycled<Weight> weight_;
  Recycled<Visit> visits_;
  Recycled<Path> paths_;
  Recycled<std::uint32_t> stack_;
  Recycled<Frame> frames_;
  std::uint32_t next_index_ = 0;
  std::uint32_t component_id_ = 0; // the last one given
  std::uint32_t search_id_ = 0;    // of the nodes among which components are searched
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
  chain.cycles = cycles_of(cycle.ratio);
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
  const auto add = [&](std::span<const std::uint32_t> nodes) {
    finder.components(nodes, [&](std::span<const std::uint32_t> component) {
      Candidate candidate{finder.slowest(component), {component.begin(), component.end()}};
      if (candidate.cycle.edges.empty()) return;
      heap.push_back(std::move(candidate));
      std::push_heap(heap.begin(), heap.end(), slower);
    });
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
  if (std::all_of(graph.edges.begin(), graph.edges.end(), [](const GraphEdge& edge) { return edge.distance == 0; }))
    return 0;
  CycleFinder finder(graph);
  Ratio slowest;
  finder.components([&](std::span<const std::uint32_t> component) {
    if (const Cycle cycle = finder.slowest(component, slowest); !cycle.edges.empty()) slowest = cycle.ratio;
  });
  return cycles_of(slowest);
}

} // namespace corecast
