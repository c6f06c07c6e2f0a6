// A core's parameters as the simulator uses them: whole numbers, every gap filled.
#pragma once

#include "cpp/core/pipeline.hpp"
#include "cpp/sim/program.hpp"

#include <cstdint>
#include <vector>

namespace corecast::sim {

inline constexpr std::uint32_t unlimited = 1U << 20;

/// One of several schedulers, see SchedulerParameters.
struct SchedulerPart {
  PortMask ports = 0;
  std::uint32_t entries = unlimited, dispatches = unlimited, issues = unlimited;
};

struct DispatchGroup {
  PortMask ports = 0;
  std::uint32_t uops = unlimited;
};

/// Fetch and decode of cores whose decoders are all alike (or not known).
struct SupplyParameters {
  std::uint32_t fetch_instructions = unlimited; // per cycle
  std::uint32_t fetch_block_bytes = 0;          // of one aligned block a cycle; 0: any bytes
  std::uint32_t fetch_queue = 64;               // uops
  std::uint32_t entries = 0;                    // per cycle, of a uop cache that is read entry by entry; 0: it is not
  bool entry_crosses_lines = false;
  std::uint32_t decode_instructions = unlimited;
  std::uint32_t uops = 4;
  bool branch_ends_group = false;
};

struct CoreParameters {
  bool legacy_decoders = false; // predecoder, decoders, uop cache, loop buffer and uop queue are known one by one
  std::uint32_t predecode_block_bytes = 16, predecode_width = 5, lcp_stall_cycles = 3;
  std::uint32_t instruction_queue = 20, predecode_to_decode = 3, decoders = 4;
  bool fusible_in_last_decoder = true;
  std::uint32_t microcode_width = 4, decoders_to_microcode = 1, microcode_to_decoders = 1;
  std::uint32_t cache_to_microcode = 2, microcode_to_cache = 0;
  std::uint32_t cache_width = 0, cache_block_bytes = 32, cache_line_slots = 6, cache_lines_per_block = 3;
  bool jcc_erratum = false, cache_needs_both_halves = false;
  bool loop_buffer = false, loop_buffer_with_stack = false;
  std::vector<UnrollRange> loop_buffer_copies;
  std::uint32_t uop_queue = 64;
  SupplyParameters supply; // other front ends
  double taken_branches_per_cycle = 1;

  std::uint32_t constants_per_cycle = unlimited;
  std::uint32_t width = 4, retire_width = 4, reorder_buffer = 192, scheduler = unlimited;
  std::int32_t issue_to_dispatch = 5;
  PortAssignment port_assignment = PortAssignment::least_loaded;
  std::vector<SchedulerPart> schedulers;      // at_dispatch: each port belongs to one, the last takes what is left over
  std::vector<SchedulerPart> early_schedulers; // else: a uop waits in the one of the port that it was given at rename
  std::vector<DispatchGroup> dispatch_groups; // what is dispatched per cycle at most
  bool last_slot_sees_group = false;
  std::int32_t late_arrival_window = 2;
  std::int64_t stack_reach = 128; // offsets of the stack pointer that rename keeps: [-reach, reach)
  bool in_order = false;
  std::int32_t paired_stores_line_bytes = 0;
  bool paired_stores_bases_aligned = false;
  std::uint32_t move_slots_general = unlimited, move_slots_vector = unlimited, move_pipeline = 2;
  MoveSlotFreed move_slot_freed = MoveSlotFreed::all_overwritten;
  // Beside what holds the architectural state; unlimited where a model does not say.
  std::uint32_t load_queue = unlimited, store_queue = unlimited, integer_registers = unlimited, vector_registers = unlimited;
  std::uint32_t stores_per_cycle = unlimited;
  std::int64_t joined_stores_bytes = 0; // block into which they go together; 0: any

  static CoreParameters from(const PipelineParameters& pipeline, bool loop);
};

} // namespace corecast::sim
