// Vectors whose length the code does not say (SVE, RVV): how many lanes there are, and counts that grow with them.
#pragma once

#include <optional>
#include <string_view>

namespace corecast {

inline constexpr double default_vector_bits = 128;

/// What counts of a row may be multiples of.
struct LengthUnits {
  double lanes = 0;    // L: elements of a vector (RVV: of a register group)
  double granules = 0; // Q: 128-bit parts
  double steps = 0;    // T: halvings that leave one lane
};

/// A power of two in the range that SVE or RVV permit.
bool is_vector_length(double bits);

/// Bits of the form's elements: "fadd z.d, z.d, z.d": 64; "vadd.vv v, v, v @m2,e32": 32. 0 where it has no such
/// vectors.
double element_bits(std::string_view key);

/// Lanes of a form with vectors of that length; all 0 where it has none.
LengthUnits length_units(std::string_view key, double vector_bits);

/// "2L-1", "4+15T", "37Q+6": nothing where that is not what the text says, or is negative.
std::optional<double> growing_count(std::string_view text, const LengthUnits& units);

} // namespace corecast
