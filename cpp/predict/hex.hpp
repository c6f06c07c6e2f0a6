// Columns of block files as text: encoded code and addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corecast {

/// Bytes of digits such as `4801d8`, `48 01 d8`, `0x48, 0x01, 0xd8` or `\x48\x01\xd8`, as corecast.asm reads them; else
/// what is wrong: another character or half a byte, and where (from 1).
std::string read_hex(std::string_view text, std::vector<std::uint8_t>& out);

/// A number in decimal or, behind 0x, hexadecimal digits; nothing reads as 0.
std::optional<std::uint64_t> read_address(std::string_view text);

} // namespace corecast
