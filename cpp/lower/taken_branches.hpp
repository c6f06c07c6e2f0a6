// Which branches of a region are taken on the path that it describes.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <cstddef>
#include <span>

namespace corecast {

/// Whether the path goes on at a branch's target. Behind the last instruction it does so where the region is a loop;
/// conditional branches inside are taken where the next instruction of the path does not follow them in memory.
inline bool takes_branch(std::span<const Instruction* const> path, std::size_t i, bool loop) {
  const Instruction& instruction = *path[i];
  if (instruction.branch == Branch::none) return false;
  if (i + 1 == path.size()) return loop;
  if (instruction.branch != Branch::conditional) return true;
  const Instruction& next = *path[i + 1];
  const bool placed = instruction.address != 0 || next.address != 0;
  return placed && next.address != instruction.address + instruction.length_bytes;
}

} // namespace corecast
