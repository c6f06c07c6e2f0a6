#include "cpp/base/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace corecast {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Places in order of value, and each value's rank among the different ones, from 0.
std::vector<std::uint32_t> ranks_of(std::span<const double> values, std::vector<std::uint32_t>& order) {
  order.resize(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  std::vector<std::uint32_t> ranks(values.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && values[order[i]] != values[order[i - 1]]) ++rank;
    ranks[order[i]] = rank;
  }
  return ranks;
}

double pairs_among(double count) {
  return count * (count - 1) / 2;
}

/// Counts by rank with sums of all ranks below one (a Fenwick tree).
class Counts {
public:
  explicit Counts(std::size_t ranks) : tree_(ranks + 1, 0) {}

  void add(std::size_t rank, double count) {
    for (std::size_t i = rank + 1; i < tree_.size(); i += i & (~i + 1))
      tree_[i] += count;
    total_ += count;
  }
  double up_to(std::size_t rank) const {
    double sum = 0;
    for (std::size_t i = rank + 1; i > 0; i -= i & (~i + 1))
      sum += tree_[i];
    return sum;
  }
  double total() const { return total_; }

private:
  std::vector<double> tree_;
  double total_ = 0;
};

Interval interval_of(std::vector<double>& values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {nan, nan};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.025), at(0.975)};
}

} // namespace

RankCorrelation::RankCorrelation(std::span<const double> x, std::span<const double> y) {
  std::vector<std::uint32_t> y_order;
  y_rank_ = ranks_of(y, y_order);
  x_rank_ = ranks_of(x, order_);
  y_ranks_ = y.empty() ? 0 : *std::max_element(y_rank_.begin(), y_rank_.end()) + 1;
}

double RankCorrelation::tau(std::span<const std::uint32_t> counts) const {
  Counts seen(y_ranks_);
  std::vector<double> by_y(y_ranks_, 0);
  double agreement = 0; // concordant pairs less discordant ones
  double tied_x = 0;
  for (std::size_t first = 0; first < order_.size();) {
    std::size_t end = first;
    double group = 0;
    for (; end < order_.size() && x_rank_[order_[end]] == x_rank_[order_[first]]; ++end) {
      const std::uint32_t pair = order_[end];
      const std::uint32_t rank = y_rank_[pair];
      const double below = rank == 0 ? 0 : seen.up_to(rank - 1);
      const double above = seen.total() - seen.up_to(rank);
      agreement += counts[pair] * (below - above);
      group += counts[pair];
      by_y[rank] += counts[pair];
    }
    for (; first < end; ++first)
      seen.add(y_rank_[order_[first]], counts[order_[first]]);
    tied_x += pairs_among(group);
  }
  double tied_y = 0;
  for (const double count : by_y)
    tied_y += pairs_among(count);
  const double all = pairs_among(seen.total());
  const double scale = std::sqrt(all - tied_x) * std::sqrt(all - tied_y);
  return scale > 0 ? agreement / scale : nan;
}

BootstrapIntervals bootstrap(std::span<const double> x, std::span<const double> y, const RankCorrelation& ranks,
                             const BootstrapOptions& options) {
  std::vector<double> errors(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    errors[i] = (y[i] - x[i]) / x[i];
  std::mt19937 random(options.seed);
  std::vector<std::uint32_t> counts(x.size());
  std::vector<double> absolute, mean, tau;
  for (std::uint32_t sample = 0; sample < options.samples && !x.empty(); ++sample) {
    std::fill(counts.begin(), counts.end(), 0U);
    double sum = 0;
    double absolute_sum = 0;
    for (std::size_t draw = 0; draw < x.size(); ++draw) {
      // The library's distributions differ between systems; this does not.
      const std::size_t pair = (std::uint64_t{random()} * x.size()) >> 32;
      sum += errors[pair];
      absolute_sum += std::abs(errors[pair]);
      ++counts[pair];
    }
    absolute.push_back(absolute_sum / static_cast<double>(x.size()));
    mean.push_back(sum / static_cast<double>(x.size()));
    if (sample < options.tau_samples) tau.push_back(ranks.tau(counts));
  }
  return {interval_of(absolute), interval_of(mean), interval_of(tau)};
}

} // namespace corecast
