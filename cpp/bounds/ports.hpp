// Port pressure: which uops go to which ports, and the cycles per iteration that follow.
#pragma once

#include "cpp/machine/forms/form_entry.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corecast {

/// Uops of one instruction (or cycles of a non-pipelined unit) that any port of the mask may take.
struct PortDemand {
  std::uint32_t instruction = 0;
  double count = 0;
  PortMask mask = 0;
};

struct PortDistribution {
  std::size_t ports = 0;
  std::vector<double> pressure; // instruction x port, row by row: cycles
  std::vector<double> totals;   // by port
  double bound = 0;             // the highest total
  PortMask limiting = 0;        // balanced: the ports that nothing can relieve; uniform: those of the highest total

  double at(std::size_t instruction, std::size_t port) const { return pressure[instruction * ports + port]; }
};

/// The optimum. First the highest total is made as low as any distribution permits, then the highest of the remaining
/// ports, and so on. Exact to a millionth of a uop (integer maximum flow; Dinkelbach's iteration for the densest set).
PortDistribution distribute_balanced(std::span<const PortDemand> demands, std::size_t instructions, std::size_t ports);

/// Equal shares: each uop is split evenly over the ports it may use (the OSACA papers' assumption).
PortDistribution distribute_uniform(std::span<const PortDemand> demands, std::size_t instructions, std::size_t ports);

/// As a core does where each demand, in their order, goes to the port behind the last one of its set that any demand
/// took (`port_choice.policy`: `after_last`): the mean of the iterations after which the choices repeat.
PortDistribution distribute_after_last(std::span<const PortDemand> demands, std::size_t instructions,
                                       std::size_t ports);

/// The bound of `distribute_balanced` alone.
double balanced_bound(std::span<const PortDemand> demands);

} // namespace corecast
