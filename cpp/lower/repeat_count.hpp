// How often string instructions with a repeat prefix repeat, where the code says it.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace corecast {

/// The count of instruction i of a path: the constant that was last written to its register. In a loop in which nothing
/// else writes the register it is 0 from the second iteration on, which is what a repeated instruction leaves there.
std::optional<std::int64_t> repeat_count(std::span<const Instruction* const> path, std::size_t i, bool loop);

} // namespace corecast
