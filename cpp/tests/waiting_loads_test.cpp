// Chains through memory whose links take the longer the more loads wait: what a load has counted is part of the state.
#include "cpp/sim/simulator.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

namespace corecast {
namespace {

using toy::Code;

/// Data come within 4 cycles to loads at whose port few others wait, and within 8 to those with `many`.
PipelineParameters with_waits(std::size_t many, double buffer) {
  PipelineParameters out = toy::pipeline();
  out.memory.store_forward_latency_cycles = 4;
  out.memory.forward_latency_by_waiting.assign(many, 4);
  out.memory.forward_latency_by_waiting.push_back(8);
  out.back_end.reorder_buffer_entries = buffer;
  return out;
}

TEST_CASE("loads that started before many waited are no part of what repeats") {
  const Code code{toy::load(toy::rax, toy::rsi), toy::store(toy::rsi, toy::rax)};
  for (const bool books : {true, false})
    for (const double buffer : {50.0, 100.0, 150.0, 200.0})
      for (const std::size_t many : {10U, 15U, 20U, 25U, 30U, 40U, 60U}) {
        CAPTURE(books);
        CAPTURE(buffer);
        CAPTURE(many);
        const auto machine = toy::machine(toy::basic_rows, with_waits(many, buffer));
        sim::SimulateOptions options;
        options.books_ahead = books;
        const sim::Simulation found = sim::simulate(*machine, code.pointers, options);
        if (!found.periodic) continue; // the figure is an estimate
        options.span = {20000, 20000 + 64 * 8 * 20};
        const double later = sim::simulate(*machine, code.pointers, options).cycles_per_iteration;
        CHECK(found.cycles_per_iteration == doctest::Approx(later).epsilon(1e-4));
      }
}

} // namespace
} // namespace corecast
