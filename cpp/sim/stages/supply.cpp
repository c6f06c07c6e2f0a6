#include "cpp/sim/stages/stages.hpp"

#include <algorithm>

namespace corecast::sim {
namespace {

constexpr std::uint64_t fewest_lines = 2; // code is fetched ahead while fewer wait (pipeline facts IN-5)
constexpr std::uint64_t fewest_blocks = 4;

/// Blocks of whole iterations are queued ahead of uop cache and predecoder.
void fetch(Core& core) {
  FrontEnd& front_end = core.front_end;
  const Supply& supply = core.supply;
  if (supply.one_path()) return;
  const auto lines_left = [&] {
    return front_end.bodies_fetched * supply.lines.size() -
           (front_end.cache.line.iteration * supply.lines.size() + front_end.cache.line.index);
  };
  const auto blocks_left = [&] {
    const Cursor& next = front_end.predecoder.next;
    return front_end.bodies_fetched * supply.blocks - (next.iteration * supply.blocks + supply.block[next.index]);
  };
  while (lines_left() < fewest_lines && blocks_left() < fewest_blocks)
    ++front_end.bodies_fetched;
}

void step_microcode(Core& core) {
  MicrocodeSequencer& microcode = core.front_end.microcode;
  if (microcode.stall > 0) {
    --microcode.stall;
    return;
  }
  if (microcode.left > 0) {
    const std::uint32_t count = std::min(microcode.left, core.parameters.microcode_width);
    core.front_end.uops.delivered += count;
    microcode.left -= count;
    if (microcode.left == 0) core.front_end.uops.delivered += microcode.then;
    return;
  }
  --microcode.stall_after;
}

} // namespace

std::uint32_t uops_after(const Core& core, std::uint32_t i) {
  const std::vector<DecodedInstruction>& decoded = core.program->decoded;
  return decoded[i].fused_first ? decoded[i + 1].added_uops : 0;
}

void start_microcode(Core& core, std::uint32_t i, std::uint32_t stall_before, std::uint32_t stall_after) {
  core.front_end.microcode = {stall_before, stall_after, core.program->decoded[i].microcode_uops, uops_after(core, i)};
}

void choose_supplier(Core& core, std::uint32_t i) {
  if (core.supply.one_path()) return;
  if (core.front_end.supplier == Supplier::decoders) {
    if (core.program->loop && i == core.supply.last_decoded && core.supply.cached[0])
      core.front_end.supplier = Supplier::uop_cache;
    return;
  }
  std::uint32_t next = i == core.supply.last_decoded ? 0 : i + 1;
  if (next < core.program->instructions.size() && core.program->decoded[next].fused_second) ++next;
  if (next >= core.program->instructions.size()) next = 0;
  if (core.supply.cached[next]) return;
  core.front_end.supplier = Supplier::decoders;
  core.front_end.microcode.stall = core.parameters.cache_to_decoders.value_or(0);
}

void supply_queue(Core& core) {
  const FrontEnd& front_end = core.front_end;
  const bool reads_ahead = core.parameters.cache_to_decoders && !core.supply.one_path();
  if (front_end.microcode.busy()) {
    if (reads_ahead) predecode(core);
    return step_microcode(core);
  }
  fetch(core);
  if (front_end.supplier == Supplier::decoders) return supply_from_decoders(core);
  if (reads_ahead) predecode(core);
  supply_from_uop_cache(core);
}

} // namespace corecast::sim
