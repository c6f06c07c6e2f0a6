#include "cpp/bulk/methods.hpp"

namespace corecast {
namespace {

Method make_bounds() {
  return [](const Block& block) {
    const Prediction found = predict(block.machine, block.instructions, block.costings, block.options);
    return BlockPrediction{found.cycles_per_iteration, found.bottleneck, found.bounds};
  };
}

constexpr NamedMethod methods[] = {{"bounds", make_bounds}};

} // namespace

std::span<const NamedMethod> all_methods() { return methods; }

} // namespace corecast
