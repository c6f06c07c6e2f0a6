#include "cpp/sim/units/port_binding.hpp"

#include "cpp/sim/hash.hpp"

#include <algorithm>
#include <bit>

namespace corecast::sim {
namespace {

constexpr std::uint32_t most_besides = 1000; // more than ever wait at a port

std::uint8_t lowest(PortMask mask) {
  return static_cast<std::uint8_t>(std::countr_zero(mask));
}

} // namespace

void PortBinding::reset(const CoreParameters& parameters, const Program& program) {
  choice_ = parameters.port_choice;
  looks_back_ = choice_.policy == PortAssignment::ranked;
  sees_earlier_ = choice_.slots_see_earlier;
  by_rank_ = choice_.policy == PortAssignment::paired_slots;
  seen_by_.fill(seen_by_all);
  if (sees_earlier_) seen_by_ = {seen_by_all, seen_by_middle, seen_by_middle, seen_by_fourth, seen_by_all};
  for (std::size_t p = 0; p < most_ports; ++p)
    last_port_[p] = static_cast<std::uint32_t>(most_ports - 1 - p);
  for (auto& each : ranks_)
    each.fill(0);
  ports_ = std::min<std::size_t>(program.resources, most_ports);
  for (std::size_t p = 0; p < some_ports; ++p)
    bit_of_[p] = static_cast<std::uint16_t>(1U << p);
  counters_.fill(0);
  for (PortMask rest = program.avoided; rest != 0; rest &= rest - 1) // these never leave
    counters_[lowest(rest)] = static_cast<std::uint16_t>(std::min(choice_.waiting_limit, most_besides));
  snapshot_ = previous_ = counters_;
  no_longer_counted_ = 0;
  leaving_.fill(0);
  for (auto& each : left_)
    each.fill(0);
  booked_left_.fill(0);
  oldest_left_ = 0;
  counts_left_ = false;
  cycle_ = 0;
  seen_count_ = 0;
  sets_.clear();
  set_of_.clear();
  ports_used_ = most_ports - static_cast<std::size_t>(std::countl_zero(program.avoided));
  set_of_.reserve(program.uops.size());
  for (const Uop& uop : program.uops) {
    const auto known =
        std::find_if(sets_.begin(), sets_.end(), [&](const PortSet& set) { return set.mask == uop.ports; });
    set_of_.push_back(static_cast<std::uint16_t>(known - sets_.begin()));
    if (known != sets_.end()) continue;
    ports_used_ = std::max(ports_used_, most_ports - static_cast<std::size_t>(std::countl_zero(uop.ports)));
    PortSet& added = sets_.emplace_back();
    added.mask = uop.ports;
    added.choice = choice_of(uop.ports);
    added.first = lowest(uop.ports);
    const SetRanks* own = own_ranks_of(uop.ports);
    added.own_ranks = own != nullptr;
    added.ranks = own != nullptr ? own->ranks : choice_.slot_ranks;
    for (PortMask rest = uop.ports; rest != 0; rest &= rest - 1)
      added.members[added.count++] = lowest(rest);
  }
  find_others(program);
}

void PortBinding::find_others(const Program& program) {
  others_.clear();
  const std::uint32_t most = choice_.slots_of_others;
  const auto count = static_cast<std::uint32_t>(program.fused.size());
  if (most == 0 || count == 0) return;
  others_.reserve(program.uops.size() * (most + 1));
  for (const Uop& uop : program.uops) {
    others_.push_back(0); // nothing is before the first slot
    std::uint8_t others = 0;
    for (std::uint32_t back = 1; back <= most; ++back) {
      const FusedUop& before = program.fused[(uop.fused + count - back % count) % count];
      others = static_cast<std::uint8_t>(others + (before.choice == uop.ports ? 0 : 1));
      others_.push_back(others);
    }
  }
}

/// Alternating sets are taken in turn, whatever the policy for the others.
PortBinding::Choice PortBinding::choice_of(PortMask ports) const {
  const PortAssignment policy = choice_.policy;
  if (ports != 0 && policy == PortAssignment::after_last) return Choice::after_last; // others see single ports taken
  if ((ports & (ports - 1)) == 0) return Choice::only_one;
  const std::vector<PortMask>& sets = choice_.alternating;
  const bool alternates = std::find(sets.begin(), sets.end(), ports) != sets.end();
  if (policy == PortAssignment::least_loaded) return Choice::least_loaded;
  if (policy == PortAssignment::in_turn || alternates) return Choice::in_turn;
  if (policy == PortAssignment::paired_slots) return Choice::paired_slots;
  return policy == PortAssignment::rotating ? Choice::rotating : Choice::ranked;
}

const SetRanks* PortBinding::own_ranks_of(PortMask ports) const {
  for (const SetRanks& own : choice_.set_ranks)
    if (own.ports == ports) return &own;
  return nullptr;
}

void PortBinding::end_cycle() {
  with_room_for(ports_used_, [this](auto count) { end_cycle<count>(); });
}

template <std::size_t count> void PortBinding::end_cycle() {
  std::array<std::uint16_t, most_ports>& left = left_[oldest_left_];
  for (std::size_t p = 0; p < count; ++p)
    counters_[p] = static_cast<std::uint16_t>(counters_[p] - std::exchange(left[p], std::exchange(leaving_[p], 0)));
  pass_left();
}

std::uint8_t PortBinding::choose_otherwise(std::uint32_t uop, PortSet& set, std::uint32_t slot) {
  switch (set.choice) {
  case Choice::only_one:
  case Choice::paired_slots:
    break;
  case Choice::least_loaded:
    return least(set.mask);
  case Choice::in_turn:
    return next_in_turn(set);
  case Choice::after_last:
    return after_last(set);
  case Choice::rotating:
    return rotating(set.mask, slot);
  case Choice::ranked: {
    const std::uint32_t most = set.own_ranks ? 0 : choice_.slots_of_others;
    return ranked(set, most == 0 ? slot : slot - others_[uop * (most + 1) + std::min(slot, most)]);
  }
  }
  return set.first;
}

inline std::uint8_t PortBinding::least(PortMask ports) const {
  std::uint8_t best = lowest(ports);
  for (PortMask rest = ports; rest != 0; rest &= rest - 1)
    if (counters_[lowest(rest)] < counters_[best]) best = lowest(rest);
  return best;
}

/// Each port of a set after the other, whatever waits there.
std::uint8_t PortBinding::next_in_turn(PortSet& set) {
  set.last = static_cast<std::uint8_t>(port_behind(set.mask, set.last));
  return set.last;
}

/// The port behind the last one of the set that any micro-op took, one of another set as well.
std::uint8_t PortBinding::after_last(PortSet& set) {
  const std::uint8_t port = next_in_turn(set);
  for (PortSet& other : sets_)
    if ((other.mask >> port & 1) != 0) other.last = port;
  return port;
}

/// Slots take the ports of a set in an order that begins with the one with the fewest waiting; where the set has none,
/// that one and the one with the most in turn.
std::uint8_t PortBinding::rotating(PortMask ports, std::uint32_t slot) const {
  std::uint8_t best = lowest(ports);
  std::uint8_t most = best;
  for (PortMask rest = ports & (ports - 1); rest != 0; rest &= rest - 1) {
    const std::uint8_t port = lowest(rest);
    if (snapshot_[port] < snapshot_[best]) best = port;
    if (snapshot_[port] >= snapshot_[most]) most = port;
  }
  if (snapshot_[most] >= snapshot_[best] + choice_.waiting_limit) return best;
  if (ports == choice_.slot_order.ports)
    for (const auto& [least, order] : choice_.slot_order.by_least)
      if (least == best) return order[slot % order.size()];
  return slot % 2 == 0 ? best : most;
}

/// Ports in the order of what waited there in the cycle before, of equal ones from the last on, without those where too
/// many more wait than at the first. The same all through a cycle.
void PortBinding::order(PortSet& set) const {
  const auto goes_before = [this](std::uint8_t a, std::uint8_t b) {
    return previous_[a] != previous_[b] ? previous_[a] < previous_[b] : a > b;
  };
  for (std::uint32_t i = 0; i < set.count; ++i) {
    const std::uint8_t port = set.members[i];
    std::uint32_t place = i;
    for (; place > 0 && goes_before(port, set.order[place - 1]); --place)
      set.order[place] = set.order[place - 1];
    set.order[place] = port;
  }
  const std::uint32_t limit = previous_[set.order[0]] + choice_.waiting_limit;
  set.choices = static_cast<std::uint32_t>(set.count);
  while (set.choices > 1 && previous_[set.order[set.choices - 1]] >= limit)
    --set.choices;
}

/// Each slot has a rank, or each uop of a cycle with the same set takes the next one.
std::uint8_t PortBinding::ranked(PortSet& set, std::uint32_t slot) {
  if (set.ordered_in != cycle_) order(set);
  set.ordered_in = cycle_;
  const auto choose = [&](std::size_t rank) { return set.order[rank < set.choices ? rank : rank % set.choices]; };
  if (const std::size_t slots = set.ranks.size(); slots > 0)
    return choose(set.ranks[slot < slots ? slot : slot % slots]);
  const auto earlier = static_cast<std::size_t>(std::count(seen_.begin(), seen_.begin() + seen_count_, set.mask));
  if (seen_count_ < seen_.size()) seen_[seen_count_++] = set.mask;
  if (slot == choice_.first_choice_slot) return set.order[0];
  if (slot == choice_.second_choice_slot && earlier == 0 && set.choices > 1) return set.order[1];
  return choose(earlier);
}

std::uint64_t PortBinding::state_hash() const {
  Hash hash;
  for (std::size_t p = 0; p < ports_; ++p)
    hash.add((static_cast<std::uint64_t>(looks_back_ ? snapshot_[p] : 0) << 32) ^ waiting(p));
  for (std::uint32_t age = 0; age < choice_.counted_cycles; ++age) {
    const std::size_t at = (oldest_left_ + age) % choice_.counted_cycles;
    hash.add(booked_left_[at]);
    if (!counts_left_) continue;
    for (std::size_t p = 0; p < ports_; ++p)
      hash.add(left_[at][p]);
  }
  for (const PortSet& set : sets_)
    if (set.choice == Choice::in_turn || set.choice == Choice::after_last) hash.add(set.last);
  return hash.value();
}

} // namespace corecast::sim
