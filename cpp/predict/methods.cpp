#include "cpp/predict/methods.hpp"

#include "cpp/predict/simulated_programs.hpp"

#include <utility>

namespace corecast {
namespace {

class Bounds : public Method {
public:
  BegunPrediction begin(const Block& block) override {
    const Prediction found = predict(block.machine, block.region, block.costings, block.options);
    BegunPrediction out;
    out.found.cycles = found.cycles_per_iteration;
    out.found.bottleneck = found.bottleneck;
    out.found.bounds = found.bounds;
    return out;
  }

  BlockPrediction finish(const Machine&, BegunPrediction& begun) override { return std::move(begun.found); }
};

class Simulate : public Method {
public:
  void check(std::span<const Costing> costings) const override { sim::check_size(costings); }
  bool needs_edges() const override { return false; }

  BegunPrediction begin(const Block& block) override {
    sim::Program program = programs_.expand(block.machine, block.region);
    const sim::Digest digest = programs_.expect(program);
    return {{}, std::move(program), digest};
  }

  BlockPrediction finish(const Machine& machine, BegunPrediction& begun) override {
    const SimulatedPrograms::Result& found = programs_.find(machine, *begun.program, begun.digest);
    BlockPrediction out = std::move(begun.found);
    out.cycles = found.cycles;
    out.bottleneck = found.bottleneck;
    out.simulated = true;
    programs_.give_back(*std::move(begun.program));
    return out;
  }

private:
  SimulatedPrograms programs_;
};

/// The simulation's cycles, with the static bounds beside them.
class SimulateAndBounds : public Simulate {
public:
  bool needs_edges() const override { return true; }

  BegunPrediction begin(const Block& block) override {
    BegunPrediction out = Simulate::begin(block);
    out.found.bounds = predict(block.machine, block.region, block.costings, block.options).bounds;
    return out;
  }
};

template <typename Kind> std::unique_ptr<Method> make() {
  return std::make_unique<Kind>();
}

constexpr NamedMethod methods[] = {
    {"bounds", make<Bounds>}, {"simulate", make<Simulate>}, {"simulate_and_bounds", make<SimulateAndBounds>}};

} // namespace

std::span<const NamedMethod> all_methods() {
  return methods;
}

} // namespace corecast
