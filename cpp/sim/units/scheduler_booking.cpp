// Uops that are given their cycles when they are renamed.
#include "cpp/sim/units/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace corecast::sim {

/// Whether the oldest of those that are ready at a port always starts there, held up by no younger one: what keeps a
/// port or a unit for longer holds up older uops that become ready meanwhile.
bool Scheduler::can_book(const Program& program) const {
  if (in_order_ || program.draws != 0 || program.shared_results != 0) return false;
  if ((store_data_ports_ | load_ports_ | banked_ports_) != 0) return false;
  const auto plain = [](const Uop& uop) { return uop.unit == none && (uop.ports == 0 || uop.port_cycles == 1); };
  return std::all_of(program.uops.begin(), program.uops.end(), plain);
}

void Scheduler::prepare_booking(const Program& program) {
  calendar_.reset(program.resources);
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
  for (const Uop& uop : program.uops) {
    const std::span<const UopInput> inputs = inputs_of(uop);
    BookedUop booked{0, 0, uop.completion_cycles, uop.ports != 0,
                     !uop.join && std::all_of(inputs.begin(), inputs.end(), plain)};
    booked.first_input = static_cast<std::uint32_t>(booked_inputs_.size());
    if (booked.plain)
      for (const UopInput& input : inputs)
        booked_inputs_.push_back({input.back, input.latency, input.extra});
    booked.input_end = static_cast<std::uint32_t>(booked_inputs_.size());
    booked_.push_back(booked);
  }
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
    flight.dispatched = uop.ports != 0 ? take_cycle(sequence, port, flight.ready) : flight.ready;
    if (flight.latest != flight.dispatched) flight.sooner = 0; // too late for what arrived before
    flight.known = std::max(flight.dispatched, late_known);
  }
  flight.completion = flight.dispatched + uop.completion_cycles - flight.sooner;
  if (flight.forwarded >= 0) forward(sequence, flight, uop);
  flight.completion = std::max(flight.completion, flight.known);
  flight_[place_of(sequence)] = flight;
}

/// What was booked for this cycle starts.
void Scheduler::start_booked(PortBinding& ports, std::int32_t now) {
  const PortCalendar::Starts starts = calendar_.pass(now);
  if (starts.ports == 0) return;
  for (PortMask rest = starts.ports; rest != 0; rest &= rest - 1) {
    const auto port = static_cast<std::size_t>(std::countr_zero(rest));
    ++port_uses_[port];
    --occupancy_;
    if (!parts_.empty()) --parts_[part_of_[port]].waiting;
    ports.dispatched(port);
  }
  positions_ -= starts.positions;
}

} // namespace corecast::sim
