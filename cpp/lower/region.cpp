#include "cpp/lower/region.hpp"

#include "cpp/base/few.hpp"
#include "cpp/lower/front_end_sizes.hpp"
#include "cpp/lower/fusion.hpp"
#include "cpp/lower/taken_branches.hpp"
#include "cpp/machine/machine.hpp"

#include <optional>
#include <utility>

namespace corecast {
namespace {

std::vector<bool> taken_branches(std::span<const Instruction* const> instructions, bool loop) {
  std::vector<bool> out(instructions.size(), false);
  for (std::size_t i = 0; i < instructions.size(); ++i)
    out[i] = takes_branch(instructions, i, loop);
  return out;
}

/// Copies of unrolled code lie at changing places: where a branch lies in its block matters in loops alone.
std::vector<bool> fused_pairs(const Machine& machine, std::span<const Instruction* const> instructions,
                              std::span<const FormEntry* const> entries, const Layout& layout, bool loop) {
  return find_fused_seconds(machine, instructions, entries, layout.addresses, layout.alignment_known && loop, loop);
}

/// Whether loads take their data from stores of the code so often that none of these is written with another.
bool keeps_stores_apart(const MemoryParameters& memory, const DependencyGraph& graph,
                        std::span<const Instruction* const> instructions, bool loop) {
  const std::optional<double>& most =
      loop && memory.joined_forwards_in_loops ? memory.joined_forwards_in_loops : memory.joined_forwards_per_store;
  if (!most) return false;
  const std::size_t farthest = whole_count(memory.joined_forwards_farthest, unlimited);
  Few<std::size_t, 16> stores_before;
  std::size_t stores = 0;
  for (const Instruction* instruction : instructions) {
    stores_before.push_back(stores);
    for (const MemoryAccess& access : instruction->memory) {
      if (access.read && access.write) return false;
      stores += access.write ? 1 : 0;
    }
  }
  std::size_t forwards = 0;
  for (const DependencyUse& use : graph.uses) {
    if (use.kind != DependencyKind::memory) continue;
    const std::size_t store = stores_before[graph.nodes[use.producer].instruction];
    if (use.distance * stores + stores_before[use.consumer] - store <= farthest) ++forwards;
  }
  return static_cast<double>(forwards) > *most * static_cast<double>(stores);
}

} // namespace

Region::Region(const Machine& machine, std::span<const Instruction* const> instructions,
               std::span<const FormEntry* const> entries, const LowerOptions& options, DependencyGraph room)
    : mode(options.mode), instructions(instructions), entries(entries),
      layout(instructions, options.start, options.alignment_known), slots_before(options.slots_before),
      places(machine, options.register_step),
      fused_seconds(fused_pairs(machine, instructions, entries, layout, is_loop())),
      jumps(taken_branches(instructions, is_loop())), uops(machine, {instructions, entries, fused_seconds, jumps}),
      graph(build_graph(machine, instructions, entries, fused_seconds, std::move(room), options.aliasing, is_loop(),
                        options.edges)) {
  for (ExtraUop& extra : graph.extra_uops)
    extra.joins_operation = extra.joins_operation && uops.keep_to(extra.instruction, extra.ports);
  for (const LongerOperation& longer : graph.longer_operations)
    uops.keep_longer(longer.instruction, longer.cycles);
  stores_apart = keeps_stores_apart(machine.pipeline().memory, graph, instructions, is_loop());
  decode_all(machine);
}

void Region::decode_all(const Machine& machine) {
  decoded.reserve(instructions.size());
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const FusedPlace fused{is_fused_first(i), fused_seconds[i]};
    const std::size_t count = uops.of(i).size() + (fused.first ? uops.of(i + 1).size() : 0);
    DecodedInstruction out =
        decode(machine.pipeline(), *instructions[i], entries[i], fused, static_cast<std::uint32_t>(count));
    out.offset = static_cast<std::uint32_t>(layout.addresses[i] - layout.start);
    const std::size_t branch = fused.first ? i + 1 : i;
    out.jumps = !fused.second && branch + 1 < instructions.size() && jumps[branch];
    out.ends_group = instructions[branch]->branch != Branch::none;
    decoded.push_back(out);
  }
  for (const ExtraUop& extra : graph.extra_uops)
    ++decoded[extra.instruction].added_uops;
}

} // namespace corecast
