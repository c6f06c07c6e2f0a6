// The loop around a block: encoded x86 blocks are measured, and forecast, as `block; dec REG; jnz block`.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace corecast {

using Counters = std::uint16_t; // a bit each

/// Code that counts down a register which the block leaves alone and branches back to the block's start. This is how
/// BHive measures blocks as loops (Chen et al., IISWC 2019).
struct ClosingBranch {
  std::array<std::uint8_t, 9> bytes{};
  std::size_t size = 0;      // 0: the block uses every register
  std::uint64_t address = 0; // behind the block

  std::span<const std::uint8_t> code() const { return std::span(bytes).first(size); }
};

ClosingBranch closing_branch(std::span<const Instruction* const> block);
/// The same of a block that uses these counters.
ClosingBranch closing_branch(std::span<const Instruction* const> block, Counters used);

/// Registers that an instruction uses, of those that may count: for who meets it in many blocks.
Counters counters_of(const Instruction& instruction);

} // namespace corecast
