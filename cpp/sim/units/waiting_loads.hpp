// Loads that had started before the data of the stores that they read were ready (pipeline facts IN-129).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace corecast::sim {

/// The last ones of an instruction, as many as any load queue has.
class LoadsThatWaited {
public:
  void clear() { begin_ = end_ = 0; }

  void add(std::int32_t data_ready, std::uint16_t port) {
    loads_[end_++ % most] = {data_ready, port};
    if (end_ - begin_ > most) ++begin_;
  }

  /// Nobody will ask for cycles before this one.
  void forget_ready_by(std::int32_t cycle) {
    while (begin_ < end_ && loads_[begin_ % most].data_ready <= cycle)
      ++begin_;
  }

  struct Count {
    std::uint32_t all = 0;
    std::uint32_t at_port = 0;
  };

  /// Those whose data are ready only behind a cycle, oldest first: when, and at which port they wait.
  template <typename Visit> void for_each_behind(std::int32_t cycle, Visit&& visit) const {
    for (std::size_t i = begin_; i < end_; ++i)
      if (const WaitingLoad& load = loads_[i % most]; load.data_ready > cycle) visit(load.data_ready, load.port);
  }

  /// Of the same.
  Count behind(std::int32_t cycle, std::uint16_t port) const {
    Count count;
    for_each_behind(cycle, [&](std::int32_t, std::uint16_t at) {
      ++count.all;
      count.at_port += at == port ? 1 : 0;
    });
    return count;
  }

private:
  struct WaitingLoad {
    std::int32_t data_ready = 0;
    std::uint16_t port = 0;
  };
  static constexpr std::size_t most = 128;

  std::array<WaitingLoad, most> loads_{};
  std::size_t begin_ = 0, end_ = 0; // counted since the start
};

} // namespace corecast::sim
