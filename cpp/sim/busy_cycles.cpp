#include "cpp/sim/busy_cycles.hpp"

#include "cpp/sim/activity.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace corecast::sim {
namespace {

double largest(const std::vector<double>& cycles) {
  return cycles.empty() ? 0 : *std::max_element(cycles.begin(), cycles.end());
}

} // namespace

double most_unit_cycles(const Program& program) {
  std::vector<double> cycles(program.units, 0);
  for (const Uop& uop : program.uops)
    if (uop.unit != none) cycles[uop.unit] += uop.unit_cycles;
  return largest(cycles);
}

double most_busy_cycles(const Program& program) {
  std::vector<double> cycles(program.resources, 0);
  for (const Uop& uop : program.uops)
    if (std::has_single_bit(uop.ports) && !uop.despite_elimination)
      cycles[static_cast<std::size_t>(std::countr_zero(uop.ports))] += uop.port_cycles;
  return std::max({largest(cycles), most_unit_cycles(program), cycles_of_activity(program)});
}

} // namespace corecast::sim
