#include "cpp/bounds/demands.hpp"

#include "cpp/lower/addresses.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <bit>

namespace corecast {
namespace {

/// What the first-level cache takes from the store queue.
void add_store_writes(const Machine& machine, const Region& region, std::vector<PortDemand>& demands) {
  const MemoryParameters& memory = machine.pipeline().memory;
  if (memory.store_block_bytes() <= 0 || machine.port_roles().store_writes == 0) return;
  const std::vector<double> writes = find_store_writes(region.instructions, region.places, memory, region.stores_apart);
  for (std::uint32_t i = 0; i < writes.size(); ++i)
    if (writes[i] > 0 && region.entries[i] != nullptr)
      demands.push_back({i, writes[i], machine.port_roles().store_writes});
}

} // namespace

std::vector<PortDemand> port_demands(const Machine& machine, const Region& region) {
  std::vector<PortDemand> demands;
  demands.reserve(region.uops.all().size() + region.graph.extra_uops.size());
  for (std::uint32_t i = 0; i < region.instructions.size(); ++i) {
    for (const PlannedUop& uop : region.uops.of(i)) {
      if (uop.ports != 0) demands.push_back({i + (uop.of_pair ? 1 : 0), uop.port_cycles, uop.ports});
      if (const PortMask unit = machine.port_roles().line_crossings; unit != 0 && uop.crossings > 0)
        demands.push_back({i, uop.crossings, unit});
    }
    if (region.entries[i] == nullptr) continue;
    for (const PortUse& use :
         region.entries[i]->blocking) // one of several ports: its first cycle is among the row's ports
      demands.push_back({i, std::has_single_bit(use.mask) ? use.count : std::max(0.0, use.count - 1), use.mask});
  }
  for (const ExtraUop& uop : region.graph.extra_uops)
    if (uop.ports != 0) demands.push_back({uop.instruction, uop.per_iteration, uop.ports});
  add_store_writes(machine, region, demands);
  return demands;
}

} // namespace corecast
