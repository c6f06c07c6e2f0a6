// Machine code of a timed function as it is put together, byte by byte: what is the same for all instruction sets.
#pragma once

#include "harness.hpp"

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
    for (unsigned copy = 0; copy < loop.copies; ++copy) {
      const std::size_t place = size();
      append(loop.body);
      relocate(place, loop.relocations);
    }
    return start;
  }

  void patch(std::size_t place, std::uint8_t byte) { code_.at(place) = byte; }

  std::size_t size() const { return code_.size(); }
  std::uint64_t address() const { return at_ + code_.size(); }
  std::uint64_t control() const { return control_; }
  std::vector<std::uint8_t> take() { return std::move(code_); }

private:
  /// Displacements of what was appended at `start` that lead to the same places from every copy.
  void relocate(std::size_t start, std::span<const Relocation> relocations) {
    for (const Relocation& each : relocations) {
      const std::uint64_t displacement = each.target - (at_ + start + each.end);
      for (unsigned i = 0; i < 4; ++i)
        patch(start + each.field + i, static_cast<std::uint8_t>(displacement >> (8 * i)));
    }
  }

  std::uint64_t at_, control_;
  std::vector<std::uint8_t> code_;
};

} // namespace corecast::runner
