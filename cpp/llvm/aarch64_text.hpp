// Parts of AArch64 text that form keys and descriptions share.
#pragma once

#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace corecast {

struct RegisterWord {
  std::string key;    // "x", "v.2d", "p/z", "d"
  std::string lookup; // "x3", "v3", "z3": name without arrangement
  bool zero = false;
};

/// Reads "x3", "wzr", "sp", "v12.4s", "z3.d", "p0/m", "p1.b", "pn8", "d7".
bool read_register(std::string_view word, RegisterWord& out);

/// Whether the mnemonic is of a load, store or other access whose address stands in brackets.
bool is_memory_mnemonic(std::string_view mnemonic);

/// Letters, digits, underscore and dot.
bool is_word_char(char c);

/// "lsl", "sxtw"...: what may stand before the amount of a shift or extension.
bool is_shift_word(std::string_view word);

} // namespace corecast
