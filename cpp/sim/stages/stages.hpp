// The stages of a cycle. Each moves uops from one unit to the next.
#pragma once

#include "cpp/sim/core.hpp"

namespace corecast::sim {

/// Fetch to uop queue.
void supply(Core& core);
void supply_from_decoders(Core& core);
void supply_from_uop_cache(Core& core);
void supply_by_width(Core& core);

/// The microcode sequencer takes over behind instruction `i`.
/// L-uops that the renamer adds to the second half of a pair.
std::uint32_t uops_after(const Core& core, std::uint32_t i);
void start_microcode(Core& core, std::uint32_t i, std::uint32_t stall_before, std::uint32_t stall_after);

/// Whether the decoders could have taken more in the cycle before.
bool left_by_decoders(const Core& core);

/// Who delivers what follows instruction `i`.
void choose_supplier(Core& core, std::uint32_t i);

/// Uop queue to reorder buffer and scheduler.
void rename(Core& core);

/// Reorder buffer to architecture: in order, what is done.
void retire(Core& core);

/// Scheduler to ports to results.
void execute(Core& core);

} // namespace corecast::sim
