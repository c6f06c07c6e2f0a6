#include "cpp/lower/fusion.hpp"

#include "cpp/isa/glob.hpp"
#include "cpp/lower/patterns.hpp"
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

/// Whether a form's own list names what follows; "*" stands for every branch.
bool lists(const FormEntry& entry, const Instruction& second) {
  const bool branch = second.branch != Branch::none;
  return std::any_of(entry.fusible.begin(), entry.fusible.end(), [&](const std::string& glob) {
    return (branch || glob != "*") && matches_glob(glob, second.mnemonic);
  });
}

/// What the front end may join: neighbours, and how they stand.
struct Neighbours {
  const PipelineParameters& pipeline;
  Candidate first, second;
  bool loop = false;
};

template <typename Holds> bool any_rule(const Neighbours& pair, Effect effect, const Holds& holds) {
  return std::any_of(pair.pipeline.rules.begin(), pair.pipeline.rules.end(), [&](const Rule& rule) {
    return rule.effect == effect && fits_name(rule.producer, *pair.first.instruction) &&
           fits_name(rule.consumer, *pair.second.instruction) && holds(rule);
  });
}

bool permits(const Neighbours& pair, const Rule& rule) {
  return (pair.loop || !rule.loops_only) && fits(rule.producer, pair.first) && fits(rule.consumer, pair.second);
}

template <typename Holds> bool some_access(const Instruction& instruction, const Holds& holds) {
  return std::any_of(instruction.memory.begin(), instruction.memory.end(), holds);
}

bool fuse(const Neighbours& pair) {
  const Instruction &first = *pair.first.instruction, &second = *pair.second.instruction;
  // Names first: few pairs have fitting ones, and the rest takes longer.
  const FormEntry* entry = pair.first.entry;
  const bool listed = entry != nullptr && entry->fusible_listed; // measured for this very form
  const bool named = listed && lists(*entry, second);
  if (!named && !any_rule(pair, Effect::fuse, [](const Rule&) { return true; })) return false;
  if (some_access(first, [](const MemoryAccess& access) { return access.write; }) || !hands_over(first, second))
    return false;
  if (named) return !some_access(first, [](const MemoryAccess& access) { return access.read && access.pc_relative; });
  // What the form's list says of branches holds; of other pairs it says nothing.
  return any_rule(pair, Effect::fuse, [&](const Rule& rule) {
    return (!listed || rule.consumer.changes_copy == true) && permits(pair, rule);
  });
}

/// Whether the second takes no slot behind the first.
bool absorbs(const Neighbours& pair) {
  return any_rule(pair, Effect::absorb, [&](const Rule& rule) { return permits(pair, rule); });
}

bool joined(const Neighbours& pair) {
  const Instruction &first = *pair.first.instruction, &second = *pair.second.instruction;
  if (first.unknown || second.unknown || first.branch != Branch::none) return false;
  return fuse(pair) || absorbs(pair);
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
    const Instruction &first = *instructions[i], &second = *instructions[i + 1];
    Candidate follower{&second, entries[i + 1]};
    follower.changes_copy = changes_copy(first, second);
    seconds[i + 1] = joined({pipeline, {&first, entries[i]}, follower, loop});
  }
  return seconds;
}

} // namespace corecast
