#include "cpp/lower/costing.hpp"

#include "cpp/base/error.hpp"
#include "cpp/isa/form_text.hpp"
#include "cpp/lower/repeat_count.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace corecast {
namespace {

constexpr std::size_t nearest_count = 3;

/// An instruction for a message that names its line; code that was not text has an address instead.
std::string quoted(const Instruction& instruction) {
  if (instruction.line > 0) return "'" + instruction.mnemonic + "'";
  return "'" + instruction.text + "' at " + address_text(instruction);
}

/// The row that counts in place of an addition's whose constant is encoded in four bytes, but is one that rename adds
/// by itself; nullptr elsewhere.
const FormEntry* added_by_rename(const Machine& machine, const Instruction& instruction) {
  constexpr std::string_view encoded = "i32", added = "i8"; // at the end of their keys
  const auto largest = static_cast<std::int64_t>(machine.pipeline().rename.largest_added_constant);
  if (largest == 0 || instruction.affine.size() != 1 || instruction.immediate_bytes != 4) return nullptr;
  if (std::abs(instruction.affine.front().constant) > largest) return nullptr;
  const FormEntry* row =
      machine.find(instruction.form.substr(0, instruction.form.size() - encoded.size()) + std::string(added));
  return row != nullptr && done_by_rename(*row) ? row : nullptr;
}

} // namespace

std::vector<std::string> nearest_of(const Machine& machine, const Instruction& instruction, const Lookup& lookup) {
  if (lookup.status != LookupStatus::unknown || instruction.unknown || !lookup.lacking.empty()) return {};
  return machine.nearest_forms(instruction.form, nearest_count);
}

std::string address_text(const Instruction& instruction) {
  char address[24];
  std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(instruction.address));
  return address;
}

Costing find_costing(const Machine& machine, const Instruction& instruction, UnknownPolicy policy) {
  const Lookup& lookup = machine.lookup(instruction);
  if (lookup.status != LookupStatus::unknown) {
    const FormEntry* short_row = added_by_rename(machine, instruction);
    return {&lookup, short_row != nullptr ? short_row : lookup.entry};
  }
  if (!lookup.lacking.empty() && policy != UnknownPolicy::skip)
    throw UnsupportedError(quoted(instruction) + " " + lookup.note, instruction.line);
  if (policy == UnknownPolicy::error)
    throw UnknownFormError(instruction.unknown ? "cannot be read: " + instruction.text
                                               : "no data for " + instruction.form + " (" + instruction.text + ")",
                           instruction.line);
  if (policy != UnknownPolicy::nearest) return {&lookup, nullptr};
  // Only a form of the same mnemonic is near enough to lend its cost.
  const std::vector<std::string> near = nearest_of(machine, instruction, lookup);
  const bool same =
      !near.empty() && FormText::parse(near.front()).mnemonic == FormText::parse(instruction.form).mnemonic;
  return {&lookup, same ? machine.find(near.front()) : nullptr};
}

std::vector<Costing> find_costings(const Machine& machine, std::span<const Instruction* const> instructions,
                                   UnknownPolicy policy, LoopMode mode) {
  std::vector<Costing> out;
  out.reserve(instructions.size());
  for (const Instruction* instruction : instructions)
    out.push_back(find_costing(machine, *instruction, policy));
  cost_repeats(machine, instructions, out, mode);
  cost_store_waits(machine, instructions, out);
  return out;
}

Recycled<const FormEntry*> entries_of(std::span<const Costing> costings) {
  Recycled<const FormEntry*> out;
  out.reserve(costings.size());
  for (const Costing& costing : costings)
    out.push_back(costing.entry);
  return out;
}

void cost_repeats(const Machine& machine, std::span<const Instruction* const> instructions, std::span<Costing> costings,
                  LoopMode mode) {
  if (machine.pipeline().repeats.empty()) return;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const FormEntry* row = costings[i].entry;
    if (row == nullptr || !instructions[i]->traits.repeats) continue;
    const std::optional<std::int64_t> count = repeat_count(instructions, i, mode == LoopMode::loop);
    const Lookup* repeated = count ? machine.repeated(*row, *count) : nullptr;
    if (repeated != nullptr) costings[i] = {repeated, repeated->entry};
  }
}

void cost_store_waits(const Machine& machine, std::span<const Instruction* const> instructions,
                      std::span<Costing> costings) {
  if (machine.pipeline().memory.locked_wait_cycles == 0) return;
  const auto locked = [&](std::size_t i) { return costings[i].entry != nullptr && costings[i].entry->flags.locked; };
  const auto stores = [&](std::size_t i) {
    const auto& accesses = instructions[i]->memory;
    return std::any_of(accesses.begin(), accesses.end(), [](const MemoryAccess& access) { return access.write; });
  };
  // Bodies follow each other, in loops and unrolled: what stands behind is before the next one's.
  const std::size_t size = instructions.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (!locked(i)) continue;
    bool waits = false;
    for (std::size_t back = 1; back < size && !waits; ++back) {
      const std::size_t before = (i + size - back) % size;
      if (locked(before)) break;
      waits = stores(before);
    }
    if (!waits) continue;
    const Lookup& lookup = machine.behind_stores(*costings[i].entry);
    costings[i] = {&lookup, lookup.entry};
  }
}

} // namespace corecast
