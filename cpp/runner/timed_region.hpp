// The code of one measurement: reference and kernel, each with two numbers of executions, and the loop that times them.
#pragma once

#include "code_places.hpp"
#include "measure.hpp"

#include <span>

namespace corecast::runner {

class TimedRegion {
public:
  TimedRegion(const TimedKernel& kernel, unsigned copies, const MeasureOptions& options);
  ~TimedRegion();
  TimedRegion(const TimedRegion&) = delete;
  TimedRegion& operator=(const TimedRegion&) = delete;

  bool ready() const { return ready_; }

  /// In the child: finds how many iterations take as long as the reference, warms up, takes samples.
  void sample(const Child& child);

  // Afterwards, in the parent:
  std::span<const RawSample> samples() const;
  SampleScale scale() const;
  std::uint64_t iterations() const;
  std::uint16_t x87_status() const;
  std::uint32_t simd_status() const;
  /// The kernel's copies in the code that is run first.
  std::span<const std::uint8_t> watched() const { return watched_; }
  /// Whether an address is in the code that configures AMX's tiles, of the function that is run first.
  bool configures_tiles(std::uint64_t address) const { return address >= tiles_begin_ && address < tiles_end_; }

private:
  struct Function {
    std::uint64_t address = 0;
    std::size_t bytes = 0;
  };
  struct Part {
    LoopCode loop;
    const StartValues* values;
    Function* function;
    bool moves; // every run is at another place
  };
  struct Shared; // memory that both processes see

  static std::size_t room(const Part& part);
  bool build(std::span<const Part> parts);
  /// Whether the clock can be read now.
  bool set_clock(const Child& child);
  /// Ticks that a function takes, so far from where it was built.
  std::uint64_t time(const Function& function, std::uint64_t iterations, std::size_t distance) const;
  /// Cycles of a simulated core for one iteration of a function.
  double simulated_cycles(const Function& function) const;
  std::uint64_t time_elsewhere(const Function& function, std::uint64_t iterations) const;
  /// Ticks of code that needs the whole width of the core, and beside loops of taken branches, which threads share too.
  std::uint64_t time_witness() const;
  /// Ticks of all runs of a sample.
  std::uint64_t time_runs(const Function& function, std::uint64_t iterations) const;
  std::uint64_t varied_by() const;
  Pair time_reference() const;
  Pair time_kernel() const;
  void choose_iterations();
  void settle(std::uint64_t near, std::uint64_t fast) const;

  static constexpr unsigned code_places = 64; // their code altogether is many times what caches of decoded code hold

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
  Function short_reference_, long_reference_, short_kernel_, long_kernel_, witness_, branches_;
  bool has_witness_ = false, ready_ = false;
  SimulatedTimes simulated_;
  mutable SimulatedClock simulated_clock_;
  std::span<const std::uint8_t> watched_;
  std::uint64_t tiles_begin_ = 0, tiles_end_ = 0;
  CodePlaces places_;
};

} // namespace corecast::runner
