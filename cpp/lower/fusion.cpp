#include "cpp/lower/fusion.hpp"

#include "cpp/isa/glob.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>

namespace corecast {
namespace {

/// Fused pairs hand a value over: the flags, or the register that the branch tests.
bool hands_over(const Instruction& first, const Instruction& second) {
  for (const Operand& written : first.operands)
    for (const RegisterUse& made : written.registers) {
      if (!made.write) continue;
      for (const Operand& taken : second.operands)
        for (const RegisterUse& used : taken.registers)
          if (used.read && used.reg == made.reg) return true;
    }
  return false;
}

struct MemoryShape {
  bool reads = false;
  bool writes = false;
  bool rip_relative = false;
  bool immediate = false;

  explicit MemoryShape(const Instruction& instruction) {
    for (const MemoryAccess& access : instruction.memory) {
      reads = reads || access.read;
      writes = writes || access.write;
      rip_relative = rip_relative || access.pc_relative;
    }
    immediate = std::any_of(instruction.operands.begin(), instruction.operands.end(),
                            [](const Operand& operand) { return operand.kind == OperandKind::imm; });
  }
};

bool permitted(const FusionRule& rule, const MemoryShape& shape) {
  if (!shape.reads) return true;
  return rule.first_memory && (rule.first_immediate_memory || !shape.immediate) &&
         (rule.rip_relative || !shape.rip_relative);
}

/// Whether a form's own list names what follows; "*" stands for every branch.
bool lists(const FormEntry& entry, const Instruction& second) {
  const bool branch = second.branch != Branch::none;
  return std::any_of(entry.fusible.begin(), entry.fusible.end(), [&](const std::string& glob) {
    return (branch || glob != "*") && matches_glob(glob, second.mnemonic);
  });
}

bool fuse(const PipelineParameters& pipeline, const Instruction& first, const FormEntry* entry,
          const Instruction& second) {
  if (first.unknown || second.unknown || first.branch != Branch::none) return false;
  // Names first: few pairs have fitting ones, and the rest takes longer.
  const bool listed = entry != nullptr && entry->fusible_listed; // measured for this very form
  const auto any_rule = [&](auto holds) {
    return std::any_of(pipeline.fusion.begin(), pipeline.fusion.end(), [&](const FusionRule& rule) {
      return !rule.into_copy && names_any(rule.first, first) && names_any(rule.second, second) && holds(rule);
    });
  };
  if (listed ? !lists(*entry, second) : !any_rule([](const FusionRule&) { return true; })) return false;
  const MemoryShape shape(first);
  if (shape.writes || !hands_over(first, second)) return false;
  if (listed) return !(shape.reads && shape.rip_relative);
  return any_rule([&](const FusionRule& rule) { return permitted(rule, shape); });
}

/// A NOP that goes into the slot of what stands before it: one macro-op, of general registers or another NOP.
bool absorbs(const PipelineParameters& pipeline, const Instruction& first, const FormEntry* entry,
             const Instruction& second) {
  if (pipeline.fused_nops.empty() || first.unknown || first.branch != Branch::none || entry == nullptr) return false;
  if (!matches_any(pipeline.fused_nops, second.mnemonic)) return false;
  const bool vector = first.form.find("mm") != std::string::npos;
  return !vector && entry->uops && entry->uops->fused <= 1;
}

/// Whether an instruction is joined with the copy before it: of a register or of memory, which it goes on with.
bool fuses_into_copy(const PipelineParameters& pipeline, const Instruction& first, const Instruction& second,
                     const FormEntry* second_entry) {
  if (first.unknown || second.unknown || first.operands.empty() || second.operands.empty()) return false;
  if (!second.memory.empty() || second_entry == nullptr || (second_entry->uops && second_entry->uops->fused > 1))
    return false;
  const Operand &copy = first.operands.front(), &changed = second.operands.front();
  if (copy.registers.size() != 1 || changed.registers.size() != 1 || !changed.read || !changed.write) return false;
  if (copy.registers.front().reg != changed.registers.front().reg) return false;
  return std::any_of(pipeline.fusion.begin(), pipeline.fusion.end(), [&](const FusionRule& rule) {
    return rule.into_copy && names_any(rule.first, first) && names_any(rule.second, second);
  });
}

} // namespace

PortMask ports_of_pair(const Machine& machine, const Instruction& first, const Instruction& second) {
  if (machine.port_roles().register_pair == 0 || second.branch == Branch::none) return 0;
  const bool writes = std::any_of(first.operands.begin(), first.operands.end(), [](const Operand& operand) {
    return operand.kind == OperandKind::reg && operand.write && operand.id != operand_id::flags;
  });
  return writes ? machine.port_roles().register_pair : 0;
}

std::vector<bool> find_fused_seconds(const Machine& machine, std::span<const Instruction* const> instructions,
                                     std::span<const FormEntry* const> entries, std::span<const std::uint64_t> offsets,
                                     bool aligned, bool loop) {
  const PipelineParameters& pipeline = machine.pipeline();
  std::vector<bool> seconds(instructions.size(), false);
  if (!pipeline.front_end.macro_fusion) return seconds;
  const auto blocked = pipeline.front_end.fusion_blocked_branch_offset_mod_64;
  for (std::size_t i = 0; i + 1 < instructions.size(); ++i) {
    if (seconds[i]) continue; // an instruction belongs to one pair
    if (aligned && blocked && static_cast<double>(offsets[i + 1] % 64) == *blocked) continue;
    seconds[i + 1] = fuse(pipeline, *instructions[i], entries[i], *instructions[i + 1]) ||
                     absorbs(pipeline, *instructions[i], entries[i], *instructions[i + 1]) ||
                     ((loop || !instructions[i]->memory.empty()) &&
                      fuses_into_copy(pipeline, *instructions[i], *instructions[i + 1], entries[i + 1]));
  }
  return seconds;
}

} // namespace corecast
