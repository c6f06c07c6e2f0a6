// Uops between rename and completion: who waits for what, and who is ready at which port.
#pragma once

#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"
#include "cpp/sim/units/oldest_first.hpp"
#include "cpp/sim/units/port_binding.hpp"
#include "cpp/sim/units/scheduler_entries.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace corecast::sim {

inline constexpr std::int32_t not_yet = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int32_t long_ago = -(1 << 24); // before the first iteration

/// A uop in flight. Small, so that all of them stay in the nearest cache.
struct InFlight {
  std::uint32_t uop = 0;        // of the program
  std::int32_t visible = 0;     // the scheduler sees it from here on
  std::int32_t latest = -1;     // arrival of the last input known so far
  std::int32_t ready = not_yet; // may be dispatched from here on
  std::int32_t dispatched = -1;
  std::int32_t completion = not_yet;
  std::int32_t forwarded = -1;  // late inputs: arrival of the last one known so far; then of what they forward
  std::uint32_t next = none;    // in a list of the wheel
  std::uint32_t waiters = none; // first one that waits for its results
  std::uint16_t pending = 0;    // inputs that are not known yet
  std::uint16_t pending_late = 0;
  std::uint16_t port = 0;  // late binding: its queue
  std::uint8_t taken = 0;  // the port it was dispatched to
  std::uint8_t sooner = 0; // cycles: its results, where it starts just when its last input arrives; then: are there
  bool eliminated = false;
  bool absent = false; // a uop that this iteration does without
};

class Scheduler {
public:
  /// `iterations`: so many may be in flight.
  void reset(const Program& program, const CoreParameters& parameters, std::uint32_t iterations);

  /// A uop by its number since the start. Kept until its place is needed for another, long after it is done.
  const InFlight& at(std::uint64_t sequence) const { return flight_[sequence & mask_]; }

  /// Takes a uop of the program; it waits for its inputs. `now`: the cycle.
  void insert(std::uint64_t sequence, std::uint32_t uop, std::uint32_t port, std::int32_t now);

  /// Takes one that is done when it is renamed; where it is eliminated, it hands on the value of its input.
  void pass(std::uint64_t sequence, std::uint32_t uop, bool eliminated, std::int32_t now);

  /// Takes one that this iteration does without.
  void leave_out(std::uint64_t sequence, std::uint32_t uop, std::int32_t now);

  /// Whether a uop so far back is still kept.
  bool remembers(std::uint64_t back) const { return back <= remembered_; }

  /// One cycle: ready uops join their ports, each port starts the oldest one.
  void step(PortBinding& ports, SchedulerEntries& entries, std::int32_t now);

  /// When what a uop makes in so many cycles is ready; not_yet where that is not known.
  std::int32_t value_ready(std::uint64_t sequence, std::int32_t latency) const;

  std::uint32_t occupancy() const { return occupancy_; }
  /// Whether so many more uops may wait, whatever ports they are given.
  bool has_room(std::uint32_t uops) const {
    return occupancy_ + uops <= entries_ && std::all_of(parts_.begin(), parts_.end(), [uops](const Part& part) {
             return part.waiting + uops <= part.entries;
           });
  }
  /// Sum of the distances from a uop, by its number since the start, to those that wait for ports.
  std::uint64_t distances(std::uint64_t from) const { return positions_ - occupancy_ * from; }
  bool unit_busy(const Uop& uop, std::int32_t now) const {
    return uop.unit != none && units_[uop.unit] >= static_cast<double>(now) + 1;
  }
  std::span<const std::uint32_t> port_uses() const { return port_uses_; }
  const std::vector<double>& units() const { return units_; }
  double port_free(std::size_t port) const { return port_free_[port]; }
  double carry(std::size_t input) const { return carry_[input]; }

private:
  struct PortQueue {
    OldestFirst plain;
    OldestFirst blocked; // uops that need a unit besides
    bool unit_first() const;
  };

  static void arrive(InFlight& flight, const UopInput& input, std::int32_t ready);
  static void arrive(InFlight& flight, std::int32_t at, std::uint8_t sooner);
  void find_ready(std::uint32_t index, InFlight& flight, std::int32_t now);
  static std::uint64_t reach_of(const Program& program, const CoreParameters& parameters);
  void wait_in_wheel(std::uint32_t index, InFlight& flight, std::int32_t now);
  void join_ports(std::int32_t now);
  void start_without_port(std::int32_t now);
  bool unit_free_for(std::uint64_t sequence, std::int32_t now) const;
  void dispatch_late(SchedulerEntries& entries, std::int32_t now);
  std::size_t least_wanted(PortMask free, const SchedulerEntries& entries) const;
  PortMask held_back(std::int32_t now);
  PortMask younger_of(PortMask ports, bool (Scheduler::*together)(std::uint64_t, std::uint64_t) const) const;
  bool same_line(std::uint64_t one, std::uint64_t other) const;
  bool narrow_loads(std::uint64_t one, std::uint64_t other) const;
  PortMask without_bank(std::int32_t now);
  bool bank_free(std::uint64_t sequence);
  void dispatch_from(std::size_t port, PortBinding& ports, std::int32_t now);
  bool has_way_out(std::uint64_t sequence, std::size_t port, std::int32_t now) const;
  std::size_t way_out(std::size_t port, std::int32_t cycle) const {
    return port * (farthest_result + 1) + static_cast<std::size_t>(cycle) % (farthest_result + 1);
  }
  void start_head(PortQueue& queue, bool blocked, std::size_t port, std::int32_t now);
  void take_port(std::uint64_t sequence, std::size_t port, double cycles, std::int32_t now);
  void dispatch_in_order(PortBinding& ports, std::int32_t now);
  void dispatch(std::uint64_t sequence, std::int32_t now);
  void finish(std::uint32_t index, std::int32_t now);
  void forward(InFlight& flight, const Uop& uop);
  void delay(std::uint32_t index, InFlight& flight, const Uop& uop);
  std::int32_t late_cycles(const Uop& uop, std::uint64_t number) const;
  struct Waiter;
  void tell(std::uint32_t index, const Waiter& waiter, std::int32_t value_ready, std::int32_t now);

  static constexpr std::uint32_t wheel_size = 512;

  /// Of several schedulers.
  struct Part {
    PortMask ports = 0;
    std::uint32_t entries = 0, waiting = 0;
  };

  /// An input of a uop in flight that waits for its value.
  struct Waiter {
    std::uint32_t next = none; // that waits for the same uop
    std::int32_t latency = 0;  // of that uop, to this value
    std::int32_t extra = 0;    // as of the input
    bool late = false;         // the same
    bool prompt = false;       // the same
    std::uint8_t sooner = 0;   // the same
  };

  /// A line of memory that was drawn for, and when it is there.
  struct Line {
    std::uint64_t number = 0;
    std::int32_t there = long_ago;
  };
  static constexpr std::size_t lines_kept = 4096;

  /// What an eliminated move hands on.
  struct Copy {
    std::uint32_t root = none; // place of the uop that makes it, where that was not done yet
    std::int32_t latency = 0;  // of that uop
    std::int32_t ready = long_ago;
  };

  std::uint32_t place_of(std::uint64_t sequence) const { return static_cast<std::uint32_t>(sequence & mask_); }

  /// Number of a uop that is in flight, by its place.
  std::uint64_t sequence_of(std::uint32_t index) const {
    return inserted_end_ - 1 - ((inserted_end_ - 1 - index) & mask_);
  }

  static std::int32_t made_at(const InFlight& from, std::int32_t latency) {
    return std::max(from.dispatched + latency - from.sooner, from.forwarded);
  }

  Copy copy_of(std::uint64_t sequence, const UopInput& input) const;

  const Program* program_ = nullptr;
  const Uop* uops_ = nullptr; // the program's
  const UopInput* inputs_ = nullptr;
  std::vector<InFlight> flight_;
  std::vector<Waiter> waiters_; // place << waiter_shift_ | input
  std::vector<Copy> copies_;    // by place
  std::array<std::uint32_t, wheel_size> wheel_{};
  std::array<PortQueue, PortBinding::most_ports> queues_;
  std::vector<OldestFirst> without_port_; // by unit: uops that need nothing else
  std::vector<std::uint32_t> wanted_;     // units of which one of those waits
  std::array<double, PortBinding::most_ports> port_free_{};
  std::array<std::int32_t, PortBinding::most_ports> port_start_{}; // first cycle in which it is free, for the most part
  std::array<std::uint32_t, PortBinding::most_ports> port_uses_{};
  std::vector<std::int32_t>
      results_;             // by port and cycle, modulo farthest_result + 1: the cycle in which a result leaves there
  std::vector<Line> lines_; // by number, where loads may be late
  std::vector<double> units_;
  std::vector<double> carry_; // by input: fractions of late cycles so far
  PortMask active_ = 0;       // ports with something in their queue
  std::uint64_t mask_ = 0;
  std::uint64_t remembered_ = 0; // uops back; who is farther away was done long ago
  unsigned waiter_shift_ = 0;
  int line_shift_ = 6;
  std::uint32_t occupancy_ = 0;
  std::uint32_t entries_ = 0;
  std::vector<Part> parts_;
  std::uint64_t positions_ = 0; // sum of the numbers of the same uops
  std::int32_t issue_to_dispatch_ = 0;
  std::int32_t late_arrival_window_ = 0;
  bool in_order_ = false;
  std::int64_t store_line_bytes_ = 0;
  PortMask store_data_ports_ = 0; // two of them, where only stores to one line leave together
  PortMask load_ports_ = 0;       // two of them, where 256-bit loads start alone
  PortMask banked_ports_ = 0;     // of loads, more than a bank serves in a cycle
  BankReads bank_reads_;          // of this cycle
  std::uint64_t next_in_order_ = 0;
  std::uint64_t inserted_end_ = 0;
};

inline void Scheduler::insert(std::uint64_t sequence, std::uint32_t uop, std::uint32_t port, std::int32_t now) {
  const std::uint32_t index = place_of(sequence);
  InFlight& flight = flight_[index];
  flight = InFlight{};
  flight.uop = uop;
  flight.visible = now + issue_to_dispatch_;
  flight.port = static_cast<std::uint16_t>(port);
  inserted_end_ = sequence + 1;
  if (uops_[uop].ports != 0) {
    ++occupancy_;
    for (Part& part : parts_)
      if ((part.ports >> port & 1) != 0) ++part.waiting;
    positions_ += sequence;
  }
  std::uint32_t waiter = index << waiter_shift_;
  const UopInput* end = inputs_ + uops_[uop].input_end;
  for (const UopInput* input = inputs_ + uops_[uop].first_input; input != end; ++input) {
    if (input->back > sequence || input->back > remembered_) continue; // made before the first iteration, or long ago
    InFlight* from = &flight_[place_of(sequence - input->back)];
    std::int32_t latency = input->latency;
    if (from->eliminated) {
      const Copy copy = copy_of(sequence, *input);
      if (copy.root == none) {
        arrive(flight, *input, copy.ready);
        continue;
      }
      from = &flight_[copy.root];
      latency = copy.latency;
    }
    if (from->completion != not_yet) {
      arrive(flight, *input, input->prompt ? from->dispatched + latency : made_at(*from, latency));
      continue;
    }
    ++(input->late ? flight.pending_late : flight.pending);
    waiters_[waiter] = {from->waiters, latency, input->extra, input->late, input->prompt, input->sooner};
    from->waiters = waiter++;
  }
  if (flight.pending == 0) find_ready(index, flight, now);
}

inline void Scheduler::arrive(InFlight& flight, const UopInput& input, std::int32_t ready) {
  if (input.late)
    flight.forwarded = std::max(flight.forwarded, ready);
  else
    arrive(flight, ready + input.extra, input.sooner);
}

inline void Scheduler::arrive(InFlight& flight, std::int32_t at, std::uint8_t sooner) {
  if (at < flight.latest) return;
  flight.sooner = at > flight.latest ? sooner : std::max(flight.sooner, sooner);
  flight.latest = at;
}

inline void Scheduler::find_ready(std::uint32_t index, InFlight& flight, std::int32_t now) {
  if (uops_[flight.uop].join) {
    flight.ready = flight.dispatched = std::max(flight.latest, flight.visible);
    return finish(index, now);
  }
  // A value that arrives just as the uop becomes visible costs a cycle more (pipeline facts IN-117).
  std::int32_t ready = flight.latest;
  if (ready < flight.visible)
    ready = flight.visible;
  else if (ready < flight.visible + late_arrival_window_)
    ready += 1;
  flight.ready = std::max(ready, now + 1);
  wait_in_wheel(index, flight, now);
}

inline void Scheduler::wait_in_wheel(std::uint32_t index, InFlight& flight, std::int32_t now) {
  const std::int32_t farthest = now + static_cast<std::int32_t>(wheel_size) - 1;
  const std::uint32_t place = static_cast<std::uint32_t>(std::min(flight.ready, farthest)) % wheel_size;
  flight.next = wheel_[place];
  wheel_[place] = index;
}

} // namespace corecast::sim
