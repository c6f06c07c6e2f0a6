#include "cpp/lower/pointer_chase.hpp"

#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <algorithm>

namespace corecast {
namespace {

constexpr int most_moves = 8; // eliminated moves between the two loads that are looked through

} // namespace

/// Whether a value was loaded by a plain move, directly or through eliminated 64-bit moves.
bool PointerChase::loads_pointer(std::uint32_t node) const {
  for (int hops = 0; hops < most_moves && node != no_node; ++hops) {
    const std::uint32_t i = graph_.nodes[node].instruction;
    const std::string& form = instructions_[i]->form;
    for (const char* simple :
         {"mov r64, m64", "mov r32, m32", "movsxd r64, m32", "pop r64", "mov rax, m64", "mov eax, m32"})
      if (form == simple) return true;
    const bool eliminated = entries_[i] != nullptr && entries_[i]->flags.eliminated && form == "mov r64, r64";
    if (!eliminated) return false;
    node = no_node;
    auto use = std::lower_bound(graph_.uses.begin(), graph_.uses.end(), i,
                                [](const DependencyUse& each, std::uint32_t wanted) { return each.consumer < wanted; });
    for (; use != graph_.uses.end() && use->consumer == i; ++use)
      if (use->source == 2) node = use->producer;
  }
  return false;
}

/// Instructions that write a register; found once, since long regions ask for the same few again and again.
const std::vector<std::uint32_t>& PointerChase::writers_of(RegisterId reg) {
  for (const auto& [known, writers] : writers_)
    if (known == reg) return writers;
  std::vector<std::uint32_t>& found = writers_.emplace_back(reg, std::vector<std::uint32_t>()).second;
  for (std::uint32_t i = 0; i < instructions_.size(); ++i)
    if (writes(*instructions_[i], reg)) found.push_back(i);
  return found;
}

/// Whether a register is 0 because an idiom made it so, before the load: then its index adds nothing.
bool PointerChase::is_zeroed(std::uint32_t load, RegisterId reg) {
  const std::vector<std::uint32_t>& writers = writers_of(reg);
  if (writers.empty()) return false;
  const auto after = std::lower_bound(writers.begin(), writers.end(), load);
  const std::uint32_t last = after != writers.begin() ? *(after - 1) : writers.back(); // of the iteration before
  return entries_[last] != nullptr && entries_[last]->flags.zero_idiom;
}

double PointerChase::gain(const DependencyUse& use) {
  const MemoryParameters& memory = pipeline_.memory;
  const Instruction& load = *instructions_[use.consumer];
  if (!memory.fast_pointer_chasing || load.memory.empty()) return 0;
  if (!memory.load_latency_cycles || !memory.fast_pointer_chasing_latency_cycles) return 0;
  if (memory.extra_load_latency_cycles > 0) return 0; // the early address shortens hits in the first-level cache alone
  const auto access = std::find_if(load.memory.begin(), load.memory.end(),
                                   [&](const MemoryAccess& each) { return each.read && each.base == use.reg; });
  if (access == load.memory.end() || !access->symbol.empty()) return 0;
  if (access->index != 0 && !memory.fast_pointer_chasing_with_index) return 0;
  const auto displacement = static_cast<double>(access->displacement);
  if (displacement < 0 || displacement > memory.fast_pointer_chasing_max_displacement) return 0;
  if (!loads_pointer(use.producer)) return 0;
  if (access->index != 0 && !is_zeroed(use.consumer, access->index)) return 0;
  return *memory.load_latency_cycles - *memory.fast_pointer_chasing_latency_cycles;
}

} // namespace corecast
