// Where the code lies, and how it repeats.
#pragma once

#include "cpp/base/recycled.hpp"
#include "cpp/isa/instruction.hpp"

#include <cstdint>
#include <span>

namespace corecast {

enum class LoopMode : std::uint8_t { loop, unroll };

struct Layout {
  std::uint64_t start = 0;           // address of the first byte
  bool alignment_known = false;      // else the start is made up, and rules about places in blocks of code do not hold
  Recycled<std::uint64_t> addresses; // of the instructions
  std::uint64_t length_bytes = 0;

  Layout(std::span<const Instruction* const> instructions, std::uint64_t start, bool alignment_known)
      : start(start), alignment_known(alignment_known) {
    addresses.reserve(instructions.size());
    for (const Instruction* instruction : instructions) {
      addresses.push_back(start + length_bytes);
      length_bytes += instruction->length_bytes;
    }
  }
};

} // namespace corecast
