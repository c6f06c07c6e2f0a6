// Delivery from the uop cache (pipeline facts IN-50 to IN-55, IN-58).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>

namespace corecast::sim {
namespace {

std::uint64_t block_of(const Core& core, std::uint32_t instruction) {
  return (core.program->start + core.program->decoded[instruction].offset) / core.parameters.cache_block_bytes;
}

/// Slots left for a second line in the cycle in which `last` ended the first.
std::uint32_t slots_after_line(const Core& core, const CacheEntry& last, const CacheEntry& next,
                               std::uint32_t delivered, std::uint32_t slots, bool begun_now, bool delayed) {
  if (!core.parameters.cache_line_change_costs) return slots;
  const bool ends_body = last.instruction == core.supply.last_decoded;
  // A jump into the middle of a line waits for the next cycle.
  if (ends_body && next.slot > 0) return 0;
  const bool same = block_of(core, last.instruction) == block_of(core, next.instruction);
  if (core.parameters.cache_block_bytes == 32 && same && ends_body) return delayed ? std::min(slots, 4U) : 0;
  if (same) return slots;
  if (begun_now) return delivered <= 2 ? 4 : delivered <= 4 ? 2 : 1;
  if (ends_body) return delivered == 1 || (delivered == 2 && last.slot >= 4) ? 4 : std::min(slots, 2U);
  return slots;
}

/// The line behind which the decoders take over is delivered alone (pipeline facts IN-58).
bool ends_before_decoders(const Core& core, const Cursor& line) {
  return core.parameters.cache_to_decoders && !core.supply.one_path() && line.index + 1 == core.supply.lines.size();
}

/// What leaves the cache in a cycle.
void deliver(Core& core) {
  const Supply& supply = core.supply;
  UopCache& cache = core.front_end.cache;
  const bool delayed = cache.delayed;
  cache.delayed = false;
  std::uint32_t slots = core.parameters.cache_width;
  std::uint32_t delivered = 0;
  double jumps = 0;
  bool second_line = false;
  const bool begun_now = cache.entry == 0;
  const bool one_path = supply.one_path();
  while (slots > 0 && cache.line.iteration < core.front_end.bodies_fetched) {
    const CacheLine& line = supply.lines[cache.line.index];
    const CacheEntry& entry = supply.entries[line.first + cache.entry];
    if (entry.extra_slot && slots < 2) return;
    const bool first =
        cache.entry == 0 || supply.entries[line.first + cache.entry - 1].instruction != entry.instruction;
    core.front_end.uops.delivered += 1 + (first ? core.program->decoded[entry.instruction].added_uops : 0);
    ++delivered;
    --slots;
    ++cache.entry;
    const bool line_ended = line.first + cache.entry == line.end;
    if (line_ended) {
      cache.entry = 0;
      cache.line.advance(supply.lines.size());
    }
    if (entry.last) {
      if (!one_path) choose_supplier(core, entry.instruction);
      if (entry.microcode) {
        const bool is_short = core.program->decoded[entry.instruction].microcode_uops == 1;
        start_microcode(core, entry.instruction,
                        is_short ? core.parameters.cache_to_short_microcode : core.parameters.cache_to_microcode,
                        core.parameters.microcode_to_cache);
        return;
      }
      core.front_end.uops.delivered += uops_after(core, entry.instruction);
      if (core.front_end.supplier != Supplier::uop_cache) return;
      if (core.program->decoded[entry.instruction].jumps) {
        jumps += 1 / core.parameters.taken_branches_per_cycle;
        if (jumps >= 1 - 1e-9) return;
      }
    }
    if (entry.extra_slot) {
      cache.delayed = true;
      return;
    }
    if (!line_ended || slots == 0) continue;
    if (second_line) return;
    const CacheLine& next = supply.lines[cache.line.index];
    if (supply.entries[next.end - 1].microcode) return;
    if (ends_before_decoders(core, cache.line)) return;
    slots = slots_after_line(core, entry, supply.entries[next.first], delivered, slots, begun_now, delayed);
    second_line = true;
  }
}

} // namespace

void deliver_and_remember(Core& core, CacheDelivery& known) {
  UopCache& cache = core.front_end.cache;
  const std::uint64_t before = core.front_end.uops.delivered;
  const std::uint64_t iteration = cache.line.iteration;
  deliver(core);
  if (core.front_end.microcode.busy()) return;
  known.uops = static_cast<std::uint32_t>(core.front_end.uops.delivered - before);
  known.iterations = static_cast<std::uint32_t>(cache.line.iteration - iteration);
  known.line = cache.line.index;
  known.entry = cache.entry;
  known.delayed = cache.delayed;
}

void supply_from_uop_cache(Core& core) {
  deliver(core);
}

} // namespace corecast::sim
