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
  spread_ports_ = parameters.spread;
  spread_schedulers_ = schedulers_of(spread_ports_);
  spread_.clear();
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
  Choice choice{ports, 0, {}};
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
  choice.schedulers = schedulers_of(ports);
  choices_.push_back(std::move(choice));
  return static_cast<std::uint32_t>(choices_.size() - 1);
}

void SchedulerEntries::begin_cycle() {
  dispatched_.assign(parts_.size(), 0);
  issued_.assign(parts_.size(), 0);
  grouped_.assign(groups_.size(), 0);
  taken_.clear();
  next_ = 0;
  if (spread_ports_ == 0) return;
  spread_.clear();
  waiting_before_ = waiting_;
  rivalry_before_ = rivalry_;
}

bool SchedulerEntries::take(const Program& program, std::uint32_t first, std::uint32_t end, bool alone) {
  const std::size_t before = taken_.size();
  const std::size_t spread_before = spread_.size();
  full_ = false;
  PortMask beside = 0; // ports of the instruction's other uops
  if (spread_ports_ != 0)
    for (std::uint32_t each = first; each < end; ++each)
      if (!is_spread(program.uops[each])) beside |= program.uops[each].ports;
  std::uint32_t u = first;
  while (u < end && (!alone && is_spread(program.uops[u]) ? take_spread(choice_of_[u], beside)
                                                          : take_one(program.uops[u], choice_of_[u], alone)))
    ++u;
  if (u == end) return true;
  spread_.resize(spread_before);
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

std::uint32_t SchedulerEntries::schedulers_of(PortMask ports) const {
  std::uint32_t out = 0;
  for (std::size_t s = 0; s < parts_.size(); ++s)
    if ((parts_[s].ports & ports) != 0) out |= std::uint32_t{1} << s;
  return out;
}

/// A uop whose scheduler is chosen when all of this cycle's are known. `beside`: ports of its instruction's other uops,
/// which wait in the same scheduler where there is one for both.
bool SchedulerEntries::take_spread(std::uint32_t choice, PortMask beside) {
  std::uint32_t among = choices_[choice].schedulers;
  if (const std::uint32_t both = among & schedulers_of(beside & ~spread_ports_); both != 0) among = both;
  spread_.push_back({taken_.size(), choice, among});
  if (!fits(0, spread_schedulers_)) {
    spread_.pop_back();
    return false;
  }
  taken_.push_back(no_queue);
  return true;
}

/// Whether those from `first` on can have a free scheduler each.
bool SchedulerEntries::fits(std::size_t first, std::uint32_t free) const {
  if (first == spread_.size()) return true;
  for (std::uint32_t rest = spread_[first].among & free; rest != 0; rest &= rest - 1)
    if (fits(first + 1, free & ~(rest & ~(rest - 1)))) return true;
  return false;
}

bool SchedulerEntries::settle() {
  if (spread_.empty()) return true;
  bool room = true;
  std::uint32_t free = spread_schedulers_;
  const auto first_of = [&](std::uint32_t among, std::size_t next) {
    std::uint32_t rest = among & free;
    while (!fits(next, free & ~(rest & ~(rest - 1))))
      rest &= rest - 1;
    free &= ~(rest & ~(rest - 1));
    return static_cast<std::uint32_t>(std::countr_zero(rest));
  };
  for (std::size_t missing = static_cast<std::size_t>(std::popcount(free)) - spread_.size(); missing > 0; --missing)
    first_of(free, 0);
  for (std::size_t each = 0; each < spread_.size(); ++each) {
    const std::uint32_t s = first_of(spread_[each].among, each + 1);
    std::uint8_t queue = no_queue;
    for (const std::uint8_t q : choices_[spread_[each].choice].queues)
      if (queues_[q].scheduler == s) queue = q;
    taken_[spread_[each].taken] = queue;
    if (++waiting_[s] > parts_[s].entries) room = false;
    for (const std::uint8_t rival : rivals_[queue])
      ++rivalry_[rival];
  }
  spread_.clear();
  if (room) return true;
  waiting_ = waiting_before_;
  rivalry_ = rivalry_before_;
  full_ = true;
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
