#include "cpp/predict/methods.hpp"

#include "cpp/predict/simulated_programs.hpp"

namespace corecast {
namespace {

Method make_bounds() {
  return [](const Block& block) {
    const Prediction found = predict(block.machine, block.instructions, block.costings, block.options);
    BlockPrediction out;
    out.cycles = found.cycles_per_iteration;
    out.bottleneck = found.bottleneck;
    out.bounds = found.bounds;
    return out;
  };
}

Method make_simulate() {
  return [programs = SimulatedPrograms()](const Block& block) mutable {
    const SimulatedPrograms::Result& found = programs.find(block);
    BlockPrediction out;
    out.cycles = found.cycles;
    out.bottleneck = found.bottleneck;
    out.simulated = true;
    return out;
  };
}

/// The simulation's cycles, with the static bounds beside them.
Method make_simulate_and_bounds() {
  return [simulate = make_simulate()](const Block& block) {
    BlockPrediction out = simulate(block);
    out.bounds = predict(block.machine, block.instructions, block.costings, block.options).bounds;
    return out;
  };
}

constexpr NamedMethod methods[] = {
    {"bounds", make_bounds}, {"simulate", make_simulate}, {"simulate_and_bounds", make_simulate_and_bounds}};

} // namespace

std::span<const NamedMethod> all_methods() {
  return methods;
}

} // namespace corecast
