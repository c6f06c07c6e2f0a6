// What registers hold before every instruction of a kernel's first executions.
#pragma once

#include "measure.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace corecast::runner {

struct TraceStep {
  std::uint64_t offset = 0; // of the instruction, from the start of the first copy
  std::array<std::uint64_t, general_registers> general{};
};

struct Trace {
  Outcome outcome;
  std::vector<TraceStep> steps; // up to where the code ended, or as many as were requested
  bool complete = false;        // the last copy was left at its end
};

/// Executes `copies` of a kernel, one after the other, instruction by instruction.
Trace trace(const TimedKernel& kernel, unsigned copies, std::size_t most_steps, const SandboxOptions& options);

} // namespace corecast::runner
