// Canonical printed text of an instruction, taken apart.
#pragma once

#include "isa.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace corecast {

struct PrintedInstruction {
  std::string mnemonic; // prefixes included: "lock add"
  std::vector<std::string> operands;
  std::string text; // "vaddpd zmm0 {k1} {z}, zmm1, zmm2", one space after the mnemonic
};

/// Splits what LLVM's printer wrote ("\tmnemonic\toperand, operand").
PrintedInstruction split_printed(Isa isa, std::string_view printed);

/// Splits at commas outside of brackets, braces and parentheses; trims blanks.
std::vector<std::string> split_operands(std::string_view text);

std::string_view trim(std::string_view text);

/// Decimal, 0x hexadecimal, with sign and leading '#' or '$'; false where `text` is no plain number.
bool parse_integer(std::string_view text, std::int64_t& value);

} // namespace corecast
