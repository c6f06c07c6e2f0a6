// How many uops may still enter the schedulers.
#pragma once

#include "cpp/sim/parameters.hpp"
#include "cpp/sim/units/port_binding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace corecast::sim {

/// Free entries of all schedulers together and of each, 16 bits apart: one subtraction asks for four of these. What was
/// taken beyond the last entry borrows from the next count, and gives that back when it leaves; meanwhile there is no
/// room anyway.
class SchedulerRoom {
public:
  /// `parts`: each port belongs to one of them, all others have no limit. None: all ports share the entries.
  /// Uops go to the first `ports` ports.
  void reset(std::uint32_t entries, std::span<const SchedulerPart> parts, std::size_t ports) {
    entries_ = capped(entries);
    free_.fill(0);
    free_[0] = entries_;
    first_.fill(1);
    words_ = 1 + parts.size() / counts_of_a_word;
    if (words_ > 1) others_.fill(Amount{});
    ones_.fill(0);
    ones_[0] = 1;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::size_t word = (part + 1) / counts_of_a_word;
      const unsigned shift = 16 * static_cast<unsigned>((part + 1) % counts_of_a_word);
      free_[word] |= std::uint64_t{capped(parts[part].entries)} << shift;
      ones_[word] |= std::uint64_t{1} << shift;
      for (PortMask rest = parts[part].ports; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::size_t>(std::countr_zero(rest));
        if (word == 0)
          first_[port] = 1 + (std::uint64_t{1} << shift);
        else
          others_[port] = {word, std::uint64_t{1} << shift};
      }
    }
    quads_ = std::min(ports + ports_of_a_quad - 1, PortBinding::most_ports) / ports_of_a_quad;
    for (std::size_t quad = 0; quad < quads_; ++quad)
      for (std::size_t starts = 1; starts < starts_of_a_quad; ++starts) {
        const auto port = quad * ports_of_a_quad + static_cast<std::size_t>(std::countr_zero(starts));
        of_quad_[quad][starts] = of_quad_[quad][starts & (starts - 1)] + first_[port];
      }
  }

  /// Whether `uops` more may enter, whatever ports they are given.
  bool has(std::uint64_t uops) const {
    if (((free_[0] - uops * ones_[0]) & overdrawn) != 0) return false;
    for (std::size_t word = 1; word < words_; ++word)
      if (((free_[word] - uops * ones_[word]) & overdrawn) != 0) return false;
    return true;
  }

  /// Several that enter one after the other: quicker than each alone. They count as taken once all have entered.
  class Entering {
  public:
    explicit Entering(SchedulerRoom& room) : room_(room) {}
    Entering(const Entering&) = delete;
    Entering& operator=(const Entering&) = delete;
    ~Entering() { room_.free_[0] -= sum_; }

    void add(std::size_t port) {
      sum_ += room_.first_[port];
      if (room_.words_ > 1) [[unlikely]]
        room_.free_[room_.others_[port].word] -= room_.others_[port].amount;
    }

  private:
    SchedulerRoom& room_;
    std::uint64_t sum_ = 0;
  };

  void take(std::size_t port) { Entering(*this).add(port); }

  void give_back(std::size_t port) {
    free_[0] += first_[port];
    if (words_ > 1) [[unlikely]]
      free_[others_[port].word] += others_[port].amount;
  }

  /// The same for one uop at each of some ports: looked up by four ports, as how many these are is hard to predict.
  void give_back_each(PortMask ports) {
    const auto of_quad = [&](std::size_t quad) {
      return of_quad_[quad][ports >> (ports_of_a_quad * quad) & (starts_of_a_quad - 1)];
    };
    std::uint64_t sum = of_quad(0) + of_quad(1) + of_quad(2) + of_quad(3);
    for (std::size_t quad = 4; quad < quads_; ++quad)
      sum += of_quad(quad);
    free_[0] += sum;
    if (words_ == 1) [[likely]]
      return;
    for (PortMask rest = ports; rest != 0; rest &= rest - 1) {
      const Amount& other = others_[static_cast<std::size_t>(std::countr_zero(rest))];
      free_[other.word] += other.amount;
    }
  }

  /// Uops that are in them.
  std::uint32_t taken() const { return entries_ - static_cast<std::uint32_t>(static_cast<std::int16_t>(free_[0])); }

private:
  struct Amount {
    std::size_t word = 0;
    std::uint64_t amount = 0;
  };

  static constexpr std::size_t counts_of_a_word = 4;
  static constexpr std::size_t ports_of_a_quad = 4;
  static constexpr std::size_t starts_of_a_quad = 1 << ports_of_a_quad;
  static constexpr std::size_t most_words = 1 + PortBinding::most_ports / counts_of_a_word;
  static constexpr std::uint64_t overdrawn = 0x8000800080008000;

  /// No more are ever in flight than a reorder buffer holds.
  static std::uint32_t capped(std::uint32_t entries) { return std::min(entries, std::uint32_t{0x3FFF}); }

  std::uint32_t entries_ = 0;
  std::size_t words_ = 1;
  std::array<std::uint64_t, most_words> free_{};
  std::array<std::uint64_t, most_words> ones_{};
  std::array<std::uint64_t, PortBinding::most_ports> first_{}; // by port: what a uop takes in the first word
  std::array<Amount, PortBinding::most_ports> others_{};       // ... and in another one
  /// Sums of the first word, by the ports of each four at which uops start.
  std::array<std::array<std::uint64_t, starts_of_a_quad>, PortBinding::most_ports / ports_of_a_quad> of_quad_{};
  std::size_t quads_ = 0;
};

} // namespace corecast::sim
