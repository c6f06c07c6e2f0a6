// What LLVM's opcodes need of a core. LLVM knows it for AArch64 and RISC-V only in its parsers, and not at all for x86.
#pragma once

#include "isa.hpp"

#include <cstdint>
#include <string_view>

namespace corecast {

/// Number of the requirement (cpp/machine/extensions.hpp) of the opcode that LLVM calls so; 0: nothing beyond the base,
/// or an opcode of another version of LLVM that the table does not have.
std::uint16_t requirement_of(Isa isa, std::string_view opcode);

/// Number of a requirement by its text, 0 where there is none.
std::uint16_t requirement_called(Isa isa, std::string_view text);

} // namespace corecast
