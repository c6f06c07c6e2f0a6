// Reading code: text or bytes -> Listing of Instructions.
#include "bindings.hpp"
#include "cpp/llvm/demangle.hpp"
#include "cpp/llvm/listing.hpp"
#include "isa_argument.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace corecast {
namespace {

std::string operand_name(OperandId id) {
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
    return std::to_string(id);
  }
}

const char* branch_name(Branch branch) {
  switch (branch) {
  case Branch::none:
    return "none";
  case Branch::conditional:
    return "conditional";
  case Branch::unconditional:
    return "unconditional";
  case Branch::indirect:
    return "indirect";
  case Branch::call:
    return "call";
  case Branch::ret:
    return "ret";
  }
  return "none";
}

const char* kind_name(OperandKind kind) {
  switch (kind) {
  case OperandKind::reg:
    return "reg";
  case OperandKind::mem:
    return "mem";
  case OperandKind::imm:
    return "imm";
  case OperandKind::label:
    return "label";
  case OperandKind::other:
    return "other";
  }
  return "other";
}

const char* part_name(Part part) {
  switch (part) {
  case Part::full:
    return "full";
  case Part::low32:
    return "low32";
  case Part::low16:
    return "low16";
  case Part::low8:
    return "low8";
  case Part::high8:
    return "high8";
  }
  return "full";
}

const char* write_back_name(WriteBack write_back) {
  return write_back == WriteBack::pre ? "pre" : write_back == WriteBack::post ? "post" : "none";
}

nb::bytes as_bytes(const std::vector<std::uint8_t>& bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

} // namespace

void register_reading(nb::module_& m) {
  nb::class_<RegisterUse>(m, "RegisterUse", "One location that an operand touches.")
      .def_ro("reg", &RegisterUse::reg, "Location number (see register_name).")
      .def_prop_ro(
          "part", [](const RegisterUse& use) { return part_name(use.part); }, "full, low32, low16, low8 or high8.")
      .def_ro("read", &RegisterUse::read)
      .def_ro("write", &RegisterUse::write);

  nb::class_<Operand>(m, "Operand",
                      "One operand: explicit ones count from 1, destination first; implicit ones are named.")
      .def_ro("id", &Operand::id)
      .def_prop_ro("name", [](const Operand& operand) { return operand_name(operand.id); })
      .def_prop_ro("kind", [](const Operand& operand) { return kind_name(operand.kind); })
      .def_ro("implicit", &Operand::implicit)
      .def_ro("read", &Operand::read)
      .def_ro("write", &Operand::write)
      .def_ro("registers", &Operand::registers);

  nb::class_<MemoryAccess>(m, "MemoryAccess", "One access to memory.")
      .def_ro("base", &MemoryAccess::base)
      .def_ro("index", &MemoryAccess::index)
      .def_ro("segment", &MemoryAccess::segment)
      .def_ro("vector_index", &MemoryAccess::vector_index)
      .def_ro("pc_relative", &MemoryAccess::pc_relative)
      .def_ro("scale", &MemoryAccess::scale)
      .def_ro("displacement", &MemoryAccess::displacement)
      .def_ro("symbol", &MemoryAccess::symbol)
      .def_ro("width_bytes", &MemoryAccess::width_bytes, "0 where unknown or given by the vector length.")
      .def_ro("read", &MemoryAccess::read)
      .def_ro("write", &MemoryAccess::write)
      .def_prop_ro("write_back", [](const MemoryAccess& access) { return write_back_name(access.write_back); });

  nb::class_<AffineTerm>(m, "AffineTerm")
      .def_ro("reg", &AffineTerm::reg)
      .def_ro("coefficient", &AffineTerm::coefficient);
  nb::class_<AffineValue>(m, "AffineValue", "A written register known as constant + sum of coefficient * old register.")
      .def_ro("reg", &AffineValue::reg)
      .def_ro("constant", &AffineValue::constant)
      .def_ro("terms", &AffineValue::terms);

  nb::class_<Instruction>(m, "Instruction", "One decoded instruction.")
      .def_ro("text", &Instruction::text, "Canonical text (Intel syntax for x86).")
      .def_ro("mnemonic", &Instruction::mnemonic)
      .def_ro("form", &Instruction::form, "Lookup key of machine models.")
      .def_ro("alternative_forms", &Instruction::alternative_forms)
      .def_ro("indexed", &Instruction::indexed)
      .def_ro("same_register", &Instruction::same_register)
      .def_prop_ro("zero_immediate", [](const Instruction& i) { return i.traits.zero_immediate; })
      .def_ro("unknown", &Instruction::unknown, "Whether the text or bytes could not be read.")
      .def_ro("operands", &Instruction::operands)
      .def_ro("memory", &Instruction::memory)
      .def_ro("affine", &Instruction::affine)
      .def_prop_ro("branch", [](const Instruction& i) { return branch_name(i.branch); })
      .def_ro("target", &Instruction::target)
      .def_ro("target_address", &Instruction::target_address)
      .def_ro("address", &Instruction::address)
      .def_ro("length_bytes", &Instruction::length_bytes)
      .def_ro("opcode_offset_bytes", &Instruction::opcode_offset_bytes)
      .def_ro("length_changing_prefix", &Instruction::length_changing_prefix)
      .def_ro("immediate_bits", &Instruction::immediate_bits)
      .def_ro("immediate_bytes", &Instruction::immediate_bytes, "Of immediates as they are encoded (x86).")
      .def_ro("displacement_bytes", &Instruction::displacement_bytes, "Of the address as it is encoded (x86).")
      .def_ro("macro_prefix", &Instruction::macro_prefix)
      .def_ro("line", &Instruction::line)
      .def_prop_ro("bytes", [](const Instruction& i) { return as_bytes(i.bytes); })
      .def("__repr__", [](const Instruction& i) { return "<Instruction " + i.text + ">"; });

  nb::class_<Label>(m, "Label")
      .def_ro("name", &Label::name)
      .def_ro("index", &Label::index, "Position in Listing.instructions before which it stands.")
      .def_ro("line", &Label::line);
  nb::class_<DataBytes>(m, "Data", "Bytes of data directives inside code.")
      .def_ro("index", &DataBytes::index)
      .def_ro("line", &DataBytes::line)
      .def_prop_ro("bytes", [](const DataBytes& d) { return as_bytes(d.bytes); });
  nb::class_<Problem>(m, "Problem", "What could not be read, and where (line of text, or byte offset).")
      .def_ro("line", &Problem::line)
      .def_ro("column", &Problem::column)
      .def_ro("message", &Problem::message)
      .def_ro("fatal", &Problem::fatal, "Whether reading stopped here.");
  nb::class_<Listing>(m, "Listing", "Instructions in order, with labels, data and problems.")
      .def_ro("instructions", &Listing::instructions)
      .def_ro("labels", &Listing::labels)
      .def_ro("data", &Listing::data)
      .def_ro("problems", &Listing::problems);

  m.def(
      "assemble",
      [](std::string_view isa_text, std::string_view text, std::string_view syntax) {
        const Isa isa = checked_isa(isa_text);
        if (!syntax.empty() && syntax != "att" && syntax != "intel")
          throw nb::value_error("syntax is 'att' or 'intel'");
        bool interrupted = false;
        const auto go_on = [&interrupted] {
          nb::gil_scoped_acquire acquire;
          interrupted = interrupted || PyErr_CheckSignals() != 0;
          return !interrupted;
        };
        Listing listing;
        {
          nb::gil_scoped_release release;
          listing = assemble(isa, text, syntax == "intel" ? Syntax::intel : Syntax::att, go_on);
        }
        if (interrupted) throw nb::python_error();
        return listing;
      },
      "isa"_a, "text"_a, "syntax"_a = "",
      "Read assembly text; illegal lines become problems and unknown instructions.");
  m.def(
      "disassemble",
      [](std::string_view isa_text, nb::bytes code, std::uint64_t address,
         const std::vector<std::pair<std::uint64_t, std::uint32_t>>& lines) {
        const Isa isa = checked_isa(isa_text);
        const auto* data = static_cast<const std::uint8_t*>(code.data());
        const std::size_t size = code.size();
        nb::gil_scoped_release release;
        Listing listing = disassemble(isa, data, size, address);
        set_lines(listing, address, lines);
        return listing;
      },
      "isa"_a, "code"_a, "address"_a = 0, "lines"_a = std::vector<std::pair<std::uint64_t, std::uint32_t>>(),
      "Decode bytes; undecodable ones become problems and unknown instructions. `lines` are the offsets, in order, "
      "from\n"
      "which code stands on a line of some text.");
  m.def(
      "demangle", [](std::string_view symbol) { return demangle(symbol); }, "symbol"_a,
      "The readable name of a mangled symbol (C++, Rust); '' where it is not mangled or cannot be read.");
  m.def(
      "mnemonics", [](std::string_view isa) { return mnemonics(checked_isa(isa)); }, "isa"_a,
      "Every mnemonic of an instruction set, sorted; for x86 those of both syntaxes.");
  m.def(
      "register_name", [](std::string_view isa, RegisterId reg) { return register_name(checked_isa(isa), reg); },
      "isa"_a, "reg"_a, "Name of a location: 'rax', 'zf', 'x0', 'z3', 'v8'; '' for 0.");
  m.def(
      "register_number",
      [](std::string_view isa, std::string_view name) { return register_number(checked_isa(isa), name); }, "isa"_a,
      "name"_a, "Number of a location, 0 where there is none of that name.");
}

} // namespace corecast
