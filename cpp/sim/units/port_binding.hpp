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
#include <type_traits>
#include <utility>
#include <vector>

namespace corecast::sim {

class PortBinding {
public:
  static constexpr std::size_t most_ports = 64;
  /// What all machines but a few have room in, and what many have: loops of a fixed length are a few vector operations.
  static constexpr std::size_t some_ports = 16, few_ports = 8;
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

  /// Calls with a constant that is no less than a number of ports.
  template <typename Work> static void with_room_for(std::size_t ports, const Work& work) {
    if (ports <= few_ports) return work(std::integral_constant<std::size_t, few_ports>());
    if (ports <= some_ports) return work(std::integral_constant<std::size_t, some_ports>());
    work(std::integral_constant<std::size_t, most_ports>());
  }

  void reset(const CoreParameters& parameters, const Program& program);

  /// At the start of a cycle: what the choices of this cycle see.
  void begin_cycle() {
    seen_count_ = 0;
    ++cycle_;
    with_room_for(ports_used_, [this](auto count) { begin_cycle<count>(); });
  }
  /// The same of a cycle without choices.
  void pass_cycle() {
    if (looks_back_) begin_cycle();
  }

  /// The set of ports that a uop of the program may run on, by its number.
  std::uint16_t set_of(std::uint32_t uop) const { return set_of_[uop]; }
  /// Ports up to the last one that some uop may run on.
  std::size_t ports_used() const { return ports_used_; }
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
    see_taken(seen_by_middle, port, slot == 0);
  }

  /// A uop has left for execution; it counts on for `port_choice.counted_cycles`.
  void dispatched(std::size_t port) {
    ++leaving_[port];
    counts_left_ = true;
  }
  void end_cycle();
  /// Both for uops that were booked: of each of these ports one has left.
  void end_cycle(PortMask left) {
    if (no_longer_counted_ != 0) with_room_for(ports_used_, [this](auto count) { count_down<count>(); });
    no_longer_counted_ = std::exchange(booked_left_[oldest_left_], left);
    pass_left();
  }
  std::uint64_t state_hash() const;

  /// Quicker: of the uops that wait alone.
  std::uint64_t outline() const {
    std::uint64_t hash = 0;
    for (std::size_t p = 0; p < ports_; ++p)
      hash = hash * 0x9E3779B97F4A7C15ULL + waiting(p);
    return hash;
  }

private:
  void pass_left() { oldest_left_ = oldest_left_ + 1 == choice_.counted_cycles ? 0 : oldest_left_ + 1; }

  template <std::size_t count> void begin_cycle() {
    count_down<count>();
    if (by_rank_) {
      auto& [by_all, by_middle, by_fourth] = ranks_;
      for (std::size_t p = 0; p < count; ++p)
        by_all[p] = by_middle[p] = by_fourth[p] = (std::uint32_t{counters_[p]} << waiting_shift) + last_port_[p];
      return;
    }
    if (looks_back_) std::copy_n(snapshot_.begin(), count, previous_.begin());
    std::copy_n(counters_.begin(), count, snapshot_.begin());
  }

  /// Not as soon as they leave: counts that were changed one by one a moment ago would have to be waited for before all
  /// can be read at once.
  template <std::size_t count> void count_down() {
    const PortMask ports = std::exchange(no_longer_counted_, 0);
    if constexpr (count > some_ports) {
      for (PortMask rest = ports; rest != 0; rest &= rest - 1)
        --counters_[static_cast<std::size_t>(std::countr_zero(rest))];
    } else { // a few vector operations, without a branch
      const auto few = static_cast<std::uint16_t>(ports);
      for (std::size_t p = 0; p < count; ++p)
        counters_[p] = static_cast<std::uint16_t>(counters_[p] - ((few & bit_of_[p]) == bit_of_[p] ? 1 : 0));
    }
  }

  std::uint32_t waiting(std::size_t port) const {
    return counters_[port] - static_cast<std::uint32_t>(no_longer_counted_ >> port & 1);
  }
  template <std::size_t count> void end_cycle();
  Choice choice_of(PortMask ports) const;
  std::uint8_t choose_otherwise(std::uint32_t uop, PortSet& set, std::uint32_t slot);
  void find_others(const Program& program);
  std::uint8_t paired_slots(PortSet& set, std::uint32_t slot);
  void see_taken(std::size_t by, std::size_t port, bool taken) {
    if (!sees_earlier_) return;
    ranks_[by][port] = std::max(ranks_[by][port], ranks_[seen_by_all][port] + (taken ? one_waiting : 0));
  }
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
  std::size_t ports_used_ = 0; // up to the last one that some uop may run on
  bool looks_back_ = false;    // at the cycle before
  std::uint64_t cycle_ = 0;    // of those with choices, and all others where it looks back
  bool sees_earlier_ = false;  // slots see some of what the ones before them have taken
  // Paired slots: what waits and the port as one number, so that nothing branches by either. A slot may see some of
  // what was taken in its own cycle as well (pipeline facts IN-114): the two in the middle see what had no choice in
  // the first slot, the fourth one sees what the second chose.
  static constexpr unsigned waiting_shift = 6; // most_ports
  static constexpr std::uint32_t one_waiting = 1U << waiting_shift;
  static constexpr std::uint8_t seen_by_all = 0, seen_by_middle = 1, seen_by_fourth = 2;
  bool by_rank_ = false;
  std::array<std::uint8_t, 5> seen_by_{}; // by slot, the last of all others as well
  // Aligned: what is written by vectors is read a moment later.
  alignas(64) std::array<std::uint32_t, most_ports> last_port_{};
  alignas(64) std::array<std::array<std::uint32_t, most_ports>, 3> ranks_{};
  alignas(64) std::array<std::uint16_t, some_ports> bit_of_{}; // no constant: it would be taken apart
  alignas(64) std::array<std::uint16_t, most_ports> counters_{};
  PortMask no_longer_counted_ = 0; // ports at which one less waits than counted
  std::array<std::uint16_t, most_ports> snapshot_{};
  std::array<std::uint16_t, most_ports> previous_{};
  std::array<std::uint16_t, most_ports> leaving_{}; // dispatched in this cycle
  // Dispatched in the cycles before, as long as they count: rings, of which the oldest is overwritten next.
  std::array<std::array<std::uint16_t, most_ports>, most_counted_cycles> left_{};
  std::array<PortMask, most_counted_cycles> booked_left_{};
  std::uint32_t oldest_left_ = 0;
  bool counts_left_ = false;        // uops that were not booked
  std::array<PortMask, 64> seen_{}; // sets chosen from in this cycle
  std::size_t seen_count_ = 0;
};

/// Even slots of a group take the port with the fewest waiting, odd ones the second. Ties go to the highest number.
inline std::uint8_t PortBinding::paired_slots(PortSet& set, std::uint32_t slot) {
  const std::uint32_t* const ranks = ranks_[seen_by_[std::min<std::size_t>(slot, seen_by_.size() - 1)]].data();
  const std::uint8_t* port = set.members.data();
  const std::uint32_t one = ranks[port[0]];
  const std::uint32_t other = ranks[port[1]];
  std::uint32_t fewest = std::min(one, other);
  std::uint32_t second = one ^ other ^ fewest; // the other one, without a branch
  for (std::size_t i = 2; i < set.count; ++i) {
    const std::uint32_t each = ranks[port[i]];
    second = std::min(second, std::max(fewest, each));
    fewest = std::min(fewest, each);
  }
  const bool is_near = second / one_waiting < fewest / one_waiting + choice_.waiting_limit;
  const std::uint32_t takes_second = 0 - (slot & static_cast<std::uint32_t>(is_near)); // all bits or none, no branch
  const std::uint32_t chosen = fewest ^ ((fewest ^ second) & takes_second);
  const auto taken = static_cast<std::uint8_t>(most_ports - 1 - chosen % one_waiting);
  see_taken(seen_by_fourth, taken, slot == 1);
  return taken;
}

} // namespace corecast::sim
