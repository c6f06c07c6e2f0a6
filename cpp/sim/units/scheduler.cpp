#include "cpp/sim/units/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace corecast::sim {
namespace {

constexpr double almost_one = 1 - 1e-6;

} // namespace

void Scheduler::reset(const Program& program, const CoreParameters& parameters, std::uint32_t iterations) {
  program_ = &program;
  const std::uint64_t room = std::bit_ceil(std::max<std::uint64_t>(64, program.uops.size() * std::uint64_t{iterations}));
  uops_ = program.uops.data();
  inputs_ = program.inputs.data();
  outputs_ = program.outputs.data();
  if (flight_.size() < room) flight_.resize(room);
  mask_ = room - 1;
  std::uint32_t most_inputs = 1;
  for (const Uop& uop : program.uops)
    most_inputs = std::max(most_inputs, uop.input_end - uop.first_input);
  waiter_shift_ = static_cast<unsigned>(std::bit_width(most_inputs - 1));
  if (waiters_.size() < room << waiter_shift_) waiters_.resize(room << waiter_shift_);
  wheel_.fill(none);
  for (PortQueue& queue : queues_) {
    queue.plain.clear();
    queue.blocked.clear();
  }
  port_free_.fill(0);
  port_start_.fill(0);
  port_uses_.fill(0);
  units_.assign(program.units, 0);
  carry_.assign(program.inputs.size(), 0);
  active_ = 0;
  occupancy_ = 0;
  issue_to_dispatch_ = parameters.issue_to_dispatch;
  late_arrival_window_ = parameters.late_arrival_window;
  store_line_bytes_ = parameters.paired_stores_line_bytes;
  store_data_ports_ = load_ports_ = 0;
  for (const Uop& uop : program.uops) {
    if (store_line_bytes_ > 0 && uop.kind == UopKind::store_data) store_data_ports_ |= uop.ports;
    if (uop.wide_load) load_ports_ |= uop.ports;
  }
  // A port alone starts one uop a cycle anyway.
  if (std::has_single_bit(store_data_ports_)) store_data_ports_ = 0;
  if (std::has_single_bit(load_ports_)) load_ports_ = 0;
  in_order_ = parameters.in_order;
  next_in_order_ = inserted_end_ = 0;
}

void Scheduler::step(ValueFile& values, PortBinding& ports, SchedulerEntries& entries, std::int32_t now) {
  join_ports(values, now);
  if (in_order_) {
    dispatch_in_order(values, ports, now);
  } else if (entries.late_binding()) {
    dispatch_late(values, entries, now);
  } else {
    for (PortMask rest = active_ & ~held_back(); rest != 0; rest &= rest - 1)
      if (const auto port = static_cast<std::size_t>(std::countr_zero(rest)); port_start_[port] <= now)
        dispatch_from(port, values, ports, now);
  }
  ports.end_cycle();
}

/// Ports that start nothing in this cycle: the younger of two accesses that cannot start together waits (pipeline facts
/// IN-125, IN-126).
PortMask Scheduler::held_back() const {
  if ((store_data_ports_ | load_ports_) == 0) return 0;
  return younger_of(store_data_ports_, &Scheduler::same_line) | younger_of(load_ports_, &Scheduler::narrow_loads);
}

PortMask Scheduler::younger_of(PortMask ports, bool (Scheduler::*together)(const InFlight&, const InFlight&) const) const {
  if (std::popcount(ports & active_) != 2) return 0;
  const auto first = static_cast<std::size_t>(std::countr_zero(ports));
  const auto second = static_cast<std::size_t>(std::countr_zero(ports & (ports - 1)));
  const OldestFirst& one = queues_[first].plain;
  const OldestFirst& other = queues_[second].plain;
  if (one.empty() || other.empty() || (this->*together)(at(one.front()), at(other.front()))) return 0;
  return PortMask{1} << (one.front() > other.front() ? first : second);
}

bool Scheduler::same_line(const InFlight& a, const InFlight& b) const {
  const std::uint32_t one = uops_[a.uop].store;
  const std::uint32_t other = uops_[b.uop].store;
  if (one == none || other == none) return false;
  const StoreAddress& first = program_->stores[one];
  const StoreAddress& second = program_->stores[other];
  if (first.base != second.base) return false;
  const auto iterations = static_cast<std::int64_t>(a.iteration) - static_cast<std::int64_t>(b.iteration);
  if (iterations != 0 && (!first.repeats || !second.repeats || first.stride != second.stride)) return false;
  const double apart = static_cast<double>(first.constant) - static_cast<double>(second.constant) +
                       static_cast<double>(first.stride) * static_cast<double>(iterations);
  return std::abs(apart) < static_cast<double>(store_line_bytes_);
}

bool Scheduler::narrow_loads(const InFlight& a, const InFlight& b) const {
  return !uops_[a.uop].wide_load && !uops_[b.uop].wide_load;
}

void Scheduler::join_ports(ValueFile& values, std::int32_t now) {
  std::uint32_t& head = wheel_[static_cast<std::uint32_t>(now) % wheel_size];
  std::uint32_t index = head;
  head = none;
  while (index != none) {
    InFlight& flight = flight_[index];
    const std::uint32_t next = flight.next;
    const Uop& uop = uops_[flight.uop];
    if (flight.ready > now) { // farther away than the wheel reaches
      wait_in_wheel(index, now);
    } else if (in_order_) {
      // waits for its turn
    } else if (uop.ports == 0 && uop.unit != none && units_[uop.unit] >= now + almost_one) {
      flight.ready = std::max(static_cast<std::int32_t>(units_[uop.unit]), now + 1);
      wait_in_wheel(index, now);
    } else if (uop.ports == 0) {
      if (uop.unit != none) units_[uop.unit] = std::max(units_[uop.unit], static_cast<double>(now)) + uop.unit_cycles;
      dispatch(sequence_of(index), values, now);
    } else {
      PortQueue& queue = queues_[flight.port];
      (uop.unit == none ? queue.plain : queue.blocked).push(sequence_of(index));
      active_ |= PortMask{1} << flight.port;
    }
    index = next;
  }
}

/// A unit behind several ports goes to the oldest uop that waits for it.
bool Scheduler::unit_free_for(std::uint64_t sequence, std::int32_t now) const {
  const std::uint32_t unit = uops_[at(sequence).uop].unit;
  if (units_[unit] >= now + almost_one) return false;
  for (PortMask rest = active_; rest != 0; rest &= rest - 1) {
    const PortQueue& other = queues_[static_cast<std::size_t>(std::countr_zero(rest))];
    if (!other.blocked.empty() && other.blocked.front() < sequence &&
        uops_[at(other.blocked.front()).uop].unit == unit)
      return false;
  }
  return true;
}

/// Whether the queue's oldest uop needs a unit.
bool Scheduler::PortQueue::unit_first() const {
  return !blocked.empty() && (plain.empty() || blocked.front() < plain.front());
}

void Scheduler::dispatch_from(std::size_t port, ValueFile& values, PortBinding& ports, std::int32_t now) {
  PortQueue& queue = queues_[port];
  do {
    const bool blocked = queue.unit_first() && unit_free_for(queue.blocked.front(), now);
    if (!blocked && queue.plain.empty()) break;
    start_head(queue, blocked, port, values, now);
    ports.dispatched(static_cast<std::uint8_t>(port));
  } while (port_start_[port] <= now);
  if (queue.plain.empty() && queue.blocked.empty()) active_ &= ~(PortMask{1} << port);
}

void Scheduler::start_head(PortQueue& queue, bool blocked, std::size_t port, ValueFile& values, std::int32_t now) {
  OldestFirst& waiting = blocked ? queue.blocked : queue.plain;
  const std::uint64_t sequence = waiting.front();
  waiting.pop();
  const Uop& uop = uops_[at(sequence).uop];
  if (blocked) units_[uop.unit] = std::max(units_[uop.unit], static_cast<double>(now)) + uop.unit_cycles;
  take_port(port, uop.port_cycles, now);
  dispatch(sequence, values, now);
}

void Scheduler::take_port(std::size_t port, double cycles, std::int32_t now) {
  const double free = std::max(port_free_[port], static_cast<double>(now)) + cycles;
  port_free_[port] = free;
  const auto whole = static_cast<std::int32_t>(free);
  port_start_[port] = free < whole + almost_one ? whole : whole + 1;
  ++port_uses_[port];
  --occupancy_;
}

/// Ports are given to the oldest uops first, of all queues, as long as any is free.
void Scheduler::dispatch_late(ValueFile& values, SchedulerEntries& entries, std::int32_t now) {
  PortMask free = 0;
  for (std::size_t p = 0; p < program_->resources; ++p)
    if (port_start_[p] <= now) free |= PortMask{1} << p;
  PortMask waiting = active_; // queues that may still start something
  while (waiting != 0) {
    std::uint64_t oldest = ~std::uint64_t{0};
    std::size_t from = 0;
    bool unit = false;
    for (PortMask rest = waiting; rest != 0; rest &= rest - 1) {
      const auto q = static_cast<std::size_t>(std::countr_zero(rest));
      const PortQueue& queue = queues_[q];
      const bool blocked =
          queue.unit_first() && units_[uops_[at(queue.blocked.front()).uop].unit] < now + almost_one;
      if ((entries.queue(q).ports & free) == 0 || !entries.may_issue(q) || (!blocked && queue.plain.empty())) {
        waiting &= ~(PortMask{1} << q);
        continue;
      }
      const std::uint64_t head = blocked ? queue.blocked.front() : queue.plain.front();
      if (head >= oldest) continue;
      oldest = head;
      from = q;
      unit = blocked;
    }
    if (oldest == ~std::uint64_t{0}) break;
    const std::size_t port = least_wanted(entries.queue(from).ports & free, entries);
    start_head(queues_[from], unit, port, values, now);
    entries.leave(from);
    if (port_start_[port] > now) free &= ~(PortMask{1} << port);
    if (queues_[from].plain.empty() && queues_[from].blocked.empty()) active_ &= ~(PortMask{1} << from);
  }
}

/// Of several free ports the one that the fewest other queues could use.
std::size_t Scheduler::least_wanted(PortMask free, const SchedulerEntries& entries) const {
  auto best = static_cast<std::size_t>(std::countr_zero(free));
  if ((free & (free - 1)) == 0) return best;
  std::uint32_t least = ~std::uint32_t{0};
  for (PortMask rest = free; rest != 0; rest &= rest - 1) {
    std::uint32_t wanted = 0;
    for (PortMask others = active_; others != 0; others &= others - 1)
      wanted += (entries.queue(static_cast<std::size_t>(std::countr_zero(others))).ports & rest & (~rest + 1)) != 0 ? 1 : 0;
    if (wanted >= least) continue;
    least = wanted;
    best = static_cast<std::size_t>(std::countr_zero(rest));
  }
  return best;
}

void Scheduler::dispatch_in_order(ValueFile& values, PortBinding& ports, std::int32_t now) {
  for (; next_in_order_ < inserted_end_; ++next_in_order_) {
    InFlight& flight = at(next_in_order_);
    const Uop& uop = uops_[flight.uop];
    if (flight.dispatched >= 0 || flight.completion != not_yet) continue;
    if (flight.ready > now || (uop.unit != none && units_[uop.unit] >= now + almost_one)) return;
    if (uop.ports != 0) {
      PortMask free = 0;
      for (PortMask rest = uop.ports; rest != 0; rest &= rest - 1)
        if (port_start_[static_cast<std::size_t>(std::countr_zero(rest))] <= now) free |= rest & (~rest + 1);
      if (free == 0) return;
      const auto port = static_cast<std::size_t>(std::countr_zero(free));
      take_port(port, uop.port_cycles, now);
      ports.dispatched(flight.port);
    }
    if (uop.unit != none) units_[uop.unit] = std::max(units_[uop.unit], static_cast<double>(now)) + uop.unit_cycles;
    dispatch(next_in_order_, values, now);
  }
}

void Scheduler::dispatch(std::uint64_t sequence, ValueFile& values, std::int32_t now) {
  const auto index = static_cast<std::uint32_t>(sequence & mask_);
  flight_[index].dispatched = now;
  if (flight_[index].pending_late == 0) finish(index, values, now);
}

/// All that the results wait for is known: they and those who wait for them learn when.
void Scheduler::finish(std::uint32_t index, ValueFile& values, std::int32_t now) {
  InFlight& flight = flight_[index];
  const Uop& uop = uops_[flight.uop];
  std::int32_t forwarded = -1;
  if (flight.late_arrival >= 0) {
    for (std::uint32_t i = uop.first_input; i < uop.input_end; ++i) {
      const UopInput& input = inputs_[i];
      if (!input.late) continue;
      // A fraction of a cycle is met on average.
      double& carry = carry_[i];
      carry += input.late_cycles;
      const double whole = std::floor(carry + 1e-9);
      carry -= whole;
      forwarded = std::max(forwarded, flight.late_arrival + static_cast<std::int32_t>(whole));
      break;
    }
  }
  std::int32_t completion = flight.dispatched + uop.completion_cycles;
  if (uop.first_output < uop.output_end) completion = std::max(completion, forwarded);
  for (std::uint32_t o = uop.first_output; o < uop.output_end; ++o) {
    const UopOutput& output = outputs_[o];
    const std::int32_t ready = std::max(flight.dispatched + output.latency, forwarded);
    ValueFile::Value& value = values[values.slot(output.value, flight.iteration)];
    const std::uint32_t first = value.link;
    value = {ready, none};
    for (std::uint32_t waiter = first; waiter != none;) {
      const std::uint32_t next = waiters_[waiter].next;
      tell_waiter(waiter, ready, values, now);
      waiter = next;
    }
  }
  flight.completion = completion;
}

void Scheduler::tell_waiter(std::uint32_t waiter, std::int32_t ready, ValueFile& values, std::int32_t now) {
  const std::uint32_t index = waiter >> waiter_shift_;
  InFlight& flight = flight_[index];
  if (waiters_[waiter].extra == late) {
    flight.late_arrival = std::max(flight.late_arrival, ready);
    if (--flight.pending_late == 0 && flight.dispatched >= 0) finish(index, values, now);
    return;
  }
  flight.latest = std::max(flight.latest, ready + waiters_[waiter].extra);
  if (--flight.pending == 0) find_ready(index, now);
}

} // namespace corecast::sim
