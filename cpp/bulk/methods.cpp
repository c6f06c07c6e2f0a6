#include "cpp/bulk/methods.hpp"

#include "cpp/sim/simulator.hpp"

namespace corecast {
namespace {

Method make_bounds() {
  return [](const Block& block) {
    const Prediction found = predict(block.machine, block.instructions, block.costings, block.options);
    return BlockPrediction{found.cycles_per_iteration, found.bottleneck, found.bounds};
  };
}

Method make_simulate() {
  return [](const Block& block) {
    sim::SimulateOptions options;
    options.mode = block.options.mode;
    options.unknown = block.options.unknown;
    options.start = block.options.start_offset;
    sim::Simulation found = sim::simulate(block.machine, block.instructions, options);
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
