// Simulation of block after block, each only where no block before was the same to the core.
#pragma once

#include "cpp/lower/region.hpp"
#include "cpp/sim/digest.hpp"
#include "cpp/sim/simulator.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corecast {

/// In real programs a third of the blocks and more differ from one met before only in what a core does not see: which
/// registers they name, which constants they hold.
class SimulatedPrograms {
public:
  struct Result {
    double cycles = 0; // per iteration
    std::string bottleneck;
  };

  /// `fewest_cycles`: as in sim::SimulateOptions.
  explicit SimulatedPrograms(std::int32_t fewest_cycles = sim::SimulateOptions().fewest_cycles)
      : fewest_cycles_(fewest_cycles) {}

  /// What the core sees of a block. Throws ModelError.
  sim::Program expand(const Machine& machine, const Region& region);
  /// Returns its digest. What is remembered of it, far from the processor, is fetched until it is asked for.
  sim::Digest expect(const sim::Program& program);
  /// The same whatever was asked for before. Valid until the next call. Throws SimulationLimitError.
  const Result& find(const Machine& machine, const sim::Program& program, const sim::Digest& digest);
  /// Takes a program that nobody needs any more: its memory serves the next ones.
  void give_back(sim::Program program);

private:
  /// Programs themselves would fill the caches that simulating needs.
  struct Entry {
    sim::Digest digest; // zero: nothing is remembered here
    Result result;
  };

  Entry& entry_of(const sim::Digest& digest);

  std::int32_t fewest_cycles_;
  std::vector<Entry> entries_;      // by digest; a program takes the place of another one
  std::vector<sim::Program> spare_; // as many as were made before one was given back
};

} // namespace corecast
