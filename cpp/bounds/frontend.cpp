#include "cpp/bounds/frontend.hpp"

#include "cpp/lower/encoded_constants.hpp"
#include "cpp/bounds/legacy_decode.hpp"
#include "cpp/core/machine.hpp"
#include "cpp/lower/uop_cache_entries.hpp"

#include <algorithm>
#include <cmath>

namespace corecast {
namespace {

constexpr std::uint64_t erratum_block_bytes = 32;

/// Uops that decoders and microcode make, as the uop cache and the loop buffer count them.
double laminated_uops(const FrontEndParameters& parameters, std::span<const FrontendItem> items, bool with_microcode) {
  double sum = 0;
  for (const FrontendItem& item : items) {
    if (item.fused_second) continue;
    const DecodeNeeds needs = decode_needs(parameters, item.entry);
    sum += std::max(1.0, needs.laminated_uops) + (with_microcode ? needs.microcode_uops : 0);
  }
  return sum;
}

/// A final branch (or fused pair) that crosses or ends at a 32-byte boundary keeps the loop out of the uop cache on the
/// Skylake family (pipeline facts IN-43).
bool hit_by_erratum(const FrontEndParameters& parameters, std::span<const FrontendItem> items, bool aligned) {
  if (!parameters.jcc_erratum || !aligned) return false;
  const FrontendItem& branch = items.back();
  if (branch.instruction->branch == Branch::none) return false;
  const FrontendItem& first = branch.fused_second && items.size() > 1 ? items[items.size() - 2] : branch;
  const std::uint64_t end = branch.offset + branch.instruction->length_bytes;
  return first.offset / erratum_block_bytes != end / erratum_block_bytes;
}

bool fits_loop_buffer(const FrontEndParameters& parameters, std::span<const FrontendItem> items) {
  if (!parameters.loop_buffer || !parameters.idq_entries) return false;
  for (const FrontendItem& item : items) {
    if (decode_needs(parameters, item.entry).microcode_uops > 0 || moves_stack_pointer(*item.instruction)) return false;
    for (const Operand& operand : item.instruction->operands)
      for (const RegisterUse& use : operand.registers)
        if (use.write && use.part == Part::high8) return false;
  }
  return laminated_uops(parameters, items, true) <= *parameters.idq_entries;
}

double loop_buffer_cycles(const PipelineParameters& pipeline, std::span<const FrontendItem> items, double fused) {
  if (!pipeline.front_end.loop_buffer_copies_known) return fused / *pipeline.rename.width;
  double copies = 1;
  const double body = laminated_uops(pipeline.front_end, items, true);
  for (const UnrollRange& range : pipeline.front_end.loop_buffer_copies)
    if (body >= range.from_uops && body <= range.to_uops) copies = range.copies;
  // The first uop of a fill cannot be renamed in the cycle of the last uop of the fill before.
  return std::ceil(fused * copies / *pipeline.rename.width) / copies;
}

/// Entries that a loop's body takes, one after the other; where they go on from line to line, its lines if these are more.
double entry_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items) {
  UopCacheEntries cache(parameters);
  double entries = 0;
  double lines = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].fused_second) continue;
    const bool fused = i + 1 < items.size() && items[i + 1].fused_second;
    const FrontendItem& last = fused ? items[i + 1] : items[i];
    EncodedConstants constants = cached_constants(*items[i].instruction);
    if (fused) constants += cached_constants(*last.instruction);
    const DecodeNeeds needs = decode_needs(parameters, items[i].entry);
    const auto uops = static_cast<std::uint64_t>(std::ceil(std::max(1.0, needs.laminated_uops) + needs.microcode_uops));
    cache.begin(items[i].offset, last.offset + last.instruction->length_bytes - 1, uops, constants);
    lines += cache.begins_line() ? 1 : 0;
    entries += cache.begins_entry() ? 1 : 0;
    for (std::uint64_t u = 0; u < uops; ++u)
      entries += cache.add() ? 1 : 0;
  }
  const double cycles = entries / parameters.uop_cache_entries_per_cycle.value_or(1);
  return parameters.uop_cache_entry_crosses_lines ? std::max(cycles, lines) : cycles;
}

double uop_cache_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items, bool aligned) {
  const double uops = laminated_uops(parameters, items, true);
  const double width = *parameters.uop_cache_width;
  if (parameters.uop_cache_entry_uops && *parameters.uop_cache_entry_uops >= 1 && aligned)
    return std::max(uops / width, entry_cycles(parameters, items));
  if (!parameters.uop_cache_block_bytes) return uops / width;
  // A body that starts and ends in one block cannot begin anew in the same cycle.
  const std::uint64_t start = aligned ? items.front().offset : 0;
  const std::uint64_t last = items.back().offset - items.front().offset + start;
  const bool one_block = start / erratum_block_bytes == last / erratum_block_bytes;
  return one_block ? std::ceil(uops / width) : uops / width;
}

/// Straight-line code of cores whose fetch is told in bytes.
std::optional<double> fetch_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items) {
  if (parameters.predecode_block_bytes || !parameters.decoders || !parameters.fetch_bytes) return std::nullopt;
  double bytes = 0;
  for (const FrontendItem& item : items)
    bytes += item.instruction->length_bytes;
  return bytes / *parameters.fetch_bytes;
}

/// Chooses who delivers the uops and adds the bounds of that path.
void add_supply(const PipelineParameters& pipeline, std::span<const FrontendItem> items, LoopMode mode, bool aligned,
                FrontendResult& out) {
  const FrontEndParameters& parameters = pipeline.front_end;
  const auto add = [&](const char* name, std::optional<double> cycles) {
    if (cycles) out.components.emplace_back(name, *cycles);
  };
  if (mode == LoopMode::loop) {
    if (fits_loop_buffer(parameters, items) && !hit_by_erratum(parameters, items, aligned)) {
      out.supplier = "loop_buffer";
      add("loop_buffer", loop_buffer_cycles(pipeline, items, out.fused_uops));
      return;
    }
    if (parameters.uop_cache_width && !hit_by_erratum(parameters, items, aligned)) {
      out.supplier = "uop_cache";
      add("uop_cache", uop_cache_cycles(parameters, items, aligned));
      return;
    }
  }
  if (mode == LoopMode::unroll && pipeline.architecture == Architecture::x86)
    add("fetch", fetch_cycles(parameters, items));
  add("predecode", predecode_cycles(parameters, items, mode, aligned));
  add("decode", decode_cycles(parameters, items));
  if (parameters.decoders) out.supplier = "decoders";
}

/// Taken branches that fetch has to follow. One a cycle is the rule; cores that follow more say so. What a loop buffer
/// replays is not fetched: only the jump back to its start counts.
double fetched_branches(std::span<const FrontendItem> items, const std::string& supplier) {
  if (supplier == "loop_buffer") return items.back().takes_branch ? 1 : 0;
  return static_cast<double>(
      std::count_if(items.begin(), items.end(), [](const FrontendItem& item) { return item.takes_branch; }));
}

FrontendResult finish(FrontendResult out) {
  for (const auto& [name, cycles] : out.components)
    if (cycles > out.bound) {
      out.bound = cycles;
      out.limiting = name;
    }
  return out;
}

} // namespace

double fused_uops(const FrontendItem& item) {
  if (item.fused_second) return 0;
  const bool listed = item.entry != nullptr && item.entry->uops;
  return std::max(1.0, listed ? item.entry->uops->fused : 1.0);
}

FrontendResult frontend_bounds(const Machine& machine, std::span<const FrontendItem> items, LoopMode mode,
                               bool aligned) {
  const PipelineParameters& pipeline = machine.pipeline();
  FrontendResult out;
  if (items.empty()) return out;
  double retired = 0;
  double microcode = 0;
  double constants = 0;
  for (const FrontendItem& item : items) {
    constants += renamed_constants(*item.instruction, machine.stack_pointer());
    const double own = fused_uops(item);
    out.fused_uops += own + item.extra_uops;
    const bool listed = item.entry != nullptr && item.entry->uops;
    retired += item.extra_uops + (own > 0 && listed ? std::max(1.0, item.entry->uops->retired) : own);
    if (!item.fused_second) microcode += decode_needs(pipeline.front_end, item.entry).microcode_uops;
  }
  out.components.emplace_back("rename", out.fused_uops / *pipeline.rename.width);
  if (pipeline.rename.constants_per_cycle)
    out.components.emplace_back("rename_constants", constants / *pipeline.rename.constants_per_cycle);
  if (pipeline.back_end.retire_width) out.components.emplace_back("retire", retired / *pipeline.back_end.retire_width);
  if (pipeline.front_end.microcode_width && microcode > 0)
    out.components.emplace_back("microcode", microcode / *pipeline.front_end.microcode_width);
  if (pipeline.front_end.ideal) return finish(std::move(out));
  add_supply(pipeline, items, mode, aligned, out);
  if (const double taken = fetched_branches(items, out.supplier); taken > 0)
    out.components.emplace_back("taken_branch", taken / pipeline.front_end.taken_branches_per_cycle.value_or(1));
  return finish(std::move(out));
}

} // namespace corecast
