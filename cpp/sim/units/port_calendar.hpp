// Which cycles to come the ports are taken in, where a uop is given its cycle when it is renamed.
#pragma once

#include "cpp/machine/forms/form_entry.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace corecast::sim {

/// A bit for each port and cycle ahead. Memory grows with the farthest cycle asked for.
class PortCalendar {
public:
  void reset(std::size_t ports) {
    ports_ = ports;
    cycles_ = fewest_cycles;
    taken_.assign(most_ports * (cycles_ / word_bits), 0);
    starts_.assign(cycles_, 0);
    block_ = 0;
  }

  /// Gives a uop the port's first free cycle that is not before `earliest`, and says which.
  std::int32_t take(std::size_t port, std::int32_t earliest) {
    const auto cycle = static_cast<std::uint32_t>(earliest);
    if (cycle - block_ < cycles_) {
      std::uint64_t& word = taken_[word_of(port, cycle)];
      // Shifted there and back: free cycles of this word that are not too early.
      const std::uint64_t free = ~word >> (cycle % word_bits) << (cycle % word_bits);
      if (free != 0) {
        const std::uint64_t bit = free & (~free + 1);
        word |= bit;
        const std::uint32_t found = cycle / word_bits * word_bits + static_cast<std::uint32_t>(std::countr_zero(free));
        starts_[found & (cycles_ - 1)] |= PortMask{1} << port;
        return static_cast<std::int32_t>(found);
      }
    }
    return take_later(port, cycle);
  }

  /// Nothing starts there in a cycle that take() has given: the port stands idle in it.
  void leave_idle(std::size_t port, std::int32_t cycle) {
    starts_[static_cast<std::uint32_t>(cycle) & (cycles_ - 1)] &= ~(PortMask{1} << port);
  }

  /// Ports that start something in this cycle, which is over then. Cycles are asked for one after the other.
  PortMask pass(std::int32_t now) {
    const auto cycle = static_cast<std::uint32_t>(now);
    if (cycle % word_bits == word_bits - 1) forget_block();
    return std::exchange(starts_[cycle & (cycles_ - 1)], 0);
  }

private:
  static constexpr std::uint32_t word_bits = 64;
  static constexpr std::uint32_t fewest_cycles = 512;
  static constexpr std::size_t most_ports = 64;

  std::size_t word_of(std::size_t port, std::uint32_t cycle) const {
    static_assert(most_ports == word_bits);
    return (cycle & (cycles_ - word_bits)) + port;
  }

  void forget_block() {
    std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(word_of(0, block_)), ports_, 0);
    block_ += word_bits;
  }

  std::int32_t take_later(std::size_t port, std::uint32_t cycle);
  void make_room(std::uint32_t cycle);

  std::size_t ports_ = 0;
  std::uint32_t cycles_ = 0;         // kept, a power of two
  std::uint32_t block_ = 0;          // first cycle of the word that this cycle is in
  std::vector<std::uint64_t> taken_; // by port, of 64 cycles, by port
  std::vector<PortMask> starts_;     // by cycle
};

} // namespace corecast::sim
