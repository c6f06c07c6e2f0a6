// How instructions fill the entries of a uop cache that is read entry by entry.
#pragma once

#include <algorithm>
#include <cstdint>

namespace corecast {

/// Instructions are put in one after the other, uop by uop. An entry holds so many uops of instructions of one line of
/// code (AMD's optimization guides for family 17h and 19h, op cache).
class UopCacheEntries {
public:
  UopCacheEntries(double line_bytes, double entry_uops)
      : line_bytes_(at_least_one(line_bytes)), entry_uops_(at_least_one(entry_uops)) {}

  /// The next instruction, or fused pair. It is kept with the line where it ends; but fetch enters a body where its first
  /// instruction starts (measured on Zen 4: small loops take two cycles as soon as their first or last byte is in another
  /// line). Returns whether it begins an entry.
  bool begin(std::uint64_t first_byte, std::uint64_t last_byte, std::uint64_t uops) {
    const std::uint64_t line = (empty_ ? first_byte : last_byte) / line_bytes_;
    const bool anew = empty_ || line != line_ || uops > room_;
    if (anew) room_ = entry_uops_;
    empty_ = false;
    line_ = line;
    return anew;
  }

  /// A uop of the instruction. Returns whether it begins an entry: microcode may be longer than one.
  bool add() {
    const bool anew = room_ == 0;
    if (anew) room_ = entry_uops_;
    --room_;
    return anew;
  }

private:
  static std::uint64_t at_least_one(double value) { return static_cast<std::uint64_t>(std::max(1.0, value)); }

  std::uint64_t line_bytes_;
  std::uint64_t entry_uops_;
  std::uint64_t room_ = 0;
  std::uint64_t line_ = 0;
  bool empty_ = true;
};

} // namespace corecast
