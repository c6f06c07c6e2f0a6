#include "cpp/sim/units/port_binding.hpp"

#include "cpp/sim/hash.hpp"

#include <algorithm>
#include <bit>

namespace corecast::sim {
namespace {

std::uint8_t lowest(PortMask mask) {
  return static_cast<std::uint8_t>(std::countr_zero(mask));
}

} // namespace

void PortBinding::reset(const CoreParameters& parameters, std::size_t ports) {
  choice_ = parameters.port_choice;
  alternating_ = 0;
  for (const PortMask set : choice_.alternating)
    alternating_ |= set;
  ports_ = std::min(ports, most_ports);
  counters_.fill(0);
  snapshot_.fill(0);
  previous_.fill(0);
  leaving_.fill(0);
  left_.fill(0);
  toggles_ = 0;
  seen_count_ = 0;
  turns_.clear();
}

void PortBinding::begin_cycle() {
  ports_ <= few_ports ? begin_cycle<few_ports>() : begin_cycle<most_ports>();
  seen_count_ = 0;
}

template <std::size_t count> void PortBinding::begin_cycle() {
  if (choice_.policy == PortAssignment::ranked) std::copy_n(snapshot_.begin(), count, previous_.begin());
  std::copy_n(counters_.begin(), count, snapshot_.begin());
}

void PortBinding::end_cycle() {
  ports_ <= few_ports ? end_cycle<few_ports>() : end_cycle<most_ports>();
}

template <std::size_t count> void PortBinding::end_cycle() {
  for (std::size_t p = 0; p < count; ++p) {
    counters_[p] = static_cast<std::uint16_t>(counters_[p] - left_[p]);
    left_[p] = leaving_[p];
    leaving_[p] = 0;
  }
}

std::uint8_t PortBinding::choose_of_several(PortMask ports, std::uint32_t slot) {
  const std::uint8_t port = by_policy(ports, slot);
  ++counters_[port];
  return port;
}

inline std::uint8_t PortBinding::by_policy(PortMask ports, std::uint32_t slot) {
  if (choice_.policy == PortAssignment::least_loaded) return least(ports);
  if (choice_.policy == PortAssignment::in_turn) return in_turn(ports);
  for (std::size_t set = 0; (ports & alternating_) != 0 && set < choice_.alternating.size(); ++set)
    if (ports == choice_.alternating[set]) return std::popcount(ports) > 2 ? in_turn(ports) : alternate(ports, set);
  if (choice_.policy == PortAssignment::paired_slots) return paired_slots(ports, slot);
  if (choice_.policy == PortAssignment::rotating) return rotating(ports, slot);
  return ranked(ports, slot);
}

inline std::uint8_t PortBinding::alternate(PortMask ports, std::size_t set) {
  const bool second = (toggles_ >> set & 1) != 0;
  toggles_ ^= std::uint64_t{1} << set;
  return lowest(second ? ports & (ports - 1) : ports);
}

inline std::uint8_t PortBinding::least(PortMask ports) const {
  std::uint8_t best = lowest(ports);
  for (PortMask rest = ports; rest != 0; rest &= rest - 1)
    if (counters_[lowest(rest)] < counters_[best]) best = lowest(rest);
  return best;
}

/// Each port of a set after the other, whatever waits there.
std::uint8_t PortBinding::in_turn(PortMask ports) {
  auto turn = std::find_if(turns_.begin(), turns_.end(), [&](const auto& each) { return each.first == ports; });
  if (turn == turns_.end()) turn = turns_.insert(turns_.end(), {ports, static_cast<std::uint8_t>(most_ports - 1)});
  const PortMask above = turn->second + 1U < most_ports ? ports & (~PortMask{0} << (turn->second + 1U)) : 0;
  turn->second = lowest(above != 0 ? above : ports);
  return turn->second;
}

/// Even slots of a group take the port with the fewest waiting, odd ones the second.
inline std::uint8_t PortBinding::paired_slots(PortMask ports, std::uint32_t slot) const {
  const auto& seen = choice_.last_slot_sees_group && slot == 3 ? counters_ : snapshot_;
  // Ties go to the highest number.
  std::uint8_t best = lowest(ports);
  for (PortMask rest = ports & (ports - 1); rest != 0; rest &= rest - 1)
    if (seen[lowest(rest)] <= seen[best]) best = lowest(rest);
  if (slot % 2 == 0) return best;
  const PortMask others = ports & ~(PortMask{1} << best);
  std::uint8_t second = lowest(others);
  for (PortMask rest = others & (others - 1); rest != 0; rest &= rest - 1)
    if (seen[lowest(rest)] <= seen[second]) second = lowest(rest);
  return seen[second] >= seen[best] + choice_.waiting_limit ? best : second;
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

/// Ports ranked by what waited there in the cycle before. Each slot has a rank, or each uop of a cycle with the same
/// set takes the next one.
std::uint8_t PortBinding::ranked(PortMask ports, std::uint32_t slot) {
  std::array<std::uint8_t, most_ports> list{};
  std::size_t count = 0;
  for (PortMask rest = ports; rest != 0; rest &= rest - 1)
    list[count++] = lowest(rest);
  std::sort(list.begin(), list.begin() + count, [&](std::uint8_t a, std::uint8_t b) {
    return previous_[a] != previous_[b] ? previous_[a] < previous_[b] : a > b;
  });
  const std::uint32_t limit = previous_[list[0]] + choice_.waiting_limit;
  while (count > 1 && previous_[list[count - 1]] >= limit)
    --count;
  if (!choice_.slot_ranks.empty()) return list[choice_.slot_ranks[slot % choice_.slot_ranks.size()] % count];
  const auto earlier = static_cast<std::size_t>(std::count(seen_.begin(), seen_.begin() + seen_count_, ports));
  if (seen_count_ < seen_.size()) seen_[seen_count_++] = ports;
  if (slot == choice_.first_choice_slot) return list[0];
  if (slot == choice_.second_choice_slot && earlier == 0 && count > 1) return list[1];
  return list[earlier % count];
}

std::uint64_t PortBinding::state_hash() const {
  Hash hash;
  const bool looks_back = choice_.policy == PortAssignment::ranked;
  for (std::size_t p = 0; p < ports_; ++p)
    hash.add((static_cast<std::uint64_t>(looks_back ? snapshot_[p] : 0) << 32) ^ (std::uint64_t{counters_[p]} << 16) ^
             left_[p]);
  hash.add(toggles_);
  for (const auto& [ports, last] : turns_)
    hash.add(ports * 64 + last);
  return hash.value();
}

} // namespace corecast::sim
