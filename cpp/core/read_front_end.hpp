// The front end's part of a pipeline.toml.
#pragma once

#include "cpp/core/pipeline_reader.hpp"

namespace corecast {

FrontEndParameters read_front_end(const PipelineReader& in, Architecture architecture);

} // namespace corecast
