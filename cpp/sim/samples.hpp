// What is counted, at moments of a simulation.
#pragma once

#include "cpp/sim/core.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace corecast::sim {

struct Sample {
  std::int32_t cycle = 0;
  std::uint32_t slot = 0; // of the last fused uop in its group of retirement
  std::uint64_t iteration = 0;
  Stalls stalls;
  std::span<const std::uint32_t> port_uses; // by resource of the machine
};

/// Samples in the order of time, the first of the start.
class SampleLog {
public:
  void reset(std::size_t resources) {
    resources_ = resources;
    if (moments_.empty()) moments_.emplace_back();
    moments_.front() = Moment{};
    cycles_.assign(1, 0);
    port_uses_.assign(resources, 0);
  }

  void add(const Core& core, std::uint64_t iteration) {
    const std::uint64_t level = level_of(core);
    const std::size_t number = size();
    if (number == moments_.size()) moments_.emplace_back();
    const Sums sums = moments_[number - 1].sums + of_one(iteration, core.now, level);
    Moment& moment = moments_[number]; // written in its place: a copy would have to wait for its parts
    cycles_.push_back(core.now);
    moment.slot = core.reorder_buffer.slot;
    moment.iteration = iteration;
    moment.level = level;
    moment.sums = sums;
    moment.stalls = core.stalls;
    const std::span<const std::uint32_t> uses = core.scheduler.port_uses().first(resources_);
    port_uses_.insert(port_uses_.end(), uses.begin(), uses.end());
  }

  std::size_t size() const { return cycles_.size(); }
  std::uint32_t slot(std::size_t i) const { return moments_[i].slot; }
  std::int32_t cycle(std::size_t i) const { return cycles_[i]; }
  /// Uops in reorder buffer and schedulers.
  std::uint64_t level(std::size_t i) const { return moments_[i].level; }

  /// From a sample that is not behind it to the first one not before a cycle. Several at once without a branch, as how
  /// many these are is hard to predict.
  void advance_to(std::size_t& sample, std::int32_t cycle) const {
    for (; sample + at_once <= cycles_.size(); sample += at_once) {
      std::int32_t before = 0;
      for (std::size_t i = 0; i < at_once; ++i)
        before += cycles_[sample + i] < cycle ? 1 : 0;
      if (before == at_once) continue;
      sample += static_cast<std::size_t>(before);
      return;
    }
    while (sample < cycles_.size() && cycles_[sample] < cycle)
      ++sample;
  }

  double cycles_per_iteration(std::size_t from, std::size_t to) const {
    return static_cast<double>(cycles_[to] - cycles_[from]) / iterations(from, to);
  }

  /// The slope of the line that lies closest to all samples from one to another (least squares): where the two at the
  /// ends stand in a pattern of several iterations matters less than to these two alone.
  double fitted_cycles_per_iteration(std::size_t from, std::size_t to) const {
    double mean = 0;
    for (std::size_t i = from; i <= to; ++i)
      mean += iterations(from, i);
    mean /= static_cast<double>(to - from) + 1;
    double products = 0;
    double squares = 0;
    for (std::size_t i = from; i <= to; ++i) {
      const double off = iterations(from, i) - mean;
      products += off * static_cast<double>(cycles_[i] - cycles_[from]);
      squares += off * off;
    }
    return products / squares;
  }

  /// The same from running sums: quicker, and exact to some ten digits.
  double roughly_fitted_cycles_per_iteration(std::size_t from, std::size_t to) const {
    const Sums sums = moments_[to].sums - moments_[from].sums + of_one(from);
    const double count = static_cast<double>(to - from) + 1;
    return (count * sums.products - sums.iterations * sums.cycles) /
           (count * sums.squares - sums.iterations * sums.iterations);
  }

  /// What buffers hold, on average.
  struct Level {
    double in_flight = 0; // uops between rename and retirement
    double waiting = 0;   // uops in schedulers and in front of rename, and stores that are not written yet
  };

  /// Over (from, to].
  Level mean_level(std::size_t from, std::size_t to) const {
    const Sums sums = moments_[to].sums - moments_[from].sums;
    const auto count = static_cast<double>(to - from);
    return {sums.in_flight / count, sums.waiting / count};
  }

  /// Whether rename ever waited for room between the two.
  bool had_no_room(std::size_t from, std::size_t to) const {
    return moments_[from].stalls.full != moments_[to].stalls.full;
  }

  /// By how many uops more, or fewer, are in flight at the later one: as a part of those renamed between.
  double imbalance(std::size_t from, std::size_t to) const {
    const double renamed = moments_[to].stalls.renamed_fused - moments_[from].stalls.renamed_fused;
    const auto level = [&](std::size_t i) { return static_cast<double>(uops(moments_[i].level)); };
    return std::abs(level(to) - level(from)) / std::max(1.0, renamed);
  }

  /// Valid until the next sample is added.
  Sample operator[](std::size_t i) const {
    const Moment& moment = moments_[i];
    return {cycles_[i], moment.slot, moment.iteration, moment.stalls,
            std::span(port_uses_).subspan(i * resources_, resources_)};
  }

private:
  double iterations(std::size_t from, std::size_t to) const {
    return static_cast<double>(moments_[to].iteration - moments_[from].iteration);
  }

  /// Over all samples up to one, so that those of a window are one subtraction.
  struct Sums {
    double iterations = 0, cycles = 0, squares = 0, products = 0; // of iterations, and of these and cycles
    double in_flight = 0, waiting = 0;                            // as in Level

    Sums operator+(const Sums& other) const {
      return {iterations + other.iterations, cycles + other.cycles,       squares + other.squares,
              products + other.products,     in_flight + other.in_flight, waiting + other.waiting};
    }
    Sums operator-(const Sums& other) const {
      return {iterations - other.iterations, cycles - other.cycles,       squares - other.squares,
              products - other.products,     in_flight - other.in_flight, waiting - other.waiting};
    }
  };

  struct Moment {
    std::uint32_t slot = 0;
    std::uint64_t iteration = 0;
    std::uint64_t level = 0;
    Sums sums; // of all zeros for the first, which is the start
    Stalls stalls;
  };

  static Sums of_one(std::uint64_t iteration, std::int32_t cycle, std::uint64_t level) {
    const auto i = static_cast<double>(iteration);
    return {i,         static_cast<double>(cycle),       i * i,
            i * cycle, static_cast<double>(uops(level)), static_cast<double>(level & 0xFFFFFFFF)};
  }
  Sums of_one(std::size_t i) const { return of_one(moments_[i].iteration, cycles_[i], moments_[i].level); }
  static std::uint64_t uops(std::uint64_t level) { return level >> 32; } // in the reorder buffer

  static std::uint64_t level_of(const Core& core) {
    const FrontEnd& front_end = core.front_end;
    // What a front end that is known by widths has fetched ahead can last for hundreds of cycles.
    const std::uint64_t ahead = front_end.supplier == Supplier::generic && front_end.fetched > front_end.uops.renamed
                                    ? front_end.fetched - front_end.uops.renamed
                                    : 0;
    return (std::uint64_t{core.reorder_buffer.size} << 32) |
           (core.scheduler.occupancy() + core.buffers.retired_stores() + ahead);
  }

  static constexpr std::size_t at_once = 8;

  std::size_t resources_ = 0;
  std::vector<std::int32_t> cycles_;     // apart, as they are searched
  std::vector<Moment> moments_;          // and more that earlier simulations had
  std::vector<std::uint32_t> port_uses_; // moment by moment
};

} // namespace corecast::sim
