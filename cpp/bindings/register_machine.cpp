// Machine models: pipeline parameters and form tables.
#include "bindings.hpp"
#include "cpp/base/error.hpp"
#include "cpp/llvm/listing.hpp"
#include "cpp/machine/machine.hpp"
#include "cpp/machine/pipeline/plain_toml.hpp"
#include "isa_argument.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

/// A value as tomllib gives it.
Value to_value(nb::handle object) {
  Value out;
  if (nb::isinstance<nb::bool_>(object)) { // before int: a bool is one
    out.data = nb::cast<bool>(object);
  } else if (nb::isinstance<nb::int_>(object) || nb::isinstance<nb::float_>(object)) {
    out.data = nb::cast<double>(object);
  } else if (nb::isinstance<nb::str>(object)) {
    out.data = nb::cast<std::string>(object);
  } else if (nb::isinstance<nb::dict>(object)) {
    Value::Table table;
    for (const auto& [key, item] : nb::cast<nb::dict>(object))
      table[nb::cast<std::string>(key)] = to_value(item);
    out.data = std::move(table);
  } else if (nb::isinstance<nb::list>(object)) {
    Value::List list;
    for (const nb::handle item : nb::cast<nb::list>(object))
      list.push_back(to_value(item));
    out.data = std::move(list);
  }
  return out; // dates and the like: no value
}

nb::dict to_dict(const TomlValue::Table& table);

struct ToObject {
  template <class Plain> nb::object operator()(const Plain& value) const { return nb::cast(value); }

  nb::object operator()(const TomlValue::List& values) const {
    nb::list out;
    for (const TomlValue& each : values)
      out.append(std::visit(*this, each.data));
    return out;
  }

  nb::object operator()(const TomlValue::Table& table) const { return to_dict(table); }
};

nb::dict to_dict(const TomlValue::Table& table) {
  nb::dict out;
  for (const auto& [key, value] : table)
    out[key.c_str()] = std::visit(ToObject{}, value.data);
  return out;
}

RegisterNames registers_of(Architecture architecture) {
  const Isa isa = architecture == Architecture::x86       ? Isa::x86
                  : architecture == Architecture::aarch64 ? Isa::aarch64
                                                          : Isa::riscv64;
  return {[isa](std::string_view name) { return register_number(isa, name); },
          [isa](RegisterId reg) { return register_name(isa, reg); }};
}

Architecture architecture_of(std::string_view isa) {
  switch (checked_isa(isa)) {
  case Isa::aarch64:
    return Architecture::aarch64;
  case Isa::riscv64:
    return Architecture::riscv64;
  case Isa::x86:
    break;
  }
  return Architecture::x86;
}

void translate(const std::exception_ptr& pointer, void*) {
  const auto raise = [](const char* type, const char* message, nb::object file, std::uint32_t line) {
    const nb::object error =
        nb::module_::import_("corecast.errors")
            .attr(type)(message, std::move(file), line == 0 ? nb::none() : nb::object(nb::int_(line)));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  };
  try {
    std::rethrow_exception(pointer);
  } catch (const ModelError& error) {
    raise("MachineModelError", error.what(), nb::cast(error.file), error.line);
  } catch (const UnknownFormError& error) {
    raise("UnknownFormError", error.what(), nb::none(), error.line);
  } catch (const SimulationLimitError& error) {
    raise("SimulationLimitError", error.what(), nb::none(), 0);
  } catch (const UnsupportedError& error) {
    raise("UnsupportedInstructionError", error.what(), nb::none(), error.line);
  }
}

std::vector<std::string> names_of(const Machine& machine, PortMask mask) {
  std::vector<std::string> out;
  for (std::size_t p = 0; p < machine.resources().size(); ++p)
    if ((mask >> p & 1) != 0) out.push_back(machine.resources()[p]);
  return out;
}

nb::tuple port_uses(const Machine& machine, const std::vector<PortUse>& uses) {
  nb::list out;
  for (const PortUse& use : uses) {
    nb::list names;
    for (const std::string& name : names_of(machine, use.mask))
      names.append(name);
    out.append(nb::make_tuple(use.count, nb::tuple(names)));
  }
  return nb::tuple(out);
}

std::string endpoint_name(const Machine& machine, OperandId id) {
  switch (id) {
  case operand_id::any:
    return "*";
  case operand_id::memory:
    return "mem";
  case operand_id::address:
    return "addr";
  case operand_id::index:
    return "index";
  case operand_id::flags:
    return "flags";
  case operand_id::mask:
    return "mask";
  default:
    break;
  }
  if (id >= operand_id::implicit_register)
    return machine.registers().name_of(static_cast<RegisterId>(id - operand_id::implicit_register));
  return std::to_string(id);
}

double access_cycles(const Machine& machine, const std::optional<std::string>& usage) {
  double cycles = 0;
  if (usage && !usage->empty())
    for (const PortUse& use : parse_port_usage(*usage, machine.port_names(), "memory"))
      cycles = std::max(cycles, use.count / std::max(1, std::popcount(use.mask)));
  return cycles;
}

/// A row as a dictionary of plain values; unknown fields are None.
nb::dict entry_dict(const Machine& machine, const FormEntry& entry) {
  nb::dict out;
  out["form"] = entry.key;
  out["ports"] = entry.ports_known ? nb::object(port_uses(machine, entry.ports)) : nb::none();
  out["blocking"] = port_uses(machine, entry.blocking);
  nb::list latency;
  for (const LatencyRule& rule : entry.latency)
    latency.append(
        nb::make_tuple(endpoint_name(machine, rule.source), endpoint_name(machine, rule.destination), rule.cycles));
  out["latency"] = entry.latency_known ? nb::object(nb::tuple(latency)) : nb::none();
  out["uops"] =
      entry.uops ? nb::object(nb::make_tuple(entry.uops->fused, entry.uops->unfused, entry.uops->retired)) : nb::none();
  nb::list flags;
  const FormFlags& set = entry.flags;
  for (const auto& [name, on] :
       {std::pair{"eliminated", set.eliminated}, std::pair{"zero_idiom", set.zero_idiom},
        std::pair{"dep_breaking", set.dependency_breaking}, std::pair{"microcoded", set.microcoded},
        std::pair{"locked", set.locked}, std::pair{"serializing", set.serializing},
        std::pair{"begins_group", set.begins_group}})
    if (on) flags.append(name);
  out["flags"] = nb::tuple(flags);
  out["rthroughput"] =
      entry.reciprocal_throughput_cycles ? nb::object(nb::float_(*entry.reciprocal_throughput_cycles)) : nb::none();
  out["source"] = entry.source;
  out["confidence"] = entry.confidence;
  out["file"] = entry.file;
  out["line"] = entry.line;
  return out;
}

} // namespace

void register_machine(nb::module_& m) {
  nb::register_exception_translator(translate);
  m.def(
      "extension_names", [](std::string_view isa) { return extension_names(architecture_of(isa)); }, "isa"_a,
      "Every ISA extension that some instruction needs, sorted.");
  m.def(
      "extension_title",
      [](std::string_view isa, std::string_view name) { return extension_title(architecture_of(isa), name); }, "isa"_a,
      "name"_a, "The name as people write it: AVX-512F for avx512f.");
  m.def(
      "requirement",
      [](std::string_view isa, const Instruction& instruction) {
        return requirements(architecture_of(isa))[instruction.requirement];
      },
      "isa"_a, "instruction"_a,
      "What an instruction needs: 'avx512f avx512vl' both, 'sve|sme' one of them, '' nothing.");
  m.def(
      "pipeline_faults",
      [](const nb::dict& pipeline) {
        std::vector<std::pair<std::string, std::string>> faults;
        for (const Fault& each : PipelineParameters::faults(to_value(pipeline)))
          faults.emplace_back(each.key, each.message);
        return faults;
      },
      "pipeline"_a, "What is wrong with a parsed pipeline.toml: keys, with dots, and messages that name them.",
      nb::sig("def pipeline_faults(pipeline: dict[str, object]) -> list[tuple[str, str]]"));
  m.def(
      "forms_by_confidence",
      [](const std::vector<std::string>& files) {
        std::vector<FormTable> tables;
        for (const std::string& file : files)
          tables.push_back(FormTable::read(file));
        return forms_by_confidence(tables);
      },
      "tables"_a, "Forms by the confidence of the row that counts; tables: files, the first that has a key wins.");
  m.def(
      "plain_toml",
      [](std::string_view text) -> nb::object {
        const std::optional<TomlValue::Table> keys = read_plain_toml(text);
        return keys ? nb::object(to_dict(*keys)) : nb::none();
      },
      "text"_a, "As tomllib.loads where the text keeps to the plain part of TOML; None where it does not, or is wrong.",
      nb::sig("def plain_toml(text: str) -> dict[str, object] | None"));

  nb::class_<Machine>(m, "Machine", "Pipeline parameters and form tables of one core; safe to use from many threads.")
      .def(
          "__init__",
          [](Machine* self, const nb::dict& pipeline, const std::vector<std::string>& tables, const std::string& file) {
            const PipelineParameters parameters = PipelineParameters::read(to_value(pipeline), file);
            std::vector<FormTable> read;
            for (const std::string& table : tables)
              read.push_back(FormTable::read(table));
            new (self) Machine(parameters, std::move(read), registers_of(parameters.architecture));
          },
          "pipeline"_a, "tables"_a, "file"_a = "pipeline.toml",
          "pipeline: a parsed pipeline.toml; tables: files of forms, the first that has a key wins; file: for "
          "messages.\n\n"
          "Raises: MachineModelError.",
          nb::sig("def __init__(self, pipeline: dict[str, object], tables: collections.abc.Sequence[str], "
                  "file: str = ...) -> None"))
      .def(
          "variant",
          [](const Machine& machine, const nb::dict& pipeline, const std::string& file) {
            return new Machine(machine, PipelineParameters::read(to_value(pipeline), file));
          },
          "pipeline"_a, "file"_a = "pipeline.toml", nb::rv_policy::take_ownership,
          "The same tables under other parameters; nothing is read again.\n\nRaises: MachineModelError.",
          nb::sig("def variant(self, pipeline: dict[str, object], file: str = ...) -> Machine"))
      .def_prop_ro(
          "vector_bits", [](const Machine& machine) { return machine.pipeline().vector_bits(); },
          "Vector length (SVE, RVV) where the code does not fix it.")
      .def_prop_ro(
          "rename_width", [](const Machine& machine) { return machine.pipeline().rename.width.value_or(1); },
          "Slots that rename hands on per cycle.")
      .def_prop_ro(
          "access_cycles",
          [](const Machine& machine) {
            const MemoryParameters& memory = machine.pipeline().memory;
            return std::pair{access_cycles(machine, memory.load_ports),
                             access_cycles(machine, memory.store_data_ports)};
          },
          "Reciprocal throughput of a plain load and of a plain store's data, by their ports; 0 where these are not "
          "known.")
      .def_prop_ro(
          "extensions",
          [](const Machine& machine) -> nb::object {
            const auto& names = machine.pipeline().extensions;
            if (!names) return nb::none();
            std::vector<std::string> sorted = *names;
            std::sort(sorted.begin(), sorted.end());
            return nb::cast(sorted);
          },
          "Extensions of the instruction set that the core has, sorted; None where the model does not list them.",
          nb::sig("def extensions(self) -> list[str] | None"))
      .def(
          "has_one_of",
          [](const Machine& machine, const std::vector<std::uint16_t>& requirements) {
            return std::any_of(requirements.begin(), requirements.end(),
                               [&](std::uint16_t each) { return machine.has(each); });
          },
          "requirements"_a, "Whether the core has what one of these needs (EnumeratedForm.requirements).")
      .def(
          "lacks",
          [](const Machine& machine, const Instruction& instruction) {
            const std::string* missing = machine.lacks(instruction);
            return missing == nullptr ? std::string() : *missing;
          },
          "instruction"_a,
          "What the core lacks to execute an instruction, 'AVX-512F'; '' where it can, or nothing is known.")
      .def_prop_ro("name", [](const Machine& machine) { return machine.pipeline().name; })
      .def_prop_ro("ports", [](const Machine& machine) { return machine.pipeline().ports; })
      .def_prop_ro("units", [](const Machine& machine) { return machine.pipeline().units; })
      .def_prop_ro(
          "integer_alu_ports",
          [](const Machine& machine) { return names_of(machine, machine.port_roles().integer_alu); },
          "Ports that do integer arithmetic; none where the model does not say.")
      .def_prop_ro(
          "vector_ports", [](const Machine& machine) { return names_of(machine, machine.port_roles().vectors); },
          "Ports of the units for vectors; none where the model does not say.")
      .def_prop_ro("resources", &Machine::resources, "Ports, then units: the columns of port pressure.")
      .def_prop_ro(
          "pipeline_detail",
          [](const Machine& machine) {
            constexpr std::array names{"widths", "partial", "most", "full"};
            return names.at(static_cast<std::size_t>(machine.pipeline().detail()));
          },
          "How much of the pipeline the model tells: widths, partial, most, full (every part that the simulator has).")
      .def_prop_ro(
          "missing_for_simulation",
          [](const Machine& machine) { return machine.pipeline().simulation_gaps().required; },
          "What the model does not say and no simulation can do without, in words; empty: the core can be simulated.")
      .def_prop_ro(
          "unlimited_in_simulation",
          [](const Machine& machine) { return machine.pipeline().simulation_gaps().unlimited; },
          "Parts of unknown size, in words: they never hold up the simulated core.")
      .def("keys", &Machine::keys, "Every form key, in the order of the files.")
      .def("check", &Machine::check, "Parse every row; 'file:line: message' for each malformed one.")
      .def("nearest_forms", &Machine::nearest_forms, "form"_a, "count"_a = 3,
           "Known keys nearest to a form: the same mnemonic first, then others of the same operation.")
      .def("similar_forms", &Machine::similar_forms, "form"_a, "count"_a = 3, "Known keys spelled like a form.")
      .def(
          "row",
          [](const Machine& machine, std::string_view key) -> nb::object {
            const auto row = machine.row_text(key);
            if (!row) return nb::none();
            return nb::make_tuple(row->text, row->file, row->line);
          },
          "form"_a, "(row as it stands in its file, file, line), None where there is none.",
          nb::sig("def row(self, form: str) -> tuple[str, str, int] | None"))
      .def(
          "find",
          [](const Machine& machine, std::string_view key) -> nb::object {
            const FormEntry* entry = machine.find(key);
            if (entry == nullptr) return nb::none();
            return entry_dict(machine, *entry);
          },
          "form"_a, "The row of exactly this key as a dictionary, None where there is none.",
          nb::sig("def find(self, form: str) -> dict[str, object] | None"))
      .def(
          "lookup",
          [](const Machine& machine, const Instruction& instruction) {
            const Lookup& found = machine.lookup(instruction);
            const char* status = found.status == LookupStatus::known     ? "known"
                                 : found.status == LookupStatus::derived ? "derived"
                                                                         : "unknown";
            return nb::make_tuple(status, found.entry ? nb::object(entry_dict(machine, *found.entry)) : nb::none(),
                                  found.note);
          },
          "instruction"_a, "(known | derived | unknown, row or None, how it was derived).",
          nb::sig("def lookup(self, instruction: Instruction) -> tuple[str, dict[str, object] | None, str]"));
}

} // namespace corecast
