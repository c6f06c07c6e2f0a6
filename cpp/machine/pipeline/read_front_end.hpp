// The lists of [front_end] in a pipeline.toml.
#pragma once

#include "cpp/machine/pipeline/pipeline.hpp"
#include "cpp/machine/pipeline/pipeline_reader.hpp"

namespace corecast {

// Their values must have passed check_parameters(). They throw KeyError.
void read_uop_cache_entry_limits(const PipelineReader& in, FrontEndParameters& out);
void read_loop_buffer_copies(const PipelineReader& in, FrontEndParameters& out);

} // namespace corecast
