// Hash of a pipeline's state, to see it again.
#pragma once

#include <cstdint>

namespace corecast::sim {

class Hash {
public:
  void add(std::uint64_t part) {
    value_ = (value_ ^ part) * 0xFF51AFD7ED558CCDULL;
    value_ ^= value_ >> 32;
  }
  std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0x243F6A8885A308D3ULL;
};

} // namespace corecast::sim
