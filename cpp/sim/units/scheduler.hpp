// Uops between rename and completion: who waits for what, and who is ready at which port.
#pragma once

#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"
#include "cpp/sim/units/aged_uops.hpp"
#include "cpp/sim/units/booked_starts.hpp"
#include "cpp/sim/units/oldest_first.hpp"
#include "cpp/sim/units/port_binding.hpp"
#include "cpp/sim/units/port_calendar.hpp"
#include "cpp/sim/units/scheduler_entries.hpp"
#include "cpp/sim/units/scheduler_room.hpp"
#include "cpp/sim/units/waiting_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

namespace corecast::sim {

inline constexpr std::int32_t not_yet = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int32_t long_ago = -(1 << 24); // before the first iteration

/// A uop in flight. Small, so that all of them stay in the nearest cache.
struct alignas(64) InFlight {
  // All that counts for a uop whose start is known as soon as it is renamed.
  std::uint32_t uop = 0;        // of the program
  std::int32_t ready = not_yet; // may be dispatched from here on
  std::int32_t dispatched = -1;
  std::int32_t completion = not_yet;
  std::int32_t known = not_yet; // in this cycle it turned out when its results are there
  std::int32_t forwarded = -1;  // late inputs: arrival of the last one known so far; then of what they forward
  std::uint16_t port = 0;       // late binding: its queue
  std::uint16_t taken = 0;      // the port it was dispatched to
  std::int16_t sooner = 0; // cycles: its results, where it starts just when its last input arrives; then: are there
  bool eliminated = false;
  bool absent = false; // a uop that this iteration does without

  std::int32_t visible = 0;     // the scheduler sees it from here on
  std::int32_t latest = -1;     // arrival of the last input known so far
  std::uint32_t next = none;    // in a list of the wheel
  std::uint32_t waiters = none; // first one that waits for its results
  std::uint16_t pending = 0;    // inputs that are not known yet
  std::uint16_t pending_late = 0;
  bool held_up = false; // ready, but no scheduler has room for it yet
  bool grouped = false; // renamed in one cycle with what delays some of its inputs then
  bool old = false;     // many younger ones wait behind it, see AgedUops

  // What holds at the start of a cycle, or at its end.
  bool started_before(std::int32_t now) const { return dispatched >= 0 && dispatched < now; }
  bool started_by(std::int32_t now) const { return dispatched >= 0 && dispatched <= now; }
  bool done_before(std::int32_t now) const { return known < now && completion <= now; }
  bool done_by(std::int32_t now) const { return known <= now && completion <= now; }
};

/// Uops by their number since the start. Each is kept until its place is needed for another, long after it is done.
struct InFlightView {
  const InFlight* places = nullptr;
  std::uint64_t mask = 0;

  const InFlight& operator[](std::uint64_t sequence) const { return places[sequence & mask]; }

  /// Calls with each of [first, end) and its number.
  template <typename Visit> void for_each(std::uint64_t first, std::uint64_t end, const Visit& visit) const {
    while (first < end) {
      const InFlight* place = &places[first & mask];
      for (const std::uint64_t last = std::min(end, (first | mask) + 1); first < last; ++first)
        visit(first, *place++);
    }
  }
};

class Scheduler {
public:
  /// `ports`: of the same program; `iterations`: how many may be in flight; `may_book`: where that changes nothing,
  /// uops are given their cycles when they are renamed.
  void reset(const Program& program, const CoreParameters& parameters, PortBinding& ports, std::uint32_t iterations,
             bool may_book);

  const InFlight& at(std::uint64_t sequence) const { return flight_[sequence & mask_]; }
  InFlightView in_flight() const { return {flight_.data(), mask_}; }

  /// Where books_ahead(): takes uops that follow each other in the program and after its end begin anew, `first` being
  /// the one that counts as `sequence` since the start. `slot`: of that one in its group. Returns how many go through
  /// the scheduler.
  std::uint32_t book(std::uint64_t sequence, std::uint32_t first, std::uint32_t count, std::uint32_t slot,
                     PortBinding& ports, std::int32_t now);

  /// Else: takes a uop of the program; it waits for its inputs. `now`: the cycle.
  void insert(std::uint64_t sequence, std::uint32_t uop, std::uint32_t port, std::int32_t now);

  /// Takes one that is done when it is renamed; where it is eliminated, it hands on the value of its input.
  void pass(std::uint64_t sequence, std::uint32_t uop, bool eliminated, std::int32_t now);

  /// What is renamed in this cycle ends before this one.
  void set_group_end(std::uint64_t sequence) { group_end_ = sequence; }
  bool is_overwritten(std::uint32_t uop, std::uint64_t sequence) const {
    return uops_[uop].overwritten != 0 && sequence + uops_[uop].overwritten < group_end_;
  }

  /// Takes one that this iteration does without.
  void leave_out(std::uint64_t sequence, std::uint32_t uop, std::int32_t now);

  /// Where books_ahead(): when the last uop of a fused one is done, by the number of fused uops since the start; before
  /// the first cycle where this iteration does without it.
  std::int32_t fused_done(std::uint64_t number) const { return fused_done_[number & mask_]; }

  /// How many fused uops from this one on are done before a cycle, at most `most`.
  std::uint32_t count_done(std::uint64_t number, std::uint32_t most, std::int32_t now) const {
    const std::int32_t* const done = fused_done_.data();
    const std::uint64_t mask = mask_;
    std::uint32_t count = 0;
    while (count < most && done[(number + count) & mask] < now)
      ++count;
    return count;
  }

  /// Whether a uop so far back is still kept.
  bool remembers(std::uint64_t back) const { return back <= remembered_; }

  /// One cycle: ready uops join their ports, each port starts the oldest one.
  void step(PortBinding& ports, SchedulerEntries& entries, std::int32_t now);

  /// When the result of a uop with that latency is ready; not_yet where that is not known.
  std::int32_t value_ready(std::uint64_t sequence, std::int32_t latency) const;

  /// Whether every uop is given its cycle when it is renamed.
  bool books_ahead() const { return books_ahead_; }
  /// Whether it matters, where uops are booked, which others start when one does at this port.
  bool starts_beside_others(std::size_t port) const { return starts_.keeps(port); }
  std::uint32_t occupancy() const { return room_.taken(); }
  /// Whether `uops` more may wait, whatever ports they are given.
  bool has_room(std::uint32_t uops) const { return room_.has(uops); }
  /// What is quick to look at of the uops [first, end), by their numbers since the start: differs where their state
  /// does, mostly.
  std::uint64_t outline(std::uint64_t first, std::uint64_t end, std::int32_t now) const;
  /// Starts what was booked for this cycle: once a cycle, instead of step().
  PortMask start_booked(std::int32_t now) {
    const PortMask starts = calendar_.pass(now);
    count_starts(starts);
    room_.give_back_each(starts);
    return starts;
  }
  bool unit_busy(const Uop& uop, std::int32_t now) const {
    return uop.unit != none && units_[uop.unit] >= static_cast<double>(now) + 1;
  }
  std::span<const std::uint32_t> port_uses() const { return port_uses_; }
  const std::vector<double>& units() const { return units_; }
  const LoadsThatWaited& waiting_loads() const { return waiting_loads_; }
  double port_free(std::size_t port) const { return port_free_[port]; }

private:
  struct PortQueue {
    OldestFirst plain;
    OldestFirst blocked; // uops that need a unit besides
    bool unit_first() const;
  };

  struct BookedUop;

  /// One at each of these ports. Without a branch where there are few ports, as how many start is hard to predict.
  void count_starts(PortMask starts) {
    PortBinding::with_room_for(ports_used_, [&](auto count) {
      if constexpr (count > PortBinding::some_ports)
        for (PortMask rest = starts; rest != 0; rest &= rest - 1)
          ++port_uses_[static_cast<std::size_t>(std::countr_zero(rest))];
      else
        for (std::size_t p = 0; p < count; ++p)
          port_uses_[p] += (static_cast<std::uint32_t>(starts) & bit_of_[p]) == bit_of_[p] ? 1 : 0;
    });
  }
  bool can_book(const Program& program) const;
  void prepare_booking(const Program& program, PortBinding& ports);
  void prepare_steps();
  std::uint32_t book_otherwise(const BookedUop& uop, std::uint64_t sequence, std::uint32_t slot, PortBinding& ports,
                               std::int32_t now);
  std::int32_t book_with_care(std::uint64_t sequence, std::uint32_t uop, std::uint32_t port, std::int32_t now);
  std::int32_t take_cycle(std::uint32_t port, std::int32_t ready);
  std::int32_t take_cycle_beside_others(std::uint64_t sequence, std::uint32_t port, std::int32_t ready,
                                        std::int32_t now);
  bool starts_with_older(std::uint64_t sequence, std::size_t port, std::int32_t cycle) const;
  static std::int32_t last_arrival(const BookedUop& uop, InFlightView flights, std::uint64_t sequence);
  std::uint64_t end_uop(const BookedUop& uop, std::uint64_t fused, std::int32_t completion);
  void enter_scheduler(std::uint64_t sequence, std::size_t port);
  bool ages(const Uop& uop) const { return (uop.ports & program_->late_wakeup) != 0; }
  void age(std::uint32_t index);
  /// Queues of late binding are no ports, and have no room apart.
  static std::size_t place_in_room(std::size_t port) { return port % PortBinding::most_ports; }
  std::int32_t earliest(std::int32_t latest, std::int32_t visible) const;
  static void arrive(InFlight& flight, const UopInput& input, std::int32_t ready, std::int32_t extra);
  static void arrive(InFlight& flight, std::int32_t at, std::int16_t sooner);
  void find_ready(std::uint32_t index, InFlight& flight, std::int32_t now);
  static std::uint64_t reach_of(const Program& program, const CoreParameters& parameters);
  void wait_in_wheel(std::uint32_t index, InFlight& flight, std::int32_t now);
  void leave_queue(SchedulerEntries& entries);
  void join_port(std::uint64_t sequence, const InFlight& flight);
  void join_ports(std::int32_t now);
  void start_without_port(std::int32_t now);
  bool unit_free_for(std::uint64_t sequence, std::int32_t now) const;
  void dispatch_late(SchedulerEntries& entries, std::int32_t now);
  void ask_again(OldestFirst& waiting, std::int32_t now);
  std::size_t least_wanted(PortMask free, const SchedulerEntries& entries) const;
  /// Where a uop may wait for an older one at another port that it cannot start with.
  PortMask ports_beside_others() const { return store_data_ports_ | load_ports_ | banked_ports_; }
  PortMask held_back(std::int32_t now);
  PortMask younger_of(PortMask ports, bool (Scheduler::*together)(std::uint64_t, std::uint64_t) const) const;
  bool same_line(std::uint64_t one, std::uint64_t other) const;
  bool narrow_loads(std::uint64_t one, std::uint64_t other) const;
  PortMask without_bank(std::int32_t now);
  std::uint64_t banks_of(std::uint64_t sequence) const;
  bool bank_free(std::uint64_t sequence);
  void dispatch_from(std::size_t port, PortBinding& ports, std::int32_t now);
  bool has_way_out(std::uint64_t sequence, std::size_t port, std::int32_t now) const;
  std::size_t way_out(std::size_t port, std::int32_t cycle) const {
    return port * (farthest_result + 1) + static_cast<std::size_t>(cycle) % (farthest_result + 1);
  }
  void keep_ways_out(std::int32_t cycle);
  void start_head(PortQueue& queue, bool blocked, std::size_t port, std::int32_t now);
  void take_port(std::uint64_t sequence, std::size_t port, double cycles, std::int32_t now);
  void dispatch_in_order(PortBinding& ports, std::int32_t now);
  void dispatch(std::uint64_t sequence, std::int32_t now);
  void finish(std::uint32_t index, std::int32_t now);
  void forward(std::uint64_t sequence, InFlight& flight, const Uop& uop);
  std::int32_t sixteenths_of(const InFlight& load);
  void delay(std::uint32_t index, InFlight& flight, const Uop& uop);
  std::int32_t late_cycles(const Uop& uop, std::uint64_t number) const;
  std::int32_t port_delay(const Uop& uop, std::uint64_t sequence, std::uint16_t port) const;
  void settle_sooner(InFlight& flight, std::uint64_t sequence) const;
  bool was_made_on(const LatePorts& late, std::uint64_t sequence) const;
  struct Waiter;
  void tell(std::uint32_t index, const Waiter& waiter, std::int32_t value_ready, std::int32_t now);

  static constexpr std::uint32_t wheel_size = 512;

  enum class Booking : std::uint8_t {
    unknown, // none has it: what is looked for as long as plain uops are to be taken with care, too
    plain,   // nothing but latencies to its inputs, each value there a cycle after its maker starts or later
    careful, // anything else
    none,    // does not go through the scheduler
  };

  /// What booking needs of a uop and of its inputs. The value is there `delay` cycles after its maker starts, which
  /// includes the cycles that it counts as arriving later.
  struct BookedInput {
    std::uint32_t back = 0;
    std::int32_t delay = 0, extra = 0;
  };
  static constexpr std::uint8_t any_port = 0xFF;
  struct BookedUop {
    const BookedInput* inputs = nullptr;
    const BookedInput* others = nullptr; // behind those whose makers start and nothing else
    const BookedInput* input_end = nullptr;
    PortBinding::PortSet* ports = nullptr;
    std::int32_t completion_cycles = 0;
    std::uint32_t number = 0; // in the program
    std::uint32_t fused = 0;
    std::int32_t after_others = 0;     // all bits: of its fused uop others come before it; 0: it is the first
    std::uint8_t only_port = any_port; // the one that it may run on
    bool has_port = false;
    bool ends_fused = false;
    Booking booking = Booking::careful;
  };

  /// An input of a uop in flight that waits for its value.
  struct Waiter {
    std::uint32_t next = none; // that waits for the same uop
    std::int32_t latency = 0;  // of that uop, to this value
    std::int32_t extra = 0;    // as of the input
    bool late = false;         // the same
    bool prompt = false;       // the same
    std::uint8_t sooner = 0;   // the same
    bool wakes_late = false;   // a cycle later where the maker is old
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
    std::int32_t known = 0; // as of that uop
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
  std::uint64_t group_end_ = 0; // the first uop behind what is renamed in this cycle
  std::vector<InFlight> flight_;
  std::vector<Waiter> waiters_; // place << waiter_shift_ | input
  std::vector<Copy> copies_;    // by place
  std::array<std::uint32_t, wheel_size> wheel_{};
  std::array<PortQueue, PortBinding::most_ports> queues_;
  std::vector<OldestFirst> without_port_; // by unit: uops that need nothing else
  std::vector<std::uint32_t> wanted_;     // units of which one of those waits
  std::array<double, PortBinding::most_ports> port_free_{};
  std::array<std::int32_t, PortBinding::most_ports> port_start_{}; // first cycle in which it is free, for the most part
  alignas(64) std::array<std::uint32_t, PortBinding::most_ports> port_uses_{};
  alignas(64) std::array<std::uint32_t, PortBinding::some_ports> bit_of_{}; // no constant: it would be taken apart
  std::vector<std::int32_t>
      results_;             // by port and cycle, modulo farthest_result + 1: the cycle in which a result leaves there
  std::vector<Line> lines_; // by number, where loads may be late
  std::vector<double> units_;
  LoadsThatWaited waiting_loads_;
  AgedUops aged_;       // of the ports whose results may come late
  PortMask active_ = 0; // ports with something in their queue
  std::uint64_t mask_ = 0;
  std::uint64_t remembered_ = 0; // uops back; who is farther away was done long ago
  unsigned waiter_shift_ = 0;
  int line_shift_ = 6;
  SchedulerRoom room_;
  std::uint64_t positions_ = 0; // sum of the numbers of the same uops; not counted where they are booked
  std::int32_t issue_to_dispatch_ = 0;
  std::int32_t late_arrival_window_ = 0;
  std::int32_t first_start_ = 0;     // late binding: nothing starts before this cycle
  PortMask queued_ports_ = 0;        // of uops that wait for room in a scheduler
  std::deque<std::uint64_t> queued_; // these
  std::uint32_t width_ = 0;          // uops that leave per cycle
  bool in_order_ = false;
  std::int64_t store_line_bytes_ = 0;
  PortMask store_data_ports_ = 0; // two of them, where only stores to one line leave together
  PortMask load_ports_ = 0;       // two of them, where 256-bit loads start alone
  PortMask banked_ports_ = 0;     // of loads, more than a bank serves in a cycle
  BankReads bank_reads_;          // of this cycle
  std::uint64_t next_in_order_ = 0;
  std::uint64_t inserted_end_ = 0;
  // Where every uop is given its cycle when it is renamed.
  bool books_ahead_ = false;
  std::size_t ports_used_ = 0; // up to the last one that some uop may run on
  PortCalendar calendar_;
  BookedStarts starts_;                    // at ports whose uops wait for older ones that they cannot start with
  std::vector<BookedUop> booked_;          // by uop
  std::vector<BookedInput> booked_inputs_; // of plain uops
  std::uint64_t farthest_input_ = 0;       // uops back
  std::vector<std::int32_t> fused_done_;   // by number, modulo as many as uops are kept
  std::uint64_t fused_end_ = 0;            // fused uops that have been renamed
};

/// From a store's data being ready to the result of a load that waits for them where that depends on what else waits.
inline std::int32_t Scheduler::sixteenths_of(const InFlight& load) {
  const WaitingLoads& waiting = program_->waiting;
  const auto [all, at_port] = waiting_loads_.behind(load.dispatched, load.port);
  waiting_loads_.add(load.forwarded, load.port);
  // Loads behind the oldest one that waits; the queue holds as well what has not retired or not started yet.
  const std::uint32_t in_queue = all * waiting.loads / waiting.links;
  const bool most_do_not_wait = waiting.loads >= 4 * waiting.links;
  if (most_do_not_wait && 4 * in_queue >= 3 * waiting.queue && waiting.in_full_queue >= 0) return waiting.in_full_queue;
  return waiting.sixteenths[std::min<std::size_t>(at_port, waiting.sixteenths.size() - 1)];
}

inline void Scheduler::forward(std::uint64_t sequence, InFlight& flight, const Uop& uop) {
  const UopInput* input = inputs_ + uop.first_input;
  while (!input->late)
    ++input;
  const auto sixteenths =
      static_cast<std::uint64_t>(program_->waiting.sixteenths.empty() ? input->sixteenths : sixteenths_of(flight));
  if (sixteenths % 16 == 0) {
    flight.forwarded += static_cast<std::int32_t>(sixteenths / 16);
  } else { // a fraction of a cycle is met on average
    const std::uint64_t iteration = sequence / program_->uops.size();
    const std::uint64_t before = iteration - std::min<std::uint64_t>(iteration, input->distance); // it was forwarded
    flight.forwarded += static_cast<std::int32_t>((before + 1) * sixteenths / 16 - before * sixteenths / 16);
  }
  if (uop.first_output < uop.output_end) flight.completion = std::max(flight.completion, flight.forwarded);
}

/// Once it is dispatched: by how much its results come sooner, or later, than their latencies say.
inline void Scheduler::settle_sooner(InFlight& flight, std::uint64_t sequence) const {
  if (flight.latest != flight.dispatched) flight.sooner = 0; // too late for what arrived before
  const Uop& uop = uops_[flight.uop];
  if (uop.first_late != uop.late_end)
    flight.sooner = static_cast<std::int16_t>(flight.sooner - port_delay(uop, sequence, flight.taken));
}

inline void Scheduler::enter_scheduler(std::uint64_t sequence, std::size_t port) {
  room_.take(place_in_room(port));
  positions_ += sequence;
}

/// One more waits: another one may be old now.
inline void Scheduler::age(std::uint32_t index) {
  const std::uint32_t old = aged_.add(index);
  if (old != AgedUops::no_place) flight_[old].old = true;
}

inline void Scheduler::insert(std::uint64_t sequence, std::uint32_t uop, std::uint32_t port, std::int32_t now) {
  const std::uint32_t index = place_of(sequence);
  InFlight& flight = flight_[index];
  flight = InFlight{};
  flight.uop = uop;
  flight.visible = now + issue_to_dispatch_;
  flight.port = static_cast<std::uint16_t>(port);
  inserted_end_ = sequence + 1;
  if (uops_[uop].ports != 0) enter_scheduler(sequence, port);
  if (ages(uops_[uop])) age(index);
  if (queued_ports_ != 0 && port == SchedulerEntries::not_chosen) queued_.push_back(sequence);
  std::uint32_t waiter = index << waiter_shift_;
  const std::uint32_t group_back = uops_[uop].group_back;
  flight.grouped = group_back != 0 && group_back <= sequence && group_back <= remembered_ &&
                   flight_[place_of(sequence - group_back)].visible == flight.visible;
  const std::int32_t in_group = flight.grouped ? uops_[uop].group_cycles : 0;
  const UopInput* end = inputs_ + uops_[uop].input_end;
  for (const UopInput* input = inputs_ + uops_[uop].first_input; input != end; ++input) {
    const std::int32_t extra = input->extra + (input->in_group ? in_group : 0);
    if (input->back > sequence || input->back > remembered_) continue; // made before the first iteration, or long ago
    InFlight* from = &flight_[place_of(sequence - input->back)];
    std::int32_t latency = input->latency;
    if (from->eliminated) {
      const Copy copy = copy_of(sequence, *input);
      if (copy.root == none) {
        arrive(flight, *input, copy.ready, extra);
        continue;
      }
      from = &flight_[copy.root];
      latency = copy.latency;
    }
    if (from->completion != not_yet) {
      arrive(flight, *input, input->prompt ? from->dispatched + latency : made_at(*from, latency), extra);
      continue;
    }
    ++(input->late ? flight.pending_late : flight.pending);
    const bool wakes_late = latency == 1 && (uops_[from->uop].ports & program_->late_wakeup) != 0;
    waiters_[waiter] = {from->waiters, latency, extra, input->late, input->prompt, input->sooner, wakes_late};
    from->waiters = waiter++;
  }
  if (flight.pending == 0) find_ready(index, flight, now);
}

inline void Scheduler::arrive(InFlight& flight, const UopInput& input, std::int32_t ready, std::int32_t extra) {
  if (input.late)
    flight.forwarded = std::max(flight.forwarded, ready);
  else
    arrive(flight, ready + extra, input.sooner);
}

inline void Scheduler::arrive(InFlight& flight, std::int32_t at, std::int16_t sooner) {
  if (at < flight.latest) return;
  flight.sooner = at > flight.latest ? sooner : std::max(flight.sooner, sooner);
  flight.latest = at;
}

inline void Scheduler::find_ready(std::uint32_t index, InFlight& flight, std::int32_t now) {
  if (uops_[flight.uop].join) {
    flight.ready = flight.dispatched = std::max(flight.latest, flight.visible);
    return finish(index, now);
  }
  flight.ready = std::max(earliest(flight.latest, flight.visible), now + 1);
  wait_in_wheel(index, flight, now);
}

/// A value that arrives just as the uop becomes visible costs a cycle more (pipeline facts IN-117).
inline std::int32_t Scheduler::earliest(std::int32_t latest, std::int32_t visible) const {
  if (latest < visible) return visible;
  return latest < visible + late_arrival_window_ ? latest + 1 : latest;
}

inline void Scheduler::wait_in_wheel(std::uint32_t index, InFlight& flight, std::int32_t now) {
  const std::int32_t farthest = now + static_cast<std::int32_t>(wheel_size) - 1;
  const std::uint32_t place = static_cast<std::uint32_t>(std::min(flight.ready, farthest)) % wheel_size;
  flight.next = wheel_[place];
  wheel_[place] = index;
}

} // namespace corecast::sim
