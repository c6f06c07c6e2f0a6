// LLVM's scheduling models and the enumeration of forms, for generators of machine model files.
#include "bindings.hpp"
#include "cpp/llvm/opcode_shapes.hpp"
#include "cpp/llvm/schedule.hpp"
#include "isa_argument.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

std::vector<std::uint8_t> as_vector(const nb::bytes& code) {
  const auto* data = static_cast<const std::uint8_t*>(code.data());
  return {data, data + code.size()};
}

std::string_view kind_name(OpcodeTest::Kind kind) {
  switch (kind) {
  case OpcodeTest::Kind::same_register:
    return "same_register";
  case OpcodeTest::Kind::present_register:
    return "present_register";
  case OpcodeTest::Kind::register_called:
    return "register_called";
  case OpcodeTest::Kind::immediate:
    return "immediate";
  case OpcodeTest::Kind::not_immediate:
    return "not_immediate";
  case OpcodeTest::Kind::locked:
    break;
  }
  return "locked";
}

} // namespace

void register_schedule(nb::module_& m) {
  m.attr("llvm_version") = llvm_version();
  nb::class_<ScheduleResource>(m, "ScheduleResource", "A processor resource of LLVM's model: units, or a group.")
      .def_ro("name", &ScheduleResource::name)
      .def_ro("units", &ScheduleResource::units)
      .def_ro("buffer_size", &ScheduleResource::buffer_size)
      .def_ro("members", &ScheduleResource::members, "Resources of a group; empty for a plain unit.");
  nb::class_<ScheduleUse>(m, "ScheduleUse")
      .def_ro("resource", &ScheduleUse::resource)
      .def_ro("cycles", &ScheduleUse::cycles, "Cycles of occupancy, members of a group already subtracted.");
  nb::class_<ScheduleLatency>(m, "ScheduleLatency")
      .def_ro("destination", &ScheduleLatency::destination, "Operand id, 0 for any.")
      .def_ro("cycles", &ScheduleLatency::cycles);
  nb::class_<ScheduleAdvance>(m, "ScheduleAdvance", "Cycles by which a source may arrive later than issue.")
      .def_ro("source", &ScheduleAdvance::source)
      .def_ro("from_any", &ScheduleAdvance::from_any)
      .def_ro("from_same", &ScheduleAdvance::from_same);
  nb::class_<ScheduleEntry>(m, "ScheduleEntry", "What LLVM's model says of one instruction.")
      .def_ro("known", &ScheduleEntry::known)
      .def_ro("micro_ops", &ScheduleEntry::micro_ops)
      .def_ro("latencies", &ScheduleEntry::latencies)
      .def_ro("advances", &ScheduleEntry::advances)
      .def_ro("uses", &ScheduleEntry::uses)
      .def_ro("instruction", &ScheduleEntry::instruction)
      .def_ro("opcode", &ScheduleEntry::opcode);
  nb::class_<Schedule>(m, "Schedule", "LLVM's scheduling model of one CPU.")
      .def(
          "__init__",
          [](Schedule* self, std::string_view isa, std::string_view cpu) {
            new (self) Schedule(checked_isa(isa), cpu);
          },
          "isa"_a, "cpu"_a)
      .def_prop_ro("issue_width", &Schedule::issue_width)
      .def_prop_ro("micro_op_buffer_size", &Schedule::micro_op_buffer_size)
      .def_prop_ro("load_latency", &Schedule::load_latency)
      .def_prop_ro("mispredict_penalty", &Schedule::mispredict_penalty)
      .def_prop_ro("reorder_buffer_size", &Schedule::reorder_buffer_size)
      .def_prop_ro("retire_width", &Schedule::retire_width)
      .def_prop_ro("resources", &Schedule::resources)
      .def(
          "entry",
          [](const Schedule& self, const nb::bytes& code, std::string_view lmul, unsigned element_bits) {
            return self.entry(as_vector(code), lmul, element_bits);
          },
          "code"_a, "lmul"_a = "", "element_bits"_a = 0, "What the model says of the instruction encoded in `code`.");
  m.def(
      "scheduled_cpus",
      [](std::string_view isa) {
        std::vector<std::pair<std::string, unsigned>> result;
        for (ScheduledCpu& cpu : scheduled_cpus(checked_isa(isa)))
          result.emplace_back(std::move(cpu.name), cpu.model);
        return result;
      },
      "isa"_a, "(CPU that LLVM has a scheduling model of, number of the model): CPUs of one number share one model.");
  nb::class_<EnumeratedForm>(m, "EnumeratedForm")
      .def_ro("form", &EnumeratedForm::form)
      .def_ro("opcode", &EnumeratedForm::opcode, "LLVM's name of the opcode.")
      .def_ro("requirements", &EnumeratedForm::requirements,
              "What its encodings need, by number; one of them suffices.")
      .def_prop_ro("code", [](const EnumeratedForm& f) { return nb::bytes(f.code.data(), f.code.size()); });
  m.def(
      "enumerate_forms", [](std::string_view isa) { return enumerate_forms(checked_isa(isa)); }, "isa"_a,
      "Every instruction form found by decoding varied encodings, each with an example. Takes some seconds.");
  m.def(
      "enumerate_opcodes", [](std::string_view isa) { return enumerate_opcodes(checked_isa(isa)); }, "isa"_a,
      "Every opcode of LLVM's found by decoding varied encodings, each with an example. Takes some seconds.");
  nb::class_<OpcodeTest>(m, "OpcodeTest", "A test of one operand of LLVM's MCInst.")
      .def_prop_ro(
          "kind", [](const OpcodeTest& test) { return kind_name(test.kind); },
          "same_register, present_register, register_called, immediate, not_immediate or locked.")
      .def_ro("operand", &OpcodeTest::operand, "Place in the MCInst.")
      .def_ro("value", &OpcodeTest::value, "The number that is asked for, or the place of the other register.")
      .def_ro("name", &OpcodeTest::name, "LLVM's name of the register that is asked for.");
  nb::class_<OpcodeCase>(m, "OpcodeCase", "An instruction of an opcode that a core may treat differently.")
      .def_ro("tests", &OpcodeCase::tests, "What it passes; none for the plain instruction.")
      .def_ro("instruction", &OpcodeCase::instruction);
  nb::class_<OpcodeShape>(m, "OpcodeShape", "An opcode as LLVM's scheduling models see it.")
      .def_ro("opcode", &OpcodeShape::opcode, "LLVM's name.")
      .def_ro("twins", &OpcodeShape::twins, "Other names of the same instruction, for the compiler alone.")
      .def_ro("writes", &OpcodeShape::writes,
              "Operand ids of the explicit definitions, then of the implicit ones; 0 where none of ours.")
      .def_ro("reads", &OpcodeShape::reads,
              "Operand ids of the places behind the definitions, then of the implicit uses; 0 where none of ours.")
      .def_ro("cases", &OpcodeShape::cases, "The plain instruction first; of the others the first that passes counts.");
  m.def(
      "opcode_shapes", [](std::string_view isa) { return opcode_shapes(checked_isa(isa)); }, "isa"_a,
      "The shape of every opcode that some encoding decodes to, but for pseudo instructions. Takes some seconds.");
  m.def(
      "has_opcode", [](std::string_view isa, std::string_view start) { return has_opcode(checked_isa(isa), start); },
      "isa"_a, "start"_a, "Whether the name of some opcode of LLVM's begins so, whatever the case.");
  m.def(
      "cpu_features", [](std::string_view isa, std::string_view cpu) { return cpu_features(checked_isa(isa), cpu); },
      "isa"_a, "cpu"_a, "Features that LLVM gives a CPU, by LLVM's names; empty where it does not know the CPU.");
}

} // namespace corecast
