// The uops of one instruction and the values that they hand to each other.
#pragma once

#include "cpp/base/recycled.hpp"
#include "cpp/lower/graph.hpp"
#include "cpp/lower/latencies.hpp"
#include "cpp/lower/planned_uops.hpp"
#include "cpp/lower/pointer_chase.hpp"
#include "cpp/machine/machine.hpp"
#include "cpp/sim/program.hpp"

#include <optional>
#include <span>
#include <vector>

namespace corecast::sim {

/// What every instruction's expansion reads, and the values that it adds to the graph's nodes.
struct ExpansionContext {
  const Machine& machine;
  std::span<const Instruction* const> instructions;
  std::span<const FormEntry* const> entries;
  const DependencyGraph& graph;
  const MemoryPorts& memory_ports;
  PointerChase& pointer_chase;
  Recycled<std::uint32_t> first_node;        // by instruction, and one past the end
  Recycled<std::uint32_t> first_use;         // the same
  Recycled<std::uint32_t> store_data_values; // by node: the data part of a stored value
  Recycled<std::uint32_t> store_addresses;   // by node: the address part
  Recycled<std::uint32_t> stored_values;     // by node, where memory is renamed: what an operation hands to its store
};

/// Appends the instruction's uops to the program. Values that none of them makes become immediate.
void append_uops(const ExpansionContext& context, std::uint32_t instruction, std::span<const PlannedUop> planned,
                 Program& program);

} // namespace corecast::sim
