// Finds instruction forms by decoding systematically varied encodings: only what the disassembler accepts reaches the
// printer, which may crash on operands that no encoding has.
#include "schedule.hpp"

#include "describe.hpp"
#include "target.hpp"
#include "x86_text.hpp"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <unordered_map>

namespace corecast {
namespace {

bool is_lockable(const Instruction& instruction) {
  constexpr std::array<std::string_view, 18> names{"adc",     "add",        "and",       "btc", "btr",  "bts",
                                                   "cmpxchg", "cmpxchg16b", "cmpxchg8b", "dec", "inc",  "neg",
                                                   "not",     "or",         "sbb",       "sub", "xadd", "xor"};
  const std::string_view name = std::string_view(instruction.mnemonic).substr(5);
  return std::find(names.begin(), names.end(), name) != names.end() && !instruction.memory.empty() &&
         instruction.memory.front().write;
}

/// "xchg rax, rax": the text does not say which of the two the encoding fixes, so the key could name either.
bool repeats_fixed_register(const Instruction& instruction) {
  for (const Operand& fixed : instruction.operands)
    if (fixed.implicit && fixed.id < operand_id::memory && !fixed.registers.empty())
      for (const Operand& other : instruction.operands)
        if (!other.implicit && !other.registers.empty() && other.registers.front().reg == fixed.registers.front().reg)
          return true;
  return false;
}

class FormCollector {
public:
  enum class What : std::uint8_t { forms, opcodes };

  explicit FormCollector(Isa isa, What what)
      : what_(what), target_(Target::get(isa)),
        context_(target_.triple, target_.assembly.get(), target_.registers.get(), target_.subtarget.get()),
        decoder_(target_.target->createMCDisassembler(*target_.subtarget, context_)), describer_(target_, context_) {}

  void offer(llvm::ArrayRef<std::uint8_t> code) {
    llvm::MCInst inst;
    std::uint64_t length = 0;
    if (decoder_->getInstruction(inst, length, code, 0, llvm::nulls()) != llvm::MCDisassembler::Success) return;
    const llvm::MCInstrDesc& desc = target_.instructions->get(inst.getOpcode());
    if (desc.isPseudo()) return;
    // Registers that only APX has are no better an example than others of what an older core executes.
    const std::vector<std::uint8_t> encoding(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(length));
    const bool apx = target_.isa == Isa::x86 && is_apx_encoding(encoding);
    if (what_ == What::opcodes) {
      OpcodeEntry& known = opcodes_[inst.getOpcode()];
      if (known.quality > 0) return;
      const int quality = apx ? -1 : names_stack_pointer(inst) ? 0 : distinct_registers(inst);
      if (quality > known.quality) known = {quality, encoding};
      return;
    }
    // Most encodings differ in registers only: a few looks per opcode and prefix state suffice.
    unsigned& looks = looks_[(static_cast<std::uint64_t>(inst.getOpcode()) << 16) | inst.getFlags()];
    if (looks >= max_looks) return;
    ++looks;
    describer_.set_vector_type({});
    const Instruction instruction = describer_.describe(inst, *target_.subtarget, 0, code.take_front(length));
    if (instruction.mnemonic.starts_with("lock ") && !is_lockable(instruction)) return; // decodes, but faults
    if (repeats_fixed_register(instruction)) return;
    const int quality = apx ? -1 : distinct_registers(inst);
    auto [found, added] = forms_.try_emplace(instruction.form);
    found->second.requirements.insert(instruction.requirement);
    if (!added && found->second.quality >= quality) return;
    found->second.quality = quality;
    found->second.form = {instruction.form, target_.instructions->getName(inst.getOpcode()).str(), encoding, {}};
  }

  std::vector<EnumeratedForm> take() {
    std::vector<EnumeratedForm> result;
    for (auto& [key, entry] : forms_) {
      entry.form.requirements.assign(entry.requirements.begin(), entry.requirements.end());
      result.push_back(std::move(entry.form));
    }
    return result;
  }

  std::vector<EnumeratedForm> take_opcodes() {
    std::vector<EnumeratedForm> result;
    for (auto& [opcode, entry] : opcodes_)
      result.push_back({"", target_.instructions->getName(opcode).str(), std::move(entry.code), {}});
    return result;
  }

private:
  static constexpr unsigned max_looks = 2000; // condition codes are operands: one opcode has many forms
  struct Entry {
    int quality = -2;
    EnumeratedForm form;
    std::set<std::uint16_t> requirements;
  };
  struct OpcodeEntry {
    int quality = -2;
    std::vector<std::uint8_t> code;
  };

  /// x86: the stack pointer, which has a separate unit.
  bool names_stack_pointer(const llvm::MCInst& inst) const {
    if (target_.isa != Isa::x86) return false;
    const RegisterId pointer = target_.location_named("rsp");
    return std::any_of(inst.begin(), inst.end(), [&](const llvm::MCOperand& operand) {
      if (!operand.isReg() || !operand.getReg()) return false;
      const std::vector<RegisterId>& locations = target_.locations(operand.getReg());
      return std::find(locations.begin(), locations.end(), pointer) != locations.end();
    });
  }

  /// 1 where all registers differ (tied operands aside), else 0.
  int distinct_registers(const llvm::MCInst& inst) const {
    const llvm::MCInstrDesc& desc = target_.instructions->get(inst.getOpcode());
    std::set<RegisterId> seen;
    for (llvm::MCPhysReg reg : desc.implicit_uses())
      for (RegisterId location : target_.locations(reg))
        seen.insert(location);
    for (unsigned i = 0; i < inst.getNumOperands() && i < desc.getNumOperands(); ++i) {
      const llvm::MCOperand& operand = inst.getOperand(i);
      if (!operand.isReg() || !operand.getReg() || desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) >= 0) continue;
      if (target_.locations(operand.getReg()).empty()) return 0;
      for (RegisterId location : target_.locations(operand.getReg()))
        if (!seen.insert(location).second) return 0;
    }
    return 1;
  }

  What what_;
  const Target& target_;
  llvm::MCContext context_;
  std::unique_ptr<llvm::MCDisassembler> decoder_;
  Describer describer_;
  std::map<unsigned, OpcodeEntry> opcodes_;
  std::unordered_map<std::uint64_t, unsigned> looks_;
  std::map<std::string, Entry> forms_;
};

void put32(std::array<std::uint8_t, 16>& code, std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i)
    code[i] = static_cast<std::uint8_t>(word >> (8 * i));
}

void enumerate_aarch64(FormCollector& collector) {
  std::mt19937 random(1);
  std::array<std::uint8_t, 16> code{};
  // Bits 16 to 20 hold a register or an opcode: every value, with the low bits at random and once with the field that
  // holds patterns and source registers all ones and all zeros (`cntw x0`, `ret`).
  constexpr std::uint32_t middle_field = 0x3E0;
  for (std::uint32_t high = 0; high < 1U << 11; ++high)
    for (std::uint32_t middle = 0; middle < 1U << 6; ++middle)
      for (std::uint32_t field = 0; field < 1U << 5; ++field) {
        const std::uint32_t word = (high << 21) | (middle << 10) | (field << 16);
        for (unsigned i = 0; i < 3; ++i) {
          put32(code, word | (random() & 0x3FF));
          collector.offer({code.data(), 4});
        }
        put32(code, word | (random() & 0x1F) | middle_field);
        collector.offer({code.data(), 4});
        put32(code, word | (random() & 0x1F));
        collector.offer({code.data(), 4});
      }
  // Hints, barriers and system registers sit behind long fixed patterns.
  for (std::uint32_t low = 0; low < 1U << 20; ++low) {
    put32(code, 0xD5000000U | (low << 5 & 0x001FFFE0U) | 31U);
    collector.offer({code.data(), 4});
  }
  for (std::uint32_t word : {0xD65F03C0U, 0xD50B7423U, 0xD53B4203U, 0xD51B4203U, 0xD61F0060U, 0xD63F0060U}) {
    put32(code, word);
    collector.offer({code.data(), 4});
  }
}

void enumerate_riscv(FormCollector& collector) {
  std::mt19937 random(1);
  std::array<std::uint8_t, 16> code{};
  for (std::uint32_t half = 0; half < 1U << 16; ++half) {
    put32(code, half);
    collector.offer({code.data(), 2});
  }
  constexpr unsigned tries = 96;
  for (std::uint32_t opcode = 3; opcode < 128; opcode += 4)
    for (std::uint32_t funct3 = 0; funct3 < 8; ++funct3)
      for (std::uint32_t funct7 = 0; funct7 < 128; ++funct7)
        for (unsigned i = 0; i < tries; ++i) {
          const std::uint32_t rs2 = i < 32 ? i : random() & 31;
          put32(code, opcode | (funct3 << 12) | (funct7 << 25) | (rs2 << 20) | ((random() & 31) << 15) |
                          ((random() & 31) << 7));
          collector.offer({code.data(), 4});
        }
}

/// ModRM and what follows: register forms, [base], [base+index], with distinct registers.
std::vector<std::vector<std::uint8_t>> modrm_tails() {
  std::vector<std::vector<std::uint8_t>> tails;
  const std::vector<std::uint8_t> immediate{0x12, 0x03, 0x40, 0x05, 0x33, 0x21, 0x12, 0x01};
  for (unsigned reg = 0; reg < 8; ++reg) {
    const unsigned rm = (reg + 3) & 7;
    std::vector<std::uint8_t> direct{static_cast<std::uint8_t>(0xC0 | reg << 3 | rm)};
    std::vector<std::uint8_t> memory{static_cast<std::uint8_t>(0x40 | reg << 3 | (reg == 7 ? 6 : 7)), 0x10};
    std::vector<std::uint8_t> indexed{static_cast<std::uint8_t>(0x40 | reg << 3 | 4),
                                      static_cast<std::uint8_t>(reg == 6 ? 0x4B : 0x73), 0x10}; // index esi or ecx
    for (auto& tail : {direct, memory, indexed}) {
      tails.push_back(tail);
      tails.back().insert(tails.back().end(), immediate.begin(), immediate.end());
    }
  }
  // Second operands of the fixed-register encodings of one group (fld st(1), mfence...).
  for (unsigned byte = 0xC0; byte < 0x100; ++byte) {
    tails.push_back({static_cast<std::uint8_t>(byte)});
    tails.back().insert(tails.back().end(), immediate.begin(), immediate.end());
  }
  return tails;
}

void enumerate_x86(FormCollector& collector) {
  const auto tails = modrm_tails();
  std::vector<std::uint8_t> code;
  auto offer = [&](const std::vector<std::uint8_t>& head, const std::vector<std::uint8_t>& tail) {
    code = head;
    code.insert(code.end(), tail.begin(), tail.end());
    code.resize(std::max<std::size_t>(code.size(), 16));
    collector.offer(code);
  };
  const std::vector<std::vector<std::uint8_t>> prefixes{{},           {0x66},       {0xF2}, {0xF3},
                                                        {0x66, 0xF2}, {0x66, 0xF3}, {0xF0}, {0x66, 0xF0}};
  const std::vector<std::vector<std::uint8_t>> escapes{{}, {0x0F}, {0x0F, 0x38}, {0x0F, 0x3A}};
  for (const auto& prefix : prefixes)
    for (unsigned rex : {0U, 0x40U, 0x48U, 0x45U})
      for (const auto& escape : escapes)
        for (unsigned opcode = 0; opcode < 256; ++opcode) {
          std::vector<std::uint8_t> head = prefix;
          if (rex != 0) head.push_back(static_cast<std::uint8_t>(rex));
          head.insert(head.end(), escape.begin(), escape.end());
          head.push_back(static_cast<std::uint8_t>(opcode));
          for (const auto& tail : tails)
            offer(head, tail);
        }
  const std::size_t group_tails = 24; // of the tails, those with distinct registers
  for (unsigned map = 1; map <= 7; ++map)
    for (unsigned pp = 0; pp < 4; ++pp)
      for (unsigned w = 0; w < 2; ++w)
        for (unsigned opcode = 0; opcode < 256; ++opcode) {
          for (unsigned length = 0; length < 2; ++length)
            for (unsigned vvvv : {0xFU, 0x5U}) { // unused, and register 10
              const std::vector<std::uint8_t> head{0xC4, static_cast<std::uint8_t>(0xE0 | map),
                                                   static_cast<std::uint8_t>(w << 7 | vvvv << 3 | length << 2 | pp),
                                                   static_cast<std::uint8_t>(opcode)};
              for (std::size_t i = 0; i < group_tails; ++i)
                offer(head, tails[i]);
            }
          for (unsigned length = 0; length < 4; ++length)
            for (unsigned vvvv : {0xFU, 0x5U})
              for (unsigned b = 0; b < 2; ++b)
                for (unsigned masking : {0U, 1U, 0x81U, 4U}) { // none, {k1}, {k1}{z}; {k4}, in map 4: {nf}
                  const std::vector<std::uint8_t> head{
                      0x62, static_cast<std::uint8_t>(0xF0 | map),
                      static_cast<std::uint8_t>(w << 7 | vvvv << 3 | 4 | pp),
                      static_cast<std::uint8_t>((masking & 0x80) | length << 5 | b << 4 | 8 | (masking & 7)),
                      static_cast<std::uint8_t>(opcode)};
                  for (std::size_t i = 0; i < group_tails; ++i)
                    offer(head, tails[i]);
                }
        }
  for (unsigned map = 8; map <= 10; ++map) // XOP
    for (unsigned w = 0; w < 2; ++w)
      for (unsigned length = 0; length < 2; ++length)
        for (unsigned vvvv : {0xFU, 0x5U})
          for (unsigned opcode = 0; opcode < 256; ++opcode) {
            const std::vector<std::uint8_t> head{0x8F, static_cast<std::uint8_t>(0xE0 | map),
                                                 static_cast<std::uint8_t>(w << 7 | vvvv << 3 | length << 2),
                                                 static_cast<std::uint8_t>(opcode)};
            for (std::size_t i = 0; i < group_tails; ++i)
              offer(head, tails[i]);
          }
}

} // namespace

namespace {

void enumerate(Isa isa, FormCollector& collector) {
  switch (isa) {
  case Isa::x86:
    enumerate_x86(collector);
    break;
  case Isa::aarch64:
    enumerate_aarch64(collector);
    break;
  case Isa::riscv64:
    enumerate_riscv(collector);
    break;
  }
}

} // namespace

std::vector<EnumeratedForm> enumerate_forms(Isa isa) {
  FormCollector collector(isa, FormCollector::What::forms);
  enumerate(isa, collector);
  return collector.take();
}

std::vector<EnumeratedForm> enumerate_opcodes(Isa isa) {
  FormCollector collector(isa, FormCollector::What::opcodes);
  enumerate(isa, collector);
  return collector.take_opcodes();
}

} // namespace corecast
