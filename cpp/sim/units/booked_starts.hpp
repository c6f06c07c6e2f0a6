// Which uops start at some ports in cycles to come, where it matters which of them start together.
#pragma once

#include "cpp/machine/forms/form_entry.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace corecast::sim {

/// Uops by port and cycle. Memory grows with the farthest cycle that is asked for.
class BookedStarts {
public:
  void reset(PortMask ports) {
    ports_ = ports;
    starts_.clear();
    if (ports != 0) starts_.resize(fewest_cycles * stride());
  }

  /// Whether the ports of which the starts are kept include this one.
  bool keeps(std::size_t port) const { return (ports_ >> port & 1) != 0; }

  /// The uop that starts at one of them in a cycle, by its number since the start; null: none.
  const std::uint64_t* at(std::size_t port, std::int32_t cycle) const {
    const Start& start = starts_[place_of(port, cycle)];
    return start.cycle == cycle ? &start.sequence : nullptr;
  }

  /// `now`: earlier cycles are not asked for any more.
  void put(std::size_t port, std::int32_t cycle, std::uint64_t sequence, std::int32_t now) {
    while (starts_[place_of(port, cycle)].cycle >= now)
      make_room(now);
    starts_[place_of(port, cycle)] = {cycle, sequence};
  }

private:
  struct Start {
    std::int32_t cycle = -1;
    std::uint64_t sequence = 0;
  };

  static constexpr std::size_t fewest_cycles = 256;

  std::size_t stride() const { return static_cast<std::size_t>(std::popcount(ports_)); }
  std::size_t place_of(std::size_t port, std::int32_t cycle) const {
    const auto lower = static_cast<std::size_t>(std::popcount(ports_ & ((PortMask{1} << port) - 1)));
    return static_cast<std::size_t>(cycle) % (starts_.size() / stride()) * stride() + lower;
  }

  void make_room(std::int32_t now) {
    std::vector<Start> old(2 * starts_.size());
    std::swap(old, starts_);
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (old[i].cycle < now) continue;
      const std::size_t cycles = starts_.size() / stride();
      starts_[static_cast<std::size_t>(old[i].cycle) % cycles * stride() + i % stride()] = old[i];
    }
  }

  PortMask ports_ = 0;
  std::vector<Start> starts_; // by cycle, modulo as many as are kept, and port
};

} // namespace corecast::sim
