// Uops between rename and completion: who waits for what, and who is ready at which port.
#pragma once

#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"
#include "cpp/sim/units/oldest_first.hpp"
#include "cpp/sim/units/port_binding.hpp"
#include "cpp/sim/units/scheduler_entries.hpp"
#include "cpp/sim/units/value_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace corecast::sim {

/// A uop in flight. Small, so that all of them stay in the nearest cache.
struct InFlight {
  std::uint32_t uop = 0; // of the program
  std::uint32_t iteration = 0;
  std::int32_t issued = 0;
  std::int32_t latest = -1;        // arrival of the last input known so far
  std::int32_t ready = not_yet;    // may be dispatched from here on
  std::int32_t dispatched = -1;
  std::int32_t completion = not_yet;
  std::int32_t late_arrival = -1;
  std::uint32_t next = none;       // in a list of the wheel
  std::uint16_t pending = 0;       // inputs that are not known yet
  std::uint16_t pending_late = 0;
  std::uint8_t port = 0; // late binding: its queue
  bool eliminated = false;
  bool absent = false; // a uop that this iteration does without
};

class Scheduler {
public:
  void reset(const Program& program, const CoreParameters& parameters, std::uint32_t iterations);

  /// Room for the next uop, by its number since the start.
  InFlight& at(std::uint64_t sequence) { return flight_[sequence & mask_]; }
  const InFlight& at(std::uint64_t sequence) const { return flight_[sequence & mask_]; }

  /// Takes a uop whose InFlight is filled in; it waits for its inputs. `now`: the cycle.
  void insert(std::uint64_t sequence, ValueFile& values, std::int32_t now);

  /// One cycle: ready uops join their ports, each port starts the oldest one.
  void step(ValueFile& values, PortBinding& ports, SchedulerEntries& entries, std::int32_t now);

  std::uint32_t occupancy() const { return occupancy_; }
  bool unit_busy(const Uop& uop, std::int32_t now) const {
    return uop.unit != none && units_[uop.unit] >= static_cast<double>(now) + 1;
  }
  std::span<const std::uint64_t> port_uses() const { return port_uses_; }
  const std::vector<double>& units() const { return units_; }
  double port_free(std::size_t port) const { return port_free_[port]; }
  double carry(std::size_t input) const { return carry_[input]; }

private:
  struct PortQueue {
    OldestFirst plain;
    OldestFirst blocked; // uops that need a unit besides
    bool unit_first() const;
  };

  void find_ready(std::uint32_t index, std::int32_t now);
  void wait_in_wheel(std::uint32_t index, std::int32_t now);
  void join_ports(ValueFile& values, std::int32_t now);
  bool unit_free_for(std::uint64_t sequence, std::int32_t now) const;
  void tell_waiter(std::uint32_t waiter, std::int32_t ready, ValueFile& values, std::int32_t now);
  void dispatch_late(ValueFile& values, SchedulerEntries& entries, std::int32_t now);
  std::size_t least_wanted(PortMask free, const SchedulerEntries& entries) const;
  PortMask held_back() const;
  PortMask younger_of(PortMask ports, bool (Scheduler::*together)(const InFlight&, const InFlight&) const) const;
  bool same_line(const InFlight& a, const InFlight& b) const;
  bool narrow_loads(const InFlight& a, const InFlight& b) const;
  void dispatch_from(std::size_t port, ValueFile& values, PortBinding& ports, std::int32_t now);
  void start_head(PortQueue& queue, bool blocked, std::size_t port, ValueFile& values, std::int32_t now);
  void take_port(std::size_t port, double cycles, std::int32_t now);
  void dispatch_in_order(ValueFile& values, PortBinding& ports, std::int32_t now);
  void dispatch(std::uint64_t sequence, ValueFile& values, std::int32_t now);
  void finish(std::uint32_t index, ValueFile& values, std::int32_t now);

  static constexpr std::uint32_t wheel_size = 512;

  /// An input of a uop in flight that waits for its value.
  struct Waiter {
    std::uint32_t next = none;
    std::int32_t extra = 0; // as of the input
  };
  static constexpr std::int32_t late = std::numeric_limits<std::int32_t>::min(); // in place of `extra`

  /// Number of a uop that is in flight, by its place.
  std::uint64_t sequence_of(std::uint32_t index) const {
    return inserted_end_ - 1 - ((inserted_end_ - 1 - index) & mask_);
  }

  const Program* program_ = nullptr;
  const Uop* uops_ = nullptr; // the program's
  const UopInput* inputs_ = nullptr;
  const UopOutput* outputs_ = nullptr;
  std::vector<InFlight> flight_;
  std::vector<Waiter> waiters_; // place << waiter_shift_ | input
  std::array<std::uint32_t, wheel_size> wheel_{};
  std::array<PortQueue, PortBinding::most_ports> queues_;
  std::array<double, PortBinding::most_ports> port_free_{};
  std::array<std::int32_t, PortBinding::most_ports> port_start_{}; // first cycle in which it is free, for the most part
  std::array<std::uint64_t, PortBinding::most_ports> port_uses_{};
  std::vector<double> units_;
  std::vector<double> carry_;               // by input: fractions of late cycles so far
  PortMask active_ = 0;                     // ports with something in their queue
  std::uint64_t mask_ = 0;
  unsigned waiter_shift_ = 0;
  std::uint32_t occupancy_ = 0;
  std::int32_t issue_to_dispatch_ = 0;
  std::int32_t late_arrival_window_ = 0;
  bool in_order_ = false;
  std::int64_t store_line_bytes_ = 0;
  PortMask store_data_ports_ = 0;           // two of them, where only stores to one line leave together
  PortMask load_ports_ = 0;                 // two of them, where 256-bit loads start alone
  std::uint64_t next_in_order_ = 0;
  std::uint64_t inserted_end_ = 0;
};

inline void Scheduler::insert(std::uint64_t sequence, ValueFile& values, std::int32_t now) {
  const auto index = static_cast<std::uint32_t>(sequence & mask_);
  InFlight& flight = flight_[index];
  inserted_end_ = sequence + 1;
  const Uop& uop = uops_[flight.uop];
  for (std::uint32_t o = uop.first_output; o < uop.output_end; ++o)
    values[values.slot(outputs_[o].value, flight.iteration)] = {not_yet, none};
  if (uop.ports != 0) ++occupancy_;
  std::uint32_t waiter = index << waiter_shift_;
  for (std::uint32_t i = uop.first_input; i < uop.input_end; ++i, ++waiter) {
    const UopInput& input = inputs_[i];
    const std::uint32_t source = values.source(input.value, flight.iteration, input.distance);
    if (source == none) continue;
    ValueFile::Value& value = values[source];
    if (value.ready != not_yet) {
      if (input.late)
        flight.late_arrival = std::max(flight.late_arrival, value.ready);
      else
        flight.latest = std::max(flight.latest, value.ready + input.extra);
      continue;
    }
    ++(input.late ? flight.pending_late : flight.pending);
    waiters_[waiter] = {value.link, input.late ? late : input.extra};
    value.link = waiter;
  }
  if (flight.pending == 0) find_ready(index, now);
}

inline void Scheduler::find_ready(std::uint32_t index, std::int32_t now) {
  InFlight& flight = flight_[index];
  // A value that arrives just as the uop becomes visible costs a cycle more (pipeline facts IN-117).
  const std::int32_t visible = flight.issued + issue_to_dispatch_;
  std::int32_t ready = flight.latest;
  if (ready < visible)
    ready = visible;
  else if (ready < visible + late_arrival_window_)
    ready += 1;
  flight.ready = std::max(ready, now + 1);
  wait_in_wheel(index, now);
}

inline void Scheduler::wait_in_wheel(std::uint32_t index, std::int32_t now) {
  InFlight& flight = flight_[index];
  const std::int32_t farthest = now + static_cast<std::int32_t>(wheel_size) - 1;
  const std::uint32_t place = static_cast<std::uint32_t>(std::min(flight.ready, farthest)) % wheel_size;
  flight.next = wheel_[place];
  wheel_[place] = index;
}

} // namespace corecast::sim
