// What string instructions with a repeat prefix cost, by their count.
#pragma once

#include "cpp/machine/forms/form_entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corecast {

class PipelineReader;
class PortNames;

/// From a count on: the cycles of that count, and of each repetition beyond it.
struct RepeatPiece {
  double from = 0;
  double cycles = 0;
  double cycles_per_repetition = 0;
};

/// One table of `repeats` in pipeline.toml.
struct RepeatCost {
  std::vector<std::string> forms;  // keys
  PortMask ports = 0;              // that the instruction keeps all the time
  PortMask unit = 0;               // ... and a unit, one bit or none
  std::vector<RepeatPiece> pieces; // ascending, at least one
  std::string source;
  std::string confidence;

  /// Nothing for a count below the first piece.
  std::optional<double> cycles(std::int64_t count) const;
};

/// `port_bits`: those of PortMask that are ports, not units. Throws ModelError.
std::vector<RepeatCost> read_repeats(const PipelineReader& in, const PortNames& ports, PortMask port_bits);

/// A form's row with the ports that a count of `cycles` cycles keeps. What the row says of these ports, of units,
/// micro-ops and throughput is of a count that its source does not name.
FormEntry with_repeats(const FormEntry& row, const RepeatCost& cost, double cycles);

} // namespace corecast
