#include "measure.hpp"

#include "tiles.hpp"
#include "timed_region.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace corecast::runner {
namespace {

constexpr std::size_t unrolled_bytes = 512; // of the shorter unrolled loop: both fit every uop cache
constexpr unsigned most_copies = 64;
constexpr std::size_t bytes_of_a_copy = 2;            // at least: unrolled copies of fewer are not as many
constexpr std::chrono::milliseconds shared_pause{10}; // until a core that is shared is looked at again
constexpr double short_runs_agreement = 0.01; // of runs of some hundred cycles: the clock's steps are 10 or more

Measurement refused(std::string message) {
  Measurement measurement;
  measurement.outcome.end = End::failed;
  measurement.outcome.message = std::move(message);
  return measurement;
}

Measurement without_tiles(std::string obstacle) {
  Measurement measurement = refused(std::move(obstacle));
  measurement.outcome.tiles_refused = true;
  return measurement;
}

/// Gives whatever disturbs time to end: longer from batch to batch.
void pause_after(unsigned batches) {
  constexpr unsigned most_doublings = 6;
  std::this_thread::sleep_for(std::chrono::milliseconds(1U << std::min(batches - 2, most_doublings)));
}

/// The same with runs so long that the clock's steps do not matter. Some timers have fewer than one in 100 cycles.
MeasureOptions for_clock(const MeasureOptions& options) {
  constexpr double fastest_hz = 4e9;   // of a core
  constexpr double least_steps = 1500; // of the clock, in a run of the reference
  constexpr double sample_runs = 10, fewest_samples = 24;
  MeasureOptions longer = options;
  if (options.clock == Clock::counter) return longer;
  const double simulated_hz = options.simulated.ticks_per_cycle * fastest_hz;
  const double hz = simulated_hz > 0 ? simulated_hz : timer_hz();
  if (hz <= 0) return longer;
  longer.reference_cycles = std::max(options.reference_cycles, least_steps / hz * fastest_hz);
  longer.batch_seconds = std::max(options.batch_seconds, fewest_samples * sample_runs * least_steps / hz);
  if (simulated_hz > 0) longer.batch_seconds = options.sandbox.timeout_seconds; // it is not the simulated core's time
  return longer;
}

unsigned copies_for(const TimedKernel& kernel) {
  if (kernel.is_loop) return 1;
  if (kernel.copies != 0) return kernel.copies;
  if (kernel.decoded)
    return static_cast<unsigned>(
        std::max<std::size_t>(1, decoded_bytes() / std::max(kernel.code.size(), bytes_of_a_copy)));
  return std::clamp<unsigned>(static_cast<unsigned>(unrolled_bytes / kernel.code.size()), 1, most_copies);
}

} // namespace

std::size_t decoded_bytes() {
  constexpr std::size_t usual = 2500, large = 20000, large_cache = 64 << 10;
#if defined(_SC_LEVEL1_ICACHE_SIZE)
  static const long cache = sysconf(_SC_LEVEL1_ICACHE_SIZE);
  if (cache >= static_cast<long>(large_cache)) return large;
#endif
  return usual;
}

Measurement measure(const TimedKernel& kernel, const MeasureOptions& given) {
  if (const std::string obstacle = host_obstacle(); !obstacle.empty()) return refused(obstacle);
  if (kernel.code.empty()) return refused("the kernel has no code");
  if (kernel.decoded && !can_step()) return refused("code cannot be made to be decoded anew on this host");
  if (kernel.counter < 0 && !counts_in_memory())
    return refused("the kernel leaves no register to count its executions");
  if (kernel.values.tiles) {
    if (const std::string obstacle = host_tiles_obstacle(); !obstacle.empty()) return without_tiles(obstacle);
  }
  const MeasureOptions options = for_clock(given);
  const unsigned copies = copies_for(kernel);
  TimedRegion region(kernel, copies, options);
  if (!region.ready()) return refused("no memory for timed code");

  Measurement m;
  m.short_copies = copies;
  m.long_copies = kernel.is_loop ? 1 : 2 * copies;
  SandboxOptions sandbox = options.sandbox;
  sandbox.data_pages = kernel.data_pages;
  sandbox.counts_cycles = options.clock == Clock::counter;
  sandbox.tiles = kernel.values.tiles;
  Tolerances tolerances = options.tolerances;
  if (kernel.drains) tolerances.agreement = std::max(tolerances.agreement, short_runs_agreement);
  Estimator estimator(tolerances, options.known_rate, options.known_witness);
  const double patience_seconds = std::min(options.patience_seconds, sandbox.timeout_seconds);
  const auto end_of_patience = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_seconds);
  while (m.estimate.batches < options.most_batches && !m.estimate.stable) {
    m.outcome = run_in_child(sandbox, kernel.values.memory, region.watched(),
                             [&region](const Child& child) { region.sample(child); });
    if (region.configures_tiles(m.outcome.instruction)) refuse_tiles(m.outcome);
    if (m.outcome.end != End::done) {
      if (m.outcome.offset >= 0) m.fault_offset = m.outcome.offset % static_cast<std::int64_t>(kernel.code.size());
      return m;
    }
    const auto samples = region.samples();
    if (is_shared(samples, region.scale(), tolerances, options.known_witness) &&
        std::chrono::steady_clock::now() < end_of_patience) {
      std::this_thread::sleep_for(shared_pause);
      continue;
    }
    m.samples.insert(m.samples.end(), samples.begin(), samples.end());
    estimator.add(samples, region.scale());
    m.estimate = estimator.estimate();
    if (m.estimate.batches > 2 && !m.estimate.stable) pause_after(m.estimate.batches);
    m.iterations = region.iterations();
    m.x87_status |= region.x87_status();
    m.simd_status |= region.simd_status();
  }
  if (m.estimate.kept == 0) {
    m.outcome.end = End::failed;
    m.outcome.message = "no sample was free of disturbances";
  }
  return m;
}

} // namespace corecast::runner
