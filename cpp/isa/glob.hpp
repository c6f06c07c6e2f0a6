// Globs of mnemonics and keys, as models write them.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <span>
#include <string>
#include <string_view>

namespace corecast {

/// Whether a glob of mnemonics ("j*", "b.*", "cmp") matches.
bool matches_glob(std::string_view glob, std::string_view text);
bool matches_any(std::span<const std::string> globs, std::string_view text);
/// The same of an instruction's mnemonic, or of its whole key where a glob holds a blank.
bool names_any(std::span<const std::string> globs, const Instruction& instruction);

} // namespace corecast
