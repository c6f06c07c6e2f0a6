// Predecoder and decoders of Intel cores, as bounds (pipeline facts FA-5 to FA-9).
#pragma once

#include "cpp/lower/region.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <optional>

namespace corecast {

/// Cycles per iteration of the predecoder; nothing where its parameters or the code's lengths are unknown.
std::optional<double> predecode_cycles(const FrontEndParameters& parameters, const Region& region);

/// Cycles per iteration of the decoders, for the instructions that come from them.
std::optional<double> decode_cycles(const FrontEndParameters& parameters, const Region& region, const Supply& supply);

} // namespace corecast
