// Instructions that are recognized by their bytes alone, before anything decodes them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace corecast {

/// The first bytes of some code, where an instruction may begin.
class CodeWindow {
public:
  static constexpr std::size_t most_bytes = 16; // x86 instructions are shorter, but for useless prefixes

  explicit CodeWindow(std::span<const std::uint8_t> code) : size_(std::min(code.size(), most_bytes)) {
    std::uint8_t bytes[most_bytes] = {};
    if (code.size() >= most_bytes)
      std::memcpy(bytes, code.data(), most_bytes); // of a length that the compiler knows
    else
      std::copy(code.begin(), code.end(), bytes);
    std::memcpy(words_.data(), bytes, most_bytes);
  }

  std::size_t size() const { return size_; }

  /// The first `length` bytes, the others zero.
  std::array<std::uint64_t, 2> first(std::size_t length) const {
    return {words_[0] & mask(length), length > 8 ? words_[1] & mask(length - 8) : 0};
  }

private:
  static std::uint64_t mask(std::size_t bytes) {
    if (bytes >= 8) return ~std::uint64_t{0};
    const std::uint64_t low = (std::uint64_t{1} << (8 * bytes)) - 1;
    return std::endian::native == std::endian::little ? low : ~(~std::uint64_t{0} >> (8 * bytes));
  }

  std::size_t size_;
  std::array<std::uint64_t, 2> words_{};
};

/// Which lengths the remembered instructions have, by what they begin with. It may name a length that none has, and
/// never leaves one out: who finds no instruction of these lengths knows none.
class RecallableLengths {
public:
  /// Whether the bytes of an instruction say that it ends where they end, whatever follows. Prefixes alone do not:
  /// they are an instruction before some bytes, and a part of one before others. All other x86 instructions are read
  /// from left to right, as far as their own bytes ask for, so that none is the start of another.
  static bool recallable(bool x86, std::span<const std::uint8_t> bytes) {
    if (bytes.empty() || bytes.size() > most_length) return false;
    return !x86 || !std::all_of(bytes.begin(), bytes.end(), is_prefix);
  }

  void add(std::span<const std::uint8_t> bytes) {
    const CodeWindow window(bytes);
    lengths_[slot(window, std::min(bytes.size(), start_bytes))] |= static_cast<std::uint16_t>(1U << bytes.size());
  }

  /// Bit n: instructions of n bytes.
  std::uint32_t of(const CodeWindow& code) const {
    std::uint32_t found = 0;
    for (std::size_t bytes = 1; bytes <= std::min(code.size(), start_bytes); ++bytes)
      found |= lengths_[slot(code, bytes)];
    return found & ((2U << code.size()) - 1);
  }

  void clear() { lengths_.fill(0); }

private:
  static constexpr std::size_t most_length = 15;
  static constexpr std::size_t start_bytes = 3; // a REX or VEX prefix, an opcode, and often a ModR/M byte
  static constexpr unsigned slot_bits = 14;

  static bool is_prefix(std::uint8_t byte) {
    switch (byte) {
    case 0x26: // segments
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66: // operand and address size
    case 0x67:
    case 0xf0: // lock, repne, rep
    case 0xf2:
    case 0xf3:
      return true;
    default:
      return byte >= 0x40 && byte <= 0x4f; // REX
    }
  }

  static std::size_t slot(const CodeWindow& code, std::size_t bytes) {
    return ((code.first(bytes)[0] + bytes) * 0x9E3779B97F4A7C15U) >> (64 - slot_bits);
  }

  std::array<std::uint16_t, std::size_t{1} << slot_bits> lengths_{};
};

} // namespace corecast
