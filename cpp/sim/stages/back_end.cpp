// Execution and retirement (pipeline facts IN-115 to IN-120, IN-138).
#include "cpp/sim/stages/stages.hpp"

#include <algorithm>
#include <utility>

namespace corecast::sim {

namespace {

/// How a retiring store is written after the one before it, which it then is itself.
StoreWrite write_of_store(Core& core, const FusedUop& fused, std::uint64_t uop) {
  const Program& program = *core.program;
  const auto first = program.uops.begin() + fused.first_uop;
  const auto data = std::find_if(first, program.uops.begin() + fused.uop_end,
                                 [](const Uop& each) { return each.kind == UopKind::store_data; });
  if (data == program.uops.begin() + fused.uop_end) return {};
  LastStore& last = core.last_store;
  const std::uint64_t iteration = uop / program.uops.size();
  const LastStore now{data->store, iteration};
  const LastStore before = std::exchange(last, now);
  if (now.store == none) return {};
  const AccessAddress& store = program.stores[now.store];
  const std::int64_t block = core.parameters.store_block_bytes;
  const auto when = static_cast<std::int64_t>(before.iteration);
  return {before.store != none && store.joins(program.stores[before.store], when,
                                              static_cast<std::int64_t>(iteration - before.iteration), block),
          store.is_split(static_cast<std::int64_t>(iteration), block)};
}

} // namespace

void execute(Core& core) {
  core.scheduler.step(core.ports, core.entries, core.now);
}

void retire(Core& core) {
  core.buffers.commit_stores();
  ReorderBuffer& buffer = core.reorder_buffer;
  const FusedUop* program = core.program->fused.data();
  const auto size = static_cast<std::uint32_t>(core.program->fused.size());
  const bool stores_join = core.parameters.store_block_bytes > 0;
  const Scheduler& scheduler = core.scheduler;
  const std::int32_t now = core.now;
  if (buffer.size == 0) return;
  Cursor head = buffer.head;
  std::uint64_t uop = buffer.head_uop;
  const std::uint32_t most = std::min(core.parameters.retire_width, buffer.size);
  std::uint32_t slot = 0;
  for (; slot < most; ++slot) {
    for (; scheduler.at(uop).absent; ++uop)
      head.advance(size);
    const InFlight& oldest = scheduler.at(uop);
    if (oldest.completion >= now) break;
    const FusedUop& fused = program[head.index];
    const std::uint64_t end = uop + (fused.uop_end - fused.first_uop);
    std::uint64_t next = uop + 1;
    while (next < end && scheduler.at(next).completion < now)
      ++next;
    if (next < end) break;
    const StoreWrite write = stores_join ? write_of_store(core, fused, uop) : StoreWrite{};
    // An eliminated move has taken no register.
    if (!oldest.eliminated) core.buffers.retire(fused.held, write);
    uop = end;
    head.advance(size);
  }
  buffer.head = head;
  buffer.head_uop = uop;
  buffer.size -= slot;
  if (slot > 0) buffer.slot = slot - 1;
}

} // namespace corecast::sim
