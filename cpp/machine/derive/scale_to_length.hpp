// Rows that hold for vectors of one length, taken to another.
#pragma once

#include "cpp/machine/forms/form_entry.hpp"

namespace corecast {

/// Units are as wide as the vectors: a row stays as it is, but for what works lane by lane (accesses of single
/// elements, ordered sums), which grows with the lanes, and for reductions, which grow with the steps that halve them.
/// Says so in the row's source and confidence. Dividers are taken to be as wide as the vectors, too.
void scale_to_length(FormEntry& entry, double from_bits, double to_bits);

} // namespace corecast
