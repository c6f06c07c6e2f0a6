// How well predictions agree with measurements: rank correlation and bootstrap intervals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace corecast {

/// Kendall's tau-b of pairs of values, ties as they are; nan where either side is constant. O(n log n).
class RankCorrelation {
public:
  RankCorrelation(std::span<const double> x, std::span<const double> y);

  /// Of a sample that holds pair i `counts[i]` times.
  double tau(std::span<const std::uint32_t> counts) const;

private:
  std::vector<std::uint32_t> order_;  // pairs by x
  std::vector<std::uint32_t> x_rank_; // by pair; equal values share a rank
  std::vector<std::uint32_t> y_rank_;
  std::uint32_t y_ranks_ = 0;
};

struct Interval {
  double low = 0;
  double high = 0;
};

/// 95 % intervals by the percentile bootstrap: pairs are drawn with replacement, as many as there are.
struct BootstrapIntervals {
  Interval mean_absolute_error; // of (y - x) / x
  Interval mean_error;
  Interval tau; // of both sides as given in `rounded`
};

struct BootstrapOptions {
  std::uint32_t samples = 1000;
  std::uint32_t tau_samples = 200; // a correlation costs far more than a mean
  std::uint32_t seed = 1;
};

/// `x`: measured, above 0; `y`: predicted; `ranks`: the correlation's values of the same pairs. Deterministic.
BootstrapIntervals bootstrap(std::span<const double> x, std::span<const double> y, const RankCorrelation& ranks,
                             const BootstrapOptions& options);

} // namespace corecast
