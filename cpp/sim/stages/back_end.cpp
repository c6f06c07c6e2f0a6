// Execution and retirement (pipeline facts 1.16 and 1.20).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>

namespace corecast::sim {

void execute(Core& core) { core.scheduler.step(core.ports, core.entries, core.now); }

namespace {

bool all_done(const Scheduler& scheduler, std::uint64_t first, std::uint64_t end, std::int32_t now) {
  for (std::uint64_t u = first; u < end; ++u)
    if (scheduler.at(u).completion >= now) return false;
  return true;
}

} // namespace

void retire(Core& core) {
  core.buffers.commit_stores();
  const FusedUop* program = core.program->fused.data();
  const auto size = static_cast<std::uint32_t>(core.program->fused.size());
  const Scheduler& scheduler = core.scheduler;
  ReorderBuffer buffer = core.reorder_buffer; // written back at the end
  const std::uint32_t most = std::min(core.parameters.retire_width, buffer.size);
  for (std::uint32_t slot = 0; slot < most; ++slot) {
    for (; scheduler.at(buffer.head_uop).absent; ++buffer.head_uop)
      buffer.head.advance(size);
    const FusedUop& fused = program[buffer.head.index];
    const std::uint64_t end = buffer.head_uop + (fused.uop_end - fused.first_uop);
    if (!all_done(scheduler, buffer.head_uop, end, core.now)) break;
    // An eliminated move has taken no register.
    if (!scheduler.at(buffer.head_uop).eliminated) core.buffers.retire(fused.held);
    buffer.head_uop = end;
    buffer.head.advance(size);
    --buffer.size;
    buffer.slot = slot;
  }
  core.reorder_buffer = buffer;
}

} // namespace corecast::sim
