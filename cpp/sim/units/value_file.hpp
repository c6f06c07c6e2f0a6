// When each value is ready, and which uops wait for it.
#pragma once

#include "cpp/sim/program.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace corecast::sim {

inline constexpr std::int32_t not_yet = std::numeric_limits<std::int32_t>::max();

/// Values by name and iteration. As many iterations are kept as can be in flight; older ones are ready anyway.
class ValueFile {
public:
  /// Eight bytes, as there are many.
  struct Value {
    std::int32_t ready = -1;
    std::uint32_t link = none; // first waiter of a list in Scheduler; of an aliased value: its source's slot

    /// An eliminated move's value is its source's.
    static Value alias_of(std::uint32_t source) { return {aliased, source}; }
  };

  void reset(std::uint32_t values, std::uint32_t iterations) {
    depth_ = std::bit_ceil(iterations);
    file_.assign(static_cast<std::size_t>(values) * depth_, Value{});
  }

  std::uint32_t slot(std::uint32_t value, std::uint64_t iteration) const {
    return value * depth_ + static_cast<std::uint32_t>(iteration & (depth_ - 1));
  }

  /// Where an input's value is kept, none where it was made before the first iteration.
  std::uint32_t source(std::uint32_t value, std::uint64_t iteration, std::uint32_t distance) const {
    if (iteration < distance) return none;
    const std::uint32_t at = slot(value, iteration - distance);
    return file_[at].ready == aliased ? file_[at].link : at;
  }

  Value& operator[](std::uint32_t slot) { return file_[slot]; }
  const Value& operator[](std::uint32_t slot) const { return file_[slot]; }

private:
  static constexpr std::int32_t aliased = std::numeric_limits<std::int32_t>::min();

  std::vector<Value> file_;
  std::uint32_t depth_ = 1;
};

} // namespace corecast::sim
