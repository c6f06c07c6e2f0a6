#include "cpp/sim/stages/rename_groups.hpp"

namespace corecast::sim {
namespace {

bool plain(const DecodedUop& each) {
  return each.plain && each.kind != LaminatedKind::added_alone && each.kind != LaminatedKind::added_on_overflow;
}

PlannedGroup plan_group(const Program& program, const CoreParameters& core, std::size_t first) {
  PlannedGroup out;
  RenameGroup& group = out.group;
  out.first_uop = program.laminated[first].first_uop;
  std::size_t at = first;
  while (group.slots < core.width) {
    const DecodedUop& each = program.laminated[at];
    if (!plain(each)) return {};
    // The stack engine's uop goes with the instruction behind it, which reads the pointer.
    const std::uint32_t wanted = each.slots + (each.kind == LaminatedKind::added ? 1 : 0);
    if (group.taken > 0 && (group.slots + wanted > core.width || !group.fits(each, core))) {
      out.stall = Stall::split_group;
      break;
    }
    group.held += each.held;
    group.slots += each.slots;
    group.add(each);
    if (++at < program.laminated.size()) continue;
    at = 0;
    ++group.rounds;
  }
  out.next = static_cast<std::uint32_t>(at);
  return out;
}

} // namespace

void plan_groups(const Program& program, const CoreParameters& core, std::vector<PlannedGroup>& out) {
  out.reserve(program.laminated.size());
  for (std::size_t first = 0; first < program.laminated.size(); ++first)
    out.push_back(plan_group(program, core, first));
}

} // namespace corecast::sim
