// What a mnemonic does, apart from element types, widths and memory ordering.
#pragma once

#include "cpp/machine/pipeline/pipeline.hpp"

#include <string_view>

namespace corecast {

/// The common part of the mnemonics of one operation: "add" of vaddpd and addss, "ldadd" of ldaddalb, "vadd" of
/// vadd.vx. Mnemonics that follow no such rule are an operation each.
std::string_view operation_of(Architecture architecture, std::string_view mnemonic);

} // namespace corecast
