// The part of describing an instruction that all ISAs share: matching printed operands with LLVM's.
#include "describe.hpp"

#include "cpp/isa/traits.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace corecast {

bool is_lone_prefix(const Instruction& instruction) {
  constexpr std::array<std::string_view, 15> names{"lock",  "rep", "repne", "data16",   "addr32",
                                                   "rex64", "cs",  "ds",    "es",       "ss",
                                                   "fs",    "gs",  "bnd",   "xacquire", "xrelease"};
  return !instruction.unknown && instruction.text == instruction.mnemonic && // without operands
         std::find(names.begin(), names.end(), instruction.mnemonic) != names.end();
}

Describer::Describer(const Target& target, llvm::MCContext& context) : target_(target) {
  printer_ = target.make_printer();
  if (target.isa != Isa::x86) plain_printer_ = target.make_printer(/*aliases=*/false);
  emitter_.reset(target.target->createMCCodeEmitter(*target.instructions, context));
  analysis_.reset(target.target->createMCInstrAnalysis(target.instructions.get()));
}

std::vector<std::uint8_t> Describer::encode(const llvm::MCInst& inst, const llvm::MCSubtargetInfo& subtarget) {
  llvm::SmallVector<char, 16> code;
  llvm::SmallVector<llvm::MCFixup, 4> fixups;
  emitter_->encodeInstruction(inst, code, fixups, subtarget);
  return {code.begin(), code.end()};
}

PrintedInstruction Describer::print(llvm::MCInstPrinter& printer, const llvm::MCInst& inst,
                                    const llvm::MCSubtargetInfo& subtarget) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printer.printInst(&inst, /*Address=*/0, /*Annot=*/"", subtarget, stream);
  stream.flush();
  return split_printed(target_.isa, text);
}

std::vector<Describer::Slot> Describer::register_slots(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc) const {
  std::vector<Slot> slots;
  std::vector<int> slot_of(inst.getNumOperands(), -1);
  const unsigned described = std::min<unsigned>(desc.getNumOperands(), inst.getNumOperands());
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    const llvm::MCOperand& operand = inst.getOperand(i);
    if (!operand.isReg() || !operand.getReg()) continue;
    const bool defines = i < desc.getNumDefs();
    const int tied = i < described ? desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) : -1;
    if (tied >= 0 && static_cast<unsigned>(tied) < slot_of.size() && slot_of[static_cast<std::size_t>(tied)] >= 0) {
      slots[static_cast<std::size_t>(slot_of[static_cast<std::size_t>(tied)])].read = true;
      continue;
    }
    if (target_.locations(operand.getReg()).empty()) continue; // zero registers
    slot_of[i] = static_cast<int>(slots.size());
    slots.push_back({operand.getReg(), !defines, defines, false});
  }
  return slots;
}

Describer::Slot* Describer::take_slot(std::vector<Slot>& slots, RegisterId location) const {
  for (Slot& slot : slots)
    if (!slot.used && target_.locations(slot.reg).front() == location) {
      slot.used = true;
      return &slot;
    }
  return nullptr;
}

void Describer::add_register_operand(Instruction& out, OperandId id, const Slot& slot, bool implicit) const {
  Operand operand;
  operand.id = id;
  operand.kind = OperandKind::reg;
  operand.implicit = implicit;
  operand.read = slot.read;
  operand.write = slot.write;
  for (RegisterId location : target_.locations(slot.reg))
    operand.registers.push_back({location, target_.part(slot.reg), slot.read, slot.write});
  out.operands.push_back(std::move(operand));
}

void Describer::add_unprinted(Instruction& out, const std::vector<Slot>& slots) const {
  for (const Slot& slot : slots) {
    if (slot.used) continue;
    const RegisterId location = target_.locations(slot.reg).front();
    auto names_it = [&](const Operand& operand) {
      return operand.id < operand_id::memory && !operand.registers.empty() && operand.registers.front().reg == location;
    };
    // An alias prints a register once that the encoding has several times: "mov v0.16b, v1.16b" is an orr.
    const bool reads_only = slot.read && !slot.write;
    if (reads_only && std::any_of(out.operands.begin(), out.operands.end(),
                                  [&](const Operand& operand) { return names_it(operand) && operand.read; }))
      continue;
    const auto written = std::find_if(out.operands.begin(), out.operands.end(), names_it);
    if (reads_only && written != out.operands.end()) { // "mov z0.d, p0/m, z1.d" keeps the other elements of z0
      written->read = true;
      for (RegisterUse& use : written->registers)
        use.read = true;
      continue;
    }
    add_register_operand(out, static_cast<OperandId>(operand_id::implicit_register + location), slot, true);
  }
}

void Describer::add_address_operand(Instruction& out, OperandId id, RegisterId reg) {
  if (reg == 0) return;
  Operand operand;
  operand.id = id;
  operand.read = true;
  operand.registers.push_back({reg, Part::full, true, false});
  out.operands.push_back(std::move(operand));
}

void Describer::add_memory(Instruction& out, MemoryAccess access, bool implicit) {
  Operand operand;
  operand.id = operand_id::memory;
  operand.kind = OperandKind::mem;
  operand.implicit = implicit;
  operand.read = access.read;
  operand.write = access.write;
  out.operands.push_back(std::move(operand));
  out.memory.push_back(std::move(access));
}

void Describer::add_implicit_registers(Instruction& out, const llvm::MCInstrDesc& desc) const {
  auto add = [&](llvm::MCPhysReg reg, bool write) {
    for (RegisterId location : target_.locations(reg)) {
      const bool condition = target_.isa == Isa::aarch64 && target_.location_name(location) == "nzcv";
      const OperandId id =
          condition ? operand_id::flags : static_cast<OperandId>(operand_id::implicit_register + location);
      auto found = std::find_if(out.operands.begin(), out.operands.end(), [&](const Operand& o) { return o.id == id; });
      if (found == out.operands.end()) {
        Operand operand;
        operand.id = id;
        operand.implicit = true;
        operand.registers.push_back({location, target_.part(reg), false, false});
        found = out.operands.insert(out.operands.end(), std::move(operand));
      }
      found->read |= !write;
      found->write |= write;
      found->registers.front().read |= !write;
      found->registers.front().write |= write;
    }
  };
  for (llvm::MCPhysReg reg : desc.implicit_uses()) {
    // Calls list the stack pointer as read for the register allocator; the instruction itself does not read it.
    if (desc.isCall() && target_.isa != Isa::x86) continue;
    add(reg, false);
  }
  for (llvm::MCPhysReg reg : desc.implicit_defs())
    add(reg, true);
}

void Describer::set_branch(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                           const PrintedInstruction& printed) {
  const std::string& name = printed.mnemonic;
  if (target_.isa == Isa::riscv64 && name == "tail")
    out.branch = Branch::unconditional;
  else if (desc.isReturn() || (target_.isa == Isa::riscv64 && name == "ret"))
    out.branch = Branch::ret;
  else if (target_.isa == Isa::riscv64 && (name == "jr" || name == "j"))
    out.branch = name == "jr" ? Branch::indirect : Branch::unconditional;
  else if (target_.isa == Isa::riscv64 && (name == "jal" || name == "jalr")) // with a link register other than zero
    out.branch = Branch::call;
  else if (desc.isCall())
    out.branch = Branch::call;
  else if (desc.isIndirectBranch())
    out.branch = Branch::indirect;
  else if (desc.isConditionalBranch())
    out.branch = Branch::conditional;
  else if (desc.isBranch())
    out.branch = Branch::unconditional;
  else
    return;
  if (analysis_) {
    std::uint64_t destination = 0;
    if (analysis_->evaluateBranch(inst, out.address, out.length_bytes, destination))
      out.target_address = static_cast<std::int64_t>(destination);
  }
  for (const llvm::MCOperand& operand : inst)
    if (operand.isExpr() && !printed.operands.empty() && // not the displacement of "jmp [8*rax + table]"
        printed.operands.back().find('[') == std::string::npos && !printed.operands.back().ends_with(')')) {
      out.target = printed.operands.back();
      out.target_address = -1;
    }
}

Instruction Describer::describe(const llvm::MCInst& inst, const llvm::MCSubtargetInfo& subtarget, std::uint64_t address,
                                llvm::ArrayRef<std::uint8_t> encoding) {
  const llvm::MCInstrDesc& desc = target_.instructions->get(inst.getOpcode());
  const PrintedInstruction printed = print(*printer_, inst, subtarget);
  Instruction out;
  out.text = printed.text;
  out.mnemonic = printed.mnemonic;
  out.address = address;
  if (encoding.empty())
    out.bytes = encode(inst, subtarget);
  else
    out.bytes.assign(encoding.begin(), encoding.end());
  out.length_bytes = static_cast<std::uint8_t>(out.bytes.size());
  out.requirement = target_.requirement(inst.getOpcode());
  set_branch(out, inst, desc, printed);
  switch (target_.isa) {
  case Isa::x86:
    describe_x86(out, inst, desc, subtarget, printed);
    break;
  case Isa::aarch64:
    describe_aarch64(out, inst, desc, printed);
    break;
  case Isa::riscv64:
    describe_riscv(out, inst, desc, printed);
    break;
  }
  if (plain_printer_) {
    const PrintedInstruction plain = print(*plain_printer_, inst, subtarget);
    std::string form = target_.isa == Isa::aarch64 ? aarch64_form(plain) : riscv_form(plain);
    // "stadd" is "ldadd" without result, which some cores execute elsewhere than in their own cache: a separate row.
    const bool drops_result = target_.isa == Isa::aarch64 && out.mnemonic.starts_with("st") && form.starts_with("ld");
    if (form != out.form && !drops_result && !out.form.starts_with(form + " @"))
      out.alternative_forms.insert(out.alternative_forms.begin(), std::move(form));
  }
  describe_affine(target_.isa, target_, printed, out);

  // Every source register the same one: what zero idioms and dependency-breaking cores look for.
  unsigned sources = 0;
  bool same = out.memory.empty();
  const RegisterUse* first = nullptr;
  for (const Operand& operand : out.operands) {
    if (operand.implicit || operand.kind != OperandKind::reg || !operand.read || operand.id >= operand_id::memory)
      continue; // neither masks nor the registers of an address
    ++sources;
    if (first == nullptr)
      first = &operand.registers.front();
    else
      same &= operand.registers.size() == 1 && operand.registers.front().reg == first->reg &&
              operand.registers.front().part == first->part;
  }
  out.same_register = same && sources >= 2;
  for (const MemoryAccess& access : out.memory)
    out.indexed |= access.index != 0 && !access.vector_index;
  if (out.memory.empty()) // an address that is only computed
    for (const Operand& operand : out.operands)
      out.indexed |= operand.id == operand_id::index;
  out.traits = traits_of(out, target_.isa == Isa::x86);
  return out;
}

} // namespace corecast
