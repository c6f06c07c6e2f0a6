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

void retire_oldest(Core& core) {
  ReorderBuffer& buffer = core.reorder_buffer;
  const FusedUop* program = core.program->fused.data();
  const auto size = static_cast<std::uint32_t>(core.program->fused.size());
  const bool stores_join = core.parameters.store_block_bytes > 0;
  const InFlightView uops = core.scheduler.in_flight();
  const std::int32_t now = core.now;
  Cursor head = buffer.head;
  std::uint64_t uop = buffer.head_uop;
  const std::uint32_t most = std::min(core.parameters.retire_width, buffer.size);
  std::uint32_t slot = 0;
  for (; slot < most; ++slot) {
    const InFlight* oldest = &uops[uop];
    for (; oldest->absent; oldest = &uops[++uop])
      head.advance(size);
    if (oldest->completion >= now) break;
    const FusedUop& fused = program[head.index];
    const std::uint32_t count = fused.uop_end - fused.first_uop;
    std::uint32_t done = 1;
    while (done < count && uops[uop + done].completion < now)
      ++done;
    if (done < count) break;
    // An eliminated move has taken no register.
    if (!oldest->eliminated) {
      if (stores_join)
        core.buffers.retire_joining(fused.held, write_of_store(core, fused, uop));
      else
        core.buffers.retire(fused.held);
    }
    uop += count;
    head.advance(size);
  }
  if (slot > 0) buffer.slot = slot - 1;
  buffer.head = head;
  buffer.head_uop = uop;
  buffer.size -= slot;
}

namespace {

/// Where some are eliminated or left out, or stores leave together.
[[gnu::noinline]] std::uint32_t retire_with_care(Core& core, std::uint32_t most, Cursor& head, std::uint64_t& number) {
  const FusedUop* program = core.program->fused.data();
  const std::uint64_t uops = core.program->uops.size();
  const bool stores_join = core.parameters.store_block_bytes > 0;
  std::uint32_t slot = 0;
  for (; slot < most && core.scheduler.fused_done(number) < core.now;
       ++number, head.advance(core.program->fused.size())) {
    const FusedUop& fused = program[head.index];
    const InFlight& first = core.scheduler.at(head.iteration * uops + fused.first_uop);
    if (first.absent) continue;
    ++slot;
    if (first.eliminated) continue; // has taken no register
    if (stores_join)
      core.buffers.retire_joining(fused.held, write_of_store(core, fused, head.iteration * uops));
    else
      core.buffers.retire(fused.held);
  }
  return slot;
}

} // namespace

void retire_booked(Core& core) {
  ReorderBuffer& buffer = core.reorder_buffer;
  Cursor head = buffer.head;
  std::uint64_t number = buffer.head_fused;
  const std::uint32_t most = std::min(core.parameters.retire_width, buffer.size);
  std::uint32_t slot = 0;
  if (core.retires_plainly) {
    slot = core.scheduler.count_done(number, most, core.now);
    number += slot;
    BufferEntries held = 0 - core.held_before[head.index];
    const std::size_t size = core.held_before.size() - 1;
    for (head.index += slot; head.index >= size; ++head.iteration) {
      head.index -= static_cast<std::uint32_t>(size);
      held += core.held_before[size];
    }
    core.buffers.retire(held + core.held_before[head.index]);
  } else {
    slot = retire_with_care(core, most, head, number);
  }
  if (slot > 0) buffer.slot = slot - 1;
  buffer.head = head;
  buffer.head_fused = number;
  buffer.head_uop = head.iteration * core.program->uops.size() + core.program->fused[head.index].first_uop;
  buffer.size -= slot;
}

} // namespace corecast::sim
