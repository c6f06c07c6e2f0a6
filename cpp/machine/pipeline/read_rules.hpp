// Reads the rules of a pipeline.toml.
#pragma once

#include "cpp/machine/pipeline/pipeline_reader.hpp"
#include "cpp/machine/pipeline/rules.hpp"

#include <vector>

namespace corecast {

class PortNames;

/// In their order. Throws KeyError where a rule lacks what its effect needs.
std::vector<Rule> read_rules(const PipelineReader& in, const PortNames& ports);

} // namespace corecast
