// Machine code of a timed function as it is put together, byte by byte: what is the same for all instruction sets.
#pragma once

#include "harness.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace corecast::runner {

class CodeEmitter {
public:
  /// Code for address `at`, which talks through `control`.
  CodeEmitter(std::uint64_t at, const Control* control) : at_(at), control_(reinterpret_cast<std::uint64_t>(control)) {}

  void number(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i)
      code_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void word(std::uint32_t value) { number(value, 4); }
  void half(std::uint16_t value) { number(value, 2); }
  void append(std::span<const std::uint8_t> more) { code_.insert(code_.end(), more.begin(), more.end()); }

  /// The copies of a loop's body. Tells where the first one starts.
  std::size_t copies(const LoopCode& loop) {
    const std::size_t start = size();
    for (unsigned copy = 0; copy < loop.copies; ++copy)
      part(loop, 0, loop.body.size());
    return start;
  }

  /// The same with a trap in front of every instruction and behind the last one; `length` tells an instruction's bytes
  /// from its first one.
  template <typename Length>
  std::vector<Trap> stepped_copies(const LoopCode& loop, std::uint32_t trap, const Length& length) {
    std::vector<Trap> traps;
    std::size_t offset = 0;
    for (unsigned copy = 0; copy < loop.copies; ++copy)
      for (std::size_t at = 0; at < loop.body.size();) {
        const std::size_t bytes = std::min<std::size_t>(length(loop.body[at]), loop.body.size() - at);
        traps.push_back({size(), offset});
        word(trap);
        part(loop, at, bytes);
        at += bytes;
        offset += bytes;
      }
    traps.push_back({size(), offset});
    word(trap);
    return traps;
  }

  /// `adrp` at an address so that it gives the target's page.
  static std::uint32_t with_pages(std::uint32_t adrp, std::uint64_t from, std::uint64_t target) {
    constexpr unsigned page_bits = 12;
    const auto pages = static_cast<std::uint32_t>((target >> page_bits) - (from >> page_bits));
    return (adrp & 0x9F00'001F) | (pages & 3) << 29 | (pages >> 2 & 0x7'FFFF) << 5;
  }

  void patch(std::size_t place, std::uint8_t byte) { code_.at(place) = byte; }

  std::size_t size() const { return code_.size(); }
  std::uint64_t address() const { return at_ + code_.size(); }
  std::uint64_t control() const { return control_; }
  std::vector<std::uint8_t> take() { return std::move(code_); }

private:
  /// So many bytes of the body; what is relative in them leads to the same places from every copy.
  void part(const LoopCode& loop, std::size_t from, std::size_t bytes) {
    const std::size_t start = size();
    append(loop.body.subspan(from, bytes));
    for (const Relocation& each : loop.relocations)
      if (each.field >= from && each.field < from + bytes) relocate(start - from, each);
  }

  /// `start`: where the body starts that the relocation is of, were all of it there.
  void relocate(std::size_t start, const Relocation& each) {
    const std::size_t place = start + each.field;
    if (each.kind == Field::displacement) return set(place, each.target - (at_ + start + each.end));
    set(place, with_pages(get(place), at_ + place, each.target));
  }

  std::uint32_t get(std::size_t place) const {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i)
      value |= static_cast<std::uint32_t>(code_.at(place + i)) << (8 * i);
    return value;
  }
  void set(std::size_t place, std::uint64_t value) {
    for (unsigned i = 0; i < 4; ++i)
      patch(place + i, static_cast<std::uint8_t>(value >> (8 * i)));
  }

  std::uint64_t at_, control_;
  std::vector<std::uint8_t> code_;
};

} // namespace corecast::runner
