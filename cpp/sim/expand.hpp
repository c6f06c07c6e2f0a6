// From instructions and their rows to the program that is simulated (pipeline facts IN-140 to IN-149).
#pragma once

#include "cpp/core/analyze.hpp"
#include "cpp/core/machine.hpp"
#include "cpp/sim/program.hpp"

#include <span>

namespace corecast::sim {

/// Reads no further than the instructions' data: nothing of the program depends on dynamic state.
Program expand(const Machine& machine, std::span<const Instruction* const> instructions,
               std::span<const FormEntry* const> entries, LoopMode mode, std::uint64_t start,
               const Aliasing* aliasing = nullptr);

} // namespace corecast::sim
