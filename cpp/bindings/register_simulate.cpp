// Simulation of a region. The result mirrors cpp/sim/simulator.hpp; nothing is computed here.
#include "bindings.hpp"
#include "cpp/sim/simulator.hpp"
#include "instructions_argument.hpp"
#include "interruptible.hpp"
#include "mode_arguments.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <bit>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

sim::SimulateOptions to_options(std::string_view mode, std::string_view unknown, std::optional<std::uint64_t> start,
                                const Aliasing* aliasing, std::optional<std::uint32_t> slots_before) {
  sim::SimulateOptions options;
  options.mode = checked_mode(mode);
  options.unknown = checked_policy(unknown);
  options.start = start.value_or(0);
  options.aligned = start.has_value();
  options.slots_before = slots_before;
  if (aliasing != nullptr) options.aliasing = *aliasing;
  return options;
}

template <typename Name> nb::dict to_dict(const std::vector<std::pair<Name, double>>& pairs) {
  nb::dict out;
  for (const auto& [name, value] : pairs)
    out[nb::cast(name)] = value;
  return out;
}

/// An index, None for "none".
nb::object to_index(std::uint32_t index) {
  return index == sim::none ? nb::none() : nb::object(nb::int_(index));
}

void register_observation(nb::module_& m) {
  nb::class_<sim::StallShare>(m, "StallShare", "Cycles per iteration that have one reason.")
      .def_prop_ro("cause", [](const sim::StallShare& s) { return sim::stall_name(s.cause); })
      .def_prop_ro(
          "full", [](const sim::StallShare& s) { return sim::full_name(s.full); }, "What had no room, '' for nothing.")
      .def_prop_ro(
          "instruction", [](const sim::StallShare& s) { return to_index(s.instruction); }, "Who is blamed.",
          nb::sig("def instruction(self) -> int | None"))
      .def_prop_ro(
          "waiting", [](const sim::StallShare& s) { return to_index(s.waiting); },
          "The oldest instruction that was not done.", nb::sig("def waiting(self) -> int | None"))
      .def_prop_ro(
          "resource", [](const sim::StallShare& s) { return to_index(s.resource); }, "Port or unit.",
          nb::sig("def resource(self) -> int | None"))
      .def_ro("cycles", &sim::StallShare::cycles);
  nb::class_<sim::TimelineUop>(m, "TimelineUop", "A uop's way through the stages, in cycles since the start.")
      .def_ro("iteration", &sim::TimelineUop::iteration)
      .def_ro("instruction", &sim::TimelineUop::instruction)
      .def_ro("uop", &sim::TimelineUop::uop, "Of the instruction, from 0.")
      .def_prop_ro(
          "port", [](const sim::TimelineUop& u) { return to_index(u.port); }, nb::sig("def port(self) -> int | None"))
      .def_ro("eliminated", &sim::TimelineUop::eliminated)
      .def_ro("delivered", &sim::TimelineUop::delivered)
      .def_ro("renamed", &sim::TimelineUop::renamed)
      .def_ro("ready", &sim::TimelineUop::ready)
      .def_ro("dispatched", &sim::TimelineUop::dispatched)
      .def_ro("completed", &sim::TimelineUop::completed)
      .def_ro("retired", &sim::TimelineUop::retired)
      .def_prop_ro(
          "waited", [](const sim::TimelineUop& u) { return sim::wait_name(u.waited); },
          "'', 'operand', 'port', 'unit' or 'forwarding': its longest wait.")
      .def_prop_ro(
          "from_instruction", [](const sim::TimelineUop& u) { return to_index(u.from_instruction); },
          "Who made the value it waited for.", nb::sig("def from_instruction(self) -> int | None"))
      .def_ro("from_iteration", &sim::TimelineUop::from_iteration)
      .def_prop_ro(
          "resource", [](const sim::TimelineUop& u) { return to_index(u.resource); },
          "The port or unit that it waited for.", nb::sig("def resource(self) -> int | None"));
  nb::class_<sim::Occupancy>(m, "Occupancy", "Entries taken at the end of a cycle.")
      .def_ro("uop_queue", &sim::Occupancy::uop_queue)
      .def_ro("scheduler", &sim::Occupancy::scheduler, "Of several: all of them together.")
      .def_ro("reorder_buffer", &sim::Occupancy::reorder_buffer)
      .def_ro("load_queue", &sim::Occupancy::load_queue, "0 where it has no limit.")
      .def_ro("store_queue", &sim::Occupancy::store_queue, "0 where it has no limit.");
  nb::class_<sim::TimelineCycle>(m, "TimelineCycle", "Why rename did not move a full group.")
      .def_prop_ro("cause", [](const sim::TimelineCycle& c) { return sim::stall_name(c.cause); })
      .def_prop_ro("full", [](const sim::TimelineCycle& c) { return sim::full_name(c.full); })
      .def_prop_ro(
          "instruction", [](const sim::TimelineCycle& c) { return to_index(c.instruction); },
          nb::sig("def instruction(self) -> int | None"))
      .def_prop_ro(
          "resource", [](const sim::TimelineCycle& c) { return to_index(c.resource); },
          nb::sig("def resource(self) -> int | None"))
      .def_ro("occupancy", &sim::TimelineCycle::occupancy)
      .def_prop_ro(
          "started",
          [](const sim::TimelineCycle& c) {
            std::vector<unsigned> out;
            for (PortMask rest = c.started; rest != 0; rest &= rest - 1)
              out.push_back(static_cast<unsigned>(std::countr_zero(rest)));
            return out;
          },
          "Ports that a uop was dispatched to, as indices of the machine's resources.");
  nb::class_<sim::Timeline>(m, "Timeline", "Some iterations, uop by uop and cycle by cycle.")
      .def_ro("first_iteration", &sim::Timeline::first_iteration)
      .def_ro("first_cycle", &sim::Timeline::first_cycle)
      .def_ro("scheduler_delay", &sim::Timeline::scheduler_delay, "Cycles from rename until the scheduler sees a uop.")
      .def_ro("uops", &sim::Timeline::uops)
      .def_ro("cycles", &sim::Timeline::cycles, "From first_cycle on.")
      .def_ro("cut", &sim::Timeline::cut, "There would have been more.");
  nb::class_<sim::Observation>(m, "Observation", "A simulation with the reason of each cycle.")
      .def_ro("simulation", &sim::Observation::simulation)
      .def_ro("stalls", &sim::Observation::stalls, "They add up to cycles_per_iteration, largest first.")
      .def_ro("timeline", &sim::Observation::timeline);
  m.def(
      "observe",
      [](const Machine& machine, const nb::sequence& instructions, std::string_view mode,
         std::optional<std::uint64_t> start, std::string_view unknown, std::uint32_t timeline,
         std::optional<std::uint64_t> timeline_from, const Aliasing* aliasing,
         std::optional<std::uint32_t> slots_before) {
        const std::vector<const Instruction*> pointers = to_pointers(instructions);
        const sim::ObserveOptions options{to_options(mode, unknown, start, aliasing, slots_before), timeline,
                                          timeline_from};
        const InterruptibleRelease release;
        return sim::observe(machine, pointers, options);
      },
      "machine"_a, "instructions"_a, "mode"_a = "loop", "start"_a = std::optional<std::uint64_t>(0),
      "unknown"_a = "bound", "timeline"_a = 0, "timeline_from"_a = nb::none(), "aliasing"_a = nb::none(),
      "slots_before"_a = nb::none(),
      "As simulate(), with the reason of each cycle. timeline: iterations to take down, from timeline_from on (None: "
      "in "
      "the steady state).\n\n"
      "Raises: UnknownFormError (unknown='error'), MachineModelError.",
      nb::sig("def observe(machine: Machine, instructions: collections.abc.Sequence[Instruction], mode: str = 'loop', "
              "start: int | None = 0, unknown: str = 'bound', timeline: int = 0, timeline_from: int | None = None, "
              "aliasing: Aliasing | None = None, slots_before: int | None = None) -> Observation"));
}

} // namespace

void register_simulate(nb::module_& m) {
  nb::class_<sim::Simulation>(m, "Simulation", "What a simulation found, per iteration.")
      .def_ro("cycles_per_iteration", &sim::Simulation::cycles_per_iteration)
      .def_ro("periodic", &sim::Simulation::periodic, "The pipeline's state was seen to repeat: the figure is exact.")
      .def_ro("simulated_cycles", &sim::Simulation::simulated_cycles)
      .def_ro("measured_iterations", &sim::Simulation::measured_iterations)
      .def_prop_ro(
          "span", [](const sim::Simulation& s) { return std::pair(s.span.first, s.span.last); },
          "The cycles at whose ends measuring began and ended.", nb::sig("def span(self) -> tuple[int, int]"))
      .def_ro("bottleneck", &sim::Simulation::bottleneck)
      .def_prop_ro(
          "stalls", [](const sim::Simulation& s) { return to_dict(s.stalls); },
          "Cycles by what rename did or waited for; they add up to cycles_per_iteration.",
          nb::sig("def stalls(self) -> dict[str, float]"))
      .def_prop_ro(
          "counters", [](const sim::Simulation& s) { return to_dict(s.counters); },
          nb::sig("def counters(self) -> dict[str, float]"))
      .def_ro("port_uops", &sim::Simulation::port_uops, "Uops by port and unit of the machine.")
      .def_prop_ro(
          "binding_ports",
          [](const sim::Simulation& s) {
            std::vector<std::size_t> out;
            for (std::size_t p = 0; p < s.port_uops.size(); ++p)
              if ((s.binding_ports >> p & 1) != 0) out.push_back(p);
            return out;
          },
          "Ports that are taken all the time by uops that can run nowhere else, as indices of the machine's resources.")
      .def_ro("unknown", &sim::Simulation::unknown, "Instructions without data.");
  m.def(
      "simulate",
      [](const Machine& machine, const nb::sequence& instructions, std::string_view mode,
         std::optional<std::uint64_t> start, std::string_view unknown, std::pair<std::int32_t, std::int32_t> span,
         const Aliasing* aliasing, std::optional<std::uint32_t> slots_before) {
        const std::vector<const Instruction*> pointers = to_pointers(instructions);
        sim::SimulateOptions options = to_options(mode, unknown, start, aliasing, slots_before);
        options.span = {span.first, span.second};
        const InterruptibleRelease release;
        return sim::simulate(machine, pointers, options);
      },
      "machine"_a, "instructions"_a, "mode"_a = "loop", "start"_a = std::optional<std::uint64_t>(0),
      "unknown"_a = "bound", "span"_a = std::pair(0, 0), "aliasing"_a = nb::none(), "slots_before"_a = nb::none(),
      "Simulate instructions as one iteration that is repeated. start: address of the first; None: its "
      "alignment is not known, so that it has no effects; span: the cycles to measure between, instead of until the "
      "state repeats; aliasing, slots_before: as for analyze().\n\n"
      "Raises: UnknownFormError (unknown='error'), MachineModelError.",
      nb::sig("def simulate(machine: Machine, instructions: collections.abc.Sequence[Instruction], mode: str = 'loop', "
              "start: int | None = 0, unknown: str = 'bound', span: tuple[int, int] = (0, 0), aliasing: Aliasing | "
              "None = None, slots_before: int | None = None) -> Simulation"));
  register_observation(m);
}

} // namespace corecast
