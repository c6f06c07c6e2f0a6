// x86-64: form keys, memory operands, implicit operands and flags.
#include "describe.hpp"
#include "requirements.hpp"
#include "x86_semantics.hpp"
#include "x86_text.hpp"

#include "llvm/MC/MCExpr.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace corecast {
namespace {

constexpr std::uint8_t all_flags = 0x3F;     // C P A Z S O; the direction flag carries no forecastable dependency
constexpr unsigned memory_operand_count = 5; // base, scale, index, displacement, segment

/// LLVM 20 moved the printing of expressions from the expression to the assembly dialect.
template <typename Assembly>
void print_expression(llvm::raw_ostream& stream, const llvm::MCExpr& expression, const Assembly& assembly) {
  if constexpr (requires { assembly.printExpr(stream, expression); })
    assembly.printExpr(stream, expression);
  else
    [&](const auto& printable) { printable.print(stream, &assembly); }(expression);
}

} // namespace

unsigned Describer::immediate_size_bits(const llvm::MCInst& inst, unsigned operand,
                                        const llvm::MCSubtargetInfo& subtarget) {
  const unsigned key = inst.getOpcode() << 4 | (operand & 15U); // enter has two immediates of different sizes
  const auto cached = immediate_bits_.find(key);
  if (cached != immediate_bits_.end()) return cached->second;
  llvm::MCInst copy = inst;
  for (unsigned i = 0; i < copy.getNumOperands(); ++i) // symbols elsewhere leave fixups only
    if (copy.getOperand(i).isExpr() && i != operand) copy.getOperand(i) = llvm::MCOperand::createImm(0);
  copy.getOperand(operand) = llvm::MCOperand::createImm(0);
  const std::vector<std::uint8_t> zeros = encode(copy, subtarget);
  copy.getOperand(operand) = llvm::MCOperand::createImm(-1);
  const std::vector<std::uint8_t> ones = encode(copy, subtarget);
  unsigned bits = 0;
  if (zeros.size() == ones.size())
    for (std::size_t i = 0; i < zeros.size(); ++i)
      bits += zeros[i] != ones[i] ? 8 : 0;
  bits = bits == 0 ? 8 : bits; // a register number's unused nibble (is4)
  immediate_bits_.emplace(key, bits);
  return bits;
}

RegisterId Describer::x87_location(unsigned depth) const {
  return target_.locations(target_.register_named("st" + std::to_string((x87_top_ + depth) & 7U))).front();
}

void Describer::apply_x86_semantics(Instruction& out, const llvm::MCInstrDesc& desc, const X86Semantics* row) {
  auto add_use = [](Operand& operand, RegisterId location, Part part, bool write) {
    operand.read |= !write;
    operand.write |= write;
    for (RegisterUse& use : operand.registers)
      if (use.reg == location && use.part == part) {
        use.read |= !write;
        use.write |= write;
        return;
      }
    operand.registers.push_back({location, part, !write, write}); // "mul bl" reads al and writes ax
  };
  auto add_implicit = [&](std::string_view name, bool write) {
    const llvm::MCRegister reg = target_.register_named(name);
    if (!reg || target_.locations(reg).empty()) return;
    const bool stack = target_.register_class(reg) == RegisterClass::x86_stack;
    const RegisterId location =
        stack ? x87_location(static_cast<unsigned>(name.back() - '0')) : target_.locations(reg).front();
    // Latencies call all registers of the x87 stack by the name of its top.
    const RegisterId identity = stack ? target_.location_named("st") : location;
    const auto id = static_cast<OperandId>(operand_id::implicit_register + identity);
    for (Operand& operand : out.operands) // an implicit register that the text names is that operand
      if (operand.implicit &&
          (operand.id == id || (!operand.registers.empty() && operand.registers.front().reg == location)))
        return add_use(operand, location, target_.part(reg), write);
    Operand operand;
    operand.id = id;
    operand.implicit = true;
    add_use(operand, location, target_.part(reg), write);
    out.operands.push_back(std::move(operand));
  };
  auto lower_name = [&](llvm::MCPhysReg reg) {
    std::string name = target_.registers->getName(reg);
    for (char& c : name)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
  };
  std::uint8_t flags_read = 0;
  std::uint8_t flags_written = 0;
  if (row != nullptr) {
    flags_read = row->flags_read | row->flags_conditional;
    flags_written = row->flags_written | row->flags_conditional | row->flags_undefined;
    for (std::string_view name : row->implicit_read)
      add_implicit(name, false);
    for (std::string_view name : row->implicit_written)
      add_implicit(name, true);
    for (Operand& operand : out.operands) {
      if (operand.implicit || operand.kind != OperandKind::reg || operand.id < 1 ||
          operand.id > row->operand_access.size())
        continue;
      const Access access = row->operand_access[operand.id - 1U];
      if (access == Access::unspecified) continue;
      operand.read = access == Access::read || access == Access::read_write;
      operand.write = access == Access::write || access == Access::read_write;
      for (RegisterUse& use : operand.registers) {
        use.read = operand.read;
        use.write = operand.write;
      }
    }
  } else { // a mnemonic newer than the table: LLVM's word, with its one flags register
    for (llvm::MCPhysReg reg : desc.implicit_uses())
      if (std::string_view(target_.registers->getName(reg)) == "EFLAGS")
        flags_read = all_flags;
      else
        add_implicit(lower_name(reg), false);
    for (llvm::MCPhysReg reg : desc.implicit_defs())
      if (std::string_view(target_.registers->getName(reg)) == "EFLAGS")
        flags_written = all_flags;
      else
        add_implicit(lower_name(reg), true);
  }
  if (((flags_read | flags_written) & all_flags) != 0) {
    Operand flags;
    flags.id = operand_id::flags;
    flags.implicit = true;
    flags.read = (flags_read & all_flags) != 0;
    flags.write = (flags_written & all_flags) != 0;
    for (unsigned bit = 0; bit < std::size(x86_flags); ++bit) {
      const bool read = (flags_read >> bit & 1) != 0;
      const bool write = (flags_written >> bit & 1) != 0;
      if (read || write) flags.registers.push_back({x86_flags[bit], Part::full, read, write});
    }
    out.operands.push_back(std::move(flags));
  }
}

void Describer::add_implicit_memory(Instruction& out, const X86Semantics& row) const {
  if (row.memory.empty()) return;
  auto location = [&](std::string_view name) -> RegisterId {
    if (name == "op1") {
      for (const Operand& operand : out.operands)
        if (operand.id == 1 && !operand.registers.empty()) return operand.registers.front().reg;
      return 0;
    }
    const llvm::MCRegister reg = target_.register_named(name);
    return reg && !target_.locations(reg).empty() ? target_.locations(reg).front() : RegisterId{0};
  };
  const bool has_operand = !out.memory.empty();
  Operand operand;
  operand.id = operand_id::memory;
  operand.kind = OperandKind::mem;
  operand.implicit = true;
  for (const X86ImplicitMemory& implicit : row.memory) {
    MemoryAccess access;
    access.base = location(implicit.base);
    access.index = location(implicit.index);
    access.width_bytes = implicit.width_bytes;
    access.read = implicit.access == Access::read || implicit.access == Access::read_write;
    access.write = implicit.access == Access::write || implicit.access == Access::read_write;
    if (implicit.base == "rsp" && access.write && !access.read)
      access.displacement = -static_cast<std::int64_t>(implicit.width_bytes); // pushes store below the old top
    operand.read |= access.read;
    operand.write |= access.write;
    out.memory.push_back(access);
  }
  if (!has_operand) out.operands.push_back(std::move(operand));
}

void Describer::describe_x86(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                             const llvm::MCSubtargetInfo& subtarget, const PrintedInstruction& printed) {
  // The five-part memory operand, kept apart from the plain registers.
  int memory_at = -1;
  for (unsigned i = 0; i + memory_operand_count <= desc.getNumOperands(); ++i) {
    bool all = true;
    for (unsigned j = 0; j < memory_operand_count; ++j)
      all &= desc.operands()[i + j].OperandType == llvm::MCOI::OPERAND_MEMORY;
    if (all) {
      memory_at = static_cast<int>(i);
      break;
    }
  }
  // An address that nothing accesses is of another operand type.
  if (memory_at < 0 && printed.mnemonic == "lea" && desc.getNumOperands() == 1 + memory_operand_count) memory_at = 1;
  std::vector<Slot> slots;
  std::vector<unsigned> immediates; // predicates and masks come after other immediates
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    if (memory_at >= 0 && i >= static_cast<unsigned>(memory_at) &&
        i < static_cast<unsigned>(memory_at) + memory_operand_count)
      continue;
    const llvm::MCOperand& operand = inst.getOperand(i);
    const bool in_memory_group =
        i < desc.getNumOperands() && desc.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY;
    if (!operand.isReg()) {
      if (!in_memory_group) immediates.push_back(i);
      continue;
    }
    if (in_memory_group || !operand.getReg() || target_.locations(operand.getReg()).empty()) continue;
    const int tied = i < desc.getNumOperands() ? desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) : -1;
    if (tied >= 0) {
      for (Slot& slot : slots)
        if (slot.reg == inst.getOperand(static_cast<unsigned>(tied)).getReg() && slot.write) slot.read = true;
      continue;
    }
    const bool defines = i < desc.getNumDefs();
    slots.push_back({operand.getReg(), !defines, defines, false});
  }

  std::string form_operands;
  std::string mask_name;
  std::size_t immediates_printed = 0;
  std::size_t memory_position = 0;
  unsigned memory_width = 0;
  for (std::size_t position = 0; position < printed.operands.size(); ++position) {
    const std::string& text = printed.operands[position];
    const auto id = static_cast<OperandId>(position + 1);
    std::string name;
    const Decorations parts = text.front() == '{' ? Decorations{text, "", "", 0} : take_decorations(text);
    if (!parts.mask.empty()) mask_name = parts.mask;
    const llvm::MCRegister reg = target_.register_named(parts.core);
    std::int64_t number = 0;
    if (text.front() == '{') {
      const bool mask = text.size() > 2 && text[1] == 'k'; // a gather that only prefetches has no other destination
      if (mask) mask_name = text.substr(1, 2);
      name = mask ? "{k}" : text; // {sae}, {rn-sae}
    } else if (parts.core.find('[') != std::string_view::npos) {
      const unsigned width = pointer_width_bytes(parts.core);
      memory_position = position;
      memory_width = width;
      const llvm::MCRegister index =
          memory_at >= 0 ? llvm::MCRegister(inst.getOperand(static_cast<unsigned>(memory_at) + 2).getReg())
                         : llvm::MCRegister();
      const RegisterClass index_class = index ? target_.register_class(index) : RegisterClass::none;
      if (index_class == RegisterClass::x86_xmm || index_class == RegisterClass::x86_ymm ||
          index_class == RegisterClass::x86_zmm)
        name = "vm" + std::string(class_name(index_class));
      else if (parts.broadcast != 0)
        name = "m" + std::to_string(width * parts.broadcast * 8) + "bcst";
      else
        name = width == 0 ? "m" : "m" + std::to_string(width * 8);
    } else if (parts.core == "st" || parts.core.starts_with("st(")) {
      name = "st"; // the top of the stack or another of its registers: the work is the same
      const unsigned depth = parts.core == "st" ? 0 : static_cast<unsigned>(parts.core[3] - '0') & 7U;
      const llvm::MCRegister named = target_.register_named("st" + std::to_string(depth));
      for (Slot& slot : slots)
        slot.used |= slot.reg == named;
      Operand operand;
      operand.id = id;
      operand.read = true; // the table of semantics says what is written
      operand.registers.push_back({x87_location(depth), Part::full, true, false});
      out.operands.push_back(std::move(operand));
    } else if (reg) {
      const llvm::MCRegister named = reg;
      auto slot = std::find_if(slots.begin(), slots.end(), [&](const Slot& s) { // k2 stands for the pair k2, k3
        return !s.used && (s.reg == named || (target_.locations(s.reg).size() > 1 &&
                                              target_.locations(s.reg).front() == target_.locations(named).front()));
      });
      if (slot != slots.end()) {
        slot->used = true;
        name = class_name(target_.register_class(named));
        add_register_operand(out, id, *slot, false);
      } else {
        // Encoded in the opcode (shl r, cl; add rax, imm32): stays literal in the key.
        name = parts.core;
        Slot fixed{named, false, false, true};
        for (llvm::MCPhysReg use : desc.implicit_uses())
          fixed.read |= target_.locations(use) == target_.locations(named);
        for (llvm::MCPhysReg def : desc.implicit_defs())
          fixed.write |= target_.locations(def) == target_.locations(named);
        if (target_.register_class(named) == RegisterClass::x86_segment) {
          fixed.read = printed.mnemonic == "push";
          fixed.write = printed.mnemonic == "pop";
        }
        add_register_operand(out, id, fixed, true);
      }
    } else if (out.branch != Branch::none && out.branch != Branch::ret) {
      name = "rel";
    } else if (immediates_printed < immediates.size()) {
      const unsigned immediate_at = immediates[immediates_printed++];
      const unsigned bits = immediate_size_bits(inst, immediate_at, subtarget);
      name = "i" + std::to_string(bits);
      out.immediate_bytes = static_cast<std::uint8_t>(out.immediate_bytes + bits / 8);
      const llvm::MCOperand& value = inst.getOperand(immediate_at);
      if (value.isImm())
        out.immediate_bits = static_cast<std::uint8_t>(signed_width_bits(value.getImm()));
      else
        out.immediate_bits = 32;
      Operand operand;
      operand.id = id;
      operand.kind = OperandKind::imm;
      out.operands.push_back(std::move(operand));
    } else if (parse_integer(parts.core, number)) {
      name = printed.operands.size() > 1 && immediates.empty() ? std::string(parts.core) : "i8"; // shl r, 1
    } else {
      name = immediates.empty() ? std::string(parts.core) : "i8";
    }
    form_operands += (position == 0 ? " " : ", ") + name + parts.suffix;
  }
  std::string mnemonic = printed.mnemonic;
  int explicit_operands = static_cast<int>(printed.operands.size());
  // The immediate that selects a compare predicate is printed inside the mnemonic: give it back its place.
  if (immediates_printed < immediates.size() && out.branch == Branch::none) {
    const std::string plain = without_predicate(mnemonic);
    if (plain != mnemonic) {
      mnemonic = plain;
      form_operands += ", i8";
      out.immediate_bits = 8;
      out.immediate_bytes = 1;
      ++explicit_operands; // cmpsd of two operands is a string instruction
    }
  }
  if (printed.operands.size() == 1 && is_shift(mnemonic))
    form_operands += ", 1"; // the encoding without an immediate; printers differ on writing it
  out.form = mnemonic + form_operands;
  out.mnemonic = mnemonic;
  if (mnemonic == "lea" && memory_at == 1) {
    // Adding base, index and displacement takes another unit than adding two of them on several cores, and so does an
    // address relative to the instruction pointer: a form of its own. rbp and r13 as base force a displacement byte.
    const llvm::MCRegister base = inst.getOperand(1).getReg();
    const llvm::MCOperand& displacement = inst.getOperand(4);
    const std::string_view base_name = base ? target_.registers->getName(base) : "";
    const bool displaced = !displacement.isImm() || displacement.getImm() != 0 || base_name.ends_with("BP") ||
                           base_name.starts_with("R13");
    const bool relative = base_name.ends_with("IP");
    if (relative || (base && inst.getOperand(3).getReg() && displaced)) {
      out.alternative_forms.push_back(out.form);
      out.form += "3";
    }
    const bool scaled = inst.getOperand(3).getReg() && inst.getOperand(2).getImm() > 1;
    if (relative || scaled) out.address_variant = relative ? "@rip" : "@scaled";
  }

  if (!mask_name.empty())
    for (Slot& slot : slots)
      if (!slot.used && target_.register_class(slot.reg) == RegisterClass::x86_mask) {
        slot.used = true;
        add_register_operand(out, operand_id::mask, slot, false);
        break;
      }

  const X86Semantics* row = find_x86_semantics(mnemonic, explicit_operands, trim(form_operands));
  if (memory_at >= 0) {
    const auto first = static_cast<unsigned>(memory_at);
    MemoryAccess access;
    auto location = [&](unsigned offset) -> RegisterId {
      const llvm::MCRegister reg = inst.getOperand(first + offset).getReg();
      return reg && !target_.locations(reg).empty() ? target_.locations(reg).front() : RegisterId{0};
    };
    const llvm::MCRegister base = inst.getOperand(first).getReg();
    access.pc_relative = base && std::string_view(target_.registers->getName(base)).ends_with("IP");
    access.base = location(0);
    access.index = location(2);
    const llvm::MCRegister index = inst.getOperand(first + 2).getReg();
    if (index) {
      const RegisterClass kind = target_.register_class(index);
      access.vector_index =
          kind == RegisterClass::x86_xmm || kind == RegisterClass::x86_ymm || kind == RegisterClass::x86_zmm;
    }
    access.scale = static_cast<std::uint8_t>(inst.getOperand(first + 1).getImm());
    const llvm::MCOperand& displacement = inst.getOperand(first + 3);
    if (displacement.isImm())
      access.displacement = displacement.getImm();
    else if (displacement.isExpr()) {
      llvm::raw_string_ostream stream(access.symbol);
      print_expression(stream, *displacement.getExpr(), *target_.assembly);
    }
    access.segment = location(4);
    if (access.segment != 0) {
      const std::string name = target_.location_name(access.segment);
      if (name != "fs" && name != "gs") access.segment = 0;
    }
    access.width_bytes = memory_width;
    access.read = desc.mayLoad();
    access.write = desc.mayStore();
    if (row != nullptr) {
      const Access known = memory_position == 0 ? row->memory_first : row->memory_other;
      if (known != Access::unspecified) {
        access.read = known == Access::read || known == Access::read_write;
        access.write = known == Access::write || known == Access::read_write;
      }
    }
    add_address_operand(out, operand_id::address, access.base);
    add_address_operand(out, operand_id::index, access.index);
    if (access.read || access.write) add_memory(out, access);
  }
  // "movabs rax, [address]": an address of its own, without registers.
  for (unsigned i = 0; memory_at < 0 && i + 1 < desc.getNumOperands() && i + 1 < inst.getNumOperands(); ++i) {
    if (desc.operands()[i].OperandType != llvm::MCOI::OPERAND_MEMORY || inst.getOperand(i).isReg() ||
        memory_width == 0 || (row != nullptr && row->memory_printed))
      continue;
    MemoryAccess access;
    if (inst.getOperand(i).isImm())
      access.displacement = inst.getOperand(i).getImm();
    else if (inst.getOperand(i).isExpr()) {
      llvm::raw_string_ostream stream(access.symbol);
      print_expression(stream, *inst.getOperand(i).getExpr(), *target_.assembly);
    }
    access.width_bytes = memory_width;
    access.read = memory_position > 0;
    access.write = memory_position == 0;
    add_memory(out, access);
    out.displacement_bytes = sizeof(access.displacement);
    break;
  }
  // What the text does not show (the mask that a gather clears).
  for (const Slot& slot : slots)
    if (!slot.used && target_.register_class(slot.reg) != RegisterClass::x86_mask &&
        target_.register_class(slot.reg) != RegisterClass::x86_stack)
      add_register_operand(
          out, static_cast<OperandId>(operand_id::implicit_register + target_.locations(slot.reg).front()), slot, true);
  apply_x86_semantics(out, desc, row);
  if (row != nullptr) {
    add_implicit_memory(out, *row);
    x87_top_ = static_cast<unsigned>(static_cast<int>(x87_top_) + row->x87_top) & 7U;
    if (mnemonic == "fninit") x87_top_ = 0;
  }

  static const std::uint16_t apx = requirement_called(Isa::x86, "apxf");
  if (is_apx_encoding(out.bytes)) // registers r16 to r31 need it in any opcode
    out.requirement = apx;
  const auto [opcode_offset, operand_size_prefix] = prefix_bytes(out.bytes);
  out.opcode_offset_bytes = static_cast<std::uint8_t>(opcode_offset);
  if (memory_at >= 0) out.displacement_bytes = static_cast<std::uint8_t>(displacement_bytes(out.bytes, opcode_offset));
  out.length_changing_prefix = operand_size_prefix && form_operands.find(" i16") != std::string::npos;
}

} // namespace corecast
