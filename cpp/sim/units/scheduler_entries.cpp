#include "cpp/sim/units/scheduler_entries.hpp"

#include <algorithm>
#include <bit>
#include <utility>

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
  spread_ = parameters.spread;
  turns_ = parameters.port_turns;
  turn_choices_.clear();
  turn_ports_ = 0;
  turn_ = {};
  operation_schedulers_ = schedulers_of(spread_.ports);
  address_schedulers_ = schedulers_of(spread_.addresses);
  operations_.clear();
  addresses_.clear();
  joined_.clear();
  order_.clear();
  queues_.clear();
  choices_.clear();
  choice_of_.clear();
  sharing_choice_of_.clear();
  taken_.clear();
  next_ = 0;
  before_ = parameters.scheduler_queue;
  not_chosen_ = not_chosen_before_ = 0;
  last_chosen_ = none;
  if (!active()) return;
  waiting_.assign(parts_.size(), 0);
  for (std::size_t part = parts_.size(); part > 0; --part)
    if (((operation_schedulers_ | address_schedulers_) >> (part - 1) & 1) != 0)
      order_.push_back(static_cast<std::uint8_t>(part - 1));
  sees_fullest_ = spread_.lag_cycles != unlimited;
  if (sees_fullest_) counts_.reset(parts_.size(), spread_.lag_cycles, spread_.release_cycles);
  dispatched_.assign(parts_.size(), 0);
  issued_.assign(parts_.size(), 0);
  grouped_.assign(groups_.size(), 0);
  for (const Uop& uop : program.uops) {
    choice_of_.push_back(choice_for(uop.ports, false));
    sharing_choice_of_.push_back(has_only(uop, spread_.addresses) ? choice_for(uop.ports, true) : choice_of_.back());
  }
  for (const PortMask port : turns_) {
    turn_choices_.push_back(choice_for(port, false));
    turn_ports_ |= port;
  }
  rivalry_.assign(queues_.size(), 0);
  rivals_.assign(queues_.size(), {});
  for (std::size_t q = 0; q < queues_.size(); ++q)
    for (std::size_t r = 0; r < queues_.size(); ++r)
      if (queues_[q].scheduler == queues_[r].scheduler && (queues_[q].ports & queues_[r].ports) != 0)
        rivals_[q].push_back(static_cast<std::uint8_t>(r));
}

std::uint32_t SchedulerEntries::choice_for(PortMask ports, bool shares_entries) {
  for (std::uint32_t c = 0; c < choices_.size(); ++c)
    if (choices_[c].ports == ports && choices_[c].shares_entries == shares_entries) return c;
  Choice choice{ports, shares_entries, 0, {}};
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    PortMask own = ports & parts_[s].ports;
    if (own == 0) continue;
    // Queues beyond the last are not told apart by their ports: one port for all their uops.
    if (queues_.size() == most_queues) own &= ~own + 1;
    const SchedulerQueue queue{own, static_cast<std::uint8_t>(s), shares_entries};
    const auto q = static_cast<std::size_t>(std::find(queues_.begin(), queues_.end(), queue) - queues_.begin());
    if (q == queues_.size() && q < most_queues) queues_.push_back(queue);
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
  turn_.taken = 0;
  if (sees_fullest_) counts_.begin_cycle();
  if ((spread_.ports | spread_.addresses) == 0) return;
  operations_.clear();
  addresses_.clear();
  joined_.clear();
  crowded_.clear();
  leader_ = none;
  lone_addresses_ = 0;
  waiting_before_ = waiting_;
  rivalry_before_ = rivalry_;
  not_chosen_before_ = not_chosen_;
  turn_before_ = turn_;
}

bool SchedulerEntries::take(const Program& program, std::uint32_t first, std::uint32_t end, bool alone) {
  const std::size_t before = taken_.size();
  const std::size_t operations = operations_.size();
  const std::size_t addresses = addresses_.size();
  const std::size_t joined = joined_.size();
  const std::size_t crowded = crowded_.size();
  const std::uint32_t lone_addresses = lone_addresses_;
  const Turn turn = turn_;
  full_ = false;
  PortMask beside = 0; // ports of the instruction's other uops
  bool spreads = false;
  bool loads = false, stores = false;
  for (std::uint32_t each = first; each < end; ++each) {
    const Uop& uop = program.uops[each];
    const bool spread = has_only(uop, spread_.ports);
    spreads |= spread;
    loads |= uop.kind == UopKind::load;
    stores |= uop.kind == UopKind::store_address;
    if (!spread) beside |= uop.ports;
  }
  // What makes the data of a store that loads nothing is no operation of the group (pipeline facts AM-54).
  const bool apart = stores && !loads;
  if (apart) spreads = false;
  std::uint32_t operation = none; // its first spread uop
  const auto take_next = [&](std::uint32_t at) {
    const Uop& uop = program.uops[at];
    if (!alone && has_only(uop, spread_.addresses)) return take_address(at, std::exchange(spreads, false));
    if (has_only(uop, before_.ports)) return take_to_queue(alone);
    if (has_only(uop, turn_ports_)) return take_by_turn(uop, alone);
    if (alone || apart || !has_only(uop, spread_.ports)) return take_one(uop, choice_of_[at], alone);
    if (leader_ != none) {
      take_joined(choice_of_[at]);
      operation = std::min(operation, std::exchange(leader_, none));
      return true;
    }
    const auto place = static_cast<std::uint32_t>(operations_.size());
    if (!take_spread(choice_of_[at], beside)) return false;
    if (uop.leads) leader_ = place;
    operation = std::min(operation, place);
    return true;
  };
  std::uint32_t u = first;
  while (u < end && take_next(u))
    ++u;
  for (std::size_t each = joined; each < joined_.size(); ++each)
    joined_[each].operation = operation;
  if (u == end) return true;
  lone_addresses_ = lone_addresses;
  turn_ = turn;
  operations_.resize(operations);
  addresses_.resize(addresses);
  joined_.resize(joined);
  crowded_.resize(crowded);
  while (taken_.size() > before) { // all or none
    const std::uint8_t queue = taken_.back();
    taken_.pop_back();
    if (queue == no_queue) continue;
    if (queue == not_chosen) {
      --not_chosen_;
      continue;
    }
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

/// `beside`: ports of the instruction's other uops, which wait in the same scheduler where there is one for both.
bool SchedulerEntries::take_spread(std::uint32_t choice, PortMask beside) {
  std::uint32_t among = choices_[choice].schedulers;
  if (const std::uint32_t both = among & schedulers_of(beside & ~spread_.ports); both != 0) among = both;
  return take_open(operations_, {taken_.size(), choice, among}, operation_schedulers_);
}

/// `joins`: it goes where its instruction's operation goes. What finds no scheduler for itself among the addresses goes
/// the way of an operation, unless it has fewer than all of them: then it shares one (pipeline facts AM-58).
bool SchedulerEntries::take_address(std::uint32_t uop, bool joins) {
  if (joins) {
    take_joined(sharing_choice_of_[uop]);
    return true;
  }
  const std::uint32_t choice = choice_of_[uop];
  const Open address{taken_.size(), choice, choices_[choice].schedulers};
  if (lone_addresses_ >= spread_.addresses_per_cycle) return false;
  if (!take_open(addresses_, address, address_schedulers_)) {
    if (addresses_.size() < static_cast<std::size_t>(std::popcount(address_schedulers_))) {
      crowded_.push_back(address);
      taken_.push_back(no_queue);
    } else if (!take_open(operations_, address, operation_schedulers_)) {
      return false;
    }
  }
  ++lone_addresses_;
  return true;
}

/// Its scheduler is that of an operation.
void SchedulerEntries::take_joined(std::uint32_t choice) {
  joined_.push_back({taken_.size(), choice, choices_[choice].schedulers});
  taken_.push_back(no_queue);
}

/// False where they cannot each have a separate scheduler.
bool SchedulerEntries::take_open(std::vector<Open>& uops, const Open& uop, std::uint32_t schedulers) {
  uops.push_back(uop);
  if (!fits(uops, schedulers)) {
    uops.pop_back();
    return false;
  }
  taken_.push_back(no_queue);
  return true;
}

/// Whether each can have one of the schedulers that are free.
bool SchedulerEntries::fits(std::span<const Open> uops, std::uint32_t free) {
  if (uops.empty()) return true;
  for (std::uint32_t rest = uops.front().among & free; rest != 0; rest &= rest - 1)
    if (fits(uops.subspan(1), free & ~(rest & ~(rest - 1)))) return true;
  return false;
}

/// The fullest first; of equally full ones the last.
void SchedulerEntries::order_schedulers() {
  if (!sees_fullest_) return;
  for (std::size_t place = 1; place < order_.size(); ++place) {
    const std::uint8_t scheduler = order_[place];
    const auto behind = [&](std::uint8_t other) {
      return counts_[other] != counts_[scheduler] ? counts_[other] < counts_[scheduler] : other < scheduler;
    };
    std::size_t at = place;
    for (; at > 0 && behind(order_[at - 1]); --at)
      order_[at] = order_[at - 1];
    order_[at] = scheduler;
  }
}

/// Gives each uop a separate scheduler: the fullest that they can do without are left out, then each takes the first
/// that leaves the younger ones theirs. False where one of them has no room.
bool SchedulerEntries::spread_out(std::span<const Open> uops, std::uint32_t schedulers) {
  std::uint32_t free = schedulers;
  auto surplus = static_cast<std::size_t>(std::popcount(free)) - uops.size();
  for (std::size_t place = 0; surplus > 0 && place < order_.size(); ++place) {
    const std::uint32_t without = free & ~(std::uint32_t{1} << order_[place]);
    if (without == free || !fits(uops, without)) continue;
    free = without;
    --surplus;
  }
  bool room = true;
  for (std::size_t each = 0; each < uops.size(); ++each) {
    std::uint32_t rest = uops[each].among & free;
    while (!fits(uops.subspan(each + 1), free & ~(rest & ~(rest - 1))))
      rest &= rest - 1;
    free &= ~(rest & ~(rest - 1));
    room &= enter(uops[each], static_cast<std::size_t>(std::countr_zero(rest)));
  }
  return room;
}

/// False where the scheduler has no room.
bool SchedulerEntries::enter(const Open& uop, std::size_t scheduler) {
  std::uint8_t queue = no_queue;
  for (const std::uint8_t q : choices_[uop.choice].queues)
    if (queues_[q].scheduler == scheduler) queue = q;
  taken_[uop.taken] = queue;
  for (const std::uint8_t rival : rivals_[queue])
    ++rivalry_[rival];
  return queues_[queue].shares_entries || ++waiting_[scheduler] <= parts_[scheduler].entries;
}

bool SchedulerEntries::settle() {
  if ((spread_.ports | spread_.addresses) == 0) return true;
  bool room = true;
  if (!operations_.empty() || !addresses_.empty()) {
    order_schedulers();
    room = spread_out(operations_, operation_schedulers_);
    room &= spread_out(addresses_, address_schedulers_);
    room &= join_operations();
    for (const Open& each : crowded_) { // the emptier one, of equals the last
      auto best = static_cast<std::size_t>(std::countr_zero(each.among));
      for (std::size_t other = best + 1; other < parts_.size(); ++other)
        if ((each.among >> other & 1) != 0 && waiting_[other] <= waiting_[best]) best = other;
      room &= enter(each, best);
    }
  }
  if (!room) {
    waiting_ = waiting_before_;
    rivalry_ = rivalry_before_;
    not_chosen_ = not_chosen_before_;
    turn_ = turn_before_;
    full_ = true;
    return false;
  }
  if (sees_fullest_)
    for (const std::uint8_t queue : taken_)
      if (queue != no_queue && queue != not_chosen && !queues_[queue].shares_entries)
        counts_.take(queues_[queue].scheduler);
  return true;
}

/// Addresses go where their operations go, and operations where the one that leads them goes, if they can. An address
/// and its operation are one entry then until the operation starts.
bool SchedulerEntries::join_operations() {
  bool room = true;
  for (const Open& each : joined_) {
    const std::size_t scheduler = queues_[taken_[operations_[each.operation].taken]].scheduler;
    if ((each.among >> scheduler & 1) != 0) {
      room &= enter(each, scheduler);
      continue;
    }
    Open apart = each;
    apart.choice = choice_for(choices_[each.choice].ports, false);
    room &= enter(apart, static_cast<std::size_t>(std::countr_zero(each.among)));
  }
  return room;
}

std::uint64_t SchedulerEntries::state_hash() const {
  Hash hash;
  if (sees_fullest_) counts_.add_to(hash);
  hash.add(last_chosen_);
  hash.add(turn_.next);
  return hash.value();
}

/// Whether the first of two queues looks emptier; of equals, the one that fewer want; then the one whose scheduler was
/// not chosen last.
bool SchedulerEntries::is_better(std::uint8_t queue, std::uint8_t than) const {
  const std::size_t scheduler = queues_[queue].scheduler, other = queues_[than].scheduler;
  if (sees_fullest_ && counts_[scheduler] != counts_[other]) return counts_[scheduler] < counts_[other];
  const std::uint32_t wanted = rivalry_[queue] * ports_of(queues_[than]);
  const std::uint32_t other_wanted = rivalry_[than] * ports_of(queues_[queue]);
  return wanted != other_wanted ? wanted < other_wanted : other == last_chosen_;
}

std::uint8_t SchedulerEntries::choose(std::uint32_t uop) {
  const Choice& choice = choices_[choice_of_[uop]];
  std::uint8_t best = not_chosen;
  for (const std::uint8_t q : choice.queues) {
    const std::size_t s = queues_[q].scheduler;
    if (waiting_[s] < parts_[s].entries && (best == not_chosen || is_better(q, best))) best = q;
  }
  if (best == not_chosen) return not_chosen;
  const std::size_t scheduler = queues_[best].scheduler;
  --not_chosen_;
  ++waiting_[scheduler];
  for (const std::uint8_t rival : rivals_[best])
    ++rivalry_[rival];
  if (sees_fullest_) counts_.take(scheduler);
  if (choice.queues.size() > 1) last_chosen_ = static_cast<std::uint32_t>(scheduler);
  return best;
}

bool SchedulerEntries::take_to_queue(bool alone) {
  full_ = not_chosen_ >= before_.entries;
  if (full_ && !alone) return false;
  ++not_chosen_;
  taken_.push_back(not_chosen);
  return true;
}

/// The next port that it may use and that no other uop of this cycle has; where all have one, the next that it may use.
bool SchedulerEntries::take_by_turn(const Uop& uop, bool alone) {
  PortMask free = uop.ports & ~turn_.taken;
  if (free == 0) free = uop.ports;
  std::size_t place = turn_.next;
  while ((turns_[place] & free) == 0)
    place = (place + 1) % turns_.size();
  if (!take_one(uop, turn_choices_[place], alone)) return false;
  turn_ = {(place + 1) % turns_.size(), turn_.taken | turns_[place]};
  return true;
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
