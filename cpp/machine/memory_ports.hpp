// Which uops of an instruction load, compute store addresses, or deliver store data: told by their ports.
#pragma once

#include "cpp/machine/forms/form_entry.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace corecast {

struct PipelineParameters;
class PortNames;

enum class UopKind : std::uint8_t { operation, load, store_address, store_data };

class MemoryPorts {
public:
  MemoryPorts(const PipelineParameters& pipeline, const PortNames& names);

  UopKind kind(PortMask mask, bool reads, bool writes) const;

  /// So many uops of a row's ports do something else than to load, to compute addresses and to deliver store data.
  std::size_t operations(const std::vector<PortUse>& ports, bool reads, bool writes) const;

  /// Whether a uop of these ports may be the one that updates the base register.
  bool may_update_base(PortMask mask) const { return base_updates_ == 0 || (mask & base_updates_) != 0; }

  /// Ports whose uops share a slot with the uop behind them.
  PortMask fusing() const { return loads_ | store_addresses_; }

private:
  PortMask loads_ = 0;
  PortMask store_addresses_ = 0;
  PortMask store_data_ = 0;
  PortMask base_updates_ = 0; // 0: not told
};

/// Uops that a row's count stands for: parts of one are time that the others hold their ports for.
std::size_t whole_uops(double count);

} // namespace corecast
