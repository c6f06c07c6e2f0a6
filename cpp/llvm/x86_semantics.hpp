// What x86 instructions do that LLVM's instruction descriptions do not say: single flags, implicit operands, memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace corecast {

/// Bits of the flag masks below, in the order of the letters C P A Z S O D.
namespace x86_flag {
inline constexpr std::uint8_t carry = 1;
inline constexpr std::uint8_t parity = 2;
inline constexpr std::uint8_t adjust = 4;
inline constexpr std::uint8_t zero = 8;
inline constexpr std::uint8_t sign = 16;
inline constexpr std::uint8_t overflow = 32;
inline constexpr std::uint8_t direction = 64;
} // namespace x86_flag

enum class Access : std::uint8_t { unspecified, none, read, write, read_write };

/// What the result depends on when all source registers are the same one. Whether a core then skips the wait for that
/// register is for its form table to say.
enum class X86SameRegister : std::uint8_t {
  none,      // on the register, as always
  zero,      // on nothing: 0
  ones,      // on nothing: all bits set
  carry,     // on CF only (sbb)
  flags,     // no result; flags on nothing (cmp)
  immediate, // the immediate decides (vpternlog: 0x00 and 0xff depend on nothing)
};

/// An access through registers that the encoding does not name (a push's store, a string instruction's load).
struct X86ImplicitMemory {
  std::string_view base;     // register name, or "op1": the register printed as the first operand
  std::string_view index;    // "" but for xlatb
  std::uint16_t width_bytes; // 0: depends on data
  Access access;
};

/// One row of src/corecast/isa/data/x86_semantics.tsv.
struct X86Semantics {
  std::string_view mnemonic; // as LLVM's Intel printer spells it, "rep movsb" included
  std::string_view pattern;  // operand classes that the row is for ("*,cl", "m8|r8"), "" for any
  std::int8_t operands;      // number of explicit operands that the row is for, -1 for any
  std::uint8_t flags_read;
  std::uint8_t flags_written;     // always, with a defined value
  std::uint8_t flags_conditional; // written or kept, depending on data: a read and a write
  std::uint8_t flags_undefined;   // value not defined: a write (where also conditional: only if written at all)
  /// Registers beside the printed operands and their addresses, by name and width (a write of eax is one of rax). Fixed
  /// registers that are printed (cl in "shl rax, cl") are not here: LLVM's implicit lists are right about those.
  /// x87 stack registers are numbered as before the instruction (a push creates st7); fpsw: the x87 condition codes.
  std::span<const std::string_view> implicit_read;
  std::span<const std::string_view> implicit_written;
  std::span<const X86ImplicitMemory> memory;
  bool memory_printed;                  // string instructions: `memory` are the printed memory operands, in this order
  Access memory_first;                  // explicit memory operand printed first; unspecified: no such form
  Access memory_other;                  // explicit memory operand printed later
  std::array<Access, 2> operand_access; // printed registers where LLVM is wrong (x87, cmpxchg)
  std::int8_t x87_top;                  // change of the x87 stack's TOP: -1 after a push, 1 or 2 after pops
  X86SameRegister same_register;
};

/// Find the row of an instruction; nullptr: nothing to add (no flags, no implicit operands; memory operands after the
/// first are read), or a mnemonic that LLVM has and the table has not (APX).
/// `mnemonic` may carry prefixes ("lock add"). `operands`, where given, is the operand part of the form key
/// ("r64, cl"); rows for particular operands match only then, else the usual row is returned.
const X86Semantics* find_x86_semantics(std::string_view mnemonic, int explicit_operands,
                                       std::string_view operands = {});

/// All rows, ordered by mnemonic.
std::span<const X86Semantics> all_x86_semantics();

} // namespace corecast
