// Uops that are given their cycles when they are renamed.
#include "cpp/sim/units/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace corecast::sim {

/// Whether the oldest of those that are ready at a port always starts there, held up by no younger one: what keeps a
/// port or a unit for longer holds up older uops that become ready meanwhile. It may be held up by older ones at other
/// ports, and then the port stands idle.
bool Scheduler::can_book(const Program& program) const {
  if (in_order_ || program.draws != 0 || program.shared_results != 0 || program.late_wakeup != 0) return false;
  if ((load_ports_ & banked_ports_) != 0) return false;
  // Which port made what an eliminated move hands on is forgotten where that is done, as everything booked counts.
  const auto asks_for_maker = [](const LatePorts& late) { return late.maker_ports != 0; };
  if (program.moves && std::any_of(program.late_results.begin(), program.late_results.end(), asks_for_maker))
    return false;
  const auto plain = [](const Uop& uop) {
    return uop.unit == none && uop.group_back == 0 && (uop.ports == 0 || uop.port_cycles == 1);
  };
  return std::all_of(program.uops.begin(), program.uops.end(), plain);
}

void Scheduler::prepare_booking(const Program& program, PortBinding& ports) {
  calendar_.reset(program.resources);
  const PortMask beside_others = ports_beside_others();
  starts_.reset(beside_others);
  farthest_input_ = 0;
  booked_.clear();
  booked_inputs_.clear();
  fused_done_.resize(mask_ + 1);
  fused_end_ = 0;
  const auto inputs_of = [&](const Uop& uop) {
    return std::span<const UopInput>(inputs_ + uop.first_input, inputs_ + uop.input_end);
  };
  const auto most_sooner = [&](std::uint32_t maker) {
    std::int32_t most = 0;
    for (const UopInput& input : inputs_of(program.uops[maker]))
      most = std::max<std::int32_t>(most, input.sooner);
    return most;
  };
  const auto plain = [&](const UopInput& input) {
    return !input.late && !input.prompt && input.sooner == 0 && input.extra >= 0 &&
           input.latency > most_sooner(input.maker);
  };
  booked_.reserve(program.uops.size());
  booked_inputs_.reserve(program.inputs.size());
  for (const Uop& uop : program.uops) {
    const std::span<const UopInput> inputs = inputs_of(uop);
    BookedUop booked;
    booked.completion_cycles = uop.completion_cycles;
    booked.number = static_cast<std::uint32_t>(booked_.size());
    booked.fused = uop.fused;
    booked.ports = &ports.set(ports.set_of(booked.number));
    booked.has_port = uop.ports != 0;
    if (std::has_single_bit(uop.ports) && booked.ports->choice == PortBinding::Choice::only_one)
      booked.only_port = static_cast<std::uint8_t>(std::countr_zero(uop.ports));
    booked.after_others = booked.number == program.fused[uop.fused].first_uop ? 0 : -1;
    booked.ends_fused = booked.number + 1 == program.fused[uop.fused].uop_end;
    if (!uop.waits)
      booked.booking = Booking::none;
    else if (!uop.join && uop.overwritten == 0 && uop.first_late == uop.late_end && (uop.ports & beside_others) == 0 &&
             std::all_of(inputs.begin(), inputs.end(), plain))
      booked.booking = Booking::plain;
    booked_.push_back(booked);
  }
  // Results of others may be there sooner or later than their latencies say, or come from somewhere else.
  const auto only_starts = [&](const UopInput& input) {
    const MoveClass move = program.instructions[program.uops[input.maker].instruction].move;
    return booked_[input.maker].booking != Booking::careful && move == MoveClass::none;
  };
  for (BookedUop& booked : booked_) {
    if (booked.booking != Booking::plain) continue;
    const std::span<const UopInput> inputs = inputs_of(program.uops[booked.number]);
    const auto add = [&](bool those) {
      for (const UopInput& input : inputs) {
        if (input.back > remembered_ || only_starts(input) != those) continue; // made long ago
        booked_inputs_.push_back({input.back, input.latency + input.extra, input.extra});
        farthest_input_ = std::max<std::uint64_t>(farthest_input_, input.back);
      }
      return booked_inputs_.data() + booked_inputs_.size(); // which has room for all
    };
    booked.inputs = booked_inputs_.data() + booked_inputs_.size();
    booked.others = add(true);
    booked.input_end = add(false);
  }
}

inline std::int32_t Scheduler::take_cycle(std::uint32_t port, std::int32_t ready) {
  room_.take(port);
  return calendar_.take(port, ready);
}

/// The same at a port where it waits for older uops that it cannot start with (pipeline facts IN-125, IN-126): where it
/// is the oldest that is ready, nothing else starts there meanwhile.
std::int32_t Scheduler::take_cycle_beside_others(std::uint64_t sequence, std::uint32_t port, std::int32_t ready,
                                                 std::int32_t now) {
  std::int32_t cycle = take_cycle(port, ready);
  while (!starts_with_older(sequence, port, cycle)) {
    calendar_.leave_idle(port, cycle);
    cycle = calendar_.take(port, cycle + 1);
  }
  starts_.put(port, cycle, sequence, now);
  return cycle;
}

/// Of the uops that have been given this cycle at other ports, which are all older.
bool Scheduler::starts_with_older(std::uint64_t sequence, std::size_t port, std::int32_t cycle) const {
  const PortMask own = PortMask{1} << port;
  BankReads reads(program_->banks.reads);
  for (PortMask rest = ports_beside_others() & ~own; rest != 0; rest &= rest - 1) {
    const auto other = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t* const older = starts_.at(other, cycle);
    if (older == nullptr) continue;
    const PortMask both = own | PortMask{1} << other;
    if ((both & ~store_data_ports_) == 0 && !same_line(sequence, *older)) return false;
    if ((both & ~load_ports_) == 0 && !narrow_loads(sequence, *older)) return false;
    if ((both & ~banked_ports_) == 0) reads.take(banks_of(*older));
  }
  return (banked_ports_ & own) == 0 || reads.take(banks_of(sequence));
}

/// Of the inputs of a plain uop; not_yet where one comes from an eliminated move.
inline std::int32_t Scheduler::last_arrival(const BookedUop& uop, InFlightView flights, std::uint64_t sequence) {
  std::int32_t latest = -1;
  for (const BookedInput* input = uop.inputs; input != uop.others; ++input)
    latest = std::max(latest, flights[sequence - input->back].dispatched + input->delay);
  for (const BookedInput* input = uop.others; input != uop.input_end; ++input) {
    const InFlight& from = flights[sequence - input->back];
    if (from.eliminated) return not_yet;
    latest = std::max({latest, from.dispatched + input->delay - from.sooner, from.forwarded + input->extra});
  }
  return latest;
}

/// Returns the number of the fused uop that the next one belongs to.
inline std::uint64_t Scheduler::end_uop(const BookedUop& uop, std::uint64_t fused, std::int32_t completion) {
  std::int32_t& done = fused_done_[fused & mask_];
  done = std::max(done & uop.after_others, completion);
  return fused + (uop.ends_fused ? 1 : 0);
}

/// Where no uop ever waits for a younger one, all that it waits for is known when it is renamed: it starts in the first
/// cycle from its last input's arrival on in which no older one takes its port. Nothing needs to be looked at then
/// until that cycle comes.
std::uint32_t Scheduler::book(std::uint64_t sequence, std::uint32_t first, std::uint32_t count, std::uint32_t slot,
                              PortBinding& ports, std::int32_t now) {
  std::uint32_t through = count;
  const BookedUop* const end = booked_.data() + booked_.size();
  const BookedUop* uop = booked_.data() + first;
  std::uint32_t slots = slot - uop->fused; // behind the start of this iteration
  const std::int32_t visible = now + issue_to_dispatch_;
  const std::int32_t soonest = std::max(visible, now + 1);
  const std::int32_t late = visible + late_arrival_window_;
  // In the beginning some inputs were made before the first iteration.
  const Booking quick = sequence >= farthest_input_ ? Booking::plain : Booking::unknown;
  InFlight* const flights = flight_.data();
  const std::uint64_t mask = mask_;
  SchedulerRoom::Entering entering(room_);
  std::uint64_t fused = fused_end_;
  for (const std::uint64_t last = sequence + count; sequence < last; ++sequence) {
    const std::int32_t latest = uop->booking == quick ? last_arrival(*uop, {flights, mask}, sequence) : not_yet;
    if (latest != not_yet) [[likely]] {
      // As earliest(), without a branch.
      const std::int32_t ready = std::max(latest + (latest < late ? 1 : 0), soonest);
      std::int32_t start = ready;
      std::uint32_t port = 0;
      if (uop->has_port) [[likely]] {
        port = uop->only_port;
        if (port != any_port)
          ports.take_without_choice(port, slots + uop->fused);
        else
          port = ports.choose(uop->number, *uop->ports, slots + uop->fused);
        entering.add(port);
        start = calendar_.take(port, ready);
      }
      const std::int32_t completion = start + uop->completion_cycles;
      InFlight& flight = flights[sequence & mask];
      flight.uop = uop->number;
      flight.ready = ready;
      flight.dispatched = start;
      flight.completion = completion;
      flight.known = start;
      flight.forwarded = -1;
      flight.port = static_cast<std::uint16_t>(port);
      flight.taken = static_cast<std::uint16_t>(port);
      flight.sooner = 0;
      flight.eliminated = flight.absent = false;
      fused = end_uop(*uop, fused, completion);
    } else {
      fused_end_ = fused;
      through -= book_otherwise(*uop, sequence, slots + uop->fused, ports, now);
      fused = fused_end_;
    }
    if (++uop < end) continue;
    uop = booked_.data();
    slots += static_cast<std::uint32_t>(program_->fused.size());
  }
  fused_end_ = fused;
  return through;
}

/// Returns 1 for one that does not go through the scheduler.
[[gnu::noinline]] std::uint32_t Scheduler::book_otherwise(const BookedUop& uop, std::uint64_t sequence,
                                                          std::uint32_t slot, PortBinding& ports, std::int32_t now) {
  if (uop.booking == Booking::none || is_overwritten(uop.number, sequence)) {
    pass(sequence, uop.number, false, now);
    return 1;
  }
  const std::uint32_t port = uop.has_port ? ports.choose(uop.number, *uop.ports, slot) : 0U;
  const std::int32_t completion = book_with_care(sequence, uop.number, port, now);
  fused_end_ = end_uop(uop, fused_end_, completion);
  return uops_[uop.number].join ? 1 : 0;
}

/// Whatever there is to its inputs: data forwarded by stores, addresses handed over early, names given by moves.
std::int32_t Scheduler::book_with_care(std::uint64_t sequence, std::uint32_t u, std::uint32_t port, std::int32_t now) {
  const Uop& uop = uops_[u];
  InFlight flight;
  flight.uop = u;
  flight.visible = now + issue_to_dispatch_;
  flight.port = static_cast<std::uint16_t>(port);
  flight.taken = static_cast<std::uint16_t>(port);
  std::int32_t known = now;
  std::int32_t late_known = now;
  for (std::uint32_t i = uop.first_input; i < uop.input_end; ++i) {
    const UopInput& input = inputs_[i];
    if (input.back > sequence || input.back > remembered_) continue; // made before the first iteration, or long ago
    const InFlight& from = flight_[place_of(sequence - input.back)];
    std::int32_t& last = input.late ? late_known : known;
    if (from.eliminated) {
      const Copy copy = copy_of(sequence, input);
      arrive(flight, input, copy.ready, input.extra);
      last = std::max(last, copy.known);
    } else {
      arrive(flight, input, input.prompt ? from.dispatched + input.latency : made_at(from, input.latency), input.extra);
      last = std::max(last, from.known);
    }
  }
  if (uop.join) {
    flight.ready = flight.dispatched = std::max(flight.latest, flight.visible);
    flight.known = std::max(known, late_known);
  } else {
    flight.ready = std::max(earliest(flight.latest, flight.visible), known + 1);
    flight.dispatched = flight.ready;
    if (uop.ports != 0)
      flight.dispatched = starts_.keeps(port) ? take_cycle_beside_others(sequence, port, flight.ready, now)
                                              : take_cycle(port, flight.ready);
    settle_sooner(flight, sequence);
    flight.known = std::max(flight.dispatched, late_known);
  }
  flight.completion = flight.dispatched + uop.completion_cycles - flight.sooner;
  if (flight.forwarded >= 0) {
    waiting_loads_.forget_ready_by(now); // whatever is booked later starts later
    forward(sequence, flight, uop);
  }
  flight.completion = std::max(flight.completion, flight.known);
  flight_[place_of(sequence)] = flight;
  return flight.completion;
}

void Scheduler::pass(std::uint64_t sequence, std::uint32_t uop, bool eliminated, std::int32_t now) {
  const std::uint32_t index = place_of(sequence);
  flight_[index] = InFlight{};
  flight_[index].uop = uop;
  flight_[index].completion = flight_[index].dispatched = flight_[index].known = now;
  flight_[index].eliminated = eliminated;
  if (books_ahead_) fused_end_ = end_uop(booked_[uop], fused_end_, now);
  if (!eliminated) return;
  const Uop& move = uops_[uop];
  copies_[index] = move.first_input == move.input_end ? Copy{} : copy_of(sequence, inputs_[move.first_input]);
}

void Scheduler::leave_out(std::uint64_t sequence, std::uint32_t uop, std::int32_t now) {
  pass(sequence, uop, false, now);
  flight_[place_of(sequence)].absent = true;
  if (books_ahead_) fused_done_[(fused_end_ - 1) & mask_] = -1; // such uops are fused with no other
}

} // namespace corecast::sim
