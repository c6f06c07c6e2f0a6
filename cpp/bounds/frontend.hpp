// Front-end bounds: what fetch, decoding, the uop cache, rename and retirement need per iteration.
#pragma once

#include "cpp/lower/region.hpp"

#include <string>
#include <utility>
#include <vector>

namespace corecast {

class Machine;

struct FrontendResult {
  double bound = 0;
  std::vector<std::pair<std::string, double>>
      components; // cycles per iteration; only what the model has parameters for
  std::string limiting;
  double proven = 0; // the largest component that no order of events undercuts; the others are right on average
  double fused_uops = 0;
  std::string supplier; // "decoders", "uop_cache", "loop_buffer", "" where the model does not know
};

/// Slots that an instruction takes in rename and dispatch, on average: every instruction takes one, the second of a
/// pair none.
double fused_uops(const Region& region, std::size_t instruction);

FrontendResult frontend_bounds(const Machine& machine, const Region& region);

} // namespace corecast
