// Loads whose base register was itself loaded: faster on some cores (pipeline facts IN-121).
#pragma once

#include "cpp/lower/graph.hpp"

#include <span>

namespace corecast {

struct PipelineParameters;

/// Cycles that a load gains on an address input (`use`, one of the graph's); 0 where the core or the code offers none.
double pointer_chasing_gain(const PipelineParameters& pipeline, std::span<const Instruction* const> instructions,
                            std::span<const FormEntry* const> entries, const DependencyGraph& graph,
                            const DependencyUse& use);

} // namespace corecast
