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
  /// What starts in one cycle.
  struct Starts {
    PortMask ports = 0;
    std::uint64_t positions = 0; // sum of the uops' numbers
  };

  void reset(std::size_t ports) {
    ports_ = ports;
    cycles_ = fewest_cycles;
    taken_.assign(most_ports * (cycles_ / word_bits), 0);
    starts_.assign(cycles_, Starts{});
    block_ = 0;
  }

  /// Gives the uop the port's first free cycle that is not before `earliest`, and says which.
  std::int32_t take(std::size_t port, std::int32_t earliest, std::uint64_t sequence) {
    auto cycle = static_cast<std::uint32_t>(earliest);
    while (true) {
      if (cycle - block_ >= cycles_) make_room(cycle);
      std::uint64_t& word = taken_[word_of(port, cycle)];
      const std::uint64_t free = ~word >> (cycle % word_bits);
      if (free != 0) {
        cycle += static_cast<std::uint32_t>(std::countr_zero(free));
        word |= std::uint64_t{1} << (cycle % word_bits);
        break;
      }
      cycle += word_bits - cycle % word_bits;
    }
    Starts& starts = starts_[cycle & (cycles_ - 1)];
    starts.ports |= PortMask{1} << port;
    starts.positions += sequence;
    return static_cast<std::int32_t>(cycle);
  }

  /// What starts in this cycle, which is over then. Cycles are asked for one after the other.
  Starts pass(std::int32_t now) {
    const auto cycle = static_cast<std::uint32_t>(now);
    if (cycle % word_bits == word_bits - 1) forget_block();
    return std::exchange(starts_[cycle & (cycles_ - 1)], Starts{});
  }

private:
  static constexpr std::uint32_t word_bits = 64;
  static constexpr std::uint32_t fewest_cycles = 512;
  static constexpr std::size_t most_ports = 64;

  std::size_t word_of(std::size_t port, std::uint32_t cycle) const {
    return (cycle & (cycles_ - 1)) / word_bits * most_ports + port;
  }

  void forget_block() {
    std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(word_of(0, block_)), ports_, 0);
    block_ += word_bits;
  }

  void make_room(std::uint32_t cycle);

  std::size_t ports_ = 0;
  std::uint32_t cycles_ = 0;         // kept, a power of two
  std::uint32_t block_ = 0;          // first cycle of the word that this cycle is in
  std::vector<std::uint64_t> taken_; // by port, of 64 cycles, by port
  std::vector<Starts> starts_;       // by cycle
};

} // namespace corecast::sim
