#include "cpp/core/read_front_end.hpp"

#include <algorithm>

namespace corecast {
namespace {

using Reader = PipelineReader;

void read_simulated_front_end(const Reader& in, FrontEndParameters& out) {
  const auto number = [&](const char* path, double& target) { target = in.number({path}).value_or(target); };
  number("front_end.instruction_queue_entries", out.instruction_queue_entries);
  number("front_end.predecode_to_decode_delay_cycles", out.predecode_to_decode_cycles);
  out.pop5c_complex = in.boolean("front_end.pop5c_requires_complex_decoder", false);
  out.pop5c_ends_group = in.boolean("front_end.pop5c_ends_decode_group", false);
  number("front_end.mite_to_ms_stall_before_cycles", out.decoders_to_microcode_cycles);
  number("front_end.mite_to_ms_stall_after_cycles", out.microcode_to_decoders_cycles);
  number("front_end.dsb_to_ms_stall_before_cycles", out.uop_cache_to_microcode_cycles);
  number("front_end.dsb_to_ms_stall_after_cycles", out.microcode_to_uop_cache_cycles);
  number("front_end.dsb_line_slots", out.uop_cache_line_slots);
  number("front_end.dsb_max_lines_per_block", out.uop_cache_lines_per_block);
  number("front_end.dsb_extra_slot_if_immediate_exceeds_bits", out.uop_cache_extra_slot_immediate_bits);
  number("front_end.dsb_extra_slot_if_memory_and_immediate_exceeds_bits",
         out.uop_cache_extra_slot_memory_immediate_bits);
  out.uop_cache_needs_both_halves = in.boolean("front_end.dsb_both_32_byte_halves_must_be_cacheable", false);
}

std::vector<UopCacheEntryLimit> read_entry_limits(const Reader& in) {
  constexpr const char* limits = "front_end.op_cache_entry_limits";
  std::vector<UopCacheEntryLimit> out;
  const Value::List* list = in.list(limits);
  if (list == nullptr) return out;
  for (const Value& item : *list) {
    const auto count = [&](const char* key) {
      const Value* value = item.find(key);
      if (value == nullptr || value->number() == nullptr || *value->number() < 0)
        in.fail(limits, "tables with mops, constants and wide_constants, in ascending order of mops");
      return *value->number();
    };
    out.push_back({count("mops"), count("constants"), count("wide_constants")});
    if (out.size() > 1 && out[out.size() - 2].uops >= out.back().uops)
      in.fail(limits, "tables with mops, constants and wide_constants, in ascending order of mops");
  }
  return out;
}

} // namespace

FrontEndParameters read_front_end(const PipelineReader& in, Architecture architecture) {
  FrontEndParameters out;
  out.predecode_block_bytes = in.number({"front_end.predecode_block_bytes"});
  out.predecode_width = in.width({"front_end.predecode_width_instr_per_cycle"});
  out.lcp_stall_cycles = in.number({"front_end.lcp_stall_cycles"});
  out.decoders =
      in.width({"front_end.decoders", "front_end.decode_instr_per_cycle", "front_end.decode_uops_per_cycle"});
  out.complex_decoders = in.number({"front_end.complex_decoders"});
  out.uop_cache_width = in.width({"front_end.dsb_width_uops_per_cycle", "front_end.op_cache_width_mops_per_cycle",
                                   "front_end.mop_cache_width_mops_per_cycle"});
  out.uop_cache_block_bytes = in.number({"front_end.dsb_code_block_bytes"});
  out.fetch_instructions = in.width({"front_end.fetch_instr_per_cycle"});
  out.fetch_bytes = in.width({"front_end.fetch_bytes_per_cycle"});
  out.fetch_queue_entries = in.number({"front_end.fetch_queue_entries"});
  out.uop_cache_entry_uops = in.number({"front_end.op_cache_entry_mops"});
  out.uop_cache_entry_bytes = in.number({"front_end.op_cache_entry_bytes"});
  out.uop_cache_entry_crosses_lines = in.boolean("front_end.op_cache_entry_crosses_lines", false);
  out.uop_cache_entry_limits = read_entry_limits(in);
  out.uop_cache_entries_per_cycle = in.width({"front_end.op_cache_entries_per_cycle"});
  out.taken_branch_ends_decode_group = in.boolean("front_end.taken_branch_ends_decode_group", false);
  out.idq_entries = in.number({"front_end.idq_entries"});
  out.microcode_width = in.width({"front_end.ms_width_uops_per_cycle"});
  out.taken_branches_per_cycle = in.width({"front_end.taken_branches_per_cycle"});
  out.fusion_blocked_branch_offset_mod_64 = in.number({"front_end.macro_fusion_blocked_if_branch_offset_mod_64_is"});
  out.macro_fusible_may_use_last_decoder = in.boolean("front_end.macro_fusible_can_use_last_decoder", true);
  out.jcc_erratum = !in.boolean("front_end.dsb_branch_may_cross_or_end_at_32_byte_boundary", true);
  out.macro_fusion = in.boolean("front_end.macro_fusion", true);
  out.ideal = in.boolean("front_end.ideal", false);
  out.loop_buffer = in.boolean("front_end.lsd_enabled", false);
  out.loop_buffer_with_stack = in.boolean("front_end.lsd_with_stack_changes", false);
  out.stack_engine = in.boolean("front_end.stack_engine", architecture == Architecture::x86);
  out.stack_engine_offset_bits =
      std::clamp(in.number({"front_end.stack_engine_offset_bits"}).value_or(out.stack_engine_offset_bits), 5.0, 40.0);
  out.stack_offset_in_addresses = in.boolean("front_end.stack_offset_in_addresses", false);
  out.stack_synchronisation = in.boolean("front_end.stack_synchronisation", true);
  read_simulated_front_end(in, out);
  constexpr const char* ranges = "front_end.lsd_unroll_ranges_from_to_factor";
  if (const Value::List* list = in.list(ranges)) {
    out.loop_buffer_copies_known = true;
    for (const Value& item : *list) {
      const Value::List* row = item.list();
      if (row == nullptr || row->size() != 3 || !(*row)[0].number() || !(*row)[1].number() || !(*row)[2].number())
        in.fail(ranges, "a list of [from, to, factor]");
      out.loop_buffer_copies.push_back({*(*row)[0].number(), *(*row)[1].number(), *(*row)[2].number()});
    }
  }
  return out;
}

} // namespace corecast
