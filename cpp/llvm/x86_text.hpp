// Parts of x86 text and encodings: register classes, operand decorations, compare predicates, prefixes.
#pragma once

#include "target.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corecast {

/// What form keys call a register: "r64", "xmm", "k".
std::string_view class_name(RegisterClass kind);

/// Bytes of "qword ptr [...]", 0 where the text gives no size.
unsigned pointer_width_bytes(std::string_view operand);

struct Decorations {
  std::string_view core;  // without decorations
  std::string suffix;     // "{k}{z}"
  std::string mask;       // "k1"
  unsigned broadcast = 0; // 8 for {1to8}
};

Decorations take_decorations(std::string_view operand);

/// "vcmpltpd" -> "vcmppd": the printer writes the predicate immediate into the mnemonic.
std::string without_predicate(std::string_view mnemonic);

bool is_shift(std::string_view mnemonic);

/// Smallest of 8, 16, 32 and 64 bits that holds the signed value.
unsigned signed_width_bits(std::int64_t value);

/// Bytes before the nominal opcode byte, and whether an operand-size prefix is among them.
std::pair<unsigned, bool> prefix_bytes(const std::vector<std::uint8_t>& code);

/// Whether an encoding is one of APX: REX2, the new map, or EVEX with a general register from r16 on.
bool is_apx_encoding(const std::vector<std::uint8_t>& code);

/// Of the displacement in an encoding whose ModRM byte, behind the opcode byte at `opcode`, stands for memory.
unsigned displacement_bytes(const std::vector<std::uint8_t>& code, unsigned opcode);

} // namespace corecast
