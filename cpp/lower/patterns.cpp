#include "cpp/lower/patterns.hpp"

#include "cpp/isa/glob.hpp"

#include <algorithm>
#include <span>

namespace corecast {
namespace {

std::span<const MemoryAccess> accesses_of(const Candidate& candidate) {
  if (candidate.access != nullptr) return {candidate.access, 1};
  return candidate.instruction->memory;
}

template <typename Holds> bool any_access(const Candidate& candidate, const Holds& holds) {
  const std::span<const MemoryAccess> accesses = accesses_of(candidate);
  return std::any_of(accesses.begin(), accesses.end(), holds);
}

AccessKind kind_of(const Candidate& candidate) {
  const bool reads = any_access(candidate, [](const MemoryAccess& each) { return each.read; });
  const bool writes = any_access(candidate, [](const MemoryAccess& each) { return each.write; });
  if (reads && writes) return AccessKind::update;
  return reads ? AccessKind::load : writes ? AccessKind::store : AccessKind::none;
}

bool has_immediate(const Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const Operand& operand) { return operand.kind == OperandKind::imm; });
}

bool sets_flags(const Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](const Operand& operand) { return operand.write && operand.id == operand_id::flags; });
}

/// Of memory, by an operation with a register.
bool register_update(const Candidate& candidate) {
  if (kind_of(candidate) != AccessKind::update) return false;
  const std::vector<Operand>& operands = candidate.instruction->operands;
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return !operand.implicit && operand.kind == OperandKind::reg && operand.id < operand_id::memory && operand.read;
  });
}

/// Whether a whole register is written from fewer than eight bytes of memory.
bool extends(const Candidate& candidate) {
  if (!any_access(candidate, [](const MemoryAccess& each) { return each.read && each.width_bytes < 8; })) return false;
  const std::vector<Operand>& operands = candidate.instruction->operands;
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return operand.write && operand.id < operand_id::memory &&
           std::any_of(
               operand.registers.begin(), operand.registers.end(),
               [](const RegisterUse& use) { return use.write && use.part == Part::full; });
  });
}

bool fits_width(const std::vector<double>& widths, const Candidate& candidate) {
  return widths.empty() || any_access(candidate, [&](const MemoryAccess& each) {
           return std::find(widths.begin(), widths.end(), each.width_bytes) != widths.end();
         });
}

/// Of the few that a pattern asks for; looks at nothing else.
template <typename Is> bool is(const std::optional<bool>& wanted, const Is& holds) {
  return !wanted || *wanted == holds();
}

bool fits_memory(const Pattern& pattern, const Candidate& candidate) {
  if (pattern.access != AccessKind::any && kind_of(candidate) != pattern.access) return false;
  const auto some = [&](const auto& holds) { return [&] { return any_access(candidate, holds); }; };
  return is(pattern.indexed, some([](const MemoryAccess& each) { return each.index != 0; })) &&
         is(pattern.pc_relative, some([](const MemoryAccess& each) { return each.pc_relative; })) &&
         is(pattern.memory_and_immediate,
            [&] { return kind_of(candidate) != AccessKind::none && has_immediate(*candidate.instruction); }) &&
         fits_width(pattern.width_bytes, candidate) &&
         is(pattern.register_update, [&] { return register_update(candidate); });
}

} // namespace

bool fits_name(const Pattern& pattern, const Instruction& instruction) {
  return (pattern.mnemonics.empty() || pattern.mnemonics.names(instruction)) && !pattern.except.names(instruction);
}

bool fits(const Pattern& pattern, const Candidate& candidate) {
  const Instruction& instruction = *candidate.instruction;
  if (!fits_name(pattern, instruction)) return false;
  if (pattern.max_uops) {
    if (candidate.entry == nullptr) return false;
    if (candidate.entry->uops && candidate.entry->uops->fused > *pattern.max_uops) return false;
  }
  return fits_memory(pattern, candidate) && is(pattern.vector, [&] { return instruction.traits.vector; }) &&
         is(pattern.sets_flags, [&] { return sets_flags(instruction); }) &&
         is(pattern.extends, [&] { return extends(candidate); }) &&
         is(pattern.begins_pair, [&] { return candidate.begins_pair; }) &&
         is(pattern.added_by_renaming, [&] { return candidate.added_by_renaming; }) &&
         is(pattern.changes_copy, [&] { return candidate.changes_copy; });
}

bool changes_copy(const Instruction& first, const Instruction& second) {
  if (first.operands.empty() || second.operands.empty()) return false;
  const Operand &copy = first.operands.front(), &changed = second.operands.front();
  if (copy.registers.size() != 1 || changed.registers.size() != 1 || !changed.read || !changed.write) return false;
  return copy.registers.front().reg == changed.registers.front().reg;
}

} // namespace corecast
