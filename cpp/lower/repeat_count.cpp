#include "cpp/lower/repeat_count.hpp"

#include <algorithm>

namespace corecast {
namespace {

bool is_base(const Instruction& instruction, RegisterId reg) {
  return std::any_of(instruction.memory.begin(), instruction.memory.end(),
                     [&](const MemoryAccess& access) { return access.base == reg; });
}

/// The register that is counted down: read and written, and no address.
RegisterId counter(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands)
    for (const RegisterUse& use : operand.registers)
      if (operand.implicit && use.read && use.write && use.part == Part::full && !is_base(instruction, use.reg))
        return use.reg;
  return 0;
}

/// What an instruction that writes a register leaves in it.
std::optional<std::int64_t> left_in(const Instruction& instruction, RegisterId reg) {
  if (instruction.traits.repeats && !instruction.traits.may_end_early && counter(instruction) == reg) return 0;
  for (const AffineValue& value : instruction.affine)
    if (value.reg == reg && value.terms.empty()) return value.constant;
  return std::nullopt;
}

} // namespace

std::optional<std::int64_t> repeat_count(std::span<const Instruction* const> path, std::size_t i, bool loop) {
  const RegisterId reg = counter(*path[i]);
  if (reg == 0) return std::nullopt;
  for (std::size_t j = i; j-- > 0;)
    if (path[j]->branch == Branch::call)
      return std::nullopt;
    else if (writes(*path[j], reg))
      return left_in(*path[j], reg);
  if (!loop) return std::nullopt;
  for (std::size_t j = path.size(); j-- > i;)
    if (path[j]->branch == Branch::call)
      return std::nullopt;
    else if (writes(*path[j], reg))
      return left_in(*path[j], reg);
  return std::nullopt;
}

} // namespace corecast
