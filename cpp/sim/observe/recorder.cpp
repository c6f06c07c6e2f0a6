#include "cpp/sim/observe/recorder.hpp"

namespace corecast::sim {

Recorder::Recorder(const Core& core) {
  delivered_.assign(core.front_end.uops.delivered, 0);
}

void Recorder::after_rename(const Core& core) {
  CycleEvents cycle;
  cycle.stall = core.renamer.stall;
  cycle.full = core.renamer.full;
  cycle.moved = uops_.size() < core.renamer.next_uop;
  cycle.starved = !cycle.moved && core.front_end.uops.size() == 0;
  cycle.next = core.program->laminated[core.renamer.next.index].instruction;
  if (cycle.full != Full::nothing) cycle.root = root_of(core);
  cycles_.push_back(cycle);
  while (uops_.size() < core.renamer.next_uop) {
    uops_.emplace_back();
    uops_.back().renamed = core.now;
  }
}

/// Asked in cycles in which nothing was renamed: everything younger waits for this one.
std::uint64_t Recorder::root_of(const Core& core) {
  for (std::uint64_t u = core.reorder_buffer.head_uop; u < core.renamer.next_uop; ++u) {
    const InFlight& flight = core.scheduler.at(u);
    const bool gone = core.renamer.full == Full::scheduler
                          ? flight.started_before(core.now) || core.program->uops[flight.uop].ports == 0
                          : flight.done_before(core.now);
    if (!gone) return u;
  }
  return CycleEvents::no_uop;
}

void Recorder::after_retire(const Core& core) {
  for (; retired_ < core.reorder_buffer.head_uop; ++retired_) {
    take_down(core, retired_);
    uops_[retired_].retired = core.now;
  }
}

void Recorder::after_supply(const Core& core) {
  cycles_.back().occupancy = {static_cast<std::uint32_t>(core.front_end.uops.size()), core.scheduler.occupancy(),
                              core.reorder_buffer.size, core.buffers.taken(Buffer::load_queue),
                              core.buffers.taken(Buffer::store_queue)};
  delivered_.resize(core.front_end.uops.delivered, core.now);
}

void Recorder::finish(const Core& core) {
  for (std::uint64_t u = retired_; u < uops_.size(); ++u)
    take_down(core, u);
}

void Recorder::take_down(const Core& core, std::uint64_t sequence) {
  const InFlight& flight = core.scheduler.at(sequence);
  UopEvents& out = uops_[sequence];
  const bool started = flight.started_by(core.now);
  out.ready = started || flight.ready <= core.now ? flight.ready : -1;
  out.dispatched = started ? flight.dispatched : -1;
  out.completed = flight.known <= core.now ? flight.completion : -1;
  out.sooner = static_cast<std::int8_t>(flight.sooner);
  out.port = flight.taken;
  out.absent = flight.absent;
  out.eliminated = flight.eliminated || flight.absent;
}

} // namespace corecast::sim
