#include "cpp/sim/parameters.hpp"

#include <algorithm>

namespace corecast::sim {
namespace {

constexpr std::uint32_t assumed_reorder_buffer = 128; // where a model does not say
constexpr std::uint32_t most_entries = 4096; // of the reorder buffer
constexpr std::uint32_t most_width = 1024;   // a group that is renamed at once; two of them fit into the buffer

std::uint32_t count(std::optional<double> value, std::uint32_t otherwise) {
  return value ? static_cast<std::uint32_t>(std::clamp(*value, 0.0, static_cast<double>(unlimited))) : otherwise;
}

void add_schedulers(const PipelineParameters& pipeline, CoreParameters& out) {
  if (out.port_assignment == PortAssignment::at_dispatch) {
    PortMask rest = ~PortMask{0};
    for (const SchedulerParameters& each : pipeline.back_end.schedulers) {
      out.schedulers.push_back({each.ports, count(each.entries, unlimited), count(each.dispatches_per_cycle, unlimited),
                                count(each.issues_per_cycle, unlimited)});
      rest &= ~each.ports;
    }
    out.schedulers.push_back({rest, unlimited, unlimited, unlimited});
  }
  if (out.port_assignment != PortAssignment::at_dispatch)
    for (const SchedulerParameters& each : pipeline.back_end.schedulers)
      out.early_schedulers.push_back({each.ports, std::max(4 * out.width, count(each.entries, unlimited)), unlimited, unlimited});
  for (const DispatchLimit& limit : pipeline.rename.dispatch_limits)
    out.dispatch_groups.push_back({limit.ports, count(limit.uops, unlimited)});
}

/// A loop comes from the uop cache where there is one, other code from the decoders.
SupplyParameters supply_of(const PipelineParameters& pipeline, const CoreParameters& core, bool loop) {
  const FrontEndParameters& front_end = pipeline.front_end;
  SupplyParameters out;
  out.uops = 2 * core.width;
  out.fetch_queue = 4 * core.width;
  if (front_end.ideal) return out;
  out.branch_ends_group = front_end.taken_branch_ends_decode_group;
  if (loop && front_end.uop_cache_width) {
    out.uops = std::max(core.width, count(front_end.uop_cache_width, core.width));
    if (front_end.uop_cache_entry_uops && *front_end.uop_cache_entry_uops >= 1)
      out.entries = std::max(1U, count(front_end.uop_cache_entries_per_cycle, 1));
    out.entry_crosses_lines = front_end.uop_cache_entry_crosses_lines;
    if (!out.entry_crosses_lines) out.fetch_instructions = out.uops;
    out.fetch_queue = 4 * out.uops;
    return out;
  }
  const std::uint32_t decoders = std::max(1U, count(front_end.decoders, core.width));
  out.uops = std::max(core.width, 2 * decoders);
  out.decode_instructions = decoders;
  if (pipeline.architecture == Architecture::x86)
    out.fetch_block_bytes = count(front_end.fetch_bytes, 0);
  else // instructions of four bytes, mostly
    out.fetch_instructions = std::max(decoders, count(front_end.fetch_instructions, count(front_end.fetch_bytes, 0) / 4));
  out.fetch_queue = std::max(2 * decoders, count(front_end.fetch_queue_entries, 64));
  return out;
}

/// Registers that the architectural state always holds: general and vector.
struct StateRegisters {
  std::uint32_t integer, vector;
};

StateRegisters state_of(Architecture architecture) {
  switch (architecture) {
  case Architecture::x86:
    return {16, 16};
  case Architecture::aarch64:
  case Architecture::riscv64:
    break;
  }
  return {32, 32};
}

/// Registers left for instructions in flight.
std::uint32_t free_registers(std::optional<double> entries, std::optional<double> state, std::uint32_t usual_state,
                             std::uint32_t width) {
  if (!entries) return unlimited;
  const std::uint32_t all = count(entries, 0);
  const std::uint32_t held = count(state, usual_state);
  return std::max(2 * width, all > held ? all - held : 0);
}

} // namespace

CoreParameters CoreParameters::from(const PipelineParameters& pipeline, bool loop) {
  const FrontEndParameters& front_end = pipeline.front_end;
  CoreParameters out;
  out.legacy_decoders =
      !front_end.ideal && front_end.predecode_block_bytes && front_end.complex_decoders && front_end.uop_cache_width && front_end.idq_entries;
  out.predecode_block_bytes = std::max(1U, count(front_end.predecode_block_bytes, out.predecode_block_bytes));
  out.predecode_width = std::max(1U, count(front_end.predecode_width, out.predecode_width));
  out.lcp_stall_cycles = count(front_end.lcp_stall_cycles, out.lcp_stall_cycles);
  out.instruction_queue = std::max(out.predecode_width + 1, count(front_end.instruction_queue_entries, 20));
  out.predecode_to_decode = count(front_end.predecode_to_decode_cycles, 3);
  out.decoders = std::max(1U, count(front_end.decoders, out.decoders));
  out.fusible_in_last_decoder = front_end.macro_fusible_may_use_last_decoder;
  out.microcode_width = std::max(1U, count(front_end.microcode_width, out.microcode_width));
  out.decoders_to_microcode = count(front_end.decoders_to_microcode_cycles, 1);
  out.microcode_to_decoders = count(front_end.microcode_to_decoders_cycles, 1);
  out.cache_to_microcode = count(front_end.uop_cache_to_microcode_cycles, 2);
  out.microcode_to_cache = count(front_end.microcode_to_uop_cache_cycles, 0);
  out.cache_width = std::max(1U, count(front_end.uop_cache_width, 4));
  out.cache_block_bytes = std::max(1U, count(front_end.uop_cache_block_bytes, 32));
  out.cache_line_slots = std::max(1U, count(front_end.uop_cache_line_slots, 6));
  out.cache_lines_per_block = count(front_end.uop_cache_lines_per_block, 3);
  out.jcc_erratum = front_end.jcc_erratum;
  out.cache_needs_both_halves = front_end.uop_cache_needs_both_halves;
  out.loop_buffer = front_end.loop_buffer;
  out.loop_buffer_with_stack = front_end.loop_buffer_with_stack;
  out.loop_buffer_copies = front_end.loop_buffer_copies;
  out.uop_queue = std::max(4 * out.cache_width, count(front_end.idq_entries, 64));
  out.taken_branches_per_cycle = std::clamp(front_end.taken_branches_per_cycle.value_or(1), 0.05, 4.0);

  out.width = std::clamp(count(pipeline.rename.width, 4), 1U, most_width);
  out.constants_per_cycle = std::max(1U, count(pipeline.rename.constants_per_cycle, unlimited));
  if (front_end.ideal) out.taken_branches_per_cycle = unlimited;
  out.supply = supply_of(pipeline, out, loop);
  out.retire_width = std::max(1U, count(pipeline.back_end.retire_width, out.width));
  out.in_order = pipeline.back_end.in_order;
  // In-order cores keep what they have issued until it is done; they have no reorder buffer to fill.
  const std::uint32_t window = out.in_order ? 64 : count(pipeline.back_end.reorder_buffer_entries, assumed_reorder_buffer);
  out.reorder_buffer = std::clamp(window, 2 * out.width, most_entries);
  out.scheduler = std::max(4 * out.width, count(pipeline.back_end.scheduler_entries, unlimited));
  out.issue_to_dispatch = static_cast<std::int32_t>(std::clamp(pipeline.back_end.issue_to_dispatch_cycles, 0.0, 64.0));
  out.port_assignment = pipeline.back_end.port_assignment;
  add_schedulers(pipeline, out);
  out.last_slot_sees_group = pipeline.back_end.last_slot_sees_group;
  out.stack_reach = front_end.stack_engine_reach_bytes();
  out.late_arrival_window =
      out.issue_to_dispatch == 0 ? 0 : static_cast<std::int32_t>(std::clamp(pipeline.back_end.late_arrival_window_cycles, 0.0, 8.0));
  out.paired_stores_bases_aligned = pipeline.memory.paired_stores_bases_aligned;
  out.paired_stores_line_bytes = static_cast<std::int32_t>(std::max<std::int64_t>(pipeline.memory.paired_stores_line_bytes, 0));
  out.move_slots_general = count(pipeline.rename.move_elimination_gpr_slots, unlimited);
  out.move_slots_vector = count(pipeline.rename.move_elimination_simd_slots, unlimited);
  out.move_pipeline = std::clamp(count(pipeline.rename.move_elimination_pipeline_cycles, 2), 1U, 7U);
  out.move_slot_freed = pipeline.rename.move_elimination_gpr_slot_freed;
  const StateRegisters state = state_of(pipeline.architecture);
  const BackEndParameters& back_end = pipeline.back_end;
  out.integer_registers =
      free_registers(back_end.integer_registers, back_end.integer_registers_architectural, state.integer, out.width);
  out.vector_registers =
      free_registers(back_end.vector_registers, back_end.vector_registers_architectural, state.vector, out.width);
  out.load_queue = std::max(1U, count(pipeline.memory.load_queue_entries, unlimited));
  out.store_queue = std::max(1U, count(pipeline.memory.store_queue_entries, unlimited));
  out.stores_per_cycle = std::max(1U, count(pipeline.memory.stores_per_cycle, unlimited));
  out.joined_stores_bytes = pipeline.memory.joined_stores_bytes;
  return out;
}

} // namespace corecast::sim
