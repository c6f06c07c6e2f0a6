// The dependency graph of one iteration: who waits for whom, and for how long.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/lower/addresses.hpp"
#include "cpp/machine/forms/form_entry.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace corecast {

class Machine;

inline constexpr std::uint32_t no_node = 0xFFFFFFFF;

/// A value that an instruction makes: one per written operand; all stores of an instruction are one (memory).
/// Nodes are in program order, so that a value of the same iteration always has a smaller number than its consumers.
struct ValueNode {
  std::uint32_t instruction = 0;
  OperandId operand = 0;
  /// Cycles from inputs that are ready before the iteration to this value.
  double entry_cycles = 0;
  /// The same for a path that ends here: a store's own latency counts then.
  double entry_end_cycles = 0;
};

/// The value `to` is ready `cycles` after `from`, made `distance` iterations before.
struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t distance = 0;
  double cycles = 0;
  double end_cycles = 0; // in place of `cycles` where a path ends in a store
};

enum class DependencyKind : std::uint8_t { reg, flags, memory, address };

/// An instruction's input and the value it comes from; several edges may stem from one.
struct DependencyUse {
  std::uint32_t producer = no_node; // no_node: not made in this region
  std::uint32_t consumer = 0;       // instruction
  std::uint32_t distance = 0;
  OperandId source = 0; // the consumer's operand
  DependencyKind kind = DependencyKind::reg;
  RegisterId reg = 0;        // memory: 0
  bool merge = false;        // the old value of a partly written register
  bool contained = true;     // memory: see MemoryDependency
  bool same_address = false; // memory: renaming knows that it is the store's, and not by the registers' names alone
  bool joined = false;       // memory: with the operation behind it, in one uop
  bool own_update = false;   // memory: of what the instruction itself wrote an iteration before, in a loop
  bool executed = false;     // what the renamer does by itself elsewhere: takes at least a cycle
  double extra_cycles = 0;
  /// A value, made `group_distance` iterations before: where rename takes its maker in the same cycle as the consumer,
  /// this input counts as arriving `group_cycles` later.
  std::uint32_t group_value = no_node;
  std::uint32_t group_distance = 0;
  double group_cycles = 0;
  std::uint32_t access = 0;       // memory: the load's position in Instruction::memory
  std::uint32_t store_access = 0; // memory: the store's
};

/// A uop that the renamer adds: stack pointer synchronisation, merging of high-byte registers.
struct ExtraUop {
  std::uint32_t instruction = 0; // before which it is issued
  PortMask ports = 0;
  const char* what = "";
  bool alone = false;                // renamed in a separate cycle
  double per_iteration = 1;          // below one: only where the renamer's stack offset overflows
  std::int32_t stack_step_bytes = 0; // ... by this instruction's step
  bool joins_operation = false;      // its instruction's operation follows it on the same port
};

/// An instruction whose operation keeps its port longer, for what it takes its input from.
struct LongerOperation {
  std::uint32_t instruction = 0;
  double cycles = 0;
};

/// An instruction whose operation makes its results later where it runs on one of these ports.
struct LateResult {
  std::uint32_t instruction = 0;
  PortMask ports = 0;
  double cycles = 0;
  /// And where this value, made `distance` iterations before, was made on one of these; 0: wherever that was.
  PortMask maker_ports = 0;
  std::uint32_t value = no_node, distance = 0;
  bool same_rule = false; // as the one before it, for another of its inputs: they count once
};

struct DependencyGraph {
  std::vector<ValueNode> nodes;
  std::vector<GraphEdge> edges; // sorted by (to, from, distance)
  std::vector<DependencyUse> uses;
  std::vector<ExtraUop> extra_uops;
  std::vector<LongerOperation> longer_operations;
  std::vector<LateResult> late_results;   // sorted by instruction
  std::vector<std::uint32_t> unforwarded; // loads whose store covers them in part only
  /// Some latency is right on average alone: one between registers that is no whole number, where a core that counts
  /// cycles is faster, one through memory that depends on how many loads wait, or one that depends on what rename takes
  /// in one cycle.
  bool estimated = false;
  std::uint32_t unknown_latencies = 0; // instructions with a row that lacks their latency: it counts as one cycle

  void clear() {
    nodes.clear();
    edges.clear();
    uses.clear();
    extra_uops.clear();
    longer_operations.clear();
    late_results.clear();
    unforwarded.clear();
    unknown_latencies = 0;
    estimated = false;
  }
};

/// `entries[i]` is the row used for instruction i, nullptr where unknown: its outputs are then ready with its inputs,
/// so that paths through it are lower bounds. Copies of the region follow each other, in loops as in unrolled code.
/// `seconds` tells of each instruction whether it is the second of a fused pair; empty: none is.
/// `aliasing`: what is assumed of accesses through different registers; none: that they never meet.
/// `loop`: whether what the core's rules say of loops alone counts. `edges`: false leaves out the edges, and what is
/// found with them: `estimated`, `unknown_latencies` and the values' entry cycles.
/// `room` is a graph that nobody needs any more: its memory serves again.
DependencyGraph build_graph(const Machine& machine, std::span<const Instruction* const> instructions,
                            std::span<const FormEntry* const> entries, const std::vector<bool>& seconds = {},
                            DependencyGraph room = {}, const Aliasing* aliasing = nullptr, bool loop = true,
                            bool edges = true);

} // namespace corecast
