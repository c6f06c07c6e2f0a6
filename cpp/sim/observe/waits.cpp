#include "cpp/sim/observe/waits.hpp"

#include <algorithm>
#include <numeric>

namespace corecast::sim {
namespace {

constexpr std::size_t most_steps = 512;
constexpr std::size_t most_moves = 256; // eliminated one after the other
constexpr double saturated = 0.9;       // a port or unit that is taken so much of the time has no room for more
constexpr double binding = 0.9;         // of the time of its iterations, that a chain through them takes at least

} // namespace

Waits::Waits(const Program& program, const CoreParameters& parameters, const Recorder& recorder)
    : program_(program), parameters_(parameters), events_(recorder.uops()), makers_(program.values, none),
      moves_(program.values, none), load_(program.units, 0), seen_(program.uops.size()) {
  for (std::uint32_t u = 0; u < program.uops.size(); ++u)
    for (std::uint32_t o = program.uops[u].first_output; o < program.uops[u].output_end; ++o)
      makers_[program.outputs[o].value] = u;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    if (program.instructions[i].move != MoveClass::none) moves_[program.instructions[i].move_output] = i;
}

/// Eliminated moves hand on what they copy.
std::optional<std::uint64_t> Waits::producer(std::uint32_t value, std::uint64_t iteration,
                                             std::uint32_t distance) const {
  for (std::size_t step = 0; step < most_moves; ++step) {
    if (iteration < distance || makers_[value] == none) return std::nullopt;
    iteration -= distance;
    const std::uint64_t found = iteration * program_.uops.size() + makers_[value];
    if (found >= events_.size()) return std::nullopt;
    if (!events_[found].eliminated || moves_[value] == none) return found;
    const SimInstruction& move = program_.instructions[moves_[value]];
    if (move.move_source == none) return std::nullopt;
    value = move.move_source;
    distance = move.move_distance;
  }
  return std::nullopt;
}

std::optional<std::int32_t> Waits::arrival(std::uint64_t producer, std::uint32_t value) const {
  const UopEvents& events = events_[producer];
  if (events.dispatched < 0) return std::nullopt;
  const Uop& from = uop(producer);
  for (std::uint32_t i = from.first_input; i < from.input_end; ++i)
    if (program_.inputs[i].late) return events.completed < 0 ? std::nullopt : std::optional(events.completed);
  for (std::uint32_t o = from.first_output; o < from.output_end; ++o)
    if (program_.outputs[o].value == value) return events.dispatched + program_.outputs[o].latency - events.sooner;
  return events.completed; // through an eliminated move
}

std::optional<LastInput> Waits::latest(std::uint64_t sequence, bool late) const {
  const Uop& to = uop(sequence);
  std::optional<LastInput> out;
  for (std::uint32_t i = to.first_input; i < to.input_end; ++i) {
    const UopInput& input = program_.inputs[i];
    if (input.late != late) continue;
    const auto from = producer(input.value, iteration(sequence), input.distance);
    if (!from) continue;
    const auto at = arrival(*from, input.value);
    if (!at) continue;
    const std::int32_t arrives = *at + (late ? 0 : input.extra);
    if (!out || arrives > out->arrival) out = LastInput{*from, arrives, late};
  }
  return out;
}

std::optional<LastInput> Waits::last_input(std::uint64_t sequence) const {
  const auto out = latest(sequence, false);
  return out && out->arrival > events_[sequence].renamed + parameters_.issue_to_dispatch ? out : std::nullopt;
}

std::optional<LastInput> Waits::forwarded_input(std::uint64_t sequence) const {
  const auto out = latest(sequence, true);
  if (!out || events_[sequence].dispatched < 0) return std::nullopt;
  const Uop& load = uop(sequence);
  std::int32_t own = events_[sequence].dispatched;
  for (std::uint32_t o = load.first_output; o < load.output_end; ++o)
    own = std::max(own, events_[sequence].dispatched + program_.outputs[o].latency - events_[sequence].sooner);
  return events_[sequence].completed > own ? out : std::nullopt;
}

/// When nothing but its port or unit held a uop back: cores that dispatch in order wait for the uop before it, too.
std::int32_t Waits::free_to_start(std::uint64_t sequence) const {
  const std::int32_t ready = events_[sequence].ready;
  if (!parameters_.in_order || sequence == 0 || ready < 0 || uop(sequence).join) return ready;
  return std::max(ready, events_[before(sequence)].dispatched);
}

std::uint64_t Waits::before(std::uint64_t sequence) const {
  do
    --sequence;
  while (sequence > 0 && uop(sequence).join);
  return sequence;
}

std::int32_t Waits::resource_wait(std::uint64_t sequence) const {
  const UopEvents& events = events_[sequence];
  if (events.dispatched < 0 || events.ready < 0 || resource(sequence) == none) return 0;
  return std::max(0, events.dispatched - free_to_start(sequence));
}

std::uint32_t Waits::resource(std::uint64_t sequence) const {
  const Uop& needs = uop(sequence);
  if (needs.unit != none && needs.unit_cycles > 1) return needs.unit;
  return needs.ports == 0 ? needs.unit : events_[sequence].port;
}

Origin Waits::trace(std::uint64_t root, std::int32_t now) const {
  std::vector<Step>& steps = steps_;
  steps.clear();
  ++traces_;
  std::uint64_t at = root;
  std::int32_t until = now; // nothing later than this made the root late so far
  while (steps.size() < most_steps) {
    Seen& seen = seen_[at % program_.uops.size()];
    if (seen.trace == traces_)
      return binds(steps, seen.step, at) ? choose(steps, seen.step, true) : choose(steps, 0, false);
    seen = {traces_, static_cast<std::uint32_t>(steps.size())};
    const UopEvents& events = events_[at];
    Step step{at, 0, 0};
    if (events.dispatched >= 0 && events.dispatched <= until) step.latency = until - events.dispatched;
    const std::int32_t start = events.dispatched < 0 ? until : std::min(until, events.dispatched);
    const std::int32_t free = free_to_start(at);
    if (free >= 0 && start > free && resource(at) != none) step.busy = start - free;
    std::optional<LastInput> next;
    if (step.latency > 0) next = forwarded_input(at);
    if (next) {
      step.latency = std::max(0, until - std::max(events.dispatched, next->arrival));
      step.busy = 0;
    } else if (free > events.ready) { // in order: behind the one before it
      next = LastInput{before(at), std::min(free, until), false};
    } else {
      next = last_input(at);
    }
    steps.push_back(step);
    if (!next) break;
    until = std::min(until, next->arrival);
    at = next->producer;
  }
  return choose(steps, 0, false);
}

/// Whether the steps from `first` on, which lead back to the same place at `end`, take as long as their iterations do.
/// A faster chain runs ahead until something else holds it up: then what lies before it on the path is to blame.
bool Waits::binds(const std::vector<Step>& steps, std::size_t first, std::uint64_t end) const {
  const std::uint64_t iterations = iteration(steps[first].uop) - iteration(end);
  const std::int32_t cycles =
      std::accumulate(steps.begin() + static_cast<std::ptrdiff_t>(first), steps.end(), 0,
                      [](std::int32_t sum, const Step& step) { return sum + step.latency + step.busy; });
  return cycles >= binding * cycles_per_iteration_ * static_cast<double>(iterations);
}

/// A closed path is a loop-carried chain: it costs what most of its cycles are spent on. On an open one latencies
/// overlap with other iterations, unless no port or unit on it is taken nearly all the time.
Origin Waits::choose(const std::vector<Step>& steps, std::size_t first, bool closed) const {
  struct Busy {
    std::uint32_t resource = none;
    std::int32_t cycles = 0;
    std::uint64_t waiting = 0; // the first uop that waited
  };
  std::vector<Busy> busy;
  std::int32_t latencies = 0;
  const Step* slowest = &steps[first];
  for (std::size_t s = first; s < steps.size(); ++s) {
    latencies += steps[s].latency;
    if (steps[s].latency > slowest->latency) slowest = &steps[s];
    if (steps[s].busy == 0) continue;
    const std::uint32_t needed = resource(steps[s].uop);
    auto known = std::find_if(busy.begin(), busy.end(), [&](const Busy& each) { return each.resource == needed; });
    if (known == busy.end()) known = busy.insert(known, {needed, 0, steps[s].uop});
    known->cycles += steps[s].busy;
  }
  // Of several with as many cycles the one with the lowest number.
  const auto most = std::max_element(busy.begin(), busy.end(), [](const Busy& a, const Busy& b) {
    return a.cycles != b.cycles ? a.cycles < b.cycles : a.resource > b.resource;
  });
  if (most != busy.end() && (most->cycles > latencies || (!closed && load_[most->resource] >= saturated)))
    return {uop(most->waiting).unit == most->resource ? Stall::unit_busy : Stall::port_busy, most->waiting,
            most->resource};
  return {Stall::operand_latency, slowest->uop, none};
}

} // namespace corecast::sim
