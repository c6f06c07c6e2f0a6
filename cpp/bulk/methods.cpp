#include "cpp/bulk/methods.hpp"

#include "cpp/bulk/simulated_programs.hpp"

#include <algorithm>

namespace corecast {
namespace {

constexpr std::int32_t fewest_contended_cycles = 768; // such loops settle sooner than others

/// Bounds; the few loops in which ports are bound against a carried chain (Prediction::contended), which no bound can
/// tell, are followed cycle by cycle.
Method make_bounds() {
  return [loops = SimulatedPrograms(fewest_contended_cycles)](const Block& block) mutable {
    const Prediction found = predict(block.machine, block.instructions, block.costings, block.options);
    BlockPrediction out{found.cycles_per_iteration, found.bottleneck, found.bounds};
    if (!found.contended) return out;
    out.cycles = std::max(out.cycles, loops.find(block).cycles);
    out.bottleneck = Prediction::bound_names.front();
    return out;
  };
}

Method make_simulate() {
  return [programs = SimulatedPrograms()](const Block& block) mutable {
    const SimulatedPrograms::Result& found = programs.find(block);
    BlockPrediction out;
    out.cycles = found.cycles;
    out.bottleneck = found.bottleneck;
    return out;
  };
}

constexpr NamedMethod methods[] = {{"bounds", make_bounds}, {"simulate", make_simulate}};

} // namespace

std::span<const NamedMethod> all_methods() { return methods; }

} // namespace corecast
