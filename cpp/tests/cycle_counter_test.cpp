// The system's counter as a clock. Where none can be read, as on most virtual machines, a page of ours stands for the
// system's, and `rdpmc`, which faults there, is carried out by the handler of its signal.
#include "cpp/llvm/listing.hpp"
#include "cpp/runner/cycle_counter.hpp"
#include "cpp/runner/timed_region.hpp"

#include <doctest/doctest.h>

#if defined(__linux__) && defined(__x86_64__)

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <x86intrin.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

using namespace corecast;
using namespace corecast::runner;

namespace {

constexpr unsigned width = 40;
constexpr std::uint64_t mask = (std::uint64_t{1} << width) - 1;
constexpr std::uint32_t fixed_counter = 1U << 30 | 1; // as Intel's counter of cycles

perf_event_mmap_page counting_page(std::uint32_t number) {
  perf_event_mmap_page page{};
  page.cap_user_rdpmc = 1;
  page.index = number + 1;
  page.pmc_width = width;
  return page;
}

/// The instructions of a harness around `add rax, rsi`.
std::vector<std::string> harness(Clock clock, const Control& control) {
  const std::vector<std::uint8_t> body{0x48, 0x01, 0xF0};
  const StartValues values;
  const std::vector<std::uint8_t> state = state_image(values);
  const auto at = reinterpret_cast<std::uint64_t>(&control) & ~std::uint64_t{0xFFFFF};
  const TimedCode code =
      timed_function({.body = body, .counter = 15, .clock = clock}, values, at, &control, state.data());
  std::vector<std::string> texts;
  for (const auto& instruction : disassemble(Isa::x86, code.bytes.data(), code.bytes.size(), at).instructions)
    texts.push_back(instruction.text);
  return texts;
}

auto count(const std::vector<std::string>& texts, const std::string& text) {
  return std::count(texts.begin(), texts.end(), text);
}

/// Carries `rdpmc` out where it faults: the time stamp counter's low bits, for the one counter that there is.
class Emulation {
public:
  explicit Emulation(std::uint32_t number) {
    number_ = number;
    reads_ = 0;
    stack_t stack{};
    stack.ss_sp = stack_.data();
    stack.ss_size = stack_.size();
    sigaltstack(&stack, &old_stack_);
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &old_action_);
  }
  ~Emulation() {
    sigaction(SIGSEGV, &old_action_, nullptr);
    sigaltstack(&old_stack_, nullptr);
  }
  Emulation(const Emulation&) = delete;
  Emulation& operator=(const Emulation&) = delete;

  static unsigned reads() { return reads_; }

private:
  static void on_fault(int, siginfo_t* info, void* context) {
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto* code = reinterpret_cast<const std::uint8_t*>(registers[REG_RIP]);
    const bool ours = code[0] == 0x0F && code[1] == 0x33 && static_cast<std::uint32_t>(registers[REG_RCX]) == number_;
    if (!ours) { // the stack that timed code starts with, as the sandbox supplies it
      constexpr std::uint64_t page = 4096;
      void* at = reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(info->si_addr) & ~(page - 1));
      constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
      if (info->si_code != SEGV_MAPERR || mmap(at, page, PROT_READ | PROT_WRITE, flags, -1, 0) != at)
        std::signal(SIGSEGV, SIG_DFL);
      return;
    }
    const std::uint64_t value = __rdtsc() & mask;
    registers[REG_RAX] = static_cast<greg_t>(value & 0xFFFF'FFFF);
    registers[REG_RDX] = static_cast<greg_t>(value >> 32);
    registers[REG_RIP] += 2;
    reads_ = reads_ + 1;
  }

  static inline volatile std::uint32_t number_ = 0;
  static inline volatile unsigned reads_ = 0;
  std::vector<std::uint8_t> stack_ = std::vector<std::uint8_t>(64 << 10);
  stack_t old_stack_{};
  struct sigaction old_action_{};
};

class ThisProcess final : public Child {
public:
  explicit ThisProcess(const CycleCounter& counter) : counter_(counter) {}
  std::uint32_t disturbances() const override { return counter_.changes(); }
  const CycleCounter* counter() const override { return &counter_; }

private:
  const CycleCounter& counter_;
};

} // namespace

TEST_CASE("a page describes how to read its counter, where programs may") {
  const perf_event_mmap_page page = counting_page(fixed_counter);
  const auto reading = reading_of(page);
  REQUIRE(reading);
  CHECK(reading->number == fixed_counter);
  CHECK(reading->mask == mask);
  perf_event_mmap_page whole = page;
  whole.pmc_width = 64;
  CHECK(reading_of(whole)->mask == ~std::uint64_t{0});
  perf_event_mmap_page other = page;
  other.cap_user_rdpmc = 0;
  CHECK_FALSE(reading_of(other));
  other = page;
  other.index = 0; // not counted now
  CHECK_FALSE(reading_of(other));
  other = page;
  other.pmc_width = 0;
  CHECK_FALSE(reading_of(other));
}

TEST_CASE("an event that has no counter of the core is refused, though the system counts it") {
  const CycleCounter counter(Event{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK});
  CHECK_FALSE(counter.obstacle().empty());
  CHECK_FALSE(counter.reading());
  if (!counter.counted()) return; // a system that lets no program open events
  CHECK(counter.obstacle() == "the system counts, but programs may not read the counter themselves");
  const std::uint64_t before = *counter.counted();
  while (*counter.counted() == before) { // each look takes time
  }
  CHECK(*counter.counted() > before);
}

TEST_CASE("an event that no system knows is an obstacle with its reason") {
  const CycleCounter counter(Event{0x7FFF'FFFF, 0});
  CHECK(counter.obstacle().find("does not count this core's cycles for programs: ") != std::string::npos);
  CHECK_FALSE(counter.counted());
  CHECK(counter.changes() == 0);
}

TEST_CASE("timed code reads the clock that was chosen, twice, behind fences") {
  const Control control;
  const std::vector<std::string> counter = harness(Clock::counter, control), timer = harness(Clock::timer, control);
  CHECK(count(counter, "rdpmc") == 2);
  CHECK(count(counter, "rdtsc") + count(counter, "rdtscp") == 0);
  CHECK(count(timer, "rdpmc") == 0);
  CHECK(count(timer, "rdtsc") == 1);
  CHECK(count(timer, "rdtscp") == 1);
  for (auto at = counter.begin(); (at = std::find(at, counter.end(), "rdpmc")) != counter.end(); ++at) {
    CHECK(at[-2] == "lfence");
    CHECK(at[-1].rfind("mov ecx, dword ptr [rip", 0) == 0);
    CHECK(at[1] == "lfence");
  }
}

TEST_CASE("code is timed by a counter whose number and width the page tells") {
  if (!host_obstacle().empty()) return;
  if (counter_obstacle().empty()) return; // rdpmc does not fault here: the last case tests it
  perf_event_mmap_page page = counting_page(fixed_counter);
  const CycleCounter counter(page);
  CHECK(counter.obstacle().empty());
  TimedKernel kernel;
  kernel.counter = 15;
  kernel.code = {0x48, 0x01, 0xF0, 0x48, 0x01, 0xF0, 0x48, 0x01, 0xF0}; // three times add rax, rsi
  MeasureOptions options;
  options.clock = Clock::counter;
  options.samples = 32;
  options.reference_cycles = 1 << 20; // long beside the time that the emulation takes
  options.batch_seconds = 1;
  TimedRegion region(kernel, 16, options);
  REQUIRE(region.ready());
  unsigned reads = 0;
  {
    const Emulation emulation(fixed_counter);
    region.sample(ThisProcess(counter));
    reads = Emulation::reads();
  }
  REQUIRE(region.samples().size() >= 4);
  CHECK(reads >= 2 * 6 * region.samples().size());
  std::vector<double> cycles;
  const SampleScale scale = region.scale();
  for (const RawSample& sample : region.samples()) {
    CHECK(sample.disturbances == 0);
    cycles.push_back(sample.kernel.difference() / scale.executions * scale.reference_cycles /
                     sample.before.difference());
  }
  std::sort(cycles.begin(), cycles.end());
  CHECK(cycles[cycles.size() / 2] == doctest::Approx(3).epsilon(0.2));

  page.index = 0; // the counter is taken away: no sample, and no rdpmc
  const Emulation emulation(fixed_counter);
  region.sample(ThisProcess(counter));
  CHECK(region.samples().empty());
  CHECK(Emulation::reads() == 0);
}

TEST_CASE("the counter times code where the system has one, and else is no clock") {
  if (!host_obstacle().empty()) return;
  TimedKernel kernel;
  kernel.counter = 15;
  kernel.code = {0x48, 0x01, 0xF0};
  MeasureOptions options;
  options.clock = Clock::counter;
  const Measurement m = measure(kernel, options);
  if (counter_obstacle().empty()) {
    CHECK(m.outcome.end == End::done);
    CHECK(m.estimate.ticks_per_cycle == doctest::Approx(1).epsilon(0.05));
  } else {
    CHECK(m.outcome.end == End::failed);
    CHECK(m.outcome.message == "the process that times code cannot read the counter of cycles");
  }
}

#endif
