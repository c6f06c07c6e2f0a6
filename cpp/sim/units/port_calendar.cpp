#include "cpp/sim/units/port_calendar.hpp"

namespace corecast::sim {

/// Where the word of that cycle has no room, or is not kept yet.
std::int32_t PortCalendar::take_later(std::size_t port, std::uint32_t cycle) {
  if (cycle - block_ < cycles_) cycle += word_bits - cycle % word_bits;
  if (cycle - block_ >= cycles_) make_room(cycle);
  return take(port, static_cast<std::int32_t>(cycle));
}

void PortCalendar::make_room(std::uint32_t cycle) {
  PortCalendar larger;
  larger.ports_ = ports_;
  larger.block_ = block_;
  larger.cycles_ = std::bit_ceil(cycle - block_ + 1);
  larger.taken_.assign(most_ports * (larger.cycles_ / word_bits), 0);
  larger.starts_.assign(larger.cycles_, 0);
  for (std::uint32_t each = block_; each < block_ + cycles_; ++each)
    larger.starts_[each & (larger.cycles_ - 1)] = starts_[each & (cycles_ - 1)];
  for (std::size_t port = 0; port < ports_; ++port)
    for (std::uint32_t each = block_; each < block_ + cycles_; each += word_bits)
      larger.taken_[larger.word_of(port, each)] = taken_[word_of(port, each)];
  *this = std::move(larger);
}

} // namespace corecast::sim
