// Bits of a word that are set.
#pragma once

#include <cstdint>

namespace corecast {

/// As std::popcount, which is a call of a function that reads a table where the instruction may be missing.
constexpr std::uint32_t count_ones(std::uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
  return static_cast<std::uint32_t>(bits * 0x0101010101010101 >> 56);
}

} // namespace corecast
