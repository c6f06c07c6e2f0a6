// Where the general registers point at the start: what is known of code that was timed with data of its own.
#pragma once

#include "cpp/lower/address_tracker.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace corecast {

class Machine;

/// Registers start at multiples of a line, or a step further for each register than for the one before, as `corecast
/// time` places them (x86; not the stack pointer). Values from memory are multiples of a line.
class StartPlaces {
public:
  StartPlaces() = default;
  /// `step`: bytes; 0: all at multiples of a line; nothing: the code was not timed, so that nobody filled its memory.
  StartPlaces(const Machine& machine, std::optional<std::int64_t> step);

  /// The register whose value at the start memory holds everywhere, as `corecast time` fills it; 0: memory holds
  /// whatever the program put there.
  RegisterId held_everywhere() const { return held_everywhere_; }

  /// An address but for multiples of a line.
  std::int64_t place_of(const Linear& address) const {
    if (step_ == 0) return address.constant;
    std::int64_t bytes = 0;
    for (std::uint8_t i = 0; i < address.count; ++i)
      for (std::size_t number = 0; number < registers_.size(); ++number)
        if (address.terms[i].symbol == registers_[number])
          bytes +=
              (address.terms[i].coefficient % line_bytes) * (static_cast<std::int64_t>(number) * step_ % line_bytes);
    return Linear::wrap(Linear::wrapped(address.constant) + Linear::wrapped(bytes % line_bytes));
  }

private:
  static constexpr std::int64_t line_bytes = 64;

  std::int64_t step_ = 0;
  RegisterId held_everywhere_ = 0;
  std::array<RegisterId, 16> registers_{}; // by the number that encodings use; 0: none
};

} // namespace corecast
