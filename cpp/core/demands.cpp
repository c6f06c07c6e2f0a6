#include "cpp/core/demands.hpp"

#include "cpp/core/addresses.hpp"
#include "cpp/core/fusion.hpp"
#include "cpp/core/machine.hpp"
#include "cpp/core/taken_branches.hpp"

#include <algorithm>
#include <bit>

namespace corecast {
namespace {

bool has_operand(const Instruction& instruction, const char* name) {
  return instruction.form.find(name) != std::string::npos;
}

/// The pair's operation runs where the branch runs: one uop of the first goes, the one whose ports include the
/// branch's.
void remove_fused_uop(std::vector<PortUse>& uses, const FormEntry* branch) {
  if (branch == nullptr || branch->ports.empty() || uses.empty()) return;
  const PortMask wanted = branch->ports.front().mask;
  auto found =
      std::find_if(uses.begin(), uses.end(), [&](const PortUse& use) { return (use.mask & wanted) == wanted; });
  if (found == uses.end()) // a branch may run on ports that the operation alone cannot use
    found = std::find_if(uses.begin(), uses.end(), [&](const PortUse& use) { return (use.mask & wanted) != 0; });
  if (found == uses.end() && uses.size() == 1) found = uses.begin();
  if (found == uses.end()) return;
  found->count = std::max(0.0, found->count - 1);
}

PortMask ports_of(const Machine& machine, const std::optional<std::string>& usage) {
  PortMask mask = 0;
  if (usage && !usage->empty())
    for (const PortUse& use : parse_port_usage(*usage, machine.port_names(), "memory"))
      mask |= use.mask;
  return mask;
}

/// Accesses that go on in the next line keep the port of their address for longer.
void add_line_crossings(const Machine& machine, std::span<const Instruction* const> instructions,
                        std::span<const FormEntry* const> entries, std::vector<PortDemand>& demands) {
  const MemoryParameters& memory = machine.pipeline().memory;
  if (memory.line_crossing_cycles <= 0) return;
  const std::vector<LineCrossings> crossings = find_line_crossings(instructions, memory.line_bytes);
  if (crossings.empty()) return;
  const PortMask loads = ports_of(machine, memory.load_ports) | ports_of(machine, memory.vector_load_ports);
  const PortMask stores = ports_of(machine, memory.store_address_ports);
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    if (entries[i] == nullptr) continue;
    const auto add = [&](double share, PortMask ports) {
      const auto use = std::find_if(entries[i]->ports.begin(), entries[i]->ports.end(),
                                    [&](const PortUse& each) { return each.mask != 0 && (each.mask & ~ports) == 0; });
      if (share > 0 && use != entries[i]->ports.end())
        demands.push_back({i, share * memory.line_crossing_cycles, use->mask});
    };
    add(crossings[i].loads, loads);
    add(crossings[i].stores, stores);
  }
}

/// What the first-level cache takes from the store queue.
void add_store_writes(const Machine& machine, std::span<const Instruction* const> instructions,
                      std::span<const FormEntry* const> entries, std::vector<PortDemand>& demands) {
  const MemoryParameters& memory = machine.pipeline().memory;
  const std::int64_t block = memory.store_block_bytes();
  if (block <= 0 || machine.port_roles().store_writes == 0) return;
  const std::vector<double> writes = find_store_writes(instructions, block, memory.joined_stores_bytes > 0 ? 0 : 2);
  for (std::uint32_t i = 0; i < writes.size(); ++i)
    if (writes[i] > 0 && entries[i] != nullptr) demands.push_back({i, writes[i], machine.port_roles().store_writes});
}

} // namespace

std::vector<PortDemand> port_demands(const Machine& machine, std::span<const Instruction* const> instructions,
                                     std::span<const FormEntry* const> entries, const std::vector<bool>& seconds,
                                     std::span<const ExtraUop> extra, bool loop) {
  const PipelineParameters& pipeline = machine.pipeline();
  const bool zmm = !pipeline.back_end.zmm_closes_port.empty() &&
                   std::any_of(instructions.begin(), instructions.end(),
                               [](const Instruction* instruction) { return has_operand(*instruction, "zmm"); });
  const PortMask closed = zmm ? machine.port_roles().closed_by_zmm : 0;
  const PortMask taken = machine.port_roles().taken_branch;

  std::vector<PortDemand> demands;
  demands.reserve(instructions.size() * 2);
  std::vector<PortUse> uses;
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const FormEntry* entry = entries[i];
    if (entry == nullptr) continue;
    uses.assign(entry->ports.begin(), entry->ports.end());
    const bool copies = !instructions[i]->memory.empty(); // a load stays, whatever it is joined with
    if (i + 1 < seconds.size() && seconds[i + 1] && !(copies && instructions[i + 1]->branch == Branch::none))
      remove_fused_uop(uses, entries[i + 1]);
    if (seconds[i])
      if (const PortMask pair = ports_of_pair(machine, *instructions[i - 1], *instructions[i]); pair != 0 && !uses.empty())
        uses.front().mask = pair;
    const bool vector = zmm && has_operand(*instructions[i], "mm");
    const bool takes = taken != 0 && takes_branch(instructions, i, loop);
    for (PortUse& use : uses) {
      if (vector && (use.mask & ~closed) != 0) use.mask &= ~closed;
      if (takes && (use.mask & taken) != 0) use.mask &= taken;
      if (use.count > 0) demands.push_back({i, use.count, use.mask});
    }
    for (const PortUse& use : entry->blocking) // one of several ports: its first cycle is among the row's ports
      demands.push_back({i, std::has_single_bit(use.mask) ? use.count : std::max(0.0, use.count - 1), use.mask});
  }
  for (const ExtraUop& uop : extra)
    if (uop.ports != 0) demands.push_back({uop.instruction, uop.per_iteration, uop.ports});
  add_line_crossings(machine, instructions, entries, demands);
  add_store_writes(machine, instructions, entries, demands);
  return demands;
}

} // namespace corecast
