// What an instruction is, by its text and its form.
#pragma once

#include "cpp/isa/instruction.hpp"

namespace corecast {

/// The traits of an instruction whose text, mnemonic, form, memory accesses and bytes are known.
Traits traits_of(const Instruction& instruction, bool is_x86);

} // namespace corecast
