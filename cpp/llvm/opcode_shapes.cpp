#include "opcode_shapes.hpp"

#include "describe.hpp"
#include "schedule.hpp"
#include "target.hpp"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace corecast {
namespace {

constexpr unsigned memory_operand_count = 5; // x86: base, scale, index, displacement, segment
constexpr unsigned index_of_memory = 2;
constexpr std::int64_t conditions = 16; // of x86
constexpr unsigned lock_flag = 16;      // of LLVM's MCInst for x86

using Kind = OpcodeTest::Kind;

/// The operand of ours that reads or writes a register of LLVM's; `any` where none does.
OperandId operand_of(const Target& target, const Instruction& instruction, llvm::MCRegister reg, bool write) {
  if (target.isa == Isa::x86 && target.registers->getName(reg) == std::string_view("EFLAGS")) { // flags are several
    const bool has = std::any_of(instruction.operands.begin(), instruction.operands.end(), [&](const Operand& operand) {
      return operand.id == operand_id::flags && (write ? operand.write : operand.read);
    });
    return has ? operand_id::flags : operand_id::any;
  }
  for (const RegisterId location : target.locations(reg))
    for (const Operand& operand : instruction.operands)
      for (const RegisterUse& use : operand.registers)
        if (use.reg == location && (write ? use.write : use.read)) return operand.id;
  return operand_id::any;
}

class ShapeMaker {
public:
  explicit ShapeMaker(Isa isa)
      : target_(Target::get(isa)),
        context_(target_.triple, target_.assembly.get(), target_.registers.get(), target_.subtarget.get()),
        decoder_(target_.target->createMCDisassembler(*target_.subtarget, context_)), describer_(target_, context_) {}

  std::optional<OpcodeShape> make(const EnumeratedForm& example) {
    const std::optional<llvm::MCInst> decoded = decode(example.code);
    if (!decoded) return std::nullopt;
    const llvm::MCInstrDesc& desc = target_.instructions->get(decoded->getOpcode());
    const int memory = memory_operand(desc);
    llvm::MCInst plain = *decoded;
    if (memory >= 0 && !is_vector_index(plain, memory)) set_register(plain, index_place(memory), llvm::MCRegister());
    OpcodeShape shape;
    shape.opcode = example.opcode;
    const Instruction instruction = describe(plain);
    if (instruction.unknown) return std::nullopt;
    fill_places(shape, plain, desc, instruction);
    shape.cases.push_back({{}, instruction});
    add_cases(shape, plain, desc, memory);
    return shape;
  }

private:
  std::optional<llvm::MCInst> decode(llvm::ArrayRef<std::uint8_t> code) const {
    llvm::MCInst inst;
    std::uint64_t length = 0;
    if (decoder_->getInstruction(inst, length, code, 0, llvm::nulls()) != llvm::MCDisassembler::Success)
      return std::nullopt;
    return inst;
  }

  Instruction describe(const llvm::MCInst& inst) {
    describer_.set_state({});
    return describer_.describe(inst, *target_.subtarget, 0);
  }

  /// The instruction as its encoding is decoded: LLVM's AArch64 printer may crash on operands that no encoding has.
  std::optional<llvm::MCInst> encodable(const llvm::MCInst& inst) {
    if (target_.isa == Isa::x86) return inst;
    const std::optional<llvm::MCInst> decoded = decode(describer_.encode(inst, *target_.subtarget));
    return decoded && decoded->getOpcode() == inst.getOpcode() ? decoded : std::nullopt;
  }

  /// First of the places of an address; -1 where there is none.
  int memory_operand(const llvm::MCInstrDesc& desc) const {
    if (target_.isa != Isa::x86) return -1;
    for (unsigned i = 0; i + memory_operand_count <= desc.getNumOperands(); ++i) {
      bool all = true;
      for (unsigned j = 0; j < memory_operand_count; ++j)
        all &= desc.operands()[i + j].OperandType == llvm::MCOI::OPERAND_MEMORY;
      if (all) return static_cast<int>(i);
    }
    const bool computes = target_.instructions->getName(desc.getOpcode()).starts_with("LEA");
    return computes && desc.getNumOperands() == 1 + memory_operand_count ? 1 : -1;
  }

  static unsigned index_place(int memory) { return static_cast<unsigned>(memory) + index_of_memory; }

  bool is_vector_index(const llvm::MCInst& inst, int memory) const {
    const llvm::MCRegister reg = inst.getOperand(index_place(memory)).getReg();
    const RegisterClass kind = target_.register_class(reg);
    return kind == RegisterClass::x86_xmm || kind == RegisterClass::x86_ymm || kind == RegisterClass::x86_zmm;
  }

  static void set_register(llvm::MCInst& inst, unsigned place, llvm::MCRegister reg) {
    inst.getOperand(place) = llvm::MCOperand::createReg(reg);
  }

  void fill_places(OpcodeShape& shape, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                   const Instruction& instruction) const {
    const unsigned places = std::min<unsigned>(desc.getNumOperands(), inst.getNumOperands());
    const auto at = [&](unsigned place, bool write) {
      const llvm::MCOperand& operand = inst.getOperand(place);
      const bool reg = operand.isReg() && operand.getReg();
      return reg ? operand_of(target_, instruction, operand.getReg(), write) : operand_id::any;
    };
    for (unsigned place = 0; place < desc.getNumDefs() && place < places; ++place)
      shape.writes.push_back(at(place, true));
    for (unsigned place = desc.getNumDefs(); place < places; ++place)
      shape.reads.push_back(at(place, false));
    for (const llvm::MCPhysReg reg : desc.implicit_defs())
      shape.writes.push_back(operand_of(target_, instruction, reg, true));
    for (const llvm::MCPhysReg reg : desc.implicit_uses())
      shape.reads.push_back(operand_of(target_, instruction, reg, false));
  }

  // --- instructions that differ from the plain one
  // --------------------------------------------------------------------

  void add(OpcodeShape& shape, const llvm::MCInst& inst, std::vector<OpcodeTest> tests) {
    Instruction instruction = describe(inst);
    if (!instruction.unknown) shape.cases.push_back({std::move(tests), std::move(instruction)});
  }

  void add_cases(OpcodeShape& shape, const llvm::MCInst& plain, const llvm::MCInstrDesc& desc, int memory) {
    const std::string_view name = shape.opcode;
    if (target_.isa == Isa::x86) {
      if (name.starts_with("LEA") && memory == 1) return add_computed_addresses(shape, plain);
      const bool has_condition = name.starts_with("CMOV") || name.starts_with("SETCC") || name.starts_with("JCC_");
      if (has_condition) add_conditions(shape, plain, desc.getNumOperands() - 1, memory);
      add_locked(shape, plain, memory);
      if (memory >= 0 && !has_condition && !is_vector_index(plain, memory)) add_indexed(shape, plain, memory);
    }
    if (memory < 0) add_same(shape, plain, desc);
    if (target_.isa == Isa::aarch64) add_zero(shape, plain, desc);
  }

  /// A general register that the instruction does not name.
  llvm::MCRegister free_register(const llvm::MCInst& inst) const {
    for (const char* name : {"r9", "r10", "r11", "r14"}) {
      const llvm::MCRegister reg = target_.register_named(name);
      const RegisterId location = target_.locations(reg).front();
      const bool used = std::any_of(inst.begin(), inst.end(), [&](const llvm::MCOperand& operand) {
        if (!operand.isReg() || !operand.getReg()) return false;
        const auto& locations = target_.locations(operand.getReg());
        return std::find(locations.begin(), locations.end(), location) != locations.end();
      });
      if (!used) return reg;
    }
    return {};
  }

  void add_indexed(OpcodeShape& shape, const llvm::MCInst& plain, int memory) {
    const llvm::MCRegister index = free_register(plain);
    llvm::MCInst inst = plain;
    const unsigned place = index_place(memory);
    set_register(inst, place, index);
    inst.getOperand(place - 1) = llvm::MCOperand::createImm(1);
    inst.getOperand(place + 1) = llvm::MCOperand::createImm(0);
    const OpcodeTest indexed{Kind::present_register, place, 0, ""};
    const OpcodeTest scaled{Kind::not_immediate, place - 1, 1, ""};
    const OpcodeTest displaced{Kind::not_immediate, place + 1, 0, ""};
    // Slow addresses of some cores: a scaled index, or base, index and displacement.
    llvm::MCInst other = inst;
    other.getOperand(place - 1) = llvm::MCOperand::createImm(4);
    add(shape, other, {indexed, scaled});
    other = inst;
    other.getOperand(place + 1) = llvm::MCOperand::createImm(64);
    add(shape, other, {indexed, {Kind::present_register, place - index_of_memory, 0, ""}, displaced});
    add(shape, inst, {indexed});
  }

  void add_computed_addresses(OpcodeShape& shape, const llvm::MCInst& plain) {
    constexpr unsigned base = 1, scale = 2, index = 3, displacement = 4;
    const OpcodeTest based{Kind::present_register, base, 0, ""};
    const OpcodeTest indexed{Kind::present_register, index, 0, ""};
    const OpcodeTest scaled{Kind::not_immediate, scale, 1, ""};
    const OpcodeTest displaced{Kind::not_immediate, displacement, 0, ""};
    const auto with = [&](bool has_index, std::int64_t factor, std::int64_t offset) {
      llvm::MCInst inst = plain;
      if (has_index) set_register(inst, index, free_register(plain));
      inst.getOperand(scale) = llvm::MCOperand::createImm(factor);
      inst.getOperand(displacement) = llvm::MCOperand::createImm(offset);
      return inst;
    };
    llvm::MCInst relative = with(false, 1, 64);
    set_register(relative, base, target_.register_named("rip"));
    add(shape, relative, {{Kind::register_called, base, 0, "RIP"}});
    add(shape, with(true, 4, 64), {based, indexed, scaled, displaced});
    add(shape, with(true, 1, 64), {based, indexed, displaced});
    add(shape, with(true, 4, 0), {indexed, scaled});
    add(shape, with(true, 1, 0), {indexed});
  }

  void add_conditions(OpcodeShape& shape, const llvm::MCInst& plain, unsigned place, int memory) {
    if (!plain.getOperand(place).isImm()) return;
    for (std::int64_t condition = 0; condition < conditions; ++condition) {
      llvm::MCInst inst = plain;
      inst.getOperand(place) = llvm::MCOperand::createImm(condition);
      const OpcodeTest is{Kind::immediate, place, condition, ""};
      if (memory >= 0) {
        llvm::MCInst indexed = inst;
        set_register(indexed, index_place(memory), free_register(plain));
        add(shape, indexed, {is, {Kind::present_register, index_place(memory), 0, ""}});
      }
      add(shape, inst, {is});
    }
  }

  void add_locked(OpcodeShape& shape, const llvm::MCInst& plain, int memory) {
    if (memory < 0 || !target_.instructions->get(plain.getOpcode()).mayStore()) return;
    llvm::MCInst locked = plain; // read as text: decoded, the prefix is a separate instruction
    locked.setFlags(plain.getFlags() | lock_flag);
    add(shape, locked, {{Kind::locked, 0, 0, ""}});
  }

  /// All sources the same register.
  void add_same(OpcodeShape& shape, const llvm::MCInst& plain, const llvm::MCInstrDesc& desc) {
    const std::vector<unsigned> sources = like_sources(plain, desc);
    if (sources.size() < 2) return;
    llvm::MCInst inst = plain;
    const llvm::MCRegister reg = plain.getOperand(sources.back()).getReg();
    for (const unsigned place : sources) {
      set_register(inst, place, reg);
      const int tied = desc.getOperandConstraint(place, llvm::MCOI::TIED_TO);
      if (tied >= 0) set_register(inst, static_cast<unsigned>(tied), reg);
    }
    std::vector<OpcodeTest> tests;
    for (std::size_t i = 1; i < sources.size(); ++i)
      tests.push_back({Kind::same_register, sources[i - 1], static_cast<std::int64_t>(sources[i]), ""});
    const std::optional<llvm::MCInst> encoded = encodable(inst);
    if (!encoded) return;
    Instruction instruction = describe(*encoded);
    if (!instruction.unknown && instruction.same_register)
      shape.cases.push_back({std::move(tests), std::move(instruction)});
  }

  /// Places of the source registers, where they are all of one class; masks aside.
  std::vector<unsigned> like_sources(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc) const {
    std::vector<unsigned> found;
    std::optional<RegisterClass> kind;
    for (unsigned place = desc.getNumDefs(); place < desc.getNumOperands() && place < inst.getNumOperands(); ++place) {
      const llvm::MCOperand& operand = inst.getOperand(place);
      if (!operand.isReg() || !operand.getReg()) continue;
      const RegisterClass own = target_.register_class(operand.getReg());
      if (target_.isa == Isa::x86 && own == RegisterClass::x86_mask && desc.getNumDefs() > 0 &&
          target_.register_class(inst.getOperand(0).getReg()) != RegisterClass::x86_mask)
        continue;
      if (kind.value_or(own) != own) return {};
      kind = own;
      found.push_back(place);
    }
    return found;
  }

  /// AArch64: the only immediate is zero.
  void add_zero(OpcodeShape& shape, const llvm::MCInst& plain, const llvm::MCInstrDesc& desc) {
    for (unsigned place = desc.getNumDefs(); place < plain.getNumOperands(); ++place) {
      if (!plain.getOperand(place).isImm()) continue;
      llvm::MCInst inst = plain;
      inst.getOperand(place) = llvm::MCOperand::createImm(0);
      const std::optional<llvm::MCInst> encoded = encodable(inst);
      if (!encoded || !encoded->getOperand(place).isImm() || encoded->getOperand(place).getImm() != 0) return;
      Instruction instruction = describe(*encoded);
      if (!instruction.unknown && instruction.traits.zero_immediate)
        shape.cases.push_back({{{Kind::immediate, place, 0, ""}}, std::move(instruction)});
      return;
    }
  }

  const Target& target_;
  llvm::MCContext context_;
  std::unique_ptr<llvm::MCDisassembler> decoder_;
  Describer describer_;
};

} // namespace

std::vector<OpcodeShape> opcode_shapes(Isa isa) {
  ShapeMaker maker(isa);
  std::vector<OpcodeShape> result;
  const llvm::MCInstrInfo& instructions = *Target::get(isa).instructions;
  std::set<std::string, std::less<>> names;
  for (unsigned opcode = 0; opcode < instructions.getNumOpcodes(); ++opcode)
    names.insert(instructions.getName(opcode).str());
  for (const EnumeratedForm& example : enumerate_opcodes(isa)) {
    std::optional<OpcodeShape> shape = maker.make(example);
    if (!shape) continue;
    // Scalars of vector registers have an opcode for the compiler alone, in registers of floating-point numbers.
    std::string_view twin = shape->opcode;
    constexpr std::string_view intrinsic = "_Int";
    if (twin.ends_with(intrinsic) && names.contains(twin.substr(0, twin.size() - intrinsic.size())))
      shape->twins.emplace_back(twin.substr(0, twin.size() - intrinsic.size()));
    result.push_back(std::move(*shape));
  }
  return result;
}

} // namespace corecast
