// Uops that are given their cycles when they are renamed.
#include "cpp/sim/units/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace corecast::sim {

/// Whether the oldest of those that are ready at a port always starts there, held up by no younger one: what keeps a
/// port or a unit for longer holds up older uops that become ready meanwhile.
bool Scheduler::can_book(const Program& program) const {
  if (in_order_ || program.draws != 0 || program.shared_results != 0 || program.late_wakeup != 0) return false;
  if ((store_data_ports_ | load_ports_ | banked_ports_) != 0) return false;
  const auto plain = [](const Uop& uop) {
    return uop.unit == none && uop.late_ports == 0 && (uop.ports == 0 || uop.port_cycles == 1);
  };
  return std::all_of(program.uops.begin(), program.uops.end(), plain);
}

void Scheduler::prepare_booking(const Program& program, const PortBinding& ports) {
  calendar_.reset(program.resources);
  farthest_input_ = 0;
  booked_.clear();
  booked_inputs_.clear();
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
    booked.fused = uop.fused;
    booked.ports = ports.set_of(static_cast<std::uint32_t>(booked_.size()));
    booked.has_port = uop.ports != 0;
    if (!uop.waits)
      booked.booking = Booking::none;
    else if (!uop.join && std::all_of(inputs.begin(), inputs.end(), plain))
      booked.booking = Booking::plain;
    booked.inputs = booked_inputs_.data() + booked_inputs_.size(); // which has room for all
    if (booked.booking == Booking::plain)
      for (const UopInput& input : inputs) {
        if (input.back > remembered_) continue; // made long ago
        booked_inputs_.push_back({input.back, input.latency, input.extra});
        farthest_input_ = std::max<std::uint64_t>(farthest_input_, input.back);
      }
    booked.input_end = booked_inputs_.data() + booked_inputs_.size();
    booked_.push_back(booked);
  }
}

inline std::int32_t Scheduler::take_cycle(std::uint32_t port, std::int32_t ready) {
  ++occupancy_;
  if (has_parts_) ++parts_[part_of_[port]].waiting;
  return calendar_.take(port, ready);
}

/// Where no uop ever waits for a younger one, all that it waits for is known when it is renamed: it starts in the first
/// cycle from its last input's arrival on in which no older one takes its port. Nothing needs to be looked at then
/// until that cycle comes. False: an input comes from an eliminated move.
inline bool Scheduler::book_plain(const BookedUop& uop, std::uint64_t sequence, std::uint32_t port, std::int32_t now) {
  InFlight* const flights = flight_.data();
  const std::uint64_t mask = mask_;
  std::int32_t latest = -1;
  for (const BookedInput* input = uop.inputs; input != uop.input_end; ++input) {
    const InFlight& from = flights[(sequence - input->back) & mask];
    if (from.eliminated) return false;
    latest = std::max(latest, made_at(from, input->latency) + input->extra);
  }
  const std::int32_t ready = std::max(earliest(latest, now + issue_to_dispatch_), now + 1);
  const std::int32_t start = uop.has_port ? take_cycle(port, ready) : ready;
  InFlight& flight = flights[sequence & mask];
  flight.uop = static_cast<std::uint32_t>(&uop - booked_.data());
  flight.ready = ready;
  flight.dispatched = start;
  flight.completion = start + uop.completion_cycles;
  flight.known = start;
  flight.forwarded = -1;
  flight.port = static_cast<std::uint16_t>(port);
  flight.taken = static_cast<std::uint16_t>(port);
  flight.sooner = 0;
  flight.eliminated = flight.absent = false;
  return true;
}

std::uint32_t Scheduler::book(std::uint64_t sequence, std::uint32_t first, std::uint32_t count, std::uint32_t slot,
                              PortBinding& ports, std::int32_t now) {
  std::uint32_t through = count;
  const BookedUop* const end = booked_.data() + booked_.size();
  const BookedUop* uop = booked_.data() + first;
  std::uint32_t slots = slot - uop->fused; // behind the start of this iteration
  for (const std::uint64_t last = sequence + count; sequence < last; ++sequence) {
    if (uop->booking == Booking::none) {
      pass(sequence, static_cast<std::uint32_t>(uop - booked_.data()), false, now);
      --through;
    } else {
      const std::uint32_t port = uop->has_port ? ports.choose(uop->ports, slots + uop->fused) : 0U;
      // In the beginning some inputs were made before the first iteration.
      if (uop->booking != Booking::plain || sequence < farthest_input_ || !book_plain(*uop, sequence, port, now)) {
        const auto u = static_cast<std::uint32_t>(uop - booked_.data());
        book_with_care(sequence, u, port, now);
        if (uops_[u].join) --through;
      }
    }
    if (++uop < end) continue;
    uop = booked_.data();
    slots += static_cast<std::uint32_t>(program_->fused.size());
  }
  return through;
}

/// Whatever there is to its inputs: data forwarded by stores, addresses handed over early, names given by moves.
void Scheduler::book_with_care(std::uint64_t sequence, std::uint32_t u, std::uint32_t port, std::int32_t now) {
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
      arrive(flight, input, copy.ready);
      last = std::max(last, copy.known);
    } else {
      arrive(flight, input, input.prompt ? from.dispatched + input.latency : made_at(from, input.latency));
      last = std::max(last, from.known);
    }
  }
  if (uop.join) {
    flight.ready = flight.dispatched = std::max(flight.latest, flight.visible);
    flight.known = std::max(known, late_known);
  } else {
    flight.ready = std::max(earliest(flight.latest, flight.visible), known + 1);
    flight.dispatched = uop.ports != 0 ? take_cycle(port, flight.ready) : flight.ready;
    if (flight.latest != flight.dispatched) flight.sooner = 0; // too late for what arrived before
    flight.known = std::max(flight.dispatched, late_known);
  }
  flight.completion = flight.dispatched + uop.completion_cycles - flight.sooner;
  if (flight.forwarded >= 0) forward(sequence, flight, uop);
  flight.completion = std::max(flight.completion, flight.known);
  flight_[place_of(sequence)] = flight;
}

} // namespace corecast::sim
