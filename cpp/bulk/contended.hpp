// Loops that no bound can tell, followed cycle by cycle: see Prediction::contended.
#pragma once

#include "cpp/bulk/methods.hpp"
#include "cpp/sim/simulator.hpp"

#include <cstdint>
#include <unordered_map>

namespace corecast {

/// Such loops are short and much alike: most are the same to the core as one that was met before.
class ContendedLoops {
public:
  /// Cycles per iteration.
  double cycles(const Block& block, sim::SimulateOptions options);

private:
  struct Followed {
    sim::Program program;
    double cycles = 0;
  };

  std::unordered_multimap<std::uint64_t, Followed> followed_; // by a hash of the program
};

} // namespace corecast
