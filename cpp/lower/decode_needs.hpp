// What the decoders and the microcode sequencer make of an instruction.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

namespace corecast {

/// `entry` is its row, nullptr where unknown: it then counts as one uop.
DecodeNeeds decode_needs(const FrontEndParameters& parameters, const FormEntry* entry);

/// Push, pop and their like, whose steps the stack engine follows.
bool moves_stack_pointer(const Instruction& instruction);

} // namespace corecast
