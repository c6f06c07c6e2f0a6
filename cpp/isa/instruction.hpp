// One decoded instruction, free of LLVM: what every analysis reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace corecast {

/// A storage location that carries dependencies: an architectural register in its widest form (rax for al/ax/eax/rax,
/// zmm0 for xmm0/ymm0, z0 for b0..q0/v0) or one flag. 0 means "none". Names come from RegisterNames
/// (register_names.hpp).
using RegisterId = std::uint16_t;
inline constexpr RegisterId first_flag = 0xF000; // from here on: condition flags, one each

/// Which bits of a location an access touches. Only x86 general registers use anything but `full`:
/// what a partial write means (merge, rename apart) differs between cores and is decided by the dependency graph.
enum class Part : std::uint8_t { full, low32, low16, low8, high8 };

struct RegisterUse {
  RegisterId reg = 0;
  Part part = Part::full;
  bool read = false;
  bool write = false;
};

/// Endpoint of a latency: explicit operands count from 1 in Intel / Arm / RISC-V text order (destination first), the
/// rest are named. Implicit registers are `implicit_register + RegisterId`.
using OperandId = std::uint16_t;
namespace operand_id {
inline constexpr OperandId any = 0;      // "*" in a latency list
inline constexpr OperandId memory = 64;  // "mem": the contents of memory
inline constexpr OperandId address = 65; // "addr": base register; as destination: write-back of the base
inline constexpr OperandId index = 66;   // "index": index register (scalar or vector)
inline constexpr OperandId flags = 67;   // "flags": any condition flags
inline constexpr OperandId mask = 68;    // "mask": x86 {k}, RISC-V v0.t
inline constexpr OperandId implicit_register = 128;
} // namespace operand_id

enum class OperandKind : std::uint8_t { reg, mem, imm, label, other };

struct Operand {
  OperandId id = 0;
  OperandKind kind = OperandKind::reg;
  bool implicit = false;
  /// Every location the operand reads or writes (a register list has several; `mem` has none: see Instruction::memory).
  std::vector<RegisterUse> registers;
  /// kind == mem: whether memory is read or written; kind == reg: any of `registers`.
  bool read = false;
  bool write = false;
};

enum class WriteBack : std::uint8_t { none, pre, post };

struct MemoryAccess {
  RegisterId base = 0;
  RegisterId index = 0;
  RegisterId segment = 0; // x86 fs/gs only
  bool vector_index = false;
  bool pc_relative = false;
  std::uint8_t scale = 1;
  std::int64_t displacement = 0;
  std::string symbol;            // symbolic displacement, "" where none
  std::uint32_t width_bytes = 0; // 0: unknown or depends on the vector length
  bool read = false;
  bool write = false;
  WriteBack write_back = WriteBack::none;

  /// Whether the address is made of the same parts.
  bool same_address_as(const MemoryAccess& other) const {
    return base == other.base && index == other.index && segment == other.segment && scale == other.scale &&
           displacement == other.displacement && symbol == other.symbol;
  }
};

/// What is known of a written register's value: constant + sum(coefficient * register before the instruction).
/// Registers without such an entry that the instruction writes get an unknown value.
struct AffineTerm {
  RegisterId reg = 0;
  std::int64_t coefficient = 0;
};
struct AffineValue {
  RegisterId reg = 0;
  std::int64_t constant = 0;
  std::vector<AffineTerm> terms;
};

enum class Branch : std::uint8_t { none, conditional, unconditional, indirect, call, ret };

/// What follows from an instruction's text or form, found once where it is decoded (traits.hpp): nothing else searches
/// them.
struct Traits {
  std::uint16_t widest_vector_bits = 0;  // x86: of its registers, 64 for mm; 0: none
  bool vector = false;                   // works on vector or floating-point registers
  bool packed_integer = false;           // x86: makes packed integers in a vector register
  bool legacy_sse = false;               // x86: works on xmm registers, and is encoded without VEX
  bool fills_upper_halves = false;       // x86: writes a register of 256 bits or more
  bool clears_upper_halves = false;      // x86: of all registers
  bool moves_stack_pointer = false;      // push, pop, call, ret, enter, leave
  bool copies = false;                   // x86: mov or pop: writes what it reads
  bool pop5c = false;                    // x86: a pop into rsp or r12, whose opcode byte is 5C
  bool writes_high8 = false;             // x86: ah, bh, ch or dh
  bool immediate_64 = false;             // x86: encoded in eight bytes
  bool repeats = false;                  // x86: a string instruction with a repeat prefix
  bool may_end_early = false;            // ... that compares
  bool zero_immediate = false;           // AArch64: its only immediate is 0, and it has no address
  std::int64_t displacement_vectors = 0; // SVE's "#2, mul vl": beside MemoryAccess::displacement
  std::uint16_t address_begin = 0;       // the address within `text`; none: both 0
  std::uint16_t address_end = 0;
};

struct Instruction {
  std::string text;     // canonical text (Intel syntax for x86)
  std::string mnemonic; // canonical, prefixes included ("lock add")
  std::string form;     // lookup key: "vfmadd213pd ymm, ymm, m256"
  /// Further keys to try in order when `form` is unknown: the spelling without aliases, then coarser spellings.
  std::vector<std::string> alternative_forms;
  bool indexed = false;             // some memory operand has an index register: form + " @indexed" is tried first
  std::string_view address_variant; // of a computed address: "@scaled" or "@rip", form + that is tried first; else ""
  bool same_register =
      false;            // at least two explicit register operands, all register operands the same one: form + " @same"
  bool unknown = false; // text that could not be read; `text` holds the line
  std::vector<Operand> operands;
  std::vector<MemoryAccess> memory;
  std::vector<AffineValue> affine;
  Branch branch = Branch::none;
  std::string target;                   // label of a direct branch, "" where numeric or none
  std::int64_t target_address = -1;     // absolute target of a direct branch in decoded code, -1 otherwise
  std::uint64_t address = 0;            // decoded code: where it starts; text: running offset in its section
  std::uint8_t length_bytes = 0;        // encoded length
  std::uint8_t opcode_offset_bytes = 0; // x86: prefixes, REX, VEX/EVEX and 0F escapes before the nominal opcode byte
  bool length_changing_prefix = false;  // x86: 66 prefix with a 16-bit immediate
  std::uint8_t immediate_bits = 0;      // x86: smallest signed width the immediate fits in, 0 where none
  std::uint8_t immediate_bytes = 0;     // x86: of immediates as they are encoded, not of a branch's target
  std::uint8_t displacement_bytes = 0;  // x86: of the address as it is encoded
  bool macro_prefix = false;            // AArch64 movprfx
  std::uint16_t requirement = 0;        // extensions that it needs of a core: see extensions.hpp
  Traits traits;
  std::uint32_t line = 0;          // 1-based line of the source text, 0 where none
  std::vector<std::uint8_t> bytes; // encoding, for code read as text: with unresolved fields zero
};

/// Whether it writes some part of a register.
inline bool writes(const Instruction& instruction, RegisterId reg) {
  for (const Operand& operand : instruction.operands)
    for (const RegisterUse& use : operand.registers)
      if (use.write && use.reg == reg) return true;
  return false;
}

/// Where an access relative to the instruction leads: from its symbol on; of decoded code, which has none, the address.
inline std::int64_t relative_target(const Instruction& instruction, const MemoryAccess& access) {
  const std::uint64_t end = access.symbol.empty() ? instruction.address + instruction.length_bytes : 0;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(access.displacement) + end);
}

} // namespace corecast
