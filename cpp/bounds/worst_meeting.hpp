// What it costs where a store and a later load through other registers meet.
#pragma once

#include "cpp/lower/aliasing.hpp"

#include <optional>
#include <span>

namespace corecast {

struct FormEntry;

/// Of the meetings that the code leaves open, the one whose loop-carried chain is the slowest.
struct Meeting {
  MemoryDependency feed;
  double dependency_cycles = 0; // the slowest loop-carried chain then
};
std::optional<Meeting> worst_meeting(const Machine& machine, std::span<const Instruction* const> instructions,
                                     std::span<const FormEntry* const> entries);

} // namespace corecast
