// How full schedulers look to the choice between them (pipeline facts AM-37).
#pragma once

#include "cpp/sim/hash.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace corecast::sim {

/// Entries by scheduler. They count from some cycles after they were taken until some cycles after their uop started.
class SchedulerCounts {
public:
  /// `lag`: cycles from an entry's taking on; `release`: from its uop's start on.
  void reset(std::size_t schedulers, std::uint32_t lag, std::uint32_t release) {
    schedulers_ = schedulers;
    lag_ = std::max(lag, 1U);
    release_ = std::max(release + 1, lag_); // no entry is gone before it counts
    seen_.assign(schedulers, 0);
    taken_.assign(lag_ * schedulers, 0);
    started_.assign(release_ * schedulers, 0);
    taken_at_ = started_at_ = 0;
  }

  void begin_cycle() {
    std::uint16_t* taken = row(taken_, taken_at_ = (taken_at_ + 1) % lag_);
    std::uint16_t* started = row(started_, started_at_ = (started_at_ + 1) % release_);
    for (std::size_t s = 0; s < schedulers_; ++s) {
      seen_[s] = static_cast<std::uint16_t>(seen_[s] + taken[s] - started[s]);
      taken[s] = started[s] = 0;
    }
  }

  void take(std::size_t scheduler) { ++row(taken_, taken_at_)[scheduler]; }
  void start(std::size_t scheduler) { ++row(started_, started_at_)[scheduler]; }
  std::uint32_t operator[](std::size_t scheduler) const { return seen_[scheduler]; }

  void add_to(Hash& hash) const {
    for (std::uint32_t back = 0; back < lag_; ++back)
      add_row(hash, taken_, (taken_at_ + back) % lag_);
    for (std::uint32_t back = 0; back < release_; ++back)
      add_row(hash, started_, (started_at_ + back) % release_);
  }

private:
  std::uint16_t* row(std::vector<std::uint16_t>& rows, std::uint32_t at) { return rows.data() + at * schedulers_; }

  void add_row(Hash& hash, const std::vector<std::uint16_t>& rows, std::uint32_t at) const {
    for (std::size_t s = 0; s < schedulers_; ++s)
      hash.add(rows[at * schedulers_ + s]);
  }

  std::size_t schedulers_ = 0;
  std::uint32_t lag_ = 1, release_ = 1;
  std::vector<std::uint16_t> seen_;
  std::vector<std::uint16_t> taken_, started_; // by cycle and scheduler, each row used again when it counts
  std::uint32_t taken_at_ = 0, started_at_ = 0;
};

} // namespace corecast::sim
