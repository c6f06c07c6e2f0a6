#include "cpp/sim/activity.hpp"

#include "cpp/lower/activity.hpp"

#include <cmath>

namespace corecast::sim {

void mark_activity(const Machine& machine, std::span<const Instruction* const> instructions, Program& program) {
  const Activity activity(machine, instructions);
  if (!activity.counts()) return;
  for (DecodedUop& each : program.laminated) {
    double cycles = 0;
    for (std::uint32_t f = each.first_fused; f < each.fused_end; ++f)
      for (std::uint32_t u = program.fused[f].first_uop; u < program.fused[f].uop_end; ++u)
        if (const Uop& uop = program.uops[u];
            uop.ports != 0 && program.instructions[uop.instruction].move == MoveClass::none)
          cycles += activity.cycles_of(*instructions[uop.instruction], uop.kind);
    each.activity = static_cast<std::uint32_t>(std::lround(cycles * cycle_of_activity));
  }
}

double cycles_of_activity(const Program& program) {
  std::uint64_t activity = 0;
  for (const DecodedUop& each : program.laminated)
    activity += each.activity;
  return static_cast<double>(activity) / cycle_of_activity;
}

bool may_be_too_active(const Program& program, const CoreParameters& parameters) {
  return cycles_of_activity(program) * parameters.width > static_cast<double>(program.fused.size());
}

} // namespace corecast::sim
