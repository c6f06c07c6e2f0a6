#include "cpp/sim/units/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace corecast::sim {
namespace {

constexpr double whole = 1e-6; // fractions of a cycle as small are none
constexpr double almost_one = 1 - whole;
constexpr std::uint64_t outlined = 4; // youngest uops, each of which may wait for others than the one before

/// The same number for the same access, evenly spread over all of them (the finalizer of SplitMix64).
std::uint64_t drawn(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15ULL;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9ULL;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBULL;
  return number ^ (number >> 31);
}

} // namespace

/// Uops that may be in flight, and so many more that whoever left before those has been done for longer than anything
/// of its matters.
std::uint64_t Scheduler::reach_of(const Program& program, const CoreParameters& parameters) {
  std::uint64_t uops = 1; // of one slot
  for (const FusedUop& fused : program.fused)
    uops = std::max<std::uint64_t>(uops, fused.uop_end - fused.first_uop);
  std::int32_t extra = 0;
  for (const UopInput& input : program.inputs)
    extra = std::max(extra, input.extra);
  const auto lag = static_cast<std::uint64_t>(program.longest_lag + extra);
  const std::uint64_t slots = parameters.reorder_buffer + parameters.width + lag * parameters.retire_width;
  return 2 * slots * uops; // twice: each may come with one that the iteration does without
}

void Scheduler::reset(const Program& program, const CoreParameters& parameters, PortBinding& ports,
                      std::uint32_t iterations, bool may_book) {
  program_ = &program;
  // Inputs look back beyond what is in flight, and from there through eliminated moves.
  const std::uint64_t kept = std::max(iterations, program.farthest + 2) + (program.moves ? program.farthest : 0);
  const std::uint64_t reach = reach_of(program, parameters);
  const std::uint64_t room = std::bit_ceil(std::clamp<std::uint64_t>(program.uops.size() * kept, 64, 4 * reach));
  remembered_ = program.uops.size() * kept <= 4 * reach ? ~std::uint64_t{0} : room - 2 * reach;
  uops_ = program.uops.data();
  inputs_ = program.inputs.data();
  if (flight_.size() < room) flight_.resize(room);
  mask_ = room - 1;
  std::uint32_t most_inputs = 1;
  for (const Uop& uop : program.uops)
    most_inputs = std::max(most_inputs, uop.input_end - uop.first_input);
  waiter_shift_ = static_cast<unsigned>(std::bit_width(most_inputs - 1));
  if (program.moves && copies_.size() < room) copies_.resize(room);
  port_free_.fill(0);
  port_start_.fill(0);
  port_uses_.fill(0);
  ports_used_ = ports.ports_used();
  for (std::size_t p = 0; p < PortBinding::some_ports; ++p)
    bit_of_[p] = std::uint32_t{1} << p;
  units_.assign(program.units, 0);
  without_port_.assign(program.units, OldestFirst{});
  wanted_.clear();
  lines_.assign(program.draws == 0 ? 0 : lines_kept, Line{});
  waiting_loads_.clear();
  if (program.late_wakeup != 0) aged_.reset(parameters.late_wakeup_behind, room);
  line_shift_ = std::bit_width(static_cast<std::uint64_t>(program.line_bytes)) - 1;
  results_.assign(program.shared_results == 0 ? 0 : program.resources * (farthest_result + 1), long_ago);
  active_ = 0;
  room_.reset(parameters.scheduler, parameters.early_schedulers, program.resources);
  positions_ = 0;
  issue_to_dispatch_ = parameters.issue_to_dispatch;
  late_arrival_window_ = parameters.late_arrival_window;
  store_line_bytes_ = parameters.paired_stores_line_bytes;
  store_data_ports_ = load_ports_ = banked_ports_ = 0;
  for (const Uop& uop : program.uops) {
    if (store_line_bytes_ > 0 && uop.kind == UopKind::store_data) store_data_ports_ |= uop.ports;
    if (uop.wide_load) load_ports_ |= uop.ports;
    if (uop.banked != none) banked_ports_ |= uop.ports;
  }
  // A port alone starts one uop a cycle anyway.
  if (std::has_single_bit(store_data_ports_)) store_data_ports_ = 0;
  if (std::has_single_bit(load_ports_)) load_ports_ = 0;
  if (static_cast<unsigned>(std::popcount(banked_ports_)) <= program.banks.reads) banked_ports_ = 0;
  bank_reads_ = BankReads(program.banks.reads);
  in_order_ = parameters.in_order;
  queued_ports_ = parameters.scheduler_queue.ports;
  queued_.clear();
  width_ = parameters.width;
  first_start_ = parameters.spread.backlog_cycles;
  next_in_order_ = inserted_end_ = 0;
  books_ahead_ = may_book && can_book(program);
  if (books_ahead_)
    prepare_booking(program, ports);
  else
    prepare_steps();
}

void Scheduler::prepare_steps() {
  if (waiters_.size() < (mask_ + 1) << waiter_shift_) waiters_.resize((mask_ + 1) << waiter_shift_);
  wheel_.fill(none);
  for (PortQueue& queue : queues_) {
    queue.plain.clear();
    queue.blocked.clear();
  }
}

void Scheduler::step(PortBinding& ports, SchedulerEntries& entries, std::int32_t now) {
  if (!queued_.empty()) leave_queue(entries);
  join_ports(now);
  if (!wanted_.empty()) start_without_port(now);
  bank_reads_.clear();
  if (in_order_) {
    dispatch_in_order(ports, now);
  } else if (entries.late_binding()) {
    if (now >= first_start_) dispatch_late(entries, now);
  } else {
    for (PortMask rest = active_ & ~held_back(now); rest != 0; rest &= rest - 1)
      if (const auto port = static_cast<std::size_t>(std::countr_zero(rest)); port_start_[port] <= now)
        dispatch_from(port, ports, now);
  }
  ports.end_cycle();
}

/// Ports that start nothing in this cycle: the younger of two accesses that cannot start together waits (pipeline facts
/// IN-125, IN-126).
inline PortMask Scheduler::held_back(std::int32_t now) {
  if (ports_beside_others() == 0) return 0;
  return younger_of(store_data_ports_, &Scheduler::same_line) | younger_of(load_ports_, &Scheduler::narrow_loads) |
         without_bank(now);
}

/// Ports whose oldest load reads a bank that older loads have taken: it waits.
PortMask Scheduler::without_bank(std::int32_t now) {
  const PortMask asking = banked_ports_ & active_;
  if (static_cast<unsigned>(std::popcount(asking)) <= program_->banks.reads) return 0;
  std::array<std::pair<std::uint64_t, std::size_t>, PortBinding::most_ports> oldest;
  std::size_t count = 0;
  for (PortMask rest = asking; rest != 0; rest &= rest - 1) {
    const auto port = static_cast<std::size_t>(std::countr_zero(rest));
    if (port_start_[port] <= now && !queues_[port].plain.empty()) oldest[count++] = {queues_[port].plain.front(), port};
  }
  std::sort(oldest.begin(), oldest.begin() + static_cast<std::ptrdiff_t>(count));
  PortMask held = 0;
  for (std::size_t each = 0; each < count; ++each)
    if (!bank_free(oldest[each].first)) held |= PortMask{1} << oldest[each].second;
  return held;
}

/// A bit for each bank that a load reads; 0 where that is not known, or it is none.
std::uint64_t Scheduler::banks_of(std::uint64_t sequence) const {
  const std::uint64_t size = program_->uops.size();
  const Uop& uop = uops_[sequence % size];
  if (uop.banked == none) return 0;
  return program_->banked_loads[uop.banked].banks(program_->banks, static_cast<std::int64_t>(sequence / size));
}

/// Takes the banks of a load, where it has some and all are free.
bool Scheduler::bank_free(std::uint64_t sequence) {
  return bank_reads_.take(banks_of(sequence));
}

inline PortMask Scheduler::younger_of(PortMask ports,
                                      bool (Scheduler::*together)(std::uint64_t, std::uint64_t) const) const {
  if (std::popcount(ports & active_) != 2) return 0;
  const auto first = static_cast<std::size_t>(std::countr_zero(ports));
  const auto second = static_cast<std::size_t>(std::countr_zero(ports & (ports - 1)));
  const OldestFirst& one = queues_[first].plain;
  const OldestFirst& other = queues_[second].plain;
  if (one.empty() || other.empty() || (this->*together)(one.front(), other.front())) return 0;
  return PortMask{1} << (one.front() > other.front() ? first : second);
}

bool Scheduler::same_line(std::uint64_t one, std::uint64_t other) const {
  const std::uint64_t size = program_->uops.size();
  const Uop& a = uops_[one % size];
  const Uop& b = uops_[other % size];
  if (a.store == none || b.store == none) return false;
  const AccessAddress& first = program_->stores[a.store];
  const AccessAddress& second = program_->stores[b.store];
  const auto iterations = static_cast<std::int64_t>(one / size) - static_cast<std::int64_t>(other / size);
  if (first.base != second.base) return false;
  if (iterations != 0 && (!first.repeats || !second.repeats || first.stride != second.stride)) return false;
  const double apart = static_cast<double>(first.constant) - static_cast<double>(second.constant) +
                       static_cast<double>(first.stride) * static_cast<double>(iterations);
  return std::abs(apart) < static_cast<double>(store_line_bytes_);
}

bool Scheduler::narrow_loads(std::uint64_t one, std::uint64_t other) const {
  const std::uint64_t size = program_->uops.size();
  return !uops_[one % size].wide_load && !uops_[other % size].wide_load;
}

/// The oldest uops without a scheduler, as long as one has room for them.
void Scheduler::leave_queue(SchedulerEntries& entries) {
  for (std::uint32_t left = width_; left > 0 && !queued_.empty(); --left) {
    const std::uint64_t sequence = queued_.front();
    InFlight& flight = flight_[sequence & mask_];
    const std::uint8_t queue = entries.choose(flight.uop);
    if (queue == SchedulerEntries::not_chosen) return;
    queued_.pop_front();
    flight.port = queue;
    if (std::exchange(flight.held_up, false)) join_port(sequence, flight);
  }
}

inline void Scheduler::join_port(std::uint64_t sequence, const InFlight& flight) {
  PortQueue& queue = queues_[flight.port];
  (uops_[flight.uop].unit == none ? queue.plain : queue.blocked).push(sequence);
  active_ |= PortMask{1} << flight.port;
}

inline void Scheduler::join_ports(std::int32_t now) {
  std::uint32_t& head = wheel_[static_cast<std::uint32_t>(now) % wheel_size];
  std::uint32_t index = head;
  head = none;
  while (index != none) {
    InFlight& flight = flight_[index];
    const std::uint32_t next = flight.next;
    const Uop& uop = uops_[flight.uop];
    if (flight.ready > now) { // farther away than the wheel reaches
      wait_in_wheel(index, flight, now);
    } else if (in_order_) {
      // waits for its turn
    } else if (uop.ports == 0 && uop.unit != none) {
      if (without_port_[uop.unit].empty()) wanted_.push_back(uop.unit);
      without_port_[uop.unit].push(sequence_of(index));
    } else if (uop.ports == 0) {
      dispatch(sequence_of(index), now);
    } else if (queued_ports_ != 0 && flight.port == SchedulerEntries::not_chosen) {
      flight.held_up = true;
    } else {
      join_port(sequence_of(index), flight);
    }
    index = next;
  }
}

/// A unit without a port goes to the oldest uop that waits for it.
void Scheduler::start_without_port(std::int32_t now) {
  for (const std::uint32_t unit : wanted_)
    for (OldestFirst& waiting = without_port_[unit]; !waiting.empty() && units_[unit] < now + almost_one;) {
      const std::uint64_t sequence = waiting.front();
      waiting.pop();
      units_[unit] = std::max(units_[unit], static_cast<double>(now)) + uops_[at(sequence).uop].unit_cycles;
      dispatch(sequence, now);
    }
  std::erase_if(wanted_, [&](std::uint32_t unit) { return without_port_[unit].empty(); });
}

/// A unit behind several ports goes to the oldest uop that waits for it.
inline bool Scheduler::unit_free_for(std::uint64_t sequence, std::int32_t now) const {
  const std::uint32_t unit = uops_[at(sequence).uop].unit;
  if (units_[unit] >= now + almost_one) return false;
  for (PortMask rest = active_; rest != 0; rest &= rest - 1) {
    const PortQueue& other = queues_[static_cast<std::size_t>(std::countr_zero(rest))];
    if (!other.blocked.empty() && other.blocked.front() < sequence && uops_[at(other.blocked.front()).uop].unit == unit)
      return false;
  }
  return true;
}

/// Whether the queue's oldest uop needs a unit.
inline bool Scheduler::PortQueue::unit_first() const {
  return !blocked.empty() && (plain.empty() || blocked.front() < plain.front());
}

inline void Scheduler::dispatch_from(std::size_t port, PortBinding& ports, std::int32_t now) {
  PortQueue& queue = queues_[port];
  do {
    const bool blocked = queue.unit_first() && unit_free_for(queue.blocked.front(), now);
    if (!blocked && queue.plain.empty()) break;
    if ((program_->shared_results >> port & 1) != 0 && !blocked && !has_way_out(queue.plain.front(), port, now)) {
      if ((program_->overtaken_results >> port & 1) == 0) break;
      ask_again(queue.plain, now);
      continue;
    }
    start_head(queue, blocked, port, now);
    ports.dispatched(port);
  } while (port_start_[port] <= now);
  if (queue.plain.empty() && queue.blocked.empty()) active_ &= ~(PortMask{1} << port);
}

/// The result of a uop that started before may leave the port in the same cycle.
bool Scheduler::has_way_out(std::uint64_t sequence, std::size_t port, std::int32_t now) const {
  const Uop& uop = uops_[at(sequence).uop];
  const std::int32_t leaves = now + uop.result_cycles;
  return leaves == now || !uop.result_waits || results_[way_out(port, leaves)] != leaves;
}

inline void Scheduler::start_head(PortQueue& queue, bool blocked, std::size_t port, std::int32_t now) {
  OldestFirst& waiting = blocked ? queue.blocked : queue.plain;
  const std::uint64_t sequence = waiting.front();
  waiting.pop();
  const Uop& uop = uops_[at(sequence).uop];
  if (blocked) units_[uop.unit] = std::max(units_[uop.unit], static_cast<double>(now)) + uop.unit_cycles;
  if (uop.result_cycles > 0) {
    const std::size_t from = uop.result_port == own_port ? port : uop.result_port;
    if ((program_->shared_results >> from & 1) != 0)
      results_[way_out(from, now + uop.result_cycles)] = now + uop.result_cycles;
    if (uop.second_cycles > 0) keep_ways_out(now + uop.second_cycles);
  }
  take_port(sequence, port, uop.port_cycles, now);
  dispatch(sequence, now);
}

/// For a second result.
void Scheduler::keep_ways_out(std::int32_t cycle) {
  for (PortMask rest = program_->second_results; rest != 0; rest &= rest - 1)
    results_[way_out(static_cast<std::size_t>(std::countr_zero(rest)), cycle)] = cycle;
}

inline void Scheduler::take_port(std::uint64_t sequence, std::size_t port, double cycles, std::int32_t now) {
  const double free = std::max(port_free_[port], static_cast<double>(now)) + cycles;
  port_free_[port] = free;
  port_start_[port] = static_cast<std::int32_t>(free + whole);
  ++port_uses_[port];
  const InFlight& flight = flight_[sequence & mask_];
  if (!flight.old && ages(uops_[flight.uop])) aged_.remove(place_of(sequence));
  flight_[sequence & mask_].taken = static_cast<std::uint16_t>(port);
  room_.give_back(place_in_room(flight_[sequence & mask_].port));
  positions_ -= sequence;
}

/// Ports are given to the oldest uops first, of all queues, as long as any is free.
void Scheduler::dispatch_late(SchedulerEntries& entries, std::int32_t now) {
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
      const bool blocked = queue.unit_first() && units_[uops_[at(queue.blocked.front()).uop].unit] < now + almost_one;
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
    if (banked_ports_ != 0 && !bank_free(oldest)) {
      waiting &= ~(PortMask{1} << from);
      continue;
    }
    const std::size_t port = least_wanted(entries.queue(from).ports & free, entries);
    if ((program_->shared_results >> port & 1) != 0 && !unit && !has_way_out(oldest, port, now)) {
      ask_again(queues_[from].plain, now);
      if ((program_->overtaken_results >> port & 1) == 0) free &= ~(PortMask{1} << port);
    } else {
      start_head(queues_[from], unit, port, now);
      entries.leave(from);
      if (port_start_[port] > now) free &= ~(PortMask{1} << port);
    }
    if (queues_[from].plain.empty() && queues_[from].blocked.empty()) active_ &= ~(PortMask{1} << from);
  }
}

/// The oldest has to wait for the way out (pipeline facts AM-34, AM-36, GC-23).
void Scheduler::ask_again(OldestFirst& waiting, std::int32_t now) {
  const std::uint32_t index = place_of(waiting.front());
  waiting.pop();
  flight_[index].ready = now + 1;
  wait_in_wheel(index, flight_[index], now);
}

/// Of several free ports the one that the fewest other queues could use.
std::size_t Scheduler::least_wanted(PortMask free, const SchedulerEntries& entries) const {
  auto best = static_cast<std::size_t>(std::countr_zero(free));
  if ((free & (free - 1)) == 0) return best;
  std::uint32_t least = ~std::uint32_t{0};
  for (PortMask rest = free; rest != 0; rest &= rest - 1) {
    std::uint32_t wanted = 0;
    for (PortMask others = active_; others != 0; others &= others - 1)
      wanted +=
          (entries.queue(static_cast<std::size_t>(std::countr_zero(others))).ports & rest & (~rest + 1)) != 0 ? 1 : 0;
    if (wanted >= least) continue;
    least = wanted;
    best = static_cast<std::size_t>(std::countr_zero(rest));
  }
  return best;
}

void Scheduler::dispatch_in_order(PortBinding& ports, std::int32_t now) {
  for (; next_in_order_ < inserted_end_; ++next_in_order_) {
    const InFlight& flight = at(next_in_order_);
    const Uop& uop = uops_[flight.uop];
    if (flight.dispatched >= 0 || flight.completion != not_yet) continue;
    if (flight.ready > now || (uop.unit != none && units_[uop.unit] >= now + almost_one)) return;
    if (uop.ports != 0) {
      PortMask free = 0;
      for (PortMask rest = uop.ports; rest != 0; rest &= rest - 1)
        if (port_start_[static_cast<std::size_t>(std::countr_zero(rest))] <= now) free |= rest & (~rest + 1);
      if (free == 0 || (banked_ports_ != 0 && !bank_free(next_in_order_))) return;
      const auto port = static_cast<std::size_t>(std::countr_zero(free));
      take_port(next_in_order_, port, uop.port_cycles, now);
      ports.dispatched(flight.port);
    }
    if (uop.unit != none) units_[uop.unit] = std::max(units_[uop.unit], static_cast<double>(now)) + uop.unit_cycles;
    dispatch(next_in_order_, now);
  }
}

/// The value that an input has, itself perhaps handed on by a move.
Scheduler::Copy Scheduler::copy_of(std::uint64_t sequence, const UopInput& input) const {
  if (input.back > sequence) return {};
  Copy copy{place_of(sequence - input.back), input.latency, long_ago, 0};
  if (flight_[copy.root].eliminated) copy = copies_[copy.root];
  if (copy.root == none || flight_[copy.root].completion == not_yet) return copy;
  return {none, 0, made_at(flight_[copy.root], copy.latency), flight_[copy.root].known};
}

std::uint64_t Scheduler::outline(std::uint64_t first, std::uint64_t end, std::int32_t now) const {
  if (!books_ahead_) return positions_ - occupancy() * first;
  std::uint64_t out = occupancy();
  for (std::uint64_t u = std::max(first + outlined, end) - outlined; u < end; ++u)
    out = (out << 13 | out >> 51) ^ static_cast<std::uint32_t>(std::max(at(u).completion - now, 0));
  return out;
}

std::int32_t Scheduler::value_ready(std::uint64_t sequence, std::int32_t latency) const {
  const InFlight* from = &at(sequence);
  if (from->eliminated) {
    const Copy& copy = copies_[place_of(sequence)];
    if (copy.root == none) return copy.ready;
    from = &flight_[copy.root];
    latency = copy.latency;
  }
  return from->completion == not_yet ? not_yet : made_at(*from, latency);
}

/// How much later its results come for the port that it runs on.
std::int32_t Scheduler::port_delay(const Uop& uop, std::uint64_t sequence, std::uint16_t port) const {
  std::int32_t cycles = 0;
  bool counted = false;
  for (std::uint32_t l = uop.first_late; l < uop.late_end; ++l) {
    const LatePorts& late = program_->late_results[l];
    if (late.same_rule && counted) continue;
    counted = (late.ports >> port & 1) != 0 && (late.maker_ports == 0 || was_made_on(late, sequence));
    if (counted) cycles += late.cycles;
  }
  return cycles;
}

bool Scheduler::was_made_on(const LatePorts& late, std::uint64_t sequence) const {
  if (late.back == 0 || late.back > sequence || late.back > remembered_) return false;
  std::uint32_t maker = place_of(sequence - late.back);
  if (flight_[maker].eliminated) maker = copies_[maker].root;
  return maker != none && (late.maker_ports >> flight_[maker].taken & 1) != 0;
}

inline void Scheduler::dispatch(std::uint64_t sequence, std::int32_t now) {
  const std::uint32_t index = place_of(sequence);
  InFlight& flight = flight_[index];
  flight.dispatched = now;
  settle_sooner(flight, sequence);
  if (flight.pending_late == 0) finish(index, now);
}

/// All that the results wait for is known: those who wait for them learn when.
void Scheduler::finish(std::uint32_t index, std::int32_t now) {
  InFlight& flight = flight_[index];
  const Uop& uop = uops_[flight.uop];
  flight.completion = flight.dispatched + uop.completion_cycles - flight.sooner;
  flight.known = now;
  if (flight.forwarded >= 0)
    forward(sequence_of(index), flight, uop);
  else if (uop.draws != 0)
    delay(index, flight, uop);
  for (std::uint32_t w = std::exchange(flight.waiters, none); w != none;) {
    const Waiter& waiter = waiters_[w];
    const std::uint32_t next = waiter.next;
    const std::uint32_t waiting = w >> waiter_shift_;
    const bool late = waiter.wakes_late && flight.old;
    const std::int32_t latency = waiter.latency + (late ? 1 : 0);
    tell(waiting, waiter, waiter.prompt ? flight.dispatched + latency : made_at(flight, latency), now);
    w = next;
  }
}

std::int32_t Scheduler::late_cycles(const Uop& uop, std::uint64_t number) const {
  const std::uint64_t draw = drawn(number);
  for (const LoadDelays::Part& part : program_->delays[uop.delays].parts)
    if (draw < part.below) return part.cycles;
  return 0;
}

/// Data from beyond the first-level cache, where they come from no store. A line is drawn for once: who wants it
/// besides waits until it is there. Accesses whose lines are not known have one each. An early address (`sooner`) helps
/// hits alone.
void Scheduler::delay(std::uint32_t index, InFlight& flight, const Uop& uop) {
  const std::uint64_t sequence = sequence_of(index);
  const auto there_for = [&](std::uint64_t number) {
    const std::int32_t late = late_cycles(uop, number);
    return late == 0 ? flight.completion : flight.completion + flight.sooner + late;
  };
  std::int32_t there = flight.completion;
  if (uop.load == none) {
    for (std::uint64_t access = 0; access < uop.draws; ++access)
      there = std::max(there, there_for((sequence << 16) + access));
  } else {
    const AccessAddress& place = program_->loads[uop.load];
    const auto iteration = static_cast<std::int64_t>(sequence / program_->uops.size());
    const std::int64_t line = (place.constant + (place.repeats ? place.stride * iteration : 0)) >> line_shift_;
    const std::uint64_t own = place.repeats ? 0 : static_cast<std::uint64_t>(iteration) + 1;
    const std::uint64_t number = drawn(drawn(own) + place.base) + static_cast<std::uint64_t>(line);
    Line& kept = lines_[drawn(number) % lines_kept];
    if (kept.number != number) kept = {number, there_for(number)};
    there = std::max(there, kept.there);
  }
  if (there == flight.completion) return;
  flight.completion = flight.forwarded = there;
}

inline void Scheduler::tell(std::uint32_t index, const Waiter& waiter, std::int32_t value_ready, std::int32_t now) {
  InFlight& flight = flight_[index];
  if (waiter.late) {
    flight.forwarded = std::max(flight.forwarded, value_ready);
    if (--flight.pending_late == 0 && flight.dispatched >= 0) finish(index, now);
    return;
  }
  arrive(flight, value_ready + waiter.extra, waiter.sooner);
  if (--flight.pending == 0) find_ready(index, flight, now);
}

} // namespace corecast::sim
