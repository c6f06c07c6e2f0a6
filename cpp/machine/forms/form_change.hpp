// What a variant of a core changes about its rows.
#pragma once

#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

namespace corecast {

/// Changes the row where its form is meant. A latency replaces that from registers; what depends on an address comes
/// later or earlier by as much. Micro-ops: slots and ports grow or shrink in proportion. Ports: its micro-ops are those
/// of the usage.
void change_form(FormEntry& entry, const FormChange& change);

/// Loaded data come later by as much; the row stays as it is where it loads nothing.
void delay_loads(FormEntry& entry, double cycles);

/// Its units are busy for so much longer, instances that wait for nothing are so much further apart, and its way from
/// memory to memory takes so much longer.
FormEntry kept_longer(const FormEntry& row, double cycles);

} // namespace corecast
