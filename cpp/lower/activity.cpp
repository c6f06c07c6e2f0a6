#include "cpp/lower/activity.hpp"

#include "cpp/lower/patterns.hpp"
#include "cpp/lower/region.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>

namespace corecast {
namespace {

constexpr unsigned general_bits = 64;
constexpr unsigned wide_bits = 256; // narrower ones alone are never too many

template <typename Fits>
double first_of(const std::vector<ActivityCycles>& rows, double ActivityCycles::* cycles, const Fits& fits) {
  const auto row = std::find_if(rows.begin(), rows.end(), fits);
  return row == rows.end() ? 0 : (*row).*cycles;
}

unsigned vector_bits(const Instruction& instruction) {
  return std::max<unsigned>(instruction.traits.widest_vector_bits, general_bits);
}

unsigned access_bits(const Instruction& instruction, bool writes) {
  unsigned bits = general_bits;
  for (const MemoryAccess& access : instruction.memory)
    if (writes ? access.write : access.read) bits = std::max(bits, 8 * static_cast<unsigned>(access.width_bytes));
  return bits;
}

} // namespace

Activity::Activity(const Machine& machine, std::span<const Instruction* const> instructions) {
  const std::vector<ActivityCycles>& rows = machine.pipeline().back_end.activity;
  const auto wide = [](const Instruction* each) { return each->traits.widest_vector_bits >= wide_bits; };
  if (!rows.empty() && std::any_of(instructions.begin(), instructions.end(), wide)) rows_ = &rows;
}

double Activity::cycles_of(const Instruction& instruction, UopKind kind) const {
  const auto as_wide = [](unsigned bits) { return [bits](const ActivityCycles& row) { return row.bits >= bits; }; };
  switch (kind) {
  case UopKind::load:
    return first_of(*rows_, &ActivityCycles::load, as_wide(access_bits(instruction, false)));
  case UopKind::store_data:
    return first_of(*rows_, &ActivityCycles::store, as_wide(access_bits(instruction, true)));
  case UopKind::store_address:
    return 0; // goes with its data
  case UopKind::operation:
    break;
  }
  return first_of(*rows_, &ActivityCycles::operation, [&](const ActivityCycles& row) {
    return row.bits >= vector_bits(instruction) && fits_name(row.operations, instruction);
  });
}

double activity_bound(const Machine& machine, const Region& region) {
  const Activity activity(machine, region.instructions);
  if (!activity.counts()) return 0;
  double cycles = 0;
  for (std::uint32_t i = 0; i < region.instructions.size(); ++i) {
    if (region.entries[i] != nullptr && region.entries[i]->flags.eliminated) continue;
    for (const PlannedUop& uop : region.uops.of(i))
      if (uop.ports != 0) cycles += activity.cycles_of(*region.instructions[i], uop.kind);
  }
  return cycles;
}

} // namespace corecast
