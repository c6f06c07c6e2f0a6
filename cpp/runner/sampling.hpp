// From clock readings to cycles: which samples count, and what they say together. No timing happens here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace corecast::runner {

/// Two runs of one loop that differ only in how often the kernel is executed: their difference has no overhead.
struct Pair {
  std::uint64_t shorter = 0; // ticks of the clock
  std::uint64_t longer = 0;

  double difference() const { return static_cast<double>(longer) - static_cast<double>(shorter); }
  /// What the shorter run takes beside the half of the longer that it executes as well.
  double overhead() const { return 2 * static_cast<double>(shorter) - static_cast<double>(longer); }
};

/// One sample: the kernel between two reference chains.
struct RawSample {
  Pair before, kernel, after;
  std::uint32_t disturbances = 0; // context switches and page faults that the system told
  std::uint64_t witness = 0; // ticks of code that needs the whole width of the core, just before and after; 0: none
  std::uint64_t near =
      0; // ticks of a short reference right behind the kernel, when the clock still runs as it did then ...
  std::uint64_t far = 0; // ... and of the same one later; 0: not timed
};

/// What a pair's difference stands for.
struct SampleScale {
  double reference_cycles = 0;
  double executions = 0;
  double iterations = 0; // of the loop around copies, where the longer run has as many of twice as many copies; else 0
};

struct Tolerances {
  double reference = 0.01; // relative difference of a sample's two references
  double rate = 0.005; // without a witness: a batch whose references ran so much slower than the fastest does not count
  double license = 0.01;    // a clock that runs so much slower beside the kernel than beside the references does so
  double witness = 0.12;    // a sample whose witness took so much longer than it can shared its core
  double interrupt = 0.15;  // a run that takes so much longer than the median of its kind was interrupted
  double window = 0.02;     // relative width of a cluster of samples: some clocks sway by +-0.7 % every 30 us
  double share = 0.25;      // part of the samples that make a cluster
  double agreement = 0.003; // between batches, relative ...
  double absolute = 0.003;  // ... or in cycles
};

/// Samples of one batch in cycles of the core, and those that do not count.
struct Batch {
  std::vector<double> cycles;
  unsigned interrupted = 0; // the system, or a run that took too long, says so
  unsigned unsteady = 0; // its two references disagree, or they or the witness ran slower than those of other samples
  double ticks_per_cycle = 0;
  double witness_cycles = 0;  // the least that witnesses took; 0: there are none
  double overhead_cycles = 0; // see Estimate
};

/// known_witness: the cycles that witnesses take on a core that nobody shares; 0: not known.
Batch to_cycles(std::span<const RawSample> samples, const SampleScale& scale, const Tolerances& tolerances,
                double known_witness = 0);

/// Whether somebody else had a part of the core during most of these samples. known_witness as in to_cycles().
bool is_shared(std::span<const RawSample> samples, const SampleScale& scale, const Tolerances& tolerances,
               double known_witness);

/// Where the lowest cluster of values lies: others on the machine slow code down. The median of all where there is no
/// cluster (`clustered` false).
struct Centre {
  double value = 0;
  bool clustered = false;
};
Centre lowest_cluster(std::vector<double> values, const Tolerances& tolerances);

/// Quantile by linear interpolation; `sorted` is not empty.
double quantile(std::span<const double> sorted, double share);

/// What all batches together say.
struct Estimate {
  double cycles = 0, low = 0, high = 0; // per execution: the value, quartiles of all samples that count
  unsigned kept = 0, interrupted = 0, unsteady = 0, batches = 0; // samples, but the last
  bool clustered = false;                                        // the value is that of a cluster, see lowest_cluster
  bool stable = false;                                           // the last two batches by themselves say the same
  double ticks_per_cycle = 0; // of the clock, in the batch whose references ran fastest
  double witness_cycles = 0;  // the least that witnesses took
  double overhead_cycles = 0; // what an iteration of the shorter loop takes beyond its copies, were all of them
                              // alike: much, or less than 0, means that both loops ran in different ways
  bool at_known_rate = true;  // that is as fast as was ever seen before, or a witness says that nobody shared the core
  std::vector<double> batch_cycles; // each batch's own estimate
};

/// Collects batches of samples until they agree.
class Estimator {
public:
  /// known_rate: the fewest ticks per cycle that other measurements on this core have seen; 0: none has. known_witness:
  /// the same of the witnesses' cycles.
  explicit Estimator(const Tolerances& tolerances, double known_rate = 0, double known_witness = 0)
      : tolerances_(tolerances), known_rate_(known_rate), known_witness_(known_witness) {}

  void add(std::span<const RawSample> samples, const SampleScale& scale);
  const Estimate& estimate() const { return estimate_; }

private:
  /// Whether the last two batches by themselves say what the estimate says.
  bool is_stable() const;
  /// Samples of the batches that had the core for themselves, sorted. What shares the core with us, as the other thread
  /// of a physical core, slows the reference as well, and by another factor than the kernel. The witness tells; where
  /// there is none, only the batches whose reference ran fastest count: one of a slower clock will say the same.
  std::vector<double> fastest();

  /// Of the batch whose own estimate is nearest to that of all.
  double nearest_overhead() const;

  Tolerances tolerances_;
  double known_rate_, known_witness_;
  Estimate estimate_;
  std::vector<Batch> batches_;
  unsigned unsteady_ = 0, total_ = 0;
};

} // namespace corecast::runner
