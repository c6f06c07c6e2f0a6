// Which uops of an instruction load, compute store addresses, or deliver store data: told by their ports.
#pragma once

#include "cpp/core/machine.hpp"
#include "cpp/sim/program.hpp"

namespace corecast::sim {

class MemoryPorts {
public:
  explicit MemoryPorts(const Machine& machine);

  UopKind kind(PortMask mask, bool reads, bool writes) const;

  /// Ports whose uops share a slot with the uop behind them.
  PortMask fusing() const { return loads_ | store_addresses_; }

private:
  PortMask loads_ = 0;
  PortMask store_addresses_ = 0;
  PortMask store_data_ = 0;
};

} // namespace corecast::sim
