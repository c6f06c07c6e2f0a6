#include "cpp/bulk/methods.hpp"

#include "cpp/bulk/contended.hpp"
#include "cpp/sim/simulator.hpp"

#include <algorithm>

namespace corecast {
namespace {

sim::SimulateOptions simulate_options(const Block& block) {
  sim::SimulateOptions options;
  options.mode = block.options.mode;
  options.unknown = block.options.unknown;
  options.start = block.options.start_offset;
  return options;
}

/// Bounds; the few loops in which ports are bound against a carried chain are followed cycle by cycle.
Method make_bounds() {
  return [loops = ContendedLoops()](const Block& block) mutable {
    const Prediction found = predict(block.machine, block.instructions, block.costings, block.options);
    BlockPrediction out{found.cycles_per_iteration, found.bottleneck, found.bounds};
    if (!found.contended) return out;
    out.cycles = std::max(out.cycles, loops.cycles(block, simulate_options(block)));
    out.bottleneck = Prediction::bound_names.front();
    return out;
  };
}

Method make_simulate() {
  return [](const Block& block) {
    sim::Simulation found = sim::simulate(block.machine, block.instructions, block.costings, simulate_options(block));
    BlockPrediction out;
    out.cycles = found.cycles_per_iteration;
    out.bottleneck = std::move(found.bottleneck);
    return out;
  };
}

constexpr NamedMethod methods[] = {{"bounds", make_bounds}, {"simulate", make_simulate}};

} // namespace

std::span<const NamedMethod> all_methods() { return methods; }

} // namespace corecast
