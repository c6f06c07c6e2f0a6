// Execution and retirement (pipeline facts 1.16 and 1.20).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>
#include <span>

namespace corecast::sim {

void execute(Core& core) { core.scheduler.step(core.ports, core.entries, core.now); }

void retire(Core& core) {
  core.buffers.commit_stores();
  const std::span<const FusedUop> program = core.program->fused;
  const Scheduler& scheduler = core.scheduler;
  const std::int32_t now = core.now;
  ReorderBuffer buffer = core.reorder_buffer; // written back at the end
  const std::uint32_t most = std::min(core.parameters.retire_width, buffer.size);
  for (std::uint32_t slot = 0; slot < most; ++slot) {
    for (; scheduler.at(buffer.head_uop).absent; ++buffer.head_uop)
      buffer.head.advance(program.size());
    const FusedUop& fused = program[buffer.head.index];
    const std::uint64_t end = buffer.head_uop + (fused.uop_end - fused.first_uop);
    std::uint64_t done = buffer.head_uop;
    while (done < end && scheduler.at(done).completion < now)
      ++done;
    if (done < end) break;
    // An eliminated move has taken no register.
    if (!scheduler.at(buffer.head_uop).eliminated) core.buffers.retire(fused.held);
    buffer.head_uop = end;
    buffer.head.advance(program.size());
    --buffer.size;
    buffer.slot = slot;
  }
  core.reorder_buffer = buffer;
}

} // namespace corecast::sim
