#include "cpp/sim/units/scheduler_entries.hpp"

#include <bit>

namespace corecast::sim {
namespace {

constexpr std::uint8_t no_queue = 0xFF;

std::uint32_t ports_of(const SchedulerQueue& queue) {
  return static_cast<std::uint32_t>(std::popcount(queue.ports));
}

} // namespace

void SchedulerEntries::reset(const Program& program, const CoreParameters& parameters) {
  parts_ = parameters.schedulers;
  groups_ = parameters.dispatch_groups;
  queues_.clear();
  choices_.clear();
  choice_of_.clear();
  taken_.clear();
  next_ = 0;
  if (!active()) return;
  waiting_.assign(parts_.size(), 0);
  dispatched_.assign(parts_.size(), 0);
  issued_.assign(parts_.size(), 0);
  grouped_.assign(groups_.size(), 0);
  for (const Uop& uop : program.uops)
    choice_of_.push_back(choice_for(uop.ports));
  rivalry_.assign(queues_.size(), 0);
  rivals_.assign(queues_.size(), {});
  for (std::size_t q = 0; q < queues_.size(); ++q)
    for (std::size_t r = 0; r < queues_.size(); ++r)
      if (queues_[q].scheduler == queues_[r].scheduler && (queues_[q].ports & queues_[r].ports) != 0)
        rivals_[q].push_back(static_cast<std::uint8_t>(r));
}

std::uint32_t SchedulerEntries::choice_for(PortMask ports) {
  for (std::uint32_t c = 0; c < choices_.size(); ++c)
    if (choices_[c].ports == ports) return c;
  Choice choice{ports, {}};
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    PortMask own = ports & parts_[s].ports;
    if (own == 0) continue;
    // Queues beyond the last are not told apart by their ports: one port for all their uops.
    if (queues_.size() == most_queues) own &= ~own + 1;
    std::size_t q = 0;
    while (q < queues_.size() && (queues_[q].ports != own || queues_[q].scheduler != s))
      ++q;
    if (q == queues_.size() && q < most_queues) queues_.push_back({own, static_cast<std::uint8_t>(s)});
    if (q < most_queues) choice.queues.push_back(static_cast<std::uint8_t>(q));
  }
  choices_.push_back(std::move(choice));
  return static_cast<std::uint32_t>(choices_.size() - 1);
}

void SchedulerEntries::begin_cycle() {
  dispatched_.assign(parts_.size(), 0);
  issued_.assign(parts_.size(), 0);
  grouped_.assign(groups_.size(), 0);
  taken_.clear();
  next_ = 0;
}

bool SchedulerEntries::take(const Program& program, std::uint32_t first, std::uint32_t end, bool alone) {
  const std::size_t before = taken_.size();
  full_ = false;
  std::uint32_t u = first;
  while (u < end && take_one(program.uops[u], choice_of_[u], alone))
    ++u;
  if (u == end) return true;
  while (taken_.size() > before) { // all or none
    const std::uint8_t queue = taken_.back();
    taken_.pop_back();
    if (queue == no_queue) continue;
    --waiting_[queues_[queue].scheduler];
    for (const std::uint8_t rival : rivals_[queue])
      --rivalry_[rival];
    --dispatched_[queues_[queue].scheduler];
  }
  for (; u > first; --u)
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (const PortMask ports = program.uops[u - 1].ports; ports != 0 && (ports & ~groups_[g].ports) == 0)
        --grouped_[g];
  return false;
}

bool SchedulerEntries::take_one(const Uop& uop, std::uint32_t choice, bool alone) {
  if (uop.ports == 0 || !uop.waits) return true;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (!alone && (uop.ports & ~groups_[g].ports) == 0 && grouped_[g] >= groups_[g].uops) return false;
  std::uint8_t best = no_queue;
  bool any_room = parts_.empty();
  for (const std::uint8_t q : choices_[choice].queues) {
    const std::size_t s = queues_[q].scheduler;
    if (!alone && waiting_[s] >= parts_[s].entries) continue;
    any_room = true;
    if (!alone && dispatched_[s] >= parts_[s].dispatches) continue;
    // The fewest uops for each port; ties go to the first.
    const std::uint8_t other = best == no_queue ? q : best;
    if (best == no_queue || rivalry_[q] * ports_of(queues_[other]) < rivalry_[other] * ports_of(queues_[q])) best = q;
  }
  full_ = !any_room;
  if (best == no_queue && !parts_.empty()) return false;
  if (best != no_queue) {
    ++waiting_[queues_[best].scheduler];
    for (const std::uint8_t rival : rivals_[best])
      ++rivalry_[rival];
    ++dispatched_[queues_[best].scheduler];
  }
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if ((uop.ports & ~groups_[g].ports) == 0) ++grouped_[g];
  taken_.push_back(best);
  return true;
}

} // namespace corecast::sim
