#include "cpp/bounds/cycles.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>

using namespace corecast;

namespace {

/// A graph with one value per instruction.
DependencyGraph graph_of(std::uint32_t nodes, std::vector<GraphEdge> edges) {
  DependencyGraph graph;
  for (std::uint32_t n = 0; n < nodes; ++n)
    graph.nodes.push_back({n, 1, 0, 0});
  for (GraphEdge& edge : edges)
    edge.end_cycles = edge.cycles;
  std::sort(edges.begin(), edges.end(), [](const GraphEdge& a, const GraphEdge& b) {
    return std::tie(a.to, a.from, a.distance) < std::tie(b.to, b.from, b.distance);
  });
  graph.edges = std::move(edges);
  return graph;
}

GraphEdge edge(std::uint32_t from, std::uint32_t to, double cycles, std::uint32_t distance = 0) {
  return {from, to, distance, cycles, cycles};
}

/// Largest ratio over every simple cycle, each found once from its smallest node.
double enumerate_ratio(const DependencyGraph& graph) {
  double best = 0;
  std::vector<bool> on_path(graph.nodes.size(), false);
  std::function<void(std::uint32_t, std::uint32_t, double, double)> walk = [&](std::uint32_t start, std::uint32_t n,
                                                                               double cycles, double distance) {
    on_path[n] = true;
    for (const GraphEdge& e : graph.edges) {
      if (e.from != n || e.to < start) continue;
      if (e.to == start)
        best = std::max(best, (cycles + e.cycles) / (distance + e.distance));
      else if (!on_path[e.to])
        walk(start, e.to, cycles + e.cycles, distance + e.distance);
    }
    on_path[n] = false;
  };
  for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
    walk(n, n, 0, 0);
  return best;
}

} // namespace

TEST_CASE("a value that feeds itself costs its latency") {
  const auto chains = loop_carried_chains(graph_of(1, {edge(0, 0, 4, 1)}));
  REQUIRE(chains.size() == 1);
  CHECK(chains[0].cycles == 4.0);
  CHECK(chains[0].instructions == std::vector<std::uint32_t>{0});
}

TEST_CASE("a chain over two iterations costs half per iteration") {
  const auto chains = loop_carried_chains(graph_of(2, {edge(0, 1, 3), edge(1, 0, 4, 2)}));
  REQUIRE(chains.size() == 1);
  CHECK(chains[0].cycles == 3.5);
  CHECK(chains[0].distance == 2);
}

TEST_CASE("the slowest chain comes first, faster ones follow") {
  const auto chains =
      loop_carried_chains(graph_of(3, {edge(0, 0, 1, 1), edge(1, 1, 5, 1), edge(2, 2, 2, 1), edge(0, 1, 9)}));
  REQUIRE(chains.size() == 3);
  CHECK(chains[0].cycles == 5.0);
  CHECK(chains[1].cycles == 2.0);
  CHECK(chains[2].cycles == 1.0);
}

TEST_CASE("a chain through the same instructions is listed once") {
  const auto chains = loop_carried_chains(graph_of(2, {edge(0, 1, 1), edge(1, 0, 2, 1), edge(1, 0, 1, 2)}));
  CHECK(chains.size() == 1);
}

TEST_CASE("chains that cost nothing are no chains") {
  CHECK(loop_carried_chains(graph_of(2, {edge(0, 1, 0), edge(1, 0, 0, 1)})).empty());
  CHECK(loop_carried_chains(graph_of(0, {})).empty());
  CHECK(loop_carried_bound(graph_of(3, {edge(0, 1, 7), edge(1, 2, 7)})) == 0.0);
}

TEST_CASE("the bound equals the enumeration of all cycles on random graphs") {
  std::mt19937 random(42);
  for (int round = 0; round < 3000; ++round) {
    const std::uint32_t nodes = 1 + random() % 7;
    std::vector<GraphEdge> edges;
    for (unsigned e = random() % 14; e-- > 0;) {
      const std::uint32_t from = random() % nodes;
      const std::uint32_t to = random() % nodes;
      const std::uint32_t distance =
          from < to ? random() % 3 : 1 + random() % 3; // values flow forwards in an iteration
      edges.push_back(edge(from, to, 0.5 * static_cast<double>(random() % 12), distance));
    }
    const DependencyGraph graph = graph_of(nodes, edges);
    const double expected = enumerate_ratio(graph);
    REQUIRE(loop_carried_bound(graph) == doctest::Approx(expected));
    const auto chains = loop_carried_chains(graph);
    REQUIRE(chains.empty() == (expected == 0));
    for (std::size_t i = 0; i < chains.size(); ++i) {
      if (i > 0) REQUIRE(chains[i].cycles <= chains[i - 1].cycles + 1e-9);
      double sum = 0;
      for (const double cycles : chains[i].instruction_cycles)
        sum += cycles;
      REQUIRE(sum == doctest::Approx(chains[i].cycles * chains[i].distance));
    }
  }
}

TEST_CASE("another dependency never lowers the bound") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<GraphEdge> edges;
    double before = 0;
    for (int e = 0; e < 10; ++e) {
      const std::uint32_t from = random() % 5;
      const std::uint32_t to = random() % 5;
      edges.push_back(edge(from, to, static_cast<double>(random() % 6), from < to ? 0 : 1));
      const double now = loop_carried_bound(graph_of(5, edges));
      REQUIRE(now >= before - 1e-9);
      before = now;
    }
  }
}

TEST_CASE("critical path: the longest chain, the last value's own latency included") {
  DependencyGraph graph = graph_of(4, {edge(0, 1, 3), edge(1, 2, 4), edge(0, 3, 5), edge(3, 0, 100, 1)});
  graph.nodes[0].entry_cycles = graph.nodes[0].entry_end_cycles = 2;
  const auto path = critical_path(graph);
  CHECK(path.cycles == 9.0);
  CHECK(path.instructions == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(path.instruction_cycles == std::vector<double>{2, 3, 4});
}

TEST_CASE("critical path: a store's own latency counts at the end of a path only") {
  DependencyGraph graph = graph_of(3, {edge(0, 1, 0), edge(1, 2, 4)});
  graph.nodes[0].entry_cycles = graph.nodes[0].entry_end_cycles = 1;
  graph.edges[0].end_cycles = 9; // 1 is a store
  CHECK(critical_path(graph).cycles == 10.0);
}
