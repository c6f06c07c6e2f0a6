#include "timed_region.hpp"

#include "cycle_counter.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <iterator>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace corecast::runner {
namespace {

constexpr unsigned reference_copies = 32; // of the shorter reference loop
constexpr std::uint64_t near_iterations = 32; // of the longer reference loop: 0.5 us
constexpr double as_fast = 1.01;                   // a clock that takes no longer for it has settled
constexpr unsigned most_settling = 64;             // such runs, until it has
constexpr unsigned warm_runs = 3;
constexpr std::uint64_t most_runs = 1024;
constexpr std::uint64_t witness_iterations = 128;
constexpr std::size_t code_alignment = 4096;

double now_seconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::size_t up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

#if defined(__linux__)
void* map(std::size_t bytes, int visibility) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, visibility | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
void* map_shared(std::size_t bytes) { return map(bytes, MAP_SHARED); }
/// Below 2 GiB where the system can: from there displacements of 32 bits reach the data.
void* map_private(std::size_t bytes) {
#if defined(MAP_32BIT)
  if (void* low = map(bytes, MAP_PRIVATE | MAP_32BIT); low != nullptr) return low;
#endif
  return map(bytes, MAP_PRIVATE);
}
/// The same code at several places; `places` gets their addresses.
bool map_code(std::span<const std::uint8_t> code, std::span<void (*)()> places) {
  const int file = static_cast<int>(syscall(SYS_memfd_create, "corecast-code", 1U /* close on exec */));
  if (file < 0) return false;
  bool done = write(file, code.data(), code.size()) == static_cast<ssize_t>(code.size());
  for (auto& place : places) {
    if (!done) break;
    void* at = mmap(nullptr, code.size(), PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    done = at != MAP_FAILED;
    place = done ? reinterpret_cast<void (*)()>(reinterpret_cast<std::uint64_t>(at)) : nullptr;
  }
  close(file);
  return done;
}
void unmap_code(void (*place)(), std::size_t bytes) {
  if (place != nullptr) munmap(reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(place)), bytes);
}
bool make_executable(void* at, std::size_t bytes) { return mprotect(at, bytes, PROT_READ | PROT_EXEC) == 0; }
void unmap(void* memory, std::size_t bytes) { munmap(memory, bytes); }
#else
void* map_shared(std::size_t) { return nullptr; }
void* map_private(std::size_t) { return nullptr; }
bool make_executable(void*, std::size_t) { return false; }
bool map_code(std::span<const std::uint8_t>, std::span<void (*)()>) { return false; }
void unmap_code(void (*)(), std::size_t) {}
void unmap(void*, std::size_t) {}
#endif

} // namespace

struct TimedRegion::Shared {
  std::uint64_t iterations = 0; // of a run
  std::uint64_t runs = 1;       // of a sample
  std::uint64_t count = 0;
  std::uint16_t x87_status = 0;
};

TimedRegion::TimedRegion(const TimedKernel& kernel, unsigned copies, const MeasureOptions& options)
    : copies_(copies), is_loop_(kernel.is_loop), decoded_(kernel.decoded && !kernel.is_loop), drains_(kernel.drains),
      most_iterations_(decoded_ ? 1 : kernel.most_iterations), wanted_samples_(std::max(1U, options.samples)),
      batch_seconds_(options.batch_seconds),
      reference_iterations_(static_cast<std::uint64_t>(std::ceil(options.reference_cycles / (2 * reference_copies)))),
      state_(state_image(kernel.values)) {
  std::vector<std::uint8_t> link; // one reference loop's body
  for (unsigned i = 0; i < reference_copies; ++i)
    link.insert(link.end(), reference_link().begin(), reference_link().end());
  const StartValues plain;
  const std::vector<std::uint8_t> witness = witness_code();
  has_witness_ = !witness.empty();
  const auto plain_loop = [&options](std::span<const std::uint8_t> body, unsigned times) {
    return LoopCode{.body = body, .copies = times, .counter = reference_counter(), .clock = options.clock};
  };
  const auto kernel_loop = [&kernel, &options](unsigned times) {
    return LoopCode{.body = kernel.code, .copies = times, .counter = kernel.counter, .keeps_flags = kernel.keeps_flags,
                    .setting = kernel.setting, .relocations = kernel.relocations, .offset = kernel.offset,
                    .clock = options.clock, .drains = kernel.drains};
  };
  const LoopCode loops[] = {plain_loop(link, 1), plain_loop(link, 2), kernel_loop(copies),
                            kernel_loop(is_loop_ ? copies : 2 * copies), plain_loop(witness, 1)};
  const StartValues* values[] = {&plain, &plain, &kernel.values, &kernel.values, &plain};
  Function* functions[] = {&short_reference_, &long_reference_, &short_kernel_, &long_kernel_, &witness_};

  constexpr std::size_t frame_bytes = 2048; // more than the code around a loop
  std::size_t code_bytes = 0;
  for (const LoopCode& loop : loops)
    code_bytes += up(loop.body.size() * loop.copies + frame_bytes, 64);
  code_bytes = up(code_bytes, code_alignment);
  const std::size_t state_bytes = up(state_.size(), code_alignment);
  memory_bytes_ = code_bytes + code_alignment + state_bytes;
  shared_bytes_ = sizeof(Shared) + wanted_samples_ * sizeof(RawSample);
  void* shared = map_shared(shared_bytes_);
  void* memory = map_private(memory_bytes_);
  if (shared != nullptr) {
    shared_ = new (shared) Shared();
    samples_ = new (static_cast<std::uint8_t*>(shared) + sizeof(Shared)) RawSample[wanted_samples_];
  }
  if (memory == nullptr || shared == nullptr) {
    if (memory != nullptr) unmap(memory, memory_bytes_);
    return;
  }
  auto* base = static_cast<std::uint8_t*>(memory);
  control_ = new (base + code_bytes) Control();
  void* state = std::memcpy(base + code_bytes + code_alignment, state_.data(), state_.size());
  std::size_t at = 0;
  for (unsigned i = 0; i < std::size(loops); ++i) {
    const auto [code, body_at] =
        timed_function(loops[i], *values[i], reinterpret_cast<std::uint64_t>(base + at), control_, state);
    std::memcpy(base + at, code.data(), code.size());
    *functions[i] = reinterpret_cast<Function>(reinterpret_cast<std::uint64_t>(base) + at);
    if (i == 2) watched_ = {base + at + body_at, kernel.code.size() * copies};
    at += up(code.size(), 64);
  }
  __builtin___clear_cache(reinterpret_cast<char*>(base), reinterpret_cast<char*>(base + at));
  if (make_executable(base, code_bytes) && (!decoded_ || map_forgetting()))
    memory_ = memory;
  else
    unmap(memory, memory_bytes_);
}

bool TimedRegion::map_forgetting() { return map_code(forgetting_code(), forgetting_); }

TimedRegion::~TimedRegion() {
  if (memory_ != nullptr) unmap(memory_, memory_bytes_);
  if (shared_ != nullptr) unmap(shared_, shared_bytes_);
  for (const Function place : forgetting_)
    unmap_code(place, code_alignment);
}

std::uint64_t TimedRegion::time(Function function, std::uint64_t iterations) const {
  control_->iterations = iterations;
  function();
  return (control_->end - control_->begin) & tick_bits_;
}

bool TimedRegion::set_clock(const Child& child) {
  if (child.counter() == nullptr) return true;
  const auto reading = child.counter()->reading();
  if (!reading || !reads_counter(reading->number)) return false;
  control_->counter = reading->number;
  tick_bits_ = reading->mask;
  return true;
}

std::uint64_t TimedRegion::time_witness() const { return has_witness_ ? time(witness_, witness_iterations) : 0; }

std::uint64_t TimedRegion::time_runs(Function function, std::uint64_t iterations) const {
  std::uint64_t ticks = 0;
  for (std::uint64_t run = 0; run < shared_->runs; ++run) {
    if (decoded_)
      for (const Function forget : forgetting_)
        forget();
    ticks += time(function, iterations);
  }
  return ticks;
}

Pair TimedRegion::time_reference() const {
  return {time(short_reference_, reference_iterations_), time(long_reference_, reference_iterations_)};
}

Pair TimedRegion::time_kernel() const {
  const std::uint64_t n = shared_->iterations;
  return {time_runs(short_kernel_, n), time_runs(long_kernel_, is_loop_ ? 2 * n : n)};
}

void TimedRegion::choose_iterations() {
  std::uint64_t reference = time_reference().longer;
  for (unsigned run = 1; run < warm_runs; ++run)
    reference = std::min(reference, time_reference().longer);
  shared_->iterations = shared_->runs = 1;
  // Many short runs: each reading of the clock is as coarse as its steps.
  const std::uint64_t wanted = decoded_ || drains_ ? 2 * reference : reference / 2;
  for (;;) {
    std::uint64_t taken = time_kernel().longer;
    taken = std::min(taken, time_kernel().longer);
    if (taken >= wanted) break;
    if (2 * shared_->iterations <= most_iterations_)
      shared_->iterations *= 2;
    else if (shared_->runs < most_runs)
      shared_->runs *= 2;
    else
      break;
  }
}

/// Lets time pass while the clock is slower than `fast`, where the kernel has slowed it.
void TimedRegion::settle(std::uint64_t near, std::uint64_t fast) const {
  const double limit = as_fast * static_cast<double>(fast);
  for (unsigned i = 0; i < most_settling && static_cast<double>(near) > limit; ++i)
    near = time(long_reference_, near_iterations);
}

void TimedRegion::sample(const Child& child) {
  shared_->count = 0;
  if (!set_clock(child)) return;
  choose_iterations();
  for (unsigned run = 0; run < warm_runs; ++run) {
    time_reference();
    time_kernel();
  }
  const double end = now_seconds() + batch_seconds_;
  std::uint32_t undisturbed = child.disturbances();
  Pair reference = time_reference();
  std::uint64_t fast = time(long_reference_, near_iterations);
  for (unsigned i = 0; i < wanted_samples_ && (i == 0 || now_seconds() < end); ++i) {
    RawSample& sample = samples_[i];
    if (!set_clock(child)) return; // the system may have moved the counter
    sample.before = reference;
    sample.witness = time_witness();
    if (!decoded_) time(short_kernel_, shared_->iterations); // wakes what sleeps, and slows the clock that will be slow
    sample.kernel = time_kernel();
    shared_->x87_status |= control_->x87_status; // each timed run tells its own
    sample.near = time(long_reference_, near_iterations);
    settle(sample.near, fast);
    sample.witness += time_witness();
    const std::uint32_t disturbances = child.disturbances();
    sample.after = reference = time_reference();
    sample.far = fast = time(long_reference_, near_iterations);
    sample.disturbances = child.disturbances() - undisturbed;
    undisturbed = disturbances; // the reference is the next sample's, too
    shared_->count = i + 1;
  }
}

std::span<const RawSample> TimedRegion::samples() const {
  return {samples_, static_cast<std::size_t>(std::min<std::uint64_t>(shared_->count, wanted_samples_))};
}

SampleScale TimedRegion::scale() const {
  const auto iterations = static_cast<double>(shared_->iterations) * static_cast<double>(shared_->runs);
  return {static_cast<double>(reference_iterations_) * reference_copies, iterations * copies_, is_loop_ ? 0 : iterations};
}

std::uint64_t TimedRegion::iterations() const { return shared_->iterations; }
std::uint16_t TimedRegion::x87_status() const { return shared_->x87_status; }

} // namespace corecast::runner
