// The stages of a cycle. Each moves uops from one unit to the next.
#pragma once

#include "cpp/sim/activity.hpp"
#include "cpp/sim/core.hpp"

namespace corecast::sim {

/// From decoders, uop cache or microcode sequencer, where the queue has room.
void supply_queue(Core& core);
void supply_from_decoders(Core& core);
void predecode(Core& core);
void supply_from_uop_cache(Core& core);
/// Delivers, and remembers what the delivery did where nothing outside the cache took part in it.
void deliver_and_remember(Core& core, CacheDelivery& known);
void supply_by_width(Core& core);

/// Decoded uops that the renamer adds to the second half of a pair.
std::uint32_t uops_after(const Core& core, std::uint32_t i);

/// The microcode sequencer takes over behind instruction `i`.
void start_microcode(Core& core, std::uint32_t i, std::uint32_t stall_before, std::uint32_t stall_after);

/// Whether the decoders could have taken more in the cycle before.
bool left_by_decoders(const Core& core);

/// Who delivers what follows instruction `i`.
void choose_supplier(Core& core, std::uint32_t i);

/// Uop queue to reorder buffer and scheduler, in a cycle in which those have room for a group.
void rename_group(Core& core);

/// Reorder buffer to architecture: in order, what is done. The oldest is.
void retire_oldest(Core& core);
/// The same where uops are booked ahead.
void retire_booked(Core& core);

/// A cycle in which they have none.
void wait_for_room(Core& core, bool buffer_full, bool scheduler_full);

// Most cycles pass a stage with nothing to do; whether there is anything is found out here.

inline void rename(Core& core) {
  if (core.limits_activity) pass_cycle_of_activity(core.renamer.activity);
  if (!core.limits_dispatch) {
    const bool buffer_full = core.reorder_buffer.size + core.parameters.width > core.parameters.reorder_buffer;
    const bool scheduler_full = !core.scheduler.has_room(core.parameters.width);
    if (buffer_full || scheduler_full) {
      core.ports.pass_cycle();
      return wait_for_room(core, buffer_full, scheduler_full);
    }
  }
  rename_group(core);
}

inline void retire(Core& core) {
  if (core.buffers.retired_stores() > 0) core.buffers.commit_stores();
  if (core.scheduler.books_ahead()) {
    const ReorderBuffer& buffer = core.reorder_buffer;
    if (buffer.size > 0 && core.scheduler.fused_done(buffer.head_fused) < core.now) retire_booked(core);
    return;
  }
  const InFlight& oldest = core.scheduler.at(core.reorder_buffer.head_uop);
  if (core.reorder_buffer.size > 0 && (oldest.completion < core.now || oldest.absent)) retire_oldest(core);
}

/// Scheduler to ports to results.
inline void execute(Core& core) {
  if (core.scheduler.books_ahead())
    core.ports.end_cycle(core.scheduler.start_booked(core.now));
  else
    core.scheduler.step(core.ports, core.entries, core.now);
}

/// Where all comes from the uop cache, its place alone tells what it delivers.
inline void supply_alone(Core& core) {
  UopCache& cache = core.front_end.cache;
  CacheDelivery& known =
      cache.known[2 * (core.supply.lines[cache.line.index].first + cache.entry) + (cache.delayed ? 1 : 0)];
  if (known.uops == 0) return deliver_and_remember(core, known);
  core.front_end.uops.delivered += known.uops;
  cache.line.iteration += known.iterations;
  cache.line.index = known.line;
  cache.entry = known.entry;
  cache.delayed = known.delayed;
}

/// Fetch to uop queue.
inline void supply(Core& core) {
  FrontEnd& front_end = core.front_end;
  if (front_end.supplier == Supplier::generic) return supply_by_width(core);
  if (front_end.supplier == Supplier::loop_buffer) {
    // The buffer is filled anew only once it is empty.
    if (front_end.uops.size() == 0)
      front_end.uops.delivered += core.program->laminated.size() * core.supply.loop_buffer_copies;
    return;
  }
  if (front_end.uops.size() + core.parameters.cache_width > core.parameters.uop_queue) return;
  if (front_end.supplier == Supplier::uop_cache && core.supply.one_path() && !front_end.microcode.busy())
    supply_alone(core);
  else
    supply_queue(core);
}

} // namespace corecast::sim
