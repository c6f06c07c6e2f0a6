#include "sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace corecast::runner {
namespace {

constexpr std::size_t fewest_samples = 8; // that a batch needs to have a say

using Field = std::uint64_t Pair::*;
struct Run {
  Pair RawSample::* pair;
  Field field;
};
constexpr std::array<Run, 6> runs{{{&RawSample::before, &Pair::shorter},
                                   {&RawSample::before, &Pair::longer},
                                   {&RawSample::kernel, &Pair::shorter},
                                   {&RawSample::kernel, &Pair::longer},
                                   {&RawSample::after, &Pair::shorter},
                                   {&RawSample::after, &Pair::longer}}};

/// For each kind of run the time above which it was interrupted.
std::array<double, runs.size()> limits(std::span<const RawSample> samples, const Tolerances& tolerances) {
  std::array<double, runs.size()> found{};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<double> times;
    for (const RawSample& sample : samples)
      times.push_back(static_cast<double>(sample.*runs[i].pair.*runs[i].field));
    std::sort(times.begin(), times.end());
    found[i] = times.empty() ? 0 : quantile(times, 0.5) * (1 + tolerances.interrupt);
  }
  return found;
}

struct Steady {
  double ticks_per_cycle = 0;
  double cycles = 0;
  double witness_cycles = 0;
  double overhead_cycles = 0;
};

/// How many times as long a cycle takes beside the kernel as beside the references, some 10 us away: cores lower their
/// clock while they execute much wide arithmetic, and raise it some us after it, or later. 1 where it is the same.
double license_of(const RawSample& sample, const Tolerances& tolerances) {
  if (sample.near == 0 || sample.far == 0) return 1;
  const double license = static_cast<double>(sample.near) / static_cast<double>(sample.far);
  return license > 1 + tolerances.license ? license : 1;
}

/// What the longer reference takes beyond the shorter, around a sample.
double reference_of(const RawSample& sample) {
  return (sample.before.difference() + sample.after.difference()) / 2;
}

/// Whether a witness took no longer than on a core that nobody shares; both in cycles, or both in ticks.
bool is_alone(double witness, double known_witness, const Tolerances& tolerances) {
  return witness <= known_witness * (1 + tolerances.witness);
}

/// What witnesses take where nobody shares the core, as far as these samples say.
double least_witness(std::span<const Steady> samples, const Tolerances& tolerances) {
  std::vector<double> found;
  for (const Steady& each : samples)
    if (each.witness_cycles > 0) found.push_back(each.witness_cycles);
  if (found.empty()) return 0;
  // A cluster as wide as the clock's steps make it.
  Tolerances wide = tolerances;
  wide.window = tolerances.witness / 2;
  wide.share = 1.0 / 16;
  return lowest_cluster(std::move(found), wide).value;
}

/// Of the samples that make the value: where loops run now in one way, now in another, those whose loops differ in it
/// are the lowest of all, and others do not vouch for them.
double overhead_of_cluster(std::span<const Steady> samples, double cycles, const Tolerances& tolerances) {
  std::vector<double> found;
  for (const Steady& each : samples)
    if (std::abs(each.cycles - cycles) <= std::max(tolerances.window * std::abs(cycles), tolerances.absolute))
      found.push_back(each.overhead_cycles);
  std::sort(found.begin(), found.end());
  return found.empty() ? 0 : quantile(found, 0.5);
}

} // namespace

double quantile(std::span<const double> sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Batch to_cycles(std::span<const RawSample> samples, const SampleScale& scale, const Tolerances& tolerances,
                double known_witness) {
  Batch batch;
  const auto limit = limits(samples, tolerances);
  std::vector<Steady> steady;
  for (const RawSample& sample : samples) {
    bool interrupted = sample.disturbances != 0;
    for (std::size_t i = 0; i < runs.size(); ++i)
      interrupted |= static_cast<double>(sample.*runs[i].pair.*runs[i].field) > limit[i];
    if (interrupted) {
      ++batch.interrupted;
      continue;
    }
    const double before = sample.before.difference(), after = sample.after.difference();
    const double reference = reference_of(sample);
    if (before <= 0 || after <= 0 || std::abs(before - after) > tolerances.reference * reference) {
      ++batch.unsteady;
      continue;
    }
    const double ticks_per_cycle = reference / scale.reference_cycles, license = license_of(sample, tolerances);
    steady.push_back(
        {ticks_per_cycle, sample.kernel.difference() / scale.executions / ticks_per_cycle / license,
         static_cast<double>(sample.witness) / ticks_per_cycle,
         scale.iterations > 0 ? sample.kernel.overhead() / scale.iterations / ticks_per_cycle / license : 0});
  }
  batch.witness_cycles = least_witness(steady, tolerances);
  const double witness = known_witness > 0 ? known_witness : batch.witness_cycles;
  std::vector<double> rates;
  for (const Steady& each : steady)
    rates.push_back(each.ticks_per_cycle);
  batch.ticks_per_cycle = lowest_cluster(rates, tolerances).value;
  std::vector<Steady> counting;
  for (const Steady& each : steady) {
    const bool alone = is_alone(each.witness_cycles, witness, tolerances);
    const bool as_fast = witness > 0 || each.ticks_per_cycle <= batch.ticks_per_cycle * (1 + tolerances.reference);
    if (alone && as_fast)
      batch.cycles.push_back(each.cycles), counting.push_back(each);
    else
      ++batch.unsteady;
  }
  batch.overhead_cycles = overhead_of_cluster(counting, lowest_cluster(batch.cycles, tolerances).value, tolerances);
  return batch;
}

bool is_shared(std::span<const RawSample> samples, const SampleScale& scale, const Tolerances& tolerances,
               double known_witness) {
  if (known_witness <= 0) return false;
  const auto shared = std::count_if(samples.begin(), samples.end(), [&](const RawSample& sample) {
    const double ticks_per_cycle = reference_of(sample) / scale.reference_cycles;
    return !is_alone(static_cast<double>(sample.witness), known_witness * ticks_per_cycle, tolerances);
  });
  return 2 * static_cast<std::size_t>(shared) > samples.size();
}

namespace {

/// From `start` to where the values around are dense: the mean of those within reach, again and again. The mean, for
/// the clock's steps are coarser than the precision that many samples together have.
double centred(std::span<const double> sorted, double start, double window, double absolute) {
  constexpr unsigned most_steps = 32;
  constexpr double settled = 1e-6;
  double centre = start;
  for (unsigned step = 0; step < most_steps; ++step) {
    const double reach = std::max(window * std::abs(centre), absolute) / 2;
    const auto begin = std::lower_bound(sorted.begin(), sorted.end(), centre - reach);
    const auto end = std::upper_bound(begin, sorted.end(), centre + reach);
    if (begin == end) return centre;
    const double mean = std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
    if (std::abs(mean - centre) <= settled * std::abs(mean)) return mean;
    centre = mean;
  }
  return centre;
}

} // namespace

Centre lowest_cluster(std::vector<double> values, const Tolerances& tolerances) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto needed = std::max<std::size_t>(
      3, static_cast<std::size_t>(std::ceil(tolerances.share * static_cast<double>(values.size()))));
  for (std::size_t first = 0; first + needed <= values.size(); ++first) {
    const double top = values[first] + std::max(tolerances.window * values[first], tolerances.absolute);
    if (values[first + needed - 1] > top) continue;
    // A window that begins at the lowest value takes stray low ones with it, and loses as many high ones: the centre is
    // looked for with twice the window, so that a few low values beside many do not hold it, then with the window.
    const double near = centred(values, (values[first] + top) / 2, 2 * tolerances.window, 2 * tolerances.absolute);
    return {centred(values, near, tolerances.window, tolerances.absolute), true};
  }
  return {quantile(values, 0.5), false};
}

bool Estimator::is_stable() const {
  if (batches_.size() < 2) return false;
  const double margin = std::max(tolerances_.agreement * std::abs(estimate_.cycles), tolerances_.absolute);
  return std::all_of(batches_.end() - 2, batches_.end(), [&](const Batch& batch) {
    if (batch.cycles.size() < fewest_samples) return false;
    const Centre own = lowest_cluster(batch.cycles, tolerances_);
    return own.clustered && std::abs(own.value - estimate_.cycles) <= margin;
  });
}

std::vector<double> Estimator::fastest() {
  double rate = 0;
  for (const Batch& batch : batches_)
    if (batch.cycles.size() >= fewest_samples && (rate == 0 || batch.ticks_per_cycle < rate))
      rate = batch.ticks_per_cycle;
  estimate_.ticks_per_cycle = rate;
  double witness = 0;
  for (const Batch& batch : batches_)
    if (batch.witness_cycles > 0 && (witness == 0 || batch.witness_cycles < witness)) witness = batch.witness_cycles;
  estimate_.witness_cycles = witness;
  estimate_.at_known_rate =
      known_rate_ == 0 || witness > 0 || (rate != 0 && rate <= known_rate_ * (1 + tolerances_.rate));
  std::vector<double> cycles;
  for (const Batch& batch : batches_)
    if ((rate == 0 || witness > 0 || batch.ticks_per_cycle <= rate * (1 + tolerances_.rate)) &&
        is_alone(batch.witness_cycles, witness, tolerances_))
      cycles.insert(cycles.end(), batch.cycles.begin(), batch.cycles.end());
  std::sort(cycles.begin(), cycles.end());
  return cycles;
}

double Estimator::nearest_overhead() const {
  const auto nearest = std::min_element(batches_.begin(), batches_.end(), [this](const Batch& a, const Batch& b) {
    const auto distance = [this](const Batch& each) {
      return each.cycles.empty() ? std::numeric_limits<double>::infinity()
                                 : std::abs(lowest_cluster(each.cycles, tolerances_).value - estimate_.cycles);
    };
    return distance(a) < distance(b);
  });
  return nearest->overhead_cycles;
}

void Estimator::add(std::span<const RawSample> samples, const SampleScale& scale) {
  batches_.push_back(to_cycles(samples, scale, tolerances_, known_witness_));
  const Batch& batch = batches_.back();
  ++estimate_.batches;
  estimate_.interrupted += batch.interrupted;
  unsteady_ += batch.unsteady;
  total_ += static_cast<unsigned>(batch.cycles.size());
  if (!batch.cycles.empty()) estimate_.batch_cycles.push_back(lowest_cluster(batch.cycles, tolerances_).value);
  const std::vector<double> cycles = fastest();
  estimate_.kept = static_cast<unsigned>(cycles.size());
  estimate_.unsteady = unsteady_ + total_ - estimate_.kept;
  if (cycles.empty()) return;
  const Centre centre = lowest_cluster(cycles, tolerances_);
  estimate_.cycles = centre.value;
  estimate_.overhead_cycles = nearest_overhead();
  estimate_.clustered = centre.clustered;
  // A cluster of just the lowest quarter has its centre below the quartile: the range holds the value in any case.
  estimate_.low = std::min(quantile(cycles, 0.25), centre.value);
  estimate_.high = std::max(quantile(cycles, 0.75), centre.value);
  estimate_.stable = estimate_.at_known_rate && estimate_.kept >= 2 * fewest_samples && is_stable();
}

} // namespace corecast::runner
