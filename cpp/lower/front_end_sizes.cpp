#include "cpp/lower/front_end_sizes.hpp"

#include <algorithm>

namespace corecast {
namespace {

constexpr std::uint32_t most_width = 1024; // a group that is renamed at once; two of them fit into the reorder buffer

/// A loop comes from the uop cache where there is one, other code from the decoders.
SupplyParameters supply_of(const PipelineParameters& pipeline, const FrontEndSizes& core, bool loop) {
  const FrontEndParameters& front_end = pipeline.front_end;
  SupplyParameters out;
  out.uops = 2 * core.width;
  out.fetch_queue = 4 * core.width;
  if (front_end.ideal) return out;
  out.branch_ends_group = front_end.taken_branch_ends_decode_group;
  if (loop && front_end.uop_cache_width) {
    out.uops = std::max(core.width, whole_count(front_end.uop_cache_width, core.width));
    if (front_end.uop_cache_entry_uops && *front_end.uop_cache_entry_uops >= 1)
      out.entries = std::max(1U, whole_count(front_end.uop_cache_entries_per_cycle, 1));
    out.entry_crosses_lines = front_end.uop_cache_entry_crosses_lines;
    if (front_end.uop_cache_short_read_uops) out.short_read_uops = whole_count(front_end.uop_cache_short_read_uops, 0);
    if (!out.entry_crosses_lines) out.fetch_instructions = out.uops;
    out.fetch_queue = 4 * out.uops;
    return out;
  }
  const std::uint32_t decoders = std::max(1U, whole_count(front_end.decoders, core.width));
  out.uops = std::max(core.width, 2 * decoders);
  out.decode_instructions = decoders;
  out.first_decoder_bytes = whole_count(front_end.first_decoder_bytes, unlimited);
  if (pipeline.architecture == Architecture::x86)
    out.fetch_block_bytes = whole_count(front_end.fetch_bytes, 0);
  else // instructions of four bytes, mostly
    out.fetch_instructions =
        std::max(decoders, whole_count(front_end.fetch_instructions, whole_count(front_end.fetch_bytes, 0) / 4));
  out.fetch_queue = std::max(2 * decoders, whole_count(front_end.fetch_queue_entries, 64));
  return out;
}

} // namespace

std::uint32_t whole_count(std::optional<double> value, std::uint32_t otherwise) {
  return value ? static_cast<std::uint32_t>(std::clamp(*value, 0.0, static_cast<double>(unlimited))) : otherwise;
}

FrontEndSizes FrontEndSizes::of(const PipelineParameters& pipeline, bool loop) {
  const FrontEndParameters& front_end = pipeline.front_end;
  FrontEndSizes out;
  out.legacy_decoders = !front_end.ideal && front_end.predecode_block_bytes && front_end.complex_decoders &&
                        front_end.uop_cache_width && front_end.uop_queue_entries;
  out.predecode_block_bytes = std::max(1U, whole_count(front_end.predecode_block_bytes, out.predecode_block_bytes));
  out.predecode_width = std::max(1U, whole_count(front_end.predecode_width, out.predecode_width));
  out.lcp_stall_cycles = whole_count(front_end.lcp_stall_cycles, out.lcp_stall_cycles);
  out.instruction_queue = std::max(out.predecode_width + 1, whole_count(front_end.instruction_queue_entries, 20));
  out.predecode_to_decode = whole_count(front_end.predecode_to_decode_cycles, 3);
  out.decoders = std::max(1U, whole_count(front_end.decoders, out.decoders));
  out.fusible_in_last_decoder = front_end.macro_fusible_may_use_last_decoder;
  out.microcode_width = std::max(1U, whole_count(front_end.microcode_width, out.microcode_width));
  out.decoders_to_microcode = whole_count(front_end.decoders_to_microcode_cycles, 1);
  out.microcode_to_decoders = whole_count(front_end.microcode_to_decoders_cycles, 1);
  out.cache_to_microcode = whole_count(front_end.uop_cache_to_microcode_cycles, 2);
  out.cache_to_short_microcode = whole_count(front_end.uop_cache_to_short_microcode_cycles, out.cache_to_microcode);
  if (front_end.uop_cache_to_decoders_cycles)
    out.cache_to_decoders = whole_count(front_end.uop_cache_to_decoders_cycles, 0);
  out.microcode_to_cache = whole_count(front_end.microcode_to_uop_cache_cycles, 0);
  out.cache_width = std::max(1U, whole_count(front_end.uop_cache_width, 4));
  out.cache_block_bytes = std::max(1U, whole_count(front_end.uop_cache_block_bytes, 32));
  out.cache_line_slots = std::max(1U, whole_count(front_end.uop_cache_line_slots, 6));
  out.cache_lines_per_block = whole_count(front_end.uop_cache_lines_per_block, 3);
  out.cache_line_change_costs = front_end.uop_cache_line_change_costs;
  out.jcc_erratum = front_end.jcc_erratum;
  out.cache_microcode_alone = front_end.uop_cache_microcode_alone;
  out.cache_needs_both_halves = front_end.uop_cache_needs_both_halves;
  out.loop_buffer = front_end.loop_buffer;
  out.loop_buffer_with_stack = front_end.loop_buffer_with_stack;
  out.loop_buffer_copies = front_end.loop_buffer_copies;
  out.uop_queue = std::max(4 * out.cache_width, whole_count(front_end.uop_queue_entries, 64));
  out.taken_branches_per_cycle = std::clamp(front_end.taken_branches_per_cycle.value_or(1), 0.05, 4.0);

  out.width = std::clamp(whole_count(pipeline.rename.width, 4), 1U, most_width);
  if (front_end.ideal) out.taken_branches_per_cycle = unlimited;
  out.supply = supply_of(pipeline, out, loop);
  return out;
}

} // namespace corecast
