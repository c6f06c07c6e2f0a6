// What a region asks of the ports.
#pragma once

#include "cpp/bounds/ports.hpp"
#include "cpp/lower/region.hpp"

#include <vector>

namespace corecast {

std::vector<PortDemand> port_demands(const Machine& machine, const Region& region);

} // namespace corecast
