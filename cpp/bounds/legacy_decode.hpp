// Predecoder and decoders of Intel cores, as bounds (pipeline facts FA-5 to FA-9).
#pragma once

#include "cpp/bounds/frontend.hpp"
#include "cpp/lower/decode_needs.hpp"
#include "cpp/core/pipeline.hpp"

namespace corecast {

/// Cycles per iteration of the predecoder; nothing where its parameters or the code's lengths are unknown.
std::optional<double> predecode_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items,
                                       LoopMode mode, bool aligned);

/// Cycles per iteration of the decoders.
std::optional<double> decode_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items);

} // namespace corecast
