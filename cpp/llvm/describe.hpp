// One LLVM instruction -> corecast's Instruction: form key, operands, memory, address arithmetic.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "operand_text.hpp"
#include "target.hpp"

#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"

#include <array>
#include <memory>
#include <unordered_map>

namespace corecast {

struct X86Semantics;

/// The vector configuration that the vsetvli seen last has set (RISC-V V extension).
struct VectorType {
  bool known = false;
  unsigned element_bits = 0;
  int lmul_log2 = 0; // -3 (1/8) .. 3 (8)
  bool tail_agnostic = true;
  bool mask_agnostic = true;

  bool operator==(const VectorType&) const = default;
};

class Describer {
public:
  Describer(const Target& target, llvm::MCContext& context);

  /// `address`: where the instruction starts. `encoding` empty: the instruction is encoded here (text).
  Instruction describe(const llvm::MCInst& inst, const llvm::MCSubtargetInfo& subtarget, std::uint64_t address,
                       llvm::ArrayRef<std::uint8_t> encoding = {});

  /// The vector configuration in force (RISC-V); kept from instruction to instruction in text order.
  const VectorType& vector_type() const { return vector_type_; }
  void set_vector_type(const VectorType& type) { vector_type_ = type; }

  /// What earlier instructions of the text leave to later ones.
  struct State {
    VectorType vector_type;
    unsigned x87_top = 0;

    bool operator==(const State&) const = default;
  };
  State state() const { return {vector_type_, x87_top_}; }
  void set_state(const State& state) {
    vector_type_ = state.vector_type;
    x87_top_ = state.x87_top;
  }

  std::vector<std::uint8_t> encode(const llvm::MCInst& inst, const llvm::MCSubtargetInfo& subtarget);
  const Target& target() const { return target_; }

private:
  friend class X86Description;

  /// Explicit register operand of the MCInst, tied uses folded into their definitions.
  struct Slot {
    llvm::MCRegister reg;
    bool read = false;
    bool write = false;
    bool used = false;
  };

  PrintedInstruction print(llvm::MCInstPrinter& printer, const llvm::MCInst& inst,
                           const llvm::MCSubtargetInfo& subtarget);
  std::vector<Slot> register_slots(const llvm::MCInst& inst, const llvm::MCInstrDesc& desc) const;
  Slot* take_slot(std::vector<Slot>& slots, RegisterId location) const;
  void add_register_operand(Instruction& out, OperandId id, const Slot& slot, bool implicit) const;
  /// Registers of the encoding that the text does not show.
  void add_unprinted(Instruction& out, const std::vector<Slot>& slots) const;
  /// The address operand `id` ("addr", "index"), read.
  static void add_address_operand(Instruction& out, OperandId id, RegisterId reg);
  /// A memory access with its operand "mem".
  static void add_memory(Instruction& out, MemoryAccess access, bool implicit = false);
  void add_implicit_registers(Instruction& out, const llvm::MCInstrDesc& desc) const;
  void set_branch(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                  const PrintedInstruction& printed);

  void describe_x86(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                    const llvm::MCSubtargetInfo& subtarget, const PrintedInstruction& printed);
  void describe_aarch64(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                        const PrintedInstruction& printed);
  void describe_riscv(Instruction& out, const llvm::MCInst& inst, const llvm::MCInstrDesc& desc,
                      const PrintedInstruction& printed);

  /// x86: encoded immediate size in bits (0 where the opcode has none), found by encoding two values.
  unsigned immediate_size_bits(const llvm::MCInst& inst, unsigned operand, const llvm::MCSubtargetInfo& subtarget);
  void apply_x86_semantics(Instruction& out, const llvm::MCInstrDesc& desc, const X86Semantics* row);
  /// The register that st(`depth`) is at this place of the code: pushes and pops turn the stack.
  RegisterId x87_location(unsigned depth) const;
  void add_implicit_memory(Instruction& out, const X86Semantics& row) const;

  const Target& target_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  std::unique_ptr<llvm::MCInstPrinter> plain_printer_; // without aliases; null for x86
  std::unique_ptr<llvm::MCCodeEmitter> emitter_;
  std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
  std::unordered_map<unsigned, unsigned> immediate_bits_;
  VectorType vector_type_;
  unsigned x87_top_ = 0; // like vector_type_ kept in text order
};

/// Whether an instruction is a prefix byte that stands alone ("lock", "data16"): it belongs to what follows.
bool is_lone_prefix(const Instruction& instruction);

/// Fills Instruction::affine from the canonical text: moves, additions of constants and registers, address arithmetic.
void describe_affine(Isa isa, const Target& target, const PrintedInstruction& printed, Instruction& out);

/// Form keys of the two text-based ISAs (x86's needs the MCInst and is made in x86.cpp).
std::string aarch64_form(const PrintedInstruction& printed);
std::string riscv_form(const PrintedInstruction& printed);

} // namespace corecast
