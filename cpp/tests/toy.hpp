// Machines and instructions made by hand: the core is tested without any decoder.
#pragma once

#include "cpp/bounds/analyze.hpp"
#include "cpp/isa/traits.hpp"
#include "cpp/machine/machine.hpp"

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace corecast::toy {

/// The front end joins instructions of these names.
inline Rule fusing(std::vector<std::string> first, std::vector<std::string> second) {
  Rule rule;
  rule.effect = Effect::fuse;
  rule.producer.mnemonics = std::move(first);
  rule.consumer.mnemonics = std::move(second);
  return rule;
}

// Locations as small numbers; names only for implicit registers.
enum : RegisterId { rax = 1, rbx, rcx, rdx, rsi, rdi, rsp, xmm0, xmm1, xmm2, cf = 40, zf = 41 };

inline RegisterNames registers() {
  static const std::vector<std::pair<std::string, RegisterId>> names{
      {"rax", rax}, {"rbx", rbx}, {"rcx", rcx}, {"rdx", rdx},   {"rsi", rsi},   {"rdi", rdi},
      {"rsp", rsp}, {"cf", cf},   {"zf", zf},   {"xmm0", xmm0}, {"xmm1", xmm1}, {"xmm2", xmm2}};
  return {[](std::string_view text) {
            for (const auto& [name, id] : names)
              if (name == text) return id;
            return RegisterId{0};
          },
          [](RegisterId reg) {
            for (const auto& [name, id] : names)
              if (id == reg) return name;
            return std::string();
          }};
}

inline const std::string header =
    "form\tports\tblocking\tlatency\tuops\tdecode\tflags\trthroughput\tsource\tconfidence\n";

/// A row with form, ports, latency; the rest as in "1 uop, from the tests".
inline std::string row(const std::string& form, const std::string& ports, const std::string& latency,
                       const std::string& uops = "1", const std::string& flags = "", const std::string& blocking = "",
                       const std::string& decode = "", const std::string& throughput = "") {
  return form + "\t" + ports + "\t" + blocking + "\t" + latency + "\t" + uops + "\t" + decode + "\t" + flags + "\t" +
         throughput + "\ttest\tdocumented\n";
}

inline PipelineParameters pipeline() {
  PipelineParameters out;
  out.name = "toy";
  out.ports = {"0", "1", "2", "3", "4", "5", "6", "7"};
  out.front_end.stack_engine = false;
  out.port_groups["ALU"] = {"0", "1", "5", "6"};
  out.units = {"DIV"};
  out.rename.width = 4;
  out.back_end.retire_width = 4;
  out.memory.load_latency_cycles = 5;
  out.memory.store_forward_latency_cycles = 4;
  out.memory.load_ports = "1*p23";
  out.memory.store_address_ports = "1*p237";
  out.memory.store_data_ports = "1*p4";
  return out;
}

/// Tables of these texts, called a.tsv, b.tsv and so on.
inline std::vector<FormTable> tables(const std::vector<std::string>& texts) {
  std::vector<FormTable> out;
  for (const std::string& text : texts)
    out.emplace_back(std::string(1, static_cast<char>('a' + out.size())) + ".tsv", FileText(text));
  return out;
}

inline std::unique_ptr<Machine> machine(const std::string& rows, PipelineParameters parameters = pipeline()) {
  return std::make_unique<Machine>(std::move(parameters), tables({header + rows}), registers());
}

struct Reg {
  RegisterId reg;
  bool read;
  bool write;
  Part part = Part::full;
};
inline Reg in(RegisterId reg, Part part = Part::full) {
  return {reg, true, false, part};
}
inline Reg out(RegisterId reg, Part part = Part::full) {
  return {reg, false, true, part};
}
inline Reg inout(RegisterId reg, Part part = Part::full) {
  return {reg, true, true, part};
}

/// Builds an instruction: explicit operands get the identities 1, 2, ... in order.
class Builder {
public:
  explicit Builder(const std::string& form) {
    instruction_.form = instruction_.text = form;
    instruction_.mnemonic = form.substr(0, form.find(' '));
    instruction_.length_bytes = 4;
  }

  Builder& operands(std::initializer_list<Reg> list) {
    for (const Reg& reg : list)
      add(next_++, reg, false);
    return *this;
  }
  Builder& flags(bool read, bool write) {
    add(operand_id::flags, {zf, read, write, Part::full}, true);
    return *this;
  }
  Builder& implicit(const Reg& reg) {
    add(static_cast<OperandId>(operand_id::implicit_register + reg.reg), reg, true);
    return *this;
  }
  /// An access at base + displacement; takes an operand position.
  Builder& memory(RegisterId base, std::int64_t displacement, std::uint32_t width, bool read, bool write) {
    MemoryAccess access;
    access.base = base;
    access.displacement = displacement;
    access.width_bytes = width;
    access.read = read;
    access.write = write;
    instruction_.memory.push_back(access);
    if (base != 0) add(operand_id::address, toy::in(base), false);
    Operand operand;
    operand.id = operand_id::memory;
    operand.kind = OperandKind::mem;
    operand.read = read;
    operand.write = write;
    instruction_.operands.push_back(operand);
    ++next_;
    return *this;
  }
  Builder& index(RegisterId reg, std::uint8_t scale) {
    instruction_.memory.back().index = reg;
    instruction_.memory.back().scale = scale;
    instruction_.indexed = true;
    add(operand_id::index, toy::in(reg), false);
    return *this;
  }
  Builder& immediate() {
    Operand operand;
    operand.id = next_++;
    operand.kind = OperandKind::imm;
    instruction_.operands.push_back(operand);
    return *this;
  }
  Builder& affine(RegisterId reg, std::int64_t constant, std::vector<AffineTerm> terms) {
    instruction_.affine.push_back({reg, constant, std::move(terms)});
    return *this;
  }
  Builder& branch() {
    instruction_.branch = Branch::conditional;
    return *this;
  }
  Builder& same() {
    instruction_.same_register = true;
    return *this;
  }
  Builder& length(std::uint8_t bytes) {
    instruction_.length_bytes = bytes;
    return *this;
  }
  Builder& mnemonic(const std::string& name) {
    instruction_.mnemonic = name;
    return *this;
  }
  operator Instruction() const {
    Instruction out = instruction_;
    out.traits = traits_of(out, true);
    return out;
  }

private:
  void add(OperandId id, const Reg& reg, bool implicit) {
    Operand operand;
    operand.id = id;
    operand.implicit = implicit;
    operand.read = reg.read;
    operand.write = reg.write;
    operand.registers.push_back({reg.reg, reg.part, reg.read, reg.write});
    instruction_.operands.push_back(std::move(operand));
  }

  Instruction instruction_;
  OperandId next_ = 1;
};

inline Instruction add_immediate(RegisterId reg, std::int64_t amount) {
  return Builder("add r64, i8").operands({inout(reg)}).immediate().flags(false, true).affine(reg, amount, {{reg, 1}});
}
inline Instruction load(RegisterId to, RegisterId base, std::int64_t displacement = 0) {
  return Builder("mov r64, m64").operands({out(to)}).memory(base, displacement, 8, true, false);
}
inline Instruction store(RegisterId base, RegisterId from, std::int64_t displacement = 0) {
  return Builder("mov m64, r64").memory(base, displacement, 8, false, true).operands({in(from)});
}

/// A region with pointers to its instructions, as the core takes them.
struct Code {
  std::vector<Instruction> instructions;
  std::vector<const Instruction*> pointers;

  Code(std::initializer_list<Instruction> list) : Code(std::vector<Instruction>(list)) {}
  explicit Code(std::vector<Instruction> list) : instructions(std::move(list)) {
    for (const Instruction& instruction : instructions)
      pointers.push_back(&instruction);
  }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
};

/// Rows that most tests need.
inline const std::string basic_rows =
    row("add r64, i8", "1*ALU", "*->*:1") + row("add r64, r64", "1*ALU", "*->*:1") +
    row("imul r64, r64", "1*p1", "*->*:3") + row("mov r64, m64", "1*p23", "addr->1:5") +
    row("mov m64, r64", "1*p237+1*p4", "2->mem:4;addr->mem:4", "1/2/1") +
    row("mov r64, r64", "", "2->1:0", "1", "eliminated") + row("cmp r64, r64", "1*ALU", "*->flags:1") +
    row("jne rel", "1*p06", "") + row("xor r32, r32", "1*ALU", "*->*:1") +
    row("xor r32, r32 @same", "", "", "1", "zero_idiom") + row("mov r8, r8", "1*ALU", "2->1:1") +
    row("push r64", "1*p237+1*p4", "1->mem:4", "1/2/1");

/// The row of each instruction, nullptr where there is none.
inline std::vector<const FormEntry*> entries_of(const Machine& machine, const Code& code) {
  const Recycled<const FormEntry*> found =
      entries_of(find_costings(machine, code.pointers, UnknownPolicy::bound, LoopMode::loop));
  return {found.begin(), found.end()};
}

} // namespace corecast::toy
