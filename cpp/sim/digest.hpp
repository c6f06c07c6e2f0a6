// What tells programs apart, in 128 bits.
#pragma once

#include "cpp/sim/program.hpp"

#include <cstdint>

namespace corecast::sim {

/// Two programs with the same digest are the same: of a million different ones, no two meet but with a chance of 1e-26.
struct Digest {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  bool operator==(const Digest&) const = default;
};

/// Of everything that a program consists of.
Digest digest_of(const Program& program);

} // namespace corecast::sim
