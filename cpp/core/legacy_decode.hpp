// Predecoder and decoders of Intel cores, as bounds (pipeline facts FA-5 to FA-9).
#pragma once

#include "cpp/core/frontend.hpp"
#include "cpp/core/pipeline.hpp"

namespace corecast {

/// What the decoders and the microcode sequencer make of an instruction.
DecodeNeeds decode_needs(const FrontendItem& item);

/// Push, pop and their like, whose steps the stack engine follows.
bool moves_stack_pointer(const Instruction& instruction);

/// Cycles per iteration of the predecoder; nothing where its parameters or the code's lengths are unknown.
std::optional<double> predecode_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items,
                                       LoopMode mode, bool aligned);

/// Cycles per iteration of the decoders.
std::optional<double> decode_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items);

} // namespace corecast
