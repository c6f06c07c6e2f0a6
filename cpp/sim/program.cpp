#include "cpp/sim/program.hpp"

#include <utility>

namespace corecast::sim {

void Program::clear() {
  Program empty;
  const auto keep = [&](auto Program::* list) {
    (empty.*list).swap(this->*list);
    (empty.*list).clear();
  };
  keep(&Program::decoded);
  keep(&Program::instructions);
  keep(&Program::laminated);
  keep(&Program::fused);
  keep(&Program::uops);
  keep(&Program::inputs);
  keep(&Program::outputs);
  keep(&Program::late_results);
  keep(&Program::written);
  keep(&Program::lagging_inputs);
  *this = std::move(empty);
}

} // namespace corecast::sim
