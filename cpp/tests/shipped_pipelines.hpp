// The pipelines of shipped models, as tools/dump_pipelines.py writes them before the tests run.
#pragma once

#include "cpp/machine/pipeline/pipeline.hpp"

#include <string>

namespace corecast {

/// Throws std::runtime_error where the file is not there or does not have the core: scripts/build --tests writes it.
PipelineParameters shipped_pipeline(const std::string& core);

} // namespace corecast
