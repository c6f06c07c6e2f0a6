// Simulation of a region: every uop from fetch to retirement, until the state of the pipeline repeats.
#pragma once

#include "cpp/lower/aliasing.hpp"
#include "cpp/lower/costing.hpp"
#include "cpp/lower/layout.hpp"
#include "cpp/machine/machine.hpp"
#include "cpp/sim/cycle_span.hpp"
#include "cpp/sim/observe/timeline.hpp"
#include "cpp/sim/program.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace corecast::sim {

struct SimulateOptions {
  LoopMode mode = LoopMode::loop;
  UnknownPolicy unknown = UnknownPolicy::bound;
  std::uint64_t start = 0; // address of the first instruction
  bool aligned = true;     // false: that address is made up, rules about branches at certain addresses do not hold
  /// Shortest simulation of a region whose state does not repeat. Where uops pile up at a port it takes some thousand
  /// cycles until the reorder buffer and the scheduler are as full as they get.
  std::int32_t fewest_cycles = 4000;
  Aliasing aliasing;                         // of accesses through different registers
  std::optional<std::int64_t> register_step; // StartPlaces
  std::optional<std::uint32_t> slots_before; // LowerOptions
  CycleSpan span;                            // what to measure on; empty: until the state repeats, or long enough
  /// Uops get their cycles when they are renamed, wherever younger ones cannot change them; false: each waits for its
  /// turn, which takes longer and comes to the same.
  bool books_ahead = true;
  bool counters = true; // false: the result is to be without Simulation::counters
};

/// All figures are per iteration, over the span that the result is measured on.
struct Simulation {
  double cycles_per_iteration = 0;
  bool periodic = false; // the pipeline's state was seen to repeat: the figure is exact
  std::uint64_t simulated_cycles = 0;
  CycleSpan span; // measured on
  std::uint64_t measured_iterations = 0;
  std::string bottleneck;                             // ports, dependency, frontend, retire
  std::vector<std::pair<const char*, double>> stalls; // cycles; they add up to cycles_per_iteration
  std::vector<std::pair<std::string, double>> counters;
  std::vector<double> port_uops; // by resource of the machine
  PortMask binding_ports = 0;    // taken all the time by uops that can run nowhere else
  std::uint32_t unknown = 0;     // instructions without data
};

struct ObserveOptions {
  SimulateOptions simulate;
  std::uint32_t timeline_iterations = 0;
  std::optional<std::uint64_t> timeline_from; // iteration, from 0; nothing: where the measured ones begin
};

/// A simulation with the reason of each cycle; the cycles are the same.
struct Observation {
  Simulation simulation;
  std::vector<StallShare> stalls; // add up to cycles_per_iteration, largest first
  Timeline timeline;
};

/// Throws SimulationLimitError where an iteration of such instructions is too long to simulate.
void check_size(std::span<const Costing> costings);

/// Throws UnknownFormError (policy error), ModelError and SimulationLimitError; never runs longer than a bound that the
/// region's size sets.
Simulation simulate(const Machine& machine, std::span<const Instruction* const> instructions,
                    const SimulateOptions& options);
/// The same of lowered code that was expanded (expand.hpp), for who wants to know whether two regions are the same to
/// the core.
Simulation simulate(const Machine& machine, const Program& program, const SimulateOptions& options);
Observation observe(const Machine& machine, std::span<const Instruction* const> instructions,
                    const ObserveOptions& options);

} // namespace corecast::sim
