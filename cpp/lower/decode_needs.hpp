// What the decoders and the microcode sequencer make of an instruction.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

namespace corecast {

/// `entry` is its row, nullptr where unknown: it then counts as one uop.
DecodeNeeds decode_needs(const FrontEndParameters& parameters, const FormEntry* entry);

} // namespace corecast
