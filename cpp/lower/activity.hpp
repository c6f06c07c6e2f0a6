// Uops that are too wide for the core to do as many of them at once as its ports could.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/machine/memory_ports.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <span>
#include <vector>

namespace corecast {

class Machine;
struct Region;

/// What the uops of a region take of all that the core can do at once.
class Activity {
public:
  Activity(const Machine& machine, std::span<const Instruction* const> instructions);

  /// Whether the region has wide vectors, and the core is known to be limited by them.
  bool counts() const { return rows_ != nullptr; }
  /// Cycles' worth, of an instruction's uop that is executed. Needs counts().
  double cycles_of(const Instruction& instruction, UopKind kind) const;

private:
  const std::vector<ActivityCycles>* rows_ = nullptr;
};

/// Cycles in which the core could at best do all that an iteration is sure to execute.
double activity_bound(const Machine& machine, const Region& region);

} // namespace corecast
