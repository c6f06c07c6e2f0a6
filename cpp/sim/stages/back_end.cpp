// Execution and retirement (pipeline facts 1.16 and 1.20).
#include "cpp/sim/stages/stages.hpp"

namespace corecast::sim {

void execute(Core& core) { core.scheduler.step(core.values, core.ports, core.entries, core.now); }

void retire(Core& core) {
  ReorderBuffer& buffer = core.reorder_buffer;
  core.buffers.commit_stores();
  for (std::uint32_t slot = 0; slot < core.parameters.retire_width && buffer.size > 0; ++slot) {
    for (; core.scheduler.at(buffer.head_uop).absent; ++buffer.head_uop)
      buffer.head.advance(core.program->fused.size());
    const FusedUop& fused = core.program->fused[buffer.head.index];
    const std::uint32_t uops = fused.uop_end - fused.first_uop;
    for (std::uint32_t u = 0; u < uops; ++u)
      if (core.scheduler.at(buffer.head_uop + u).completion >= core.now) return;
    // An eliminated move has taken no register.
    if (!core.scheduler.at(buffer.head_uop).eliminated) core.buffers.retire(fused.held);
    buffer.head_uop += uops;
    buffer.head.advance(core.program->fused.size());
    --buffer.size;
    buffer.slot = slot;
  }
}

} // namespace corecast::sim
