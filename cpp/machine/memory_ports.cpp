#include "cpp/machine/memory_ports.hpp"

#include "cpp/machine/forms/form_row.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <algorithm>
#include <cmath>

namespace corecast {
namespace {

enum class Which : std::uint8_t { all, first, last };

/// Ports of a plain access. A usage of several parts begins with the access of a load and ends with that of a store;
/// the others carry data between the pipes.
PortMask ports_of(const PortNames& names, const char* key, const std::optional<std::string>& usage, Which which) {
  if (!usage || usage->empty()) return 0;
  const std::vector<PortUse> uses = parse_port_usage(*usage, names, key);
  PortMask mask = 0;
  for (const PortUse& use : uses)
    if (which == Which::all || &use == (which == Which::first ? &uses.front() : &uses.back())) mask |= use.mask;
  return mask;
}

bool within(PortMask mask, PortMask set) {
  return mask != 0 && (mask & ~set) == 0;
}

constexpr double least_count = 1e-3; // of a row: less is not a uop

} // namespace

MemoryPorts::MemoryPorts(const PipelineParameters& pipeline, const PortNames& names) {
  const MemoryParameters& memory = pipeline.memory;
  loads_ = ports_of(names, "loads.ports", memory.load_ports, Which::first) |
           ports_of(names, "loads.vector_ports", memory.vector_load_ports, Which::first);
  store_addresses_ = ports_of(names, "stores.address_ports", memory.store_address_ports, Which::all) |
                     ports_of(names, "stores.address_ports_indexed", memory.store_address_ports_indexed, Which::all);
  base_updates_ = ports_of(names, "address_update.ports", memory.writeback_ports, Which::all);
  store_data_ = ports_of(names, "stores.data_ports", memory.store_data_ports, Which::last) |
                ports_of(names, "stores.vector_data_ports", memory.vector_store_data_ports, Which::last);
}

UopKind MemoryPorts::kind(PortMask mask, bool reads, bool writes) const {
  if (writes && within(mask, store_data_) && !(reads && within(mask, loads_))) return UopKind::store_data;
  if (writes && within(mask, store_addresses_) && !(reads && within(mask, loads_))) return UopKind::store_address;
  if (reads && within(mask, loads_)) return UopKind::load;
  return UopKind::operation;
}

std::size_t MemoryPorts::operations(const std::vector<PortUse>& ports, bool reads, bool writes) const {
  std::size_t count = 0;
  for (const PortUse& use : ports)
    if (kind(use.mask, reads, writes) == UopKind::operation) count += whole_uops(use.count);
  return count;
}

std::size_t whole_uops(double count) {
  return count <= least_count ? 0 : static_cast<std::size_t>(std::max(1.0, std::floor(count + least_count)));
}

} // namespace corecast
