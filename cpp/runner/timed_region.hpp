// The code of one measurement: reference and kernel, each with two numbers of executions, and the loop that times them.
#pragma once

#include "measure.hpp"

#include <array>
#include <span>

namespace corecast::runner {

class TimedRegion {
public:
  TimedRegion(const TimedKernel& kernel, unsigned copies, const MeasureOptions& options);
  ~TimedRegion();
  TimedRegion(const TimedRegion&) = delete;
  TimedRegion& operator=(const TimedRegion&) = delete;

  bool ready() const { return memory_ != nullptr; }

  /// In the child: finds how many iterations take as long as the reference, warms up, takes samples.
  void sample(const Child& child);

  // Afterwards, in the parent:
  std::span<const RawSample> samples() const;
  SampleScale scale() const;
  std::uint64_t iterations() const;
  std::uint16_t x87_status() const;
  /// The kernel's copies in the code that is run first.
  std::span<const std::uint8_t> watched() const { return watched_; }

private:
  using Function = void (*)();
  struct Shared; // memory that both processes see

  bool map_forgetting();
  /// Whether the clock can be read now.
  bool set_clock(const Child& child);
  /// Ticks that a function takes.
  std::uint64_t time(Function function, std::uint64_t iterations) const;
  std::uint64_t time_witness() const;
  /// Ticks of all runs of a sample.
  std::uint64_t time_runs(Function function, std::uint64_t iterations) const;
  Pair time_reference() const;
  Pair time_kernel() const;
  void choose_iterations();
  void settle(std::uint64_t near, std::uint64_t fast) const;

  static constexpr std::size_t forgetting_places = 16; // more than caches of decoded instructions have ways

  unsigned copies_;
  bool is_loop_, decoded_, drains_;
  std::uint64_t most_iterations_;
  unsigned wanted_samples_;
  std::uint64_t tick_bits_ = ~std::uint64_t{0}; // that readings of the clock have
  double batch_seconds_;
  std::uint64_t reference_iterations_;
  std::vector<std::uint8_t> state_;
  void* memory_ = nullptr;
  std::size_t memory_bytes_ = 0;
  Shared* shared_ = nullptr;
  RawSample* samples_ = nullptr; // behind it
  std::size_t shared_bytes_ = 0;
  Control* control_ = nullptr;
  Function short_reference_ = nullptr, long_reference_ = nullptr, short_kernel_ = nullptr, long_kernel_ = nullptr;
  Function witness_ = nullptr;
  bool has_witness_ = false;
  std::span<const std::uint8_t> watched_;
  std::array<Function, forgetting_places> forgetting_{};
};

} // namespace corecast::runner
