#include "cpp/sim/memory_ports.hpp"

namespace corecast::sim {
namespace {

enum class Which : std::uint8_t { all, first, last };

/// Ports of a plain access. A usage of several parts begins with the access of a load and ends with that of a store;
/// the others carry data between the pipes.
PortMask ports_of(const Machine& machine, const std::optional<std::string>& usage, Which which = Which::all) {
  if (!usage || usage->empty()) return 0;
  const std::vector<PortUse> uses = parse_port_usage(*usage, machine.port_names(), machine.pipeline().name, 0);
  PortMask mask = 0;
  for (const PortUse& use : uses)
    if (which == Which::all || &use == (which == Which::first ? &uses.front() : &uses.back())) mask |= use.mask;
  return mask;
}

bool within(PortMask mask, PortMask set) { return mask != 0 && (mask & ~set) == 0; }

} // namespace

MemoryPorts::MemoryPorts(const Machine& machine) {
  const MemoryParameters& memory = machine.pipeline().memory;
  loads_ = ports_of(machine, memory.load_ports, Which::first) |
           ports_of(machine, memory.vector_load_ports, Which::first);
  store_addresses_ =
      ports_of(machine, memory.store_address_ports) | ports_of(machine, memory.store_address_ports_indexed);
  store_data_ = ports_of(machine, memory.store_data_ports, Which::last) |
                ports_of(machine, memory.vector_store_data_ports, Which::last);
}

UopKind MemoryPorts::kind(PortMask mask, bool reads, bool writes) const {
  if (writes && within(mask, store_data_) && !(reads && within(mask, loads_))) return UopKind::store_data;
  if (writes && within(mask, store_addresses_) && !(reads && within(mask, loads_))) return UopKind::store_address;
  if (reads && within(mask, loads_)) return UopKind::load;
  return UopKind::operation;
}

} // namespace corecast::sim
