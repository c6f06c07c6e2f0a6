// LLVM's opcodes as its scheduling models see them: which operand of ours stands at each place of the MCInst, and the
// instructions of one opcode that a core may treat differently, each with the tests that tell it apart.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "isa.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corecast {

/// One test of an MCInst.
struct OpcodeTest {
  enum class Kind : std::uint8_t {
    same_register,    // the operand is the same register as the operand `value`
    present_register, // the operand is a register
    register_called,  // the operand is the register `name`, by LLVM's name
    immediate,        // the operand is the number `value`
    not_immediate,    // the operand is anything but the number `value`
    locked,           // the instruction has a lock prefix
  };
  Kind kind = Kind::immediate;
  unsigned operand = 0; // place in the MCInst
  std::int64_t value = 0;
  std::string name;
};

/// An instruction of an opcode, with the tests that it passes.
struct OpcodeCase {
  std::vector<OpcodeTest> tests; // none: the plain instruction
  Instruction instruction;
};

/// What LLVM's scheduling models number: definitions, and the places behind them.
struct OpcodeShape {
  std::string opcode;             // LLVM's name
  std::vector<std::string> twins; // other names of the same instruction that no encoding decodes to
  std::vector<OperandId> writes;  // of the explicit definitions, then of the implicit ones; 0: no register of ours
  std::vector<OperandId> reads;   // of the places behind the definitions, then of the implicit uses
  std::vector<OpcodeCase> cases;  // the plain instruction first; of the others the first whose tests pass counts
};

/// The shape of every opcode that some encoding decodes to, but for pseudo instructions. Takes some seconds.
std::vector<OpcodeShape> opcode_shapes(Isa isa);

} // namespace corecast
