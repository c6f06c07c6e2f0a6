// How instructions fill the entries of a uop cache that is read entry by entry.
#pragma once

#include "cpp/lower/encoded_constants.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace corecast {

/// Instructions are put in one after the other, uop by uop. An entry holds so many uops of instructions of one line of
/// code (AMD's optimization guides for family 17h and 19h, op cache), or of lines that follow each other.
class UopCacheEntries {
public:
  explicit UopCacheEntries(const FrontEndParameters& parameters)
      : line_bytes_(at_least_one(parameters.uop_cache_entry_bytes.value_or(64))),
        entry_uops_(at_least_one(parameters.uop_cache_entry_uops.value_or(1))),
        crosses_lines_(parameters.uop_cache_entry_crosses_lines), limits_(parameters.uop_cache_entry_limits) {}

  /// The next instruction, or fused pair. It is kept with the line where it ends; but fetch enters a body where its
  /// first instruction starts (measured on Zen 4: small loops take two cycles as soon as their first or last byte is in
  /// another line).
  void begin(std::uint64_t first_byte, std::uint64_t last_byte, std::uint64_t uops, EncodedConstants constants) {
    const std::uint64_t line = (empty_ ? first_byte : last_byte) / line_bytes_;
    begins_line_ = empty_ || line != line_;
    EncodedConstants together = constants_;
    together += constants;
    begins_entry_ = empty_ || (begins_line_ && !crosses_lines_) || !fits(held_ + uops, together);
    if (begins_entry_) held_ = 0;
    constants_ = begins_entry_ ? constants : together;
    empty_ = false;
    line_ = line;
  }
  bool begins_line() const { return begins_line_; }
  bool begins_entry() const { return begins_entry_; }

  /// A uop of the instruction. Returns whether it begins a new entry: microcode may be longer than one.
  bool add() {
    const bool anew = held_ == entry_uops_;
    if (anew) held_ = 0;
    ++held_;
    return anew;
  }

private:
  static std::uint64_t at_least_one(double value) { return static_cast<std::uint64_t>(std::max(1.0, value)); }

  bool fits(std::uint64_t uops, const EncodedConstants& constants) const {
    if (uops > entry_uops_) return false;
    // The first limit that has room for the uops: the fewer they are, the more constants go with them.
    for (const UopCacheEntryLimit& limit : limits_)
      if (static_cast<double>(uops) <= limit.uops)
        return constants.all <= limit.constants && constants.wide <= limit.wide_constants;
    return true;
  }

  std::uint64_t line_bytes_;
  std::uint64_t entry_uops_;
  bool crosses_lines_;
  const std::vector<UopCacheEntryLimit>& limits_;
  std::uint64_t held_ = 0;
  EncodedConstants constants_;
  std::uint64_t line_ = 0;
  bool empty_ = true;
  bool begins_line_ = false, begins_entry_ = false;
};

} // namespace corecast
