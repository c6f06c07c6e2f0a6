#include "cpp/lower/pointer_chase.hpp"

#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <algorithm>

namespace corecast {
namespace {

constexpr int most_moves = 8; // eliminated moves between the two loads that are looked through

/// Whether a value was loaded by a plain move, directly or through eliminated 64-bit moves.
bool loads_pointer(std::span<const Instruction* const> instructions, std::span<const FormEntry* const> entries,
                   const DependencyGraph& graph, std::uint32_t node) {
  for (int hops = 0; hops < most_moves && node != no_node; ++hops) {
    const std::uint32_t i = graph.nodes[node].instruction;
    const std::string& form = instructions[i]->form;
    for (const char* simple :
         {"mov r64, m64", "mov r32, m32", "movsxd r64, m32", "pop r64", "mov rax, m64", "mov eax, m32"})
      if (form == simple) return true;
    const bool eliminated = entries[i] != nullptr && entries[i]->flags.eliminated && form == "mov r64, r64";
    if (!eliminated) return false;
    node = no_node;
    for (const DependencyUse& use : graph.uses) // rare: only behind an eliminated move
      if (use.consumer == i && use.source == 2) node = use.producer;
  }
  return false;
}

/// Whether a register is 0 because an idiom made it so, before the load: then its index adds nothing.
bool is_zeroed(std::span<const Instruction* const> instructions, std::span<const FormEntry* const> entries,
               std::size_t load, RegisterId reg) {
  for (std::size_t back = 1; back <= instructions.size(); ++back) {
    const std::size_t i = (load + instructions.size() - back) % instructions.size();
    for (const Operand& operand : instructions[i]->operands)
      for (const RegisterUse& each : operand.registers)
        if (each.write && each.reg == reg) return entries[i] != nullptr && entries[i]->flags.zero_idiom;
  }
  return false;
}

} // namespace

double pointer_chasing_gain(const PipelineParameters& pipeline, std::span<const Instruction* const> instructions,
                            std::span<const FormEntry* const> entries, const DependencyGraph& graph,
                            const DependencyUse& use) {
  const MemoryParameters& memory = pipeline.memory;
  const Instruction& load = *instructions[use.consumer];
  if (!memory.fast_pointer_chasing || load.memory.empty()) return 0;
  if (!memory.load_latency_cycles || !memory.fast_pointer_chasing_latency_cycles) return 0;
  if (memory.extra_load_latency_cycles > 0) return 0; // the early address shortens hits in the first-level cache alone
  const auto access = std::find_if(load.memory.begin(), load.memory.end(),
                                   [&](const MemoryAccess& each) { return each.read && each.base == use.reg; });
  if (access == load.memory.end() || !access->symbol.empty()) return 0;
  if (access->index != 0 &&
      (!memory.fast_pointer_chasing_with_index || !is_zeroed(instructions, entries, use.consumer, access->index)))
    return 0;
  const auto displacement = static_cast<double>(access->displacement);
  if (displacement < 0 || displacement > memory.fast_pointer_chasing_max_displacement) return 0;
  if (!loads_pointer(instructions, entries, graph, use.producer)) return 0;
  return *memory.load_latency_cycles - *memory.fast_pointer_chasing_latency_cycles;
}

} // namespace corecast
