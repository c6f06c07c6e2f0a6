// The core's cycles as the system counts them (perf events), where programs may read the counter themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

struct perf_event_mmap_page; // of Linux

namespace corecast::runner {

/// How a program reads a counter.
struct CounterReading {
  std::uint32_t number = 0; // that the reading instruction takes
  std::uint64_t mask = 0;   // of the bits that it gives
};

/// What the system's page of an event says. Nothing where programs may not read it, or it is not counted now.
std::optional<CounterReading> reading_of(const perf_event_mmap_page& page);

/// What the system counts; by default the core's cycles.
struct Event {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
};

/// An event of the thread that opens it, in user mode only, that keeps its counter as long as the thread runs.
class CycleCounter {
public:
  explicit CycleCounter(const Event& event = {});
  /// One that is open already, of which only the page is known.
  explicit CycleCounter(const perf_event_mmap_page& page);
  ~CycleCounter();
  CycleCounter(const CycleCounter&) = delete;
  CycleCounter& operator=(const CycleCounter&) = delete;

  /// "", or why programs cannot read it.
  const std::string& obstacle() const { return obstacle_; }
  std::optional<CounterReading> reading() const;
  /// Differs from before where the counter was moved, stopped or set since then.
  std::uint32_t changes() const;
  /// What the system says it has counted; nothing where it cannot.
  std::optional<std::uint64_t> counted() const;

private:
  int file_ = -1;
  bool mapped_ = false; // by this object
  const perf_event_mmap_page* page_ = nullptr;
  std::string obstacle_;
};

/// "" where timed code can read the core's cycles here, else why not.
std::string counter_obstacle();

} // namespace corecast::runner
