// The port that a uop is sent to, chosen when it is renamed (pipeline facts IN-105 to IN-112).
#pragma once

#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace corecast::sim {

class PortBinding {
public:
  static constexpr std::size_t most_ports = 64;
  static constexpr std::size_t most_counted_cycles = 8; // of port_choice.counted_cycles

  enum class Choice : std::uint8_t { only_one, least_loaded, in_turn, after_last, paired_slots, rotating, ranked };

  /// Ports that some uops may run on, and how one of them is chosen.
  struct PortSet {
    PortMask mask = 0;
    Choice choice = Choice::only_one;
    std::uint8_t first = 0;              // the lowest
    std::uint8_t last = most_ports - 1;  // in turn, after last: the one chosen last
    std::span<const std::uint8_t> ranks; // ranked: by slot, in choice_; none: uops of a cycle take one after the other
    bool own_ranks = false;              // not those of all other sets
    std::size_t count = 0;
    std::array<std::uint8_t, most_ports> members{}; // the ports, one by one
    // Ranked: those of them to choose from in a cycle, best first.
    std::uint64_t ordered_in = 0; // that cycle
    std::uint32_t choices = 0;
    std::array<std::uint8_t, most_ports> order{};
  };

  void reset(const CoreParameters& parameters, const Program& program);

  /// At the start of a cycle: what the choices of this cycle see.
  void begin_cycle() {
    seen_count_ = 0;
    taken_by_first_slot_ = 0;
    chosen_by_second_slot_ = 0;
    ++cycle_;
    if (ports_ > few_ports) return begin_cycle<most_ports>();
    begin_cycle<few_ports>();
  }
  /// The same of a cycle without choices.
  void pass_cycle() {
    if (looks_back_) begin_cycle();
  }

  /// The set of ports that a uop of the program may run on, by its number.
  std::uint16_t set_of(std::uint32_t uop) const { return set_of_[uop]; }
  /// Stays where it is until the next reset().
  PortSet& set(std::uint16_t number) { return sets_[number]; }

  /// `uop`: of the program; `slot`: position of its fused uop in its group.
  std::uint8_t choose(std::uint32_t uop, PortSet& ports, std::uint32_t slot) {
    if (ports.choice == Choice::only_one) {
      take_without_choice(ports.first, slot);
      return ports.first;
    }
    const std::uint8_t port =
        ports.choice == Choice::paired_slots ? paired_slots(ports, slot) : choose_otherwise(uop, ports, slot);
    ++counters_[port];
    return port;
  }
  /// One uop more waits at the only port that it may run on.
  void take_without_choice(std::size_t port, std::uint32_t slot) {
    ++counters_[port];
    taken_by_first_slot_ |= PortMask{slot == 0} << port;
  }

  /// A uop has left for execution; it counts on for `port_choice.counted_cycles`.
  void dispatched(std::size_t port) { ++leaving_[port]; }
  void end_cycle();
  /// Both for uops that were booked: of each of these ports one has left.
  void end_cycle(PortMask left) {
    const PortMask leave = std::exchange(booked_left_[oldest_left_], left);
    pass_left();
    if (ports_ > few_ports) {
      for (PortMask rest = leave; rest != 0; rest &= rest - 1)
        --counters_[static_cast<std::size_t>(std::countr_zero(rest))];
      return;
    }
    // All at once: a few vector operations, without a branch.
    const auto few = static_cast<std::uint16_t>(leave);
    for (std::size_t p = 0; p < few_ports; ++p)
      counters_[p] = static_cast<std::uint16_t>(counters_[p] - ((few & bit_of_[p]) == bit_of_[p] ? 1 : 0));
  }

  std::uint32_t waiting(std::size_t port) const { return counters_[port]; }
  std::uint64_t state_hash() const;

  /// Quicker: of the uops that wait alone.
  std::uint64_t outline() const {
    std::uint64_t hash = 0;
    for (std::size_t p = 0; p < ports_; ++p)
      hash = hash * 0x9E3779B97F4A7C15ULL + counters_[p];
    return hash;
  }

private:
  /// What most machines have room in: loops of a fixed length are a few vector operations.
  static constexpr std::size_t few_ports = 16;

  void pass_left() { oldest_left_ = oldest_left_ + 1 == choice_.counted_cycles ? 0 : oldest_left_ + 1; }

  template <std::size_t count> void begin_cycle() {
    if (looks_back_) std::copy_n(snapshot_.begin(), count, previous_.begin());
    std::copy_n(counters_.begin(), count, snapshot_.begin());
  }
  template <std::size_t count> void end_cycle();
  Choice choice_of(PortMask ports) const;
  std::uint8_t choose_otherwise(std::uint32_t uop, PortSet& set, std::uint32_t slot);
  void find_others(const Program& program);
  std::uint8_t paired_slots(PortSet& set, std::uint32_t slot);
  PortMask taken_earlier(std::uint32_t slot) const;
  std::uint8_t rotating(PortMask ports, std::uint32_t slot) const;
  std::uint8_t ranked(PortSet& set, std::uint32_t slot);
  void order(PortSet& set) const;
  const SetRanks* own_ranks_of(PortMask ports) const;
  std::uint8_t least(PortMask ports) const;
  static std::uint8_t next_in_turn(PortSet& set);
  std::uint8_t after_last(PortSet& set);

  PortChoice choice_;
  std::vector<PortSet> sets_;
  std::vector<std::uint16_t> set_of_; // by uop
  /// By uop and slot, up to the farthest that is looked back to: slots before it that choose from other ports.
  std::vector<std::uint8_t> others_;
  std::size_t ports_ = 0;
  bool looks_back_ = false;                       // at the cycle before
  std::uint64_t cycle_ = 0;                       // of those with choices, and all others where it looks back
  bool sees_earlier_ = false;                     // slots see some of what the ones before them have taken
  PortMask taken_by_first_slot_ = 0;              // of a group, by uops that had no choice
  PortMask chosen_by_second_slot_ = 0;            // of a group
  std::array<std::uint16_t, few_ports> bit_of_{}; // no constant: the compiler would take the bits one by one
  std::array<std::uint16_t, most_ports> counters_{};
  std::array<std::uint16_t, most_ports> snapshot_{};
  std::array<std::uint16_t, most_ports> previous_{};
  std::array<std::uint16_t, most_ports> leaving_{}; // dispatched in this cycle
  // Dispatched in the cycles before, as long as they count: rings, of which the oldest is overwritten next.
  std::array<std::array<std::uint16_t, most_ports>, most_counted_cycles> left_{};
  std::array<PortMask, most_counted_cycles> booked_left_{};
  std::uint32_t oldest_left_ = 0;
  std::array<PortMask, 64> seen_{}; // sets chosen from in this cycle
  std::size_t seen_count_ = 0;
};

/// What a slot sees of the ports that were taken in its own cycle (pipeline facts IN-114).
inline PortMask PortBinding::taken_earlier(std::uint32_t slot) const {
  constexpr std::uint32_t second = 1, third = 2, fourth = 3;
  if (slot == second || slot == third) return taken_by_first_slot_;
  return slot == fourth ? chosen_by_second_slot_ : 0;
}

/// Even slots of a group take the port with the fewest waiting, odd ones the second. Ties go to the highest number.
inline std::uint8_t PortBinding::paired_slots(PortSet& set, std::uint32_t slot) {
  const std::uint16_t* seen = snapshot_.data();
  const PortMask more = sees_earlier_ ? taken_earlier(slot) : 0;
  // What waits and the port as one number, so that nothing branches by either.
  const auto rank = [seen, more](std::uint32_t port) {
    return (static_cast<std::uint32_t>(seen[port] + (more >> port & 1)) << 6) + (most_ports - 1 - port);
  };
  const std::uint8_t* port = set.members.data();
  const std::uint32_t one = rank(port[0]);
  const std::uint32_t other = rank(port[1]);
  std::uint32_t fewest = std::min(one, other);
  std::uint32_t second = std::max(one, other);
  for (std::size_t i = 2; i < set.count; ++i) {
    const std::uint32_t each = rank(port[i]);
    second = std::min(second, std::max(fewest, each));
    fewest = std::min(fewest, each);
  }
  const bool takes_second = slot % 2 != 0 && (second >> 6) < (fewest >> 6) + choice_.waiting_limit;
  const auto taken = static_cast<std::uint8_t>(most_ports - 1 - ((takes_second ? second : fewest) & (most_ports - 1)));
  chosen_by_second_slot_ |= PortMask{slot == 1} << taken;
  return taken;
}

} // namespace corecast::sim
