// What the instructions of a region ask of the ports, after macro-fusion and block-wide restrictions.
#pragma once

#include "cpp/core/graph.hpp"
#include "cpp/core/ports.hpp"

#include <span>
#include <vector>

namespace corecast {

class Machine;

/// `seconds`: see find_fused_seconds. `loop`: whether a final branch is taken each time.
std::vector<PortDemand> port_demands(const Machine& machine, std::span<const Instruction* const> instructions,
                                     std::span<const FormEntry* const> entries, const std::vector<bool>& seconds,
                                     std::span<const ExtraUop> extra, bool loop);

} // namespace corecast
