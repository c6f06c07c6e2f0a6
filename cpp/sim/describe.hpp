// What decoders, uop cache and renamer need to know of an instruction.
#pragma once

#include "cpp/core/form_entry.hpp"
#include "cpp/core/instruction.hpp"
#include "cpp/core/pipeline.hpp"
#include "cpp/sim/program.hpp"

namespace corecast::sim {

/// An instruction with its place in a fused pair. Where it lies, its uops and its names are filled in elsewhere.
SimInstruction describe(const PipelineParameters& pipeline, const Instruction& instruction, const FormEntry* entry,
                        bool fused_first, bool fused_second);

} // namespace corecast::sim
