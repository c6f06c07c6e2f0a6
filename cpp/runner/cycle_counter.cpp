#include "cycle_counter.hpp"

#include "harness.hpp"

#if defined(__linux__)

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace corecast::runner {
namespace {

static_assert(Event{}.type == PERF_TYPE_HARDWARE && Event{}.config == PERF_COUNT_HW_CPU_CYCLES);

perf_event_attr attributes(const Event& event) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = event.type;
  wanted.config = event.config;
  wanted.pinned = 1;
  wanted.exclude_kernel = 1; // interrupts take no cycles of ours, and programs may open it
  wanted.exclude_hv = 1;
#if defined(__aarch64__)
  wanted.config1 = 0b11; // 64 bits, and programs read it
#endif
  return wanted;
}

constexpr const char* unreadable = "the system counts, but programs may not read the counter themselves";

/// The page is the system's: it may change between any two readings.
template <typename Field> Field now(const Field& field) {
  return *static_cast<const volatile Field*>(&field);
}

} // namespace

std::optional<CounterReading> reading_of(const perf_event_mmap_page& page) {
  constexpr unsigned most_bits = 64;
  const std::uint32_t index = now(page.index); // one more than the counter's number: 0 is none
  const unsigned width = now(page.pmc_width);
  if (page.cap_user_rdpmc == 0 || index == 0 || width == 0) return std::nullopt;
  return CounterReading{index - 1, width >= most_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1};
}

CycleCounter::CycleCounter(const Event& event) {
  perf_event_attr wanted = attributes(event);
  constexpr pid_t this_thread = 0;
  constexpr int any_core = -1, no_group = -1;
  file_ =
      static_cast<int>(syscall(SYS_perf_event_open, &wanted, this_thread, any_core, no_group, PERF_FLAG_FD_CLOEXEC));
  if (file_ < 0) {
    obstacle_ = std::string("the system does not count this core's cycles for programs: ") + std::strerror(errno);
    return;
  }
  void* page = mmap(nullptr, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), PROT_READ, MAP_SHARED, file_, 0);
  if (page == MAP_FAILED) {
    obstacle_ = std::string("the system does not share its counter: ") + std::strerror(errno);
    return;
  }
  page_ = static_cast<const perf_event_mmap_page*>(page);
  mapped_ = true;
  if (!reading()) obstacle_ = unreadable;
}

CycleCounter::CycleCounter(const perf_event_mmap_page& page)
    : page_(&page), obstacle_(reading_of(page) ? "" : unreadable) {}

CycleCounter::~CycleCounter() {
  if (mapped_) munmap(const_cast<perf_event_mmap_page*>(page_), static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  if (file_ >= 0) close(file_);
}

std::optional<CounterReading> CycleCounter::reading() const {
  return page_ == nullptr ? std::nullopt : reading_of(*page_);
}

std::uint32_t CycleCounter::changes() const {
  return page_ == nullptr ? 0 : now(page_->lock);
}

std::optional<std::uint64_t> CycleCounter::counted() const {
  std::uint64_t count = 0;
  if (file_ < 0 || read(file_, &count, sizeof count) != sizeof count) return std::nullopt;
  return count;
}

std::string counter_obstacle() {
  const CycleCounter counter;
  if (!counter.obstacle().empty()) return counter.obstacle();
  if (const auto reading = counter.reading(); !reading || !reads_counter(reading->number))
    return "the system counts cycles with a counter that timed code does not read";
  using Time = std::chrono::steady_clock;
  constexpr auto look = std::chrono::microseconds(200); // some virtual machines have a counter that stands still
  constexpr std::uint64_t fewest = 2'000;               // cycles, of a slow core that is interrupted most of the time
  for (const auto end = Time::now() + look; Time::now() < end;) {
  }
  if (counter.counted().value_or(0) < fewest) return "the system's counter of cycles does not count";
  return "";
}

} // namespace corecast::runner

#else

namespace corecast::runner {
namespace {
constexpr const char* no_counter = "only Linux lets programs read a counter of the core's cycles";
}
std::optional<CounterReading> reading_of(const perf_event_mmap_page&) {
  return std::nullopt;
}
CycleCounter::CycleCounter(const Event&) : obstacle_(no_counter) {}
CycleCounter::CycleCounter(const perf_event_mmap_page& page) : page_(&page), obstacle_(no_counter) {}
CycleCounter::~CycleCounter() = default;
std::optional<CounterReading> CycleCounter::reading() const {
  return std::nullopt;
}
std::uint32_t CycleCounter::changes() const {
  return 0;
}
std::optional<std::uint64_t> CycleCounter::counted() const {
  return std::nullopt;
}
std::string counter_obstacle() {
  return no_counter;
}
} // namespace corecast::runner

#endif
