#include "cpp/bounds/worst_meeting.hpp"

#include "cpp/bounds/cycles.hpp"
#include "cpp/lower/graph.hpp"
#include "cpp/machine/machine.hpp"

namespace corecast {

std::optional<Meeting> worst_meeting(const Machine& machine, std::span<const Instruction* const> instructions,
                                     std::span<const FormEntry* const> entries) {
  Aliasing aliasing;
  aliasing.frame = FrameRegisters::of(machine);
  std::optional<Meeting> worst;
  for (const MemoryDependency& meeting : possible_meetings(machine, instructions)) {
    aliasing.feed = meeting;
    const double cycles = loop_carried_bound(build_graph(machine, instructions, entries, {}, {}, &aliasing));
    if (!worst || cycles > worst->dependency_cycles + 1e-9) worst = Meeting{meeting, cycles};
  }
  return worst;
}

} // namespace corecast
