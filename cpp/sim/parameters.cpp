#include "cpp/sim/parameters.hpp"

#include <algorithm>

namespace corecast::sim {
namespace {

constexpr std::uint32_t assumed_reorder_buffer = 128; // where a model does not say
constexpr std::uint32_t most_entries = 4096;          // of the reorder buffer
constexpr std::uint32_t least_groups = 3;             // of rename, that a scheduler has entries for

Spread spread_of(const PipelineParameters& pipeline) {
  const RenameParameters& rename = pipeline.rename;
  return {pipeline.back_end.spread,
          pipeline.back_end.spread_addresses,
          whole_count(rename.spread_addresses_per_cycle, unlimited),
          whole_count(rename.spread_lag_cycles, unlimited),
          whole_count(rename.spread_release_cycles, 0),
          static_cast<std::int32_t>(rename.spread_backlog_cycles)};
}

void add_schedulers(const PipelineParameters& pipeline, CoreParameters& out) {
  if (out.port_choice.policy == PortAssignment::at_issue) {
    PortMask rest = ~PortMask{0};
    for (const SchedulerParameters& each : pipeline.back_end.schedulers) {
      out.schedulers.push_back({each.ports, whole_count(each.entries, unlimited),
                                whole_count(each.dispatches_per_cycle, unlimited),
                                whole_count(each.issues_per_cycle, unlimited)});
      rest &= ~each.ports;
    }
    out.schedulers.push_back({rest, unlimited, unlimited, unlimited});
    if (!pipeline.back_end.schedulers.empty()) {
      out.spread = spread_of(pipeline);
      out.port_turns = pipeline.back_end.turns;
      out.scheduler_queue = {pipeline.back_end.queued,
                             whole_count(pipeline.back_end.scheduler_queue_entries, unlimited)};
    }
  }
  if (out.port_choice.policy != PortAssignment::at_issue)
    for (const SchedulerParameters& each : pipeline.back_end.schedulers)
      out.early_schedulers.push_back(
          {each.ports, std::max(least_groups * out.width, whole_count(each.entries, unlimited)), unlimited, unlimited});
  for (const DispatchLimit& limit : pipeline.rename.dispatch_limits)
    out.dispatch_groups.push_back({limit.ports, whole_count(limit.uops, unlimited)});
}

PortChoice port_choice_of(const BackEndParameters& back_end) {
  PortChoice out;
  out.policy = back_end.port_assignment;
  out.alternating = back_end.alternating;
  out.waiting_limit = whole_count(back_end.waiting_limit_uops, unlimited);
  out.slot_order = back_end.slot_order;
  out.slot_ranks = back_end.slot_ranks;
  out.set_ranks = back_end.set_ranks;
  out.slots_of_others = static_cast<std::uint32_t>(back_end.slots_of_others);
  out.first_choice_slot = whole_count(back_end.first_choice_slot, unlimited);
  out.second_choice_slot = whole_count(back_end.second_choice_slot, unlimited);
  out.slots_see_earlier = back_end.slots_see_earlier;
  out.counted_cycles = static_cast<std::uint32_t>(back_end.counted_cycles);
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
  const std::uint32_t all = whole_count(entries, 0);
  const std::uint32_t held = whole_count(state, usual_state);
  return std::max(2 * width, all > held ? all - held : 0);
}

} // namespace

CoreParameters CoreParameters::from(const PipelineParameters& pipeline, bool loop) {
  CoreParameters out;
  static_cast<FrontEndSizes&>(out) = FrontEndSizes::of(pipeline, loop);
  out.unlaminated_entries = whole_count(pipeline.rename.unlaminated_entries, unlimited);
  out.constants_per_cycle = std::max(1U, whole_count(pipeline.rename.constants_per_cycle, unlimited));
  out.results_per_cycle = std::max(1U, whole_count(pipeline.rename.results_per_cycle, unlimited));
  out.microcoded_per_cycle = whole_count(pipeline.rename.microcoded_per_cycle, 0);
  out.retire_width = std::max(1U, whole_count(pipeline.back_end.retire_width, out.width));
  out.in_order = pipeline.back_end.in_order;
  // In-order cores keep what they have issued until it is done; they have no reorder buffer to fill.
  const std::uint32_t window =
      out.in_order ? 64 : whole_count(pipeline.back_end.reorder_buffer_entries, assumed_reorder_buffer);
  out.reorder_buffer = std::clamp(window, 2 * out.width, most_entries);
  out.scheduler = std::max(least_groups * out.width, whole_count(pipeline.back_end.scheduler_entries, unlimited));
  out.issue_to_dispatch = static_cast<std::int32_t>(std::clamp(pipeline.back_end.issue_to_dispatch_cycles, 0.0, 64.0));
  out.late_wakeup_behind = whole_count(pipeline.back_end.late_wakeup_behind, 24);
  out.port_choice = port_choice_of(pipeline.back_end);
  add_schedulers(pipeline, out);
  out.stack_reach = pipeline.front_end.stack_engine_reach_bytes();
  out.late_arrival_window =
      out.issue_to_dispatch == 0
          ? 0
          : static_cast<std::int32_t>(std::clamp(pipeline.back_end.late_arrival_window_cycles, 0.0, 8.0));
  // Where lines are known, what leaves the store queue together decides, in program order.
  if (pipeline.memory.store_block_bytes() == 0)
    out.paired_stores_line_bytes =
        static_cast<std::int32_t>(std::max<std::int64_t>(pipeline.memory.paired_stores_line_bytes, 0));
  out.move_slots_general = whole_count(pipeline.rename.move_elimination_gpr_slots, unlimited);
  out.move_slots_vector = whole_count(pipeline.rename.move_elimination_simd_slots, unlimited);
  out.move_pipeline = std::clamp(whole_count(pipeline.rename.move_elimination_pipeline_cycles, 2), 1U, 7U);
  out.move_slot_freed = pipeline.rename.move_elimination_gpr_slot_freed;
  const StateRegisters state = state_of(pipeline.architecture);
  const BackEndParameters& back_end = pipeline.back_end;
  out.integer_registers =
      free_registers(back_end.integer_registers, back_end.integer_registers_architectural, state.integer, out.width);
  out.vector_registers =
      free_registers(back_end.vector_registers, back_end.vector_registers_architectural, state.vector, out.width);
  out.load_queue = std::max(1U, whole_count(pipeline.memory.load_queue_entries, unlimited));
  out.store_queue = std::max(1U, whole_count(pipeline.memory.store_queue_entries, unlimited));
  out.stores_per_cycle = std::max(1U, whole_count(pipeline.memory.stores_per_cycle, unlimited));
  out.store_block_bytes = pipeline.memory.store_block_bytes();
  out.stores_together = pipeline.memory.joined_stores_bytes > 0 ? unlimited : 2;
  return out;
}

} // namespace corecast::sim
