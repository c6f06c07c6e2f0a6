// Front-end bounds: what fetch, decoding, the uop cache, rename and retirement need per iteration.
#pragma once

#include "cpp/core/form_entry.hpp"
#include "cpp/core/instruction.hpp"
#include "cpp/lower/layout.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace corecast {

class Machine;

/// What the front-end rules need of one instruction.
struct FrontendItem {
  const Instruction* instruction = nullptr;
  const FormEntry* entry = nullptr; // nullptr: unknown, counts as one uop
  std::uint64_t offset = 0;         // where it starts; meaningful modulo 64 only where the alignment is known
  bool fused_second = false;        // second half of a macro-fused pair
  double extra_uops = 0;            // added by the renamer before it
  bool takes_branch = false;        // the path goes on at its target
};

struct FrontendResult {
  double bound = 0;
  std::vector<std::pair<std::string, double>>
      components; // cycles per iteration; only what the model has parameters for
  std::string limiting;
  double fused_uops = 0;
  std::string supplier; // "decoders", "uop_cache", "loop_buffer", "" where the model does not know
};

/// Slots that an instruction takes in rename and dispatch: every instruction takes one, the second of a pair none.
double fused_uops(const FrontendItem& item);

/// `aligned`: whether the offsets hold modulo 64 (else effects of alignment are left out).
FrontendResult frontend_bounds(const Machine& machine, std::span<const FrontendItem> items, LoopMode mode,
                               bool aligned);

} // namespace corecast
