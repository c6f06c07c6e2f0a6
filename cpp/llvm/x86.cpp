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

/// Describes one instruction: each step reads what the steps before it found.
class X86Description {
public:
  X86Description(Describer& describer, Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                 const llvm::MCSubtargetInfo& subtarget, const PrintedInstruction& printed)
      : describer_(describer), target_(describer.target_), out_(out), inst_(inst), desc_(desc), subtarget_(subtarget),
        printed_(printed), mnemonic_(printed.mnemonic), explicit_operands_(printed.operands.size()) {}

  void run() {
    find_memory_operand();
    collect_slots();
    for (std::size_t position = 0; position < printed_.operands.size(); ++position)
      describe_operand(position);
    finish_form();
    describe_lea();
    take_mask();
    row_ = find_x86_semantics(mnemonic_, static_cast<int>(explicit_operands_), trim(form_operands_));
    if (memory_at_ >= 0)
      add_memory_access();
    else
      add_absolute_access();
    add_unprinted();
    describer_.apply_x86_semantics(out_, desc_, row_);
    if (row_ != nullptr) {
      describer_.add_implicit_memory(out_, *row_);
      turn_x87_stack();
    }
    describe_encoding();
  }

private:
  using Slot = Describer::Slot;

  /// The five-part memory operand, kept apart from the plain registers.
  void find_memory_operand() {
    for (unsigned i = 0; memory_at_ < 0 && i + memory_operand_count <= desc_.getNumOperands(); ++i) {
      bool all = true;
      for (unsigned j = 0; j < memory_operand_count; ++j)
        all &= desc_.operands()[i + j].OperandType == llvm::MCOI::OPERAND_MEMORY;
      if (all) memory_at_ = static_cast<int>(i);
    }
    // An address that nothing accesses is of another operand type.
    if (memory_at_ < 0 && printed_.mnemonic == "lea" && desc_.getNumOperands() == 1 + memory_operand_count)
      memory_at_ = 1;
  }

  bool is_memory_type(unsigned i) const {
    return i < desc_.getNumOperands() && desc_.operands()[i].OperandType == llvm::MCOI::OPERAND_MEMORY;
  }

  /// Registers, those that are tied together as one, and immediates: predicates and masks come after other ones.
  void collect_slots() {
    for (unsigned i = 0; i < inst_.getNumOperands(); ++i) {
      const auto first = static_cast<unsigned>(memory_at_);
      if (memory_at_ >= 0 && i >= first && i < first + memory_operand_count) continue;
      const llvm::MCOperand& operand = inst_.getOperand(i);
      if (!operand.isReg()) {
        if (!is_memory_type(i)) immediates_.push_back(i);
        continue;
      }
      if (is_memory_type(i) || !operand.getReg() || target_.locations(operand.getReg()).empty()) continue;
      const int tied = i < desc_.getNumOperands() ? desc_.getOperandConstraint(i, llvm::MCOI::TIED_TO) : -1;
      if (tied >= 0) {
        for (Slot& slot : slots_)
          if (slot.reg == inst_.getOperand(static_cast<unsigned>(tied)).getReg() && slot.write) slot.read = true;
        continue;
      }
      const bool defines = i < desc_.getNumDefs();
      slots_.push_back({operand.getReg(), !defines, defines, false});
    }
  }

  // --- operands as they are printed ----------------------------------------------------------------------------------

  void describe_operand(std::size_t position) {
    const std::string& text = printed_.operands[position];
    const auto id = static_cast<OperandId>(position + 1);
    const Decorations parts = text.front() == '{' ? Decorations{text, "", "", 0} : take_decorations(text);
    if (!parts.mask.empty()) mask_name_ = parts.mask;
    const llvm::MCRegister reg = target_.register_named(parts.core);
    std::string name;
    if (text.front() == '{')
      name = braced(text);
    else if (parts.core.find('[') != std::string_view::npos)
      name = memory(parts, position);
    else if (parts.core == "st" || parts.core.starts_with("st("))
      name = x87_register(parts.core, id);
    else if (reg)
      name = plain_register(reg, parts.core, id);
    else if (out_.branch != Branch::none && out_.branch != Branch::ret)
      name = "rel";
    else if (immediates_printed_ < immediates_.size())
      name = immediate(id);
    else
      name = literal(parts.core);
    form_operands_ += (position == 0 ? " " : ", ") + name + parts.suffix;
  }

  /// {sae}, {rn-sae}, or a mask: a gather that only prefetches has no other destination.
  std::string braced(const std::string& text) {
    const bool mask = text.size() > 2 && text[1] == 'k';
    if (mask) mask_name_ = text.substr(1, 2);
    return mask ? "{k}" : text;
  }

  std::string memory(const Decorations& parts, std::size_t position) {
    const unsigned width = pointer_width_bytes(parts.core);
    memory_position_ = position;
    memory_width_ = width;
    if (memory_at_ >= 0)
      if (const llvm::MCRegister index = inst_.getOperand(static_cast<unsigned>(memory_at_) + 2).getReg();
          index && is_vector(target_.register_class(index)))
        return "vm" + std::string(class_name(target_.register_class(index)));
    if (parts.broadcast != 0) return "m" + std::to_string(width * parts.broadcast * 8) + "bcst";
    return width == 0 ? "m" : "m" + std::to_string(width * 8);
  }

  static bool is_vector(RegisterClass kind) {
    return kind == RegisterClass::x86_xmm || kind == RegisterClass::x86_ymm || kind == RegisterClass::x86_zmm;
  }

  /// The top of the stack or another of its registers: the work is the same.
  std::string x87_register(std::string_view core, OperandId id) {
    const unsigned depth = core == "st" ? 0 : static_cast<unsigned>(core[3] - '0') & 7U;
    const llvm::MCRegister named = target_.register_named("st" + std::to_string(depth));
    for (Slot& slot : slots_)
      slot.used |= slot.reg == named;
    Operand operand;
    operand.id = id;
    operand.read = true; // the table of semantics says what is written
    operand.registers.push_back({describer_.x87_location(depth), Part::full, true, false});
    out_.operands.push_back(std::move(operand));
    return "st";
  }

  std::string plain_register(llvm::MCRegister named, std::string_view core, OperandId id) {
    const auto slot = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { // k2 stands for the pair k2, k3
      return !s.used && (s.reg == named || (target_.locations(s.reg).size() > 1 &&
                                            target_.locations(s.reg).front() == target_.locations(named).front()));
    });
    if (slot != slots_.end()) {
      slot->used = true;
      describer_.add_register_operand(out_, id, *slot, false);
      return std::string(class_name(target_.register_class(named)));
    }
    // Encoded in the opcode (shl r, cl; add rax, imm32): stays literal in the key.
    Slot fixed{named, false, false, true};
    for (llvm::MCPhysReg use : desc_.implicit_uses())
      fixed.read |= target_.locations(use) == target_.locations(named);
    for (llvm::MCPhysReg def : desc_.implicit_defs())
      fixed.write |= target_.locations(def) == target_.locations(named);
    if (target_.register_class(named) == RegisterClass::x86_segment) {
      fixed.read = printed_.mnemonic == "push";
      fixed.write = printed_.mnemonic == "pop";
    }
    describer_.add_register_operand(out_, id, fixed, true);
    return std::string(core);
  }

  std::string immediate(OperandId id) {
    const unsigned at = immediates_[immediates_printed_++];
    const unsigned bits = describer_.immediate_size_bits(inst_, at, subtarget_);
    out_.immediate_bytes = static_cast<std::uint8_t>(out_.immediate_bytes + bits / 8);
    const llvm::MCOperand& value = inst_.getOperand(at);
    out_.immediate_bits = value.isImm() ? static_cast<std::uint8_t>(signed_width_bits(value.getImm())) : 32;
    Operand operand;
    operand.id = id;
    operand.kind = OperandKind::imm;
    out_.operands.push_back(std::move(operand));
    return "i" + std::to_string(bits);
  }

  /// What the opcode fixes: the 1 of shl r, 1.
  std::string literal(std::string_view core) const {
    std::int64_t number = 0;
    const bool stays = immediates_.empty() && (printed_.operands.size() > 1 || !parse_integer(core, number));
    return stays ? std::string(core) : "i8";
  }

  // --- the key -------------------------------------------------------------------------------------------------------

  void finish_form() {
    // The immediate that selects a compare predicate is printed inside the mnemonic: give it back its place.
    if (immediates_printed_ < immediates_.size() && out_.branch == Branch::none) {
      const std::string plain = without_predicate(mnemonic_);
      if (plain != mnemonic_) {
        mnemonic_ = plain;
        form_operands_ += ", i8";
        out_.immediate_bits = 8;
        out_.immediate_bytes = 1;
        ++explicit_operands_; // cmpsd of two operands is a string instruction
      }
    }
    if (printed_.operands.size() == 1 && is_shift(mnemonic_))
      form_operands_ += ", 1"; // the encoding without an immediate; printers differ on writing it
    out_.form = mnemonic_ + form_operands_;
    out_.mnemonic = mnemonic_;
  }

  /// Adding base, index and displacement takes another unit than adding two of them on several cores, and so does an
  /// address relative to the instruction pointer: a separate form. rbp and r13 as base force a displacement byte.
  void describe_lea() {
    if (mnemonic_ != "lea" || memory_at_ != 1) return;
    const llvm::MCRegister base = inst_.getOperand(1).getReg();
    const llvm::MCOperand& displacement = inst_.getOperand(4);
    const std::string_view base_name = base ? target_.registers->getName(base) : "";
    const bool displaced = !displacement.isImm() || displacement.getImm() != 0 || base_name.ends_with("BP") ||
                           base_name.starts_with("R13");
    const bool relative = base_name.ends_with("IP");
    if (relative || (base && inst_.getOperand(3).getReg() && displaced)) {
      out_.alternative_forms.push_back(out_.form);
      out_.form += "3";
    }
    const bool scaled = inst_.getOperand(3).getReg() && inst_.getOperand(2).getImm() > 1;
    if (relative || scaled) out_.address_variant = relative ? "@rip" : "@scaled";
  }

  // --- memory and what the text does not show ------------------------------------------------------------------------

  void take_mask() {
    if (mask_name_.empty()) return;
    for (Slot& slot : slots_)
      if (!slot.used && target_.register_class(slot.reg) == RegisterClass::x86_mask) {
        slot.used = true;
        describer_.add_register_operand(out_, operand_id::mask, slot, false);
        return;
      }
  }

  RegisterId location(unsigned operand) const {
    const llvm::MCRegister reg = inst_.getOperand(operand).getReg();
    return reg && !target_.locations(reg).empty() ? target_.locations(reg).front() : RegisterId{0};
  }

  void set_displacement(MemoryAccess& access, const llvm::MCOperand& displacement) const {
    if (displacement.isImm()) {
      access.displacement = displacement.getImm();
    } else if (displacement.isExpr()) {
      llvm::raw_string_ostream stream(access.symbol);
      print_expression(stream, *displacement.getExpr(), *target_.assembly);
    }
  }

  void add_memory_access() {
    const auto first = static_cast<unsigned>(memory_at_);
    MemoryAccess access;
    const llvm::MCRegister base = inst_.getOperand(first).getReg();
    access.pc_relative = base && std::string_view(target_.registers->getName(base)).ends_with("IP");
    access.base = location(first);
    access.index = location(first + 2);
    const llvm::MCRegister index = inst_.getOperand(first + 2).getReg();
    access.vector_index = index && is_vector(target_.register_class(index));
    access.scale = static_cast<std::uint8_t>(inst_.getOperand(first + 1).getImm());
    set_displacement(access, inst_.getOperand(first + 3));
    access.segment = location(first + 4);
    if (access.segment != 0) {
      const std::string name = target_.location_name(access.segment);
      if (name != "fs" && name != "gs") access.segment = 0;
    }
    access.width_bytes = memory_width_;
    access.read = desc_.mayLoad();
    access.write = desc_.mayStore();
    const Access known = row_ == nullptr         ? Access::unspecified
                         : memory_position_ == 0 ? row_->memory_first
                                                 : row_->memory_other;
    if (known != Access::unspecified) {
      access.read = known == Access::read || known == Access::read_write;
      access.write = known == Access::write || known == Access::read_write;
    }
    Describer::add_address_operand(out_, operand_id::address, access.base);
    Describer::add_address_operand(out_, operand_id::index, access.index);
    if (access.read || access.write) Describer::add_memory(out_, access);
  }

  /// "movabs rax, [address]": an absolute address, without registers.
  void add_absolute_access() {
    if (memory_width_ == 0 || (row_ != nullptr && row_->memory_printed)) return;
    for (unsigned i = 0; i + 1 < desc_.getNumOperands() && i + 1 < inst_.getNumOperands(); ++i) {
      if (!is_memory_type(i) || inst_.getOperand(i).isReg()) continue;
      MemoryAccess access;
      set_displacement(access, inst_.getOperand(i));
      access.width_bytes = memory_width_;
      access.read = memory_position_ > 0;
      access.write = memory_position_ == 0;
      Describer::add_memory(out_, access);
      out_.displacement_bytes = sizeof(access.displacement);
      return;
    }
  }

  /// The mask that a gather clears.
  void add_unprinted() {
    for (const Slot& slot : slots_) {
      const RegisterClass kind = target_.register_class(slot.reg);
      if (slot.used || kind == RegisterClass::x86_mask || kind == RegisterClass::x86_stack) continue;
      const auto id = static_cast<OperandId>(operand_id::implicit_register + target_.locations(slot.reg).front());
      describer_.add_register_operand(out_, id, slot, true);
    }
  }

  void turn_x87_stack() {
    describer_.x87_top_ = static_cast<unsigned>(static_cast<int>(describer_.x87_top_) + row_->x87_top) & 7U;
    if (mnemonic_ == "fninit") describer_.x87_top_ = 0;
  }

  void describe_encoding() {
    static const std::uint16_t apx = requirement_called(Isa::x86, "apxf");
    if (is_apx_encoding(out_.bytes)) // registers r16 to r31 need it in any opcode
      out_.requirement = apx;
    const auto [opcode_offset, operand_size_prefix] = prefix_bytes(out_.bytes);
    out_.opcode_offset_bytes = static_cast<std::uint8_t>(opcode_offset);
    if (memory_at_ >= 0)
      out_.displacement_bytes = static_cast<std::uint8_t>(displacement_bytes(out_.bytes, opcode_offset));
    out_.length_changing_prefix = operand_size_prefix && form_operands_.find(" i16") != std::string::npos;
  }

  Describer& describer_;
  const Target& target_;
  Instruction& out_;
  const llvm::MCInst& inst_;
  const llvm::MCInstrDesc& desc_;
  const llvm::MCSubtargetInfo& subtarget_;
  const PrintedInstruction& printed_;
  int memory_at_ = -1;
  std::vector<Slot> slots_;
  std::vector<unsigned> immediates_;
  std::size_t immediates_printed_ = 0;
  std::string mnemonic_;
  std::string form_operands_;
  std::string mask_name_;
  std::size_t explicit_operands_;
  std::size_t memory_position_ = 0;
  unsigned memory_width_ = 0;
  const X86Semantics* row_ = nullptr;
};

void Describer::describe_x86(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                             const llvm::MCSubtargetInfo& subtarget, const PrintedInstruction& printed) {
  X86Description(*this, out, inst, desc, subtarget, printed).run();
}

} // namespace corecast
