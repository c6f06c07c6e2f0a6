#include "cpp/sim/activity.hpp"

#include "cpp/lower/patterns.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace corecast::sim {
namespace {

constexpr unsigned general_bits = 64;
constexpr unsigned wide_bits = 256; // narrower ones alone are never too many

using Rows = std::vector<ActivityCycles>;

template <typename Fits> double first_of(const Rows& rows, double ActivityCycles::* cycles, const Fits& fits) {
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

double cycles_of(const Rows& rows, const Instruction& instruction, const Uop& uop) {
  const auto as_wide = [](unsigned bits) { return [bits](const ActivityCycles& row) { return row.bits >= bits; }; };
  switch (uop.kind) {
  case UopKind::load:
    return first_of(rows, &ActivityCycles::load, as_wide(access_bits(instruction, false)));
  case UopKind::store_data:
    return first_of(rows, &ActivityCycles::store, as_wide(access_bits(instruction, true)));
  case UopKind::store_address:
    return 0; // goes with its data
  case UopKind::operation:
    break;
  }
  return first_of(rows, &ActivityCycles::operation, [&](const ActivityCycles& row) {
    return row.bits >= vector_bits(instruction) && fits_name(row.operations, instruction);
  });
}

} // namespace

void mark_activity(const Machine& machine, std::span<const Instruction* const> instructions, Program& program) {
  const auto wide = [](const Instruction* each) { return each->traits.widest_vector_bits >= wide_bits; };
  if (std::none_of(instructions.begin(), instructions.end(), wide)) return;
  const Rows& rows = machine.pipeline().back_end.activity;
  for (DecodedUop& each : program.laminated) {
    double cycles = 0;
    for (std::uint32_t f = each.first_fused; f < each.fused_end; ++f)
      for (std::uint32_t u = program.fused[f].first_uop; u < program.fused[f].uop_end; ++u)
        if (const Uop& uop = program.uops[u];
            uop.ports != 0 && program.instructions[uop.instruction].move == MoveClass::none)
          cycles += cycles_of(rows, *instructions[uop.instruction], uop);
    each.activity = static_cast<std::uint32_t>(std::lround(cycles * cycle_of_activity));
  }
}

bool may_be_too_active(const Program& program, const CoreParameters& parameters) {
  std::uint64_t activity = 0;
  for (const DecodedUop& each : program.laminated)
    activity += each.activity;
  return activity * parameters.width > program.fused.size() * std::uint64_t{cycle_of_activity};
}

} // namespace corecast::sim
