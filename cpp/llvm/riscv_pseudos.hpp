// LLVM hangs the costs of RVV instructions on pseudo instructions, one per register group and, where it matters,
// element width. Their names follow the instruction's, the vector type and the operands in it; this finds the right
// one.
#pragma once

#include "describe.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace corecast {

/// Names under which the pseudo instruction of `opcode` (LLVM's name, "VFADD_VF") may stand for a vector type,
/// likeliest first; those for masked execution before the others where `masked`. Loads and stores have the register
/// group that their own element width makes of the type. Empty where the type is no legal one for the instruction.
std::vector<std::string> vector_pseudo_names(std::string_view opcode, const VectorType& type, bool masked);

/// Register group by name: "m2" -> 1, "mf4" -> -2. Throws std::invalid_argument for anything else.
int lmul_log2_of(std::string_view name);

} // namespace corecast
