// A core's parameters as the simulator uses them: whole numbers, every gap filled.
#pragma once

#include "cpp/lower/front_end_sizes.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"
#include "cpp/sim/program.hpp"

#include <cstdint>
#include <vector>

namespace corecast::sim {

/// One of several schedulers, see SchedulerParameters.
struct SchedulerPart {
  PortMask ports = 0;
  std::uint32_t entries = unlimited, dispatches = unlimited, issues = unlimited;
};

struct DispatchGroup {
  PortMask ports = 0;
  std::uint32_t uops = unlimited;
};

/// How uops of a cycle are spread over several schedulers, see the parameters rename.spread_*.
struct Spread {
  PortMask ports = 0; // those that one cycle dispatches go to different schedulers
  PortMask addresses = 0;
  std::uint32_t addresses_per_cycle = unlimited;
  std::uint32_t lag_cycles = unlimited; // the fullest are left out, as they were then; unlimited: the last of the file
  std::uint32_t release_cycles = 0;
  std::int32_t backlog_cycles = 0; // in which nothing starts (pipeline facts AM-39)
};

/// Where uops of some ports wait for room in a scheduler, see the parameters scheduler_queue.*.
struct SchedulerQueueParameters {
  PortMask ports = 0;
  std::uint32_t entries = unlimited;
};

/// How a uop's port is chosen, see BackEndParameters.
struct PortChoice {
  PortAssignment policy = PortAssignment::least_loaded;
  std::vector<PortMask> alternating;
  std::uint32_t waiting_limit = unlimited;
  SlotOrder slot_order;
  std::vector<std::uint8_t> slot_ranks;
  std::vector<SetRanks> set_ranks;
  std::uint32_t first_choice_slot = unlimited, second_choice_slot = unlimited;
  std::uint32_t slots_of_others = 0;
  bool slots_see_earlier = false;
  std::uint32_t counted_cycles = 1;
};

struct CoreParameters : FrontEndSizes {
  std::uint32_t unlaminated_entries = unlimited;
  std::uint32_t constants_per_cycle = unlimited;
  std::uint32_t results_per_cycle = unlimited;
  std::uint32_t microcoded_per_cycle = 0; // 0: like all others
  std::uint32_t retire_width = 4, reorder_buffer = 192, scheduler = unlimited;
  std::int32_t issue_to_dispatch = 5;
  PortChoice port_choice;
  std::vector<SchedulerPart> schedulers;       // at_issue: each port belongs to one, the last takes what is left over
  std::vector<SchedulerPart> early_schedulers; // else: a uop waits in the one of the port that it was given at rename
  Spread spread;
  std::vector<PortMask> port_turns; // a port each: uops of these get one by turns when they are dispatched
  SchedulerQueueParameters scheduler_queue;
  std::vector<DispatchGroup> dispatch_groups; // what is dispatched per cycle at most
  std::int32_t late_arrival_window = 2;
  std::uint32_t late_wakeup_behind = 24; // younger uops that wait behind one that is not old yet
  std::int64_t stack_reach = 128;        // offsets of the stack pointer that rename keeps: [-reach, reach)
  bool in_order = false;
  std::int32_t paired_stores_line_bytes = 0; // two stores start together only to one line of this size; 0: any two
  std::uint32_t move_slots_general = unlimited, move_slots_vector = unlimited, move_pipeline = 2;
  MoveSlotFreed move_slot_freed = MoveSlotFreed::all_overwritten;
  // Beside what holds the architectural state; unlimited where a model does not say.
  std::uint32_t load_queue = unlimited, store_queue = unlimited, integer_registers = unlimited,
                vector_registers = unlimited;
  std::uint32_t stores_per_cycle = unlimited;
  std::int64_t store_block_bytes = 0; // into which stores leave together, in program order; 0: they do wherever they go
  std::uint32_t stores_together = unlimited; // at most

  static CoreParameters from(const PipelineParameters& pipeline, bool loop);
};

} // namespace corecast::sim
