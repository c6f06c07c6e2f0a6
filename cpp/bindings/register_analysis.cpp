// Static analysis of a region. The result classes mirror cpp/bounds/analyze.hpp; nothing is computed here.
#include "bindings.hpp"
#include "cpp/bounds/analyze.hpp"
#include "cpp/lower/code_before.hpp"
#include "cpp/lower/edges.hpp"
#include "cpp/machine/machine.hpp"
#include "instructions_argument.hpp"
#include "interruptible.hpp"
#include "mode_arguments.hpp"
#include "shared.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <bit>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

using Instructions = std::vector<const Instruction*>;

AnalyzeOptions to_options(std::string_view mode, std::string_view unknown, std::optional<std::uint64_t> start,
                          bool uniform_ports) {
  AnalyzeOptions options;
  options.mode = checked_mode(mode);
  options.unknown = checked_policy(unknown);
  options.aligned = start.has_value();
  options.start_offset = start.value_or(0);
  options.uniform_ports = uniform_ports;
  return options;
}

const char* status_name(LookupStatus status) {
  switch (status) {
  case LookupStatus::known:
    return "known";
  case LookupStatus::derived:
    return "derived";
  case LookupStatus::unknown:
    return "unknown";
  }
  return "unknown";
}

const char* kind_name(DependencyKind kind) {
  switch (kind) {
  case DependencyKind::reg:
    return "register";
  case DependencyKind::flags:
    return "flags";
  case DependencyKind::memory:
    return "memory";
  case DependencyKind::address:
    return "address";
  }
  return "register";
}

nb::tuple matrix(const PortDistribution& ports) {
  const std::size_t rows = ports.ports == 0 ? 0 : ports.pressure.size() / ports.ports;
  SharedFloats cycles;
  Shared<std::string_view, nb::tuple (*)(const nb::list&)> shared([](const nb::list& row) { return nb::tuple(row); });
  nb::list out;
  for (std::size_t i = 0; i < rows; ++i) {
    nb::list row;
    for (std::size_t p = 0; p < ports.ports; ++p)
      row.append(cycles.of(ports.at(i, p)));
    const auto* bytes = reinterpret_cast<const char*>(ports.pressure.data() + i * ports.ports);
    out.append(shared.of(std::string_view(bytes, ports.ports * sizeof(double)), row));
  }
  return nb::tuple(out);
}

std::vector<unsigned> bits(PortMask mask) {
  std::vector<unsigned> out;
  for (; mask != 0; mask &= mask - 1)
    out.push_back(static_cast<unsigned>(std::countr_zero(mask)));
  return out;
}

nb::list edge_tuples(const std::vector<ReportedEdge>& edges) {
  SharedIntegers numbers;
  SharedFloats cycles;
  SharedTexts texts;
  nb::list out;
  for (const ReportedEdge& edge : edges)
    out.append(nb::make_tuple(numbers.of(edge.producer), numbers.of(edge.consumer), cycles.of(edge.cycles),
                              edge.distance, texts.of(kind_name(edge.kind)), texts.of(edge.location)));
  return out;
}

/// An analysis with what its edges need to be told.
struct BoundAnalysis {
  Analysis analysis;
  std::vector<ReportedEdge> edges;
};

void register_rows(nb::module_& m) {
  nb::class_<InstructionAnalysis>(m, "InstructionAnalysis", "What the analysis says of one instruction.")
      .def_prop_ro("status", [](const InstructionAnalysis& row) { return status_name(row.lookup->status); })
      .def_prop_ro(
          "matched_form", [](const InstructionAnalysis& row) { return row.entry ? row.entry->key : std::string(); },
          "Key of the row that was used, '' where none.")
      .def_prop_ro("source",
                   [](const InstructionAnalysis& row) { return row.entry ? row.entry->source : std::string(); })
      .def_prop_ro("confidence",
                   [](const InstructionAnalysis& row) { return row.entry ? row.entry->confidence : std::string(); })
      .def_ro("nearest", &InstructionAnalysis::nearest, "Unknown forms: the nearest known ones.")
      .def_ro("fused_uops", &InstructionAnalysis::fused_uops)
      .def_ro("latency_cycles", &InstructionAnalysis::latency_cycles,
              nb::sig("def latency_cycles(self) -> float | None"))
      .def_ro("reciprocal_throughput_cycles", &InstructionAnalysis::reciprocal_throughput_cycles,
              nb::sig("def reciprocal_throughput_cycles(self) -> float | None"),
              "Of the instruction alone: measured, else what its ports and units take; None where unknown.")
      .def_ro("fused_first", &InstructionAnalysis::fused_first)
      .def_ro("fused_second", &InstructionAnalysis::fused_second)
      .def_ro("note", &InstructionAnalysis::note);
  nb::class_<PortDistribution>(m, "PortDistribution", "Cycles by instruction and port.")
      .def_prop_ro("pressure", &matrix, "One tuple per instruction.",
                   nb::sig("def pressure(self) -> tuple[tuple[float, ...], ...]"))
      .def_ro("totals", &PortDistribution::totals)
      .def_ro("bound", &PortDistribution::bound)
      .def_prop_ro(
          "limiting", [](const PortDistribution& ports) { return bits(ports.limiting); },
          "Indices of the limiting ports.");
  nb::class_<FrontendResult>(m, "FrontendResult", "Front-end bounds.")
      .def_ro("bound", &FrontendResult::bound)
      .def_prop_ro(
          "components",
          [](const FrontendResult& result) {
            nb::dict out;
            for (const auto& [name, cycles] : result.components)
              out[name.c_str()] = cycles;
            return out;
          },
          nb::sig("def components(self) -> dict[str, float]"))
      .def_ro("limiting", &FrontendResult::limiting)
      .def_ro("fused_uops", &FrontendResult::fused_uops)
      .def_ro("supplier", &FrontendResult::supplier);
  nb::class_<DependencyChain>(m, "DependencyChain", "A chain of instructions and the cycles each adds.")
      .def_ro("cycles", &DependencyChain::cycles)
      .def_ro("distance", &DependencyChain::distance)
      .def_ro("instructions", &DependencyChain::instructions)
      .def_ro("instruction_cycles", &DependencyChain::instruction_cycles);
}

} // namespace

void register_analysis(nb::module_& m) {
  register_rows(m);
  nb::class_<BoundAnalysis>(m, "Analysis", "Static analysis of one region.")
      .def_prop_ro(
          "instructions", [](const BoundAnalysis& a) -> const auto& { return a.analysis.instructions; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "balanced", [](const BoundAnalysis& a) -> const auto& { return a.analysis.balanced; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "uniform", [](const BoundAnalysis& a) -> const auto& { return a.analysis.uniform; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "ordered", [](const BoundAnalysis& a) { return a.analysis.ordered ? &*a.analysis.ordered : nullptr; },
          nb::rv_policy::reference_internal, nb::sig("def ordered(self) -> PortDistribution | None"),
          "As the core takes ports in program order, where what it took last decides: the bound is made of it.")
      .def_prop_ro(
          "uniform_ports", [](const BoundAnalysis& a) { return a.analysis.uniform_ports; },
          "Whether equal shares are what the ports' bound is made of: asked for, or since the core takes ports in "
          "turn.")
      .def_prop_ro(
          "frontend", [](const BoundAnalysis& a) -> const auto& { return a.analysis.frontend; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "critical_path", [](const BoundAnalysis& a) -> const auto& { return a.analysis.critical_path; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "loop_carried", [](const BoundAnalysis& a) -> const auto& { return a.analysis.loop_carried; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "edges", [](const BoundAnalysis& a) { return edge_tuples(a.edges); },
          "(producer, consumer, cycles, distance, kind, location).",
          nb::sig("def edges(self) -> list[tuple[int, int, float, int, str, str]]"))
      .def_prop_ro(
          "bounds",
          [](const BoundAnalysis& a) {
            nb::dict out;
            for (const Bound& bound : a.analysis.bounds)
              out[bound.name.c_str()] = bound.cycles;
            return out;
          },
          nb::sig("def bounds(self) -> dict[str, float]"))
      .def_prop_ro(
          "estimates",
          [](const BoundAnalysis& a) {
            std::vector<std::string> out;
            for (const Bound& bound : a.analysis.bounds)
              if (bound.kind == BoundKind::estimate) out.push_back(bound.name);
            return out;
          },
          "Names of the bounds that are right on average: a simulation may undercut them.")
      .def_prop_ro(
          "proven_cycles", [](const BoundAnalysis& a) { return a.analysis.proven_cycles; },
          "What no order of events undercuts, in cycles per iteration.")
      .def_prop_ro(
          "proven_throughput_cycles", [](const BoundAnalysis& a) { return a.analysis.proven_throughput_cycles; },
          "The same of ports and front end alone, as if every dependency were hidden.")
      .def_prop_ro("cycles_per_iteration", [](const BoundAnalysis& a) { return a.analysis.cycles_per_iteration; })
      .def_prop_ro("bottleneck", [](const BoundAnalysis& a) { return a.analysis.bottleneck; })
      .def_prop_ro("warnings", [](const BoundAnalysis& a) { return a.analysis.warnings; });

  m.def(
      "analyze",
      [](const Machine& machine, const nb::sequence& instructions, std::string_view mode, std::string_view unknown,
         std::optional<std::uint64_t> start, bool uniform_ports, const Aliasing* aliasing,
         std::optional<std::uint32_t> slots_before) {
        const Instructions pointers = to_pointers(instructions);
        AnalyzeOptions options = to_options(mode, unknown, start, uniform_ports);
        options.slots_before = slots_before;
        if (aliasing != nullptr) options.aliasing = *aliasing;
        const InterruptibleRelease release;
        BoundAnalysis out{analyze(machine, pointers, options), {}};
        out.edges = reported_edges(machine, pointers, out.analysis.graph);
        return out;
      },
      "machine"_a, "instructions"_a, "mode"_a = "loop", "unknown"_a = "bound", "start"_a = nb::none(),
      "uniform_ports"_a = false, "aliasing"_a = nb::none(), "slots_before"_a = nb::none(), nb::keep_alive<0, 1>(),
      "Analyze instructions as one iteration. start: address of the first where alignment is known, else None; "
      "aliasing: which accesses through different registers meet, None: none; slots_before: as slots_before() says, "
      "None: guessed from the start.\n\n"
      "Raises: UnknownFormError (unknown='error'), MachineModelError.",
      nb::sig("def analyze(machine: Machine, instructions: collections.abc.Sequence[Instruction], mode: str = 'loop', "
              "unknown: str = 'bound', start: int | None = None, uniform_ports: bool = False, aliasing: Aliasing | "
              "None = None, slots_before: int | None = None) -> Analysis"));
  m.def(
      "slots_before",
      [](const Machine& machine, const nb::sequence& instructions, std::uint64_t end) {
        return slots_before(machine, to_pointers(instructions), end);
      },
      "machine"_a, "instructions"_a, "end"_a,
      "Slots of the uop cache's lines that code takes of the block of code in which the address behind it lies; what "
      "starts there goes on in the same line.\n\n"
      "Raises: MachineModelError.",
      nb::sig("def slots_before(machine: Machine, instructions: collections.abc.Sequence[Instruction], end: int) -> "
              "int"));
  m.def("too_many_unknown", &too_many_unknown, "unknown"_a, "instructions"_a,
        "Whether this many instructions without data are too many for a figure.");
  m.attr("MOST_UNKNOWN_SHARE") = most_unknown_share;
  m.def(
      "predict",
      [](const Machine& machine, const nb::sequence& instructions, std::string_view mode, std::string_view unknown,
         std::optional<std::uint64_t> start) {
        const Instructions pointers = to_pointers(instructions);
        const AnalyzeOptions options = to_options(mode, unknown, start, false);
        Prediction out;
        {
          const InterruptibleRelease release;
          out = predict(machine, pointers, options);
        }
        return nb::make_tuple(out.cycles_per_iteration, out.bottleneck, out.known, out.derived, out.unknown);
      },
      "machine"_a, "instructions"_a, "mode"_a = "loop", "unknown"_a = "bound", "start"_a = nb::none(),
      "The bare prediction: (cycles per iteration, bottleneck, known, derived, unknown instructions).",
      nb::sig("def predict(machine: Machine, instructions: collections.abc.Sequence[Instruction], mode: str = 'loop', "
              "unknown: str = 'bound', start: int | None = None) -> tuple[float, str, int, int, int]"));
}

} // namespace corecast
