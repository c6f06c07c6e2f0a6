#include "cpp/lower/code_before.hpp"

#include "cpp/lower/costing.hpp"
#include "cpp/lower/front_end_sizes.hpp"
#include "cpp/lower/region.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <vector>

namespace corecast {
namespace {

bool goes_elsewhere(Branch branch) {
  return branch == Branch::unconditional || branch == Branch::indirect || branch == Branch::ret;
}

} // namespace

std::uint32_t slots_before(const Machine& machine, std::span<const Instruction* const> code, std::uint64_t end) {
  const FrontEndSizes sizes = FrontEndSizes::of(machine.pipeline(), true);
  if (!sizes.legacy_decoders) return 0; // nobody asks
  std::uint64_t start = end;
  std::vector<const FormEntry*> entries;
  // It need not run: what the core lacks takes its slots all the same.
  for (const Instruction* instruction : code) {
    start -= instruction->length_bytes;
    entries.push_back(find_costing(machine, *instruction, UnknownPolicy::skip).entry);
  }
  const Region region(machine, code, entries, {LoopMode::unroll, start, true, nullptr});
  const std::uint32_t line = sizes.cache_line_slots;
  std::uint32_t taken = 0;
  const auto of_whole_lines = [&] { return (taken + line - 1) / line * line; };
  for (std::size_t i = 0; i < code.size(); ++i) {
    const DecodedInstruction& decoded = region.decoded[i];
    if (region.layout.addresses[i] / sizes.cache_block_bytes != end / sizes.cache_block_bytes || decoded.fused_second)
      continue;
    const std::uint32_t needed = std::max(1U, decoded.decoded_uops) + (decoded.wide_immediate ? 1 : 0);
    if (taken + needed > of_whole_lines() || (decoded.microcode_uops > 0 && sizes.cache_microcode_alone))
      taken = of_whole_lines();
    taken += needed;
    if (goes_elsewhere(code[decoded.fused_first ? i + 1 : i]->branch)) taken = of_whole_lines();
  }
  return taken;
}

} // namespace corecast
