#include "cpp/sim/units/port_binding.hpp"

#include "cpp/sim/hash.hpp"

#include <algorithm>
#include <bit>

namespace corecast::sim {
namespace {

constexpr PortMask set_of(std::initializer_list<unsigned> ports) {
  PortMask mask = 0;
  for (const unsigned port : ports)
    mask |= PortMask{1} << port;
  return mask;
}

constexpr std::uint32_t second_choice_limit = 3; // uops more than the least loaded port before it is taken after all
constexpr std::uint32_t ten_port_limit = 5;

std::uint8_t lowest(PortMask mask) {
  return static_cast<std::uint8_t>(std::countr_zero(mask));
}

} // namespace

void PortBinding::reset(const CoreParameters& parameters, std::size_t ports) {
  assignment_ = parameters.port_assignment;
  last_slot_sees_group_ = parameters.last_slot_sees_group;
  ports_ = std::min(ports, most_ports);
  counters_.fill(0);
  snapshot_.fill(0);
  previous_.fill(0);
  leaving_.fill(0);
  left_.fill(0);
  toggles_.fill(false);
  seen_count_ = 0;
  turns_.clear();
}

void PortBinding::begin_cycle() {
  ports_ <= few_ports ? begin_cycle<few_ports>() : begin_cycle<most_ports>();
  seen_count_ = 0;
}

template <std::size_t count> void PortBinding::begin_cycle() {
  if (assignment_ == PortAssignment::ten_port) std::copy_n(snapshot_.begin(), count, previous_.begin());
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
  std::uint8_t port = 0;
  if (assignment_ == PortAssignment::least_loaded)
    port = least(ports);
  else if (assignment_ == PortAssignment::in_turn)
    port = in_turn(ports);
  else if (ports == set_of({2, 3}))
    port = alternate(ports, 0);
  else if (assignment_ == PortAssignment::eight_port)
    port = eight_port(ports, slot);
  else if (assignment_ == PortAssignment::six_port)
    port = six_port(ports, slot);
  else
    port = ten_port(ports, slot);
  ++counters_[port];
  return port;
}

inline std::uint8_t PortBinding::alternate(PortMask ports, std::size_t toggle) {
  const std::uint8_t low = lowest(ports);
  const std::uint8_t port = toggles_[toggle] ? lowest(ports & (ports - 1)) : low;
  toggles_[toggle] = !toggles_[toggle];
  return port;
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

inline std::uint8_t PortBinding::eight_port(PortMask ports, std::uint32_t slot) const {
  const auto& seen = last_slot_sees_group_ && slot == 3 ? counters_ : snapshot_;
  // Ties go to the highest number.
  std::uint8_t best = lowest(ports);
  for (PortMask rest = ports & (ports - 1); rest != 0; rest &= rest - 1)
    if (seen[lowest(rest)] <= seen[best]) best = lowest(rest);
  if (slot % 2 == 0) return best;
  const PortMask others = ports & ~(PortMask{1} << best);
  std::uint8_t second = lowest(others);
  for (PortMask rest = others & (others - 1); rest != 0; rest &= rest - 1)
    if (seen[lowest(rest)] <= seen[second]) second = lowest(rest);
  return seen[second] >= seen[best] + second_choice_limit ? best : second;
}

std::uint8_t PortBinding::six_port(PortMask ports, std::uint32_t slot) const {
  std::uint8_t best = lowest(ports);
  std::uint8_t most = best;
  for (PortMask rest = ports & (ports - 1); rest != 0; rest &= rest - 1) {
    const std::uint8_t port = lowest(rest);
    if (snapshot_[port] < snapshot_[best]) best = port;
    if (snapshot_[port] >= snapshot_[most]) most = port;
  }
  if (snapshot_[most] >= snapshot_[best] + second_choice_limit) return best;
  if (ports == set_of({0, 1, 5})) {
    constexpr std::uint8_t order[3][4] = {{0, 5, 1, 0}, {1, 5, 0, 1}, {5, 1, 0, 5}};
    return order[best == 0 ? 0 : best == 1 ? 1 : 2][slot % 4];
  }
  return slot % 2 == 0 ? best : most;
}

std::uint8_t PortBinding::ten_port(PortMask ports, std::uint32_t slot) {
  if (ports == set_of({4, 9})) return alternate(ports, 1);
  if (ports == set_of({7, 8})) return alternate(ports, 2);
  std::array<std::uint8_t, most_ports> list{};
  std::size_t count = 0;
  for (PortMask rest = ports; rest != 0; rest &= rest - 1)
    list[count++] = lowest(rest);
  std::sort(list.begin(), list.begin() + count, [&](std::uint8_t a, std::uint8_t b) {
    return previous_[a] != previous_[b] ? previous_[a] < previous_[b] : a > b;
  });
  const std::uint32_t limit = previous_[list[0]] + ten_port_limit;
  while (count > 1 && previous_[list[count - 1]] >= limit)
    --count;
  const auto earlier = static_cast<std::size_t>(std::count(seen_.begin(), seen_.begin() + seen_count_, ports));
  if (seen_count_ < seen_.size()) seen_[seen_count_++] = ports;
  if (slot == 4) return list[0];
  if (slot == 3 && earlier == 0 && count > 1) return list[1];
  return list[earlier % count];
}

std::uint64_t PortBinding::state_hash() const {
  Hash hash;
  const bool looks_back = assignment_ == PortAssignment::ten_port;
  for (std::size_t p = 0; p < ports_; ++p)
    hash.add((static_cast<std::uint64_t>(looks_back ? snapshot_[p] : 0) << 32) ^ (std::uint64_t{counters_[p]} << 16) ^
             left_[p]);
  hash.add((toggles_[0] ? 1U : 0U) | (toggles_[1] ? 2U : 0U) | (toggles_[2] ? 4U : 0U));
  for (const auto& [ports, last] : turns_)
    hash.add(ports * 64 + last);
  return hash.value();
}

} // namespace corecast::sim
