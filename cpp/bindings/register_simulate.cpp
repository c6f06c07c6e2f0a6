// Simulation of a region. The result mirrors cpp/sim/simulator.hpp; nothing is computed here.
#include "bindings.hpp"
#include "cpp/sim/simulator.hpp"
#include "mode_arguments.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

sim::SimulateOptions to_options(std::string_view mode, std::string_view unknown, std::optional<std::uint64_t> start) {
  sim::SimulateOptions options;
  options.mode = checked_mode(mode);
  options.unknown = checked_policy(unknown);
  options.start = start.value_or(0);
  options.aligned = start.has_value();
  return options;
}

nb::dict to_dict(const std::vector<std::pair<const char*, double>>& pairs) {
  nb::dict out;
  for (const auto& [name, value] : pairs)
    out[name] = value;
  return out;
}

} // namespace

void register_simulate(nb::module_& m) {
  nb::class_<sim::Simulation>(m, "Simulation", "What a simulation found, per iteration.")
      .def_ro("cycles_per_iteration", &sim::Simulation::cycles_per_iteration)
      .def_ro("periodic", &sim::Simulation::periodic, "The pipeline's state was seen to repeat: the figure is exact.")
      .def_ro("simulated_cycles", &sim::Simulation::simulated_cycles)
      .def_ro("measured_iterations", &sim::Simulation::measured_iterations)
      .def_prop_ro("span", [](const sim::Simulation& s) { return std::pair(s.span.first, s.span.last); },
                   "The cycles at whose ends measuring began and ended.", nb::sig("def span(self) -> tuple[int, int]"))
      .def_ro("bottleneck", &sim::Simulation::bottleneck)
      .def_prop_ro("stalls", [](const sim::Simulation& s) { return to_dict(s.stalls); },
                   "Cycles by what rename did or waited for; they add up to cycles_per_iteration.",
                   nb::sig("def stalls(self) -> dict[str, float]"))
      .def_prop_ro("counters", [](const sim::Simulation& s) { return to_dict(s.counters); },
                   nb::sig("def counters(self) -> dict[str, float]"))
      .def_ro("port_uops", &sim::Simulation::port_uops, "Uops by port and unit of the machine.")
      .def_ro("unknown", &sim::Simulation::unknown, "Instructions without data.");
  m.def(
      "simulate",
      [](const Machine& machine, const nb::sequence& instructions, std::string_view mode, std::optional<std::uint64_t> start,
         std::string_view unknown, std::pair<std::int32_t, std::int32_t> span) {
        std::vector<const Instruction*> pointers;
        pointers.reserve(nb::len(instructions));
        for (const nb::handle item : instructions)
          pointers.push_back(nb::cast<const Instruction*>(item));
        sim::SimulateOptions options = to_options(mode, unknown, start);
        options.span = {span.first, span.second};
        const nb::gil_scoped_release release;
        return sim::simulate(machine, pointers, options);
      },
      "machine"_a, "instructions"_a, "mode"_a = "loop", "start"_a = std::optional<std::uint64_t>(0), "unknown"_a = "nearest",
      "span"_a = std::pair(0, 0),
      "Simulate instructions as one iteration that is repeated. start: address of the first; None: its "
      "alignment is not known, so that it has no effects; span: the cycles to measure between, instead of until the state repeats.\n\n"
      "Raises: UnknownFormError (unknown='error'), MachineModelError.",
      nb::sig("def simulate(machine: Machine, instructions: collections.abc.Sequence[Instruction], mode: str = 'loop', "
              "start: int | None = 0, unknown: str = 'nearest', span: tuple[int, int] = (0, 0)) -> Simulation"));
}

} // namespace corecast
