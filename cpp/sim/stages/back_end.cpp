// Execution and retirement (pipeline facts IN-115 to IN-120, IN-138).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>
#include <utility>

namespace corecast::sim {

namespace {

/// Whether a retiring store goes to the block of the store before it, which it then is itself.
bool joins_last_store(Core& core, const FusedUop& fused, std::uint64_t uop) {
  const Program& program = *core.program;
  const auto first = program.uops.begin() + fused.first_uop;
  const auto data = std::find_if(first, program.uops.begin() + fused.uop_end,
                                 [](const Uop& each) { return each.kind == UopKind::store_data; });
  if (data == program.uops.begin() + fused.uop_end) return false;
  LastStore& last = core.last_store;
  const std::uint64_t iteration = uop / program.uops.size();
  const LastStore now{data->store, iteration};
  const LastStore before = std::exchange(last, now);
  return now.store != none && before.store != none &&
         program.stores[now.store].joins(program.stores[before.store], static_cast<std::int64_t>(before.iteration),
                                         static_cast<std::int64_t>(iteration - before.iteration),
                                         core.parameters.store_block_bytes);
}

} // namespace

void execute(Core& core) {
  core.scheduler.step(core.ports, core.entries, core.now);
}

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
    const bool joins = core.parameters.store_block_bytes > 0 && joins_last_store(core, fused, buffer.head_uop);
    if (!oldest.eliminated) core.buffers.retire(fused.held, joins);
    buffer.head_uop = end;
    buffer.head.advance(size);
    --buffer.size;
    buffer.slot = slot;
  }
  core.reorder_buffer = buffer;
}

} // namespace corecast::sim
