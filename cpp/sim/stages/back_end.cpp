// Execution and retirement (pipeline facts 1.16 and 1.20).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>

namespace corecast::sim {

void execute(Core& core) { core.scheduler.step(core.ports, core.entries, core.now); }

void retire(Core& core) {
  core.buffers.commit_stores();
  const FusedUop* program = core.program->fused.data();
  const auto size = static_cast<std::uint32_t>(core.program->fused.size());
  const Scheduler& scheduler = core.scheduler;
  const std::int32_t now = core.now;
  ReorderBuffer buffer = core.reorder_buffer; // written back at the end
  const std::uint32_t most = std::min(core.parameters.retire_width, buffer.size);
  for (std::uint32_t slot = 0; slot < most; ++slot) {
    for (; scheduler.at(buffer.head_uop).absent; ++buffer.head_uop)
      buffer.head.advance(size);
    const InFlight& oldest = scheduler.at(buffer.head_uop);
    const FusedUop& fused = program[buffer.head.index];
    const std::uint64_t end = buffer.head_uop + (fused.uop_end - fused.first_uop);
    bool done = oldest.completion < now;
    for (std::uint64_t u = buffer.head_uop + 1; done && u < end; ++u)
      done = scheduler.at(u).completion < now;
    if (!done) break;
    // An eliminated move has taken no register.
    if (!oldest.eliminated) core.buffers.retire(fused.held);
    buffer.head_uop = end;
    buffer.head.advance(size);
    --buffer.size;
    buffer.slot = slot;
  }
  core.reorder_buffer = buffer;
}

} // namespace corecast::sim
