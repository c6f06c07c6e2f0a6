#include "timed_region.hpp"

#include "cycle_counter.hpp"
#include "low_memory.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <iterator>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace corecast::runner {
namespace {

constexpr unsigned reference_copies = 32;     // of the shorter reference loop
constexpr unsigned witness_copies = 64;       // of its no-operation
constexpr std::uint64_t near_iterations = 32; // of the longer reference loop: 0.5 us
constexpr double as_fast = 1.01;              // a clock that takes no longer for it has settled
constexpr unsigned most_settling = 64;        // such runs, until it has
constexpr unsigned warm_runs = 3;
constexpr std::uint64_t most_runs = 1024;
constexpr std::uint64_t witness_iterations = 128;
constexpr std::uint64_t branch_iterations = 1024; // of the empty loop, which is the witness of taken branches
constexpr std::size_t code_alignment = 4096;

std::vector<std::uint8_t> repeated(std::span<const std::uint8_t> code, unsigned times) {
  std::vector<std::uint8_t> out;
  for (unsigned i = 0; i < times; ++i)
    out.insert(out.end(), code.begin(), code.end());
  return out;
}

double now_seconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void call(std::uint64_t address) {
  reinterpret_cast<void (*)()>(address)();
}

std::size_t up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

#if defined(__linux__)
void* map_shared(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
void* map_private(std::size_t bytes) {
  return map_low(bytes, PROT_READ | PROT_WRITE);
}
bool make_executable(void* at, std::size_t bytes) {
  return mprotect(at, bytes, PROT_READ | PROT_EXEC) == 0;
}
void unmap(void* memory, std::size_t bytes) {
  munmap(memory, bytes);
}
#else
void* map_shared(std::size_t) {
  return nullptr;
}
void* map_private(std::size_t) {
  return nullptr;
}
bool make_executable(void*, std::size_t) {
  return false;
}
void unmap(void*, std::size_t) {}
#endif

} // namespace

struct TimedRegion::Shared {
  std::uint64_t iterations = 0; // of a run
  std::uint64_t runs = 1;       // of a sample
  std::uint64_t variation = 1;  // state of what varies the iterations of short runs
  std::uint64_t count = 0;
  unsigned place = 0; // of moving code, that is next
  std::uint16_t x87_status = 0;
  std::uint32_t simd_status = 0;
};

TimedRegion::TimedRegion(const TimedKernel& kernel, unsigned copies, const MeasureOptions& options)
    : copies_(copies), is_loop_(kernel.is_loop), decoded_(kernel.decoded && !kernel.is_loop), drains_(kernel.drains),
      most_iterations_(decoded_ ? 1 : kernel.most_iterations), wanted_samples_(std::max(1U, options.samples)),
      batch_seconds_(options.batch_seconds),
      reference_iterations_(static_cast<std::uint64_t>(std::ceil(options.reference_cycles / (2 * reference_copies)))),
      state_(state_image(kernel.values)), simulated_(options.simulated),
      simulated_clock_(options.simulated.ticks_per_cycle) {
  const std::vector<std::uint8_t> link = repeated(reference_link(), reference_copies); // one reference loop's body
  const StartValues plain;
  const std::vector<std::uint8_t> witness = repeated(witness_nop(), witness_copies);
  has_witness_ = !witness.empty();
  const auto plain_loop = [&options](std::span<const std::uint8_t> body, unsigned times) {
    return LoopCode{.body = body, .copies = times, .counter = reference_counter(), .clock = options.clock};
  };
  const auto kernel_loop = [&kernel, &options](unsigned times) {
    return LoopCode{.body = kernel.code,
                    .copies = times,
                    .counter = kernel.counter,
                    .keeps_flags = kernel.keeps_flags,
                    .setting = kernel.setting,
                    .relocations = kernel.relocations,
                    .offset = kernel.offset,
                    .clock = options.clock,
                    .drains = kernel.drains,
                    .touches = kernel.decoded && !kernel.is_loop};
  };
  const std::array<Part, 6> parts{{
      {plain_loop(link, 1), &plain, &short_reference_, false},
      {plain_loop(link, 2), &plain, &long_reference_, false},
      {plain_loop(witness, 1), &plain, &witness_, false},
      {plain_loop({}, 1), &plain, &branches_, false},
      {kernel_loop(copies), &kernel.values, &short_kernel_, decoded_},
      {kernel_loop(is_loop_ ? copies : 2 * copies), &kernel.values, &long_kernel_, decoded_},
  }};
  shared_bytes_ = sizeof(Shared) + wanted_samples_ * sizeof(RawSample);
  if (void* shared = map_shared(shared_bytes_); shared != nullptr) {
    shared_ = new (shared) Shared();
    samples_ = new (static_cast<std::uint8_t*>(shared) + sizeof(Shared)) RawSample[wanted_samples_];
    ready_ = build(parts);
  }
}

/// Room for a part: the code around a loop takes less than a frame; what moves starts in a page, so that its first and
/// its last page are entered before the clock is read, and keeps to as few as it can.
std::size_t TimedRegion::room(const Part& part) {
  constexpr std::size_t frame_bytes = 2048, touch_bytes = 8;
  const std::size_t bytes = part.loop.body.size() * part.loop.copies + touch_bytes * part.loop.relocations.size();
  return up(bytes + frame_bytes, part.moves ? code_alignment : 64);
}

bool TimedRegion::build(std::span<const Part> parts) {
  std::size_t fixed_bytes = 0, moving_bytes = 0;
  for (const Part& part : parts)
    (part.moves ? moving_bytes : fixed_bytes) += room(part);
  fixed_bytes = up(fixed_bytes, code_alignment);
  // What moves reaches its control page by the same displacement from everywhere: the page moves along.
  memory_bytes_ = fixed_bytes + code_alignment + up(state_.size(), code_alignment);
  memory_ = map_private(memory_bytes_);
  if (memory_ == nullptr || (decoded_ && !places_.map(moving_bytes, code_alignment, code_places))) return false;
  auto* fixed = static_cast<std::uint8_t*>(memory_);
  std::uint8_t* moving = places_.base();
  control_ = new (decoded_ ? moving + moving_bytes : fixed + fixed_bytes) Control();
  const void* state = std::memcpy(fixed + fixed_bytes + code_alignment, state_.data(), state_.size());
  for (const Part& part : parts) {
    std::uint8_t*& at = part.moves ? moving : fixed;
    const auto address = reinterpret_cast<std::uint64_t>(at);
    const TimedCode timed = timed_function(part.loop, *part.values, address, control_, state);
    const std::vector<std::uint8_t>& code = timed.bytes;
    std::memcpy(at, code.data(), code.size());
    __builtin___clear_cache(reinterpret_cast<char*>(at), reinterpret_cast<char*>(at + code.size()));
    *part.function = {address, code.size()};
    if (part.function == &short_kernel_) {
      watched_ = {at + timed.body_at, part.loop.body.size() * part.loop.copies};
      tiles_begin_ = address + timed.tiles_at;
      tiles_end_ = address + timed.tiles_end;
    }
    at += room(part);
  }
  return make_executable(memory_, fixed_bytes) && (!decoded_ || places_.seal());
}

TimedRegion::~TimedRegion() {
  if (memory_ != nullptr) unmap(memory_, memory_bytes_);
  if (shared_ != nullptr) unmap(shared_, shared_bytes_);
}

std::uint64_t TimedRegion::time(const Function& function, std::uint64_t iterations, std::size_t distance) const {
  control_->iterations = iterations;
  call(function.address + distance);
  if (simulated_.ticks_per_cycle > 0)
    return simulated_clock_.pass(static_cast<double>(iterations) * simulated_cycles(function));
  return (control_->end - control_->begin) & tick_bits_;
}

double TimedRegion::simulated_cycles(const Function& function) const {
  if (&function == &short_kernel_) return simulated_.shorter;
  if (&function == &long_kernel_) return simulated_.longer;
  if (&function == &witness_) return simulated_.witness;
  if (&function == &branches_) return 1;
  return &function == &short_reference_ ? reference_copies : 2 * reference_copies;
}

bool TimedRegion::set_clock(const Child& child) {
  if (child.counter() == nullptr) return true;
  const auto reading = child.counter()->reading();
  if (!reading || !reads_counter(reading->number)) return false;
  control_->counter = reading->number;
  tick_bits_ = reading->mask;
  return true;
}

std::uint64_t TimedRegion::time_witness() const {
  if (!has_witness_) return 0;
  return time(witness_, witness_iterations, 0) + (is_loop_ ? time(branches_, branch_iterations, 0) : 0);
}

std::uint64_t TimedRegion::time_runs(const Function& function, std::uint64_t iterations) const {
  std::uint64_t ticks = 0, state = shared_->variation;
  for (std::uint64_t run = 0; run < shared_->runs; ++run) {
    state = state * 6364136223846793005U + 1442695040888963407U; // Knuth's
    const std::uint64_t fewer = (state >> 33) % varied_by();
    ticks += decoded_ ? time_elsewhere(function, iterations) : time(function, iterations - fewer, 0);
  }
  return ticks;
}

/// Numbers of iterations that short runs of a loop have in a random order. A core may foresee the end of runs that are
/// all alike, of the shorter or of the longer ones only, and that would be some 20 cycles of their difference.
std::uint64_t TimedRegion::varied_by() const {
  constexpr std::uint64_t part = 8, most = 16;
  return is_loop_ && drains_ ? std::clamp<std::uint64_t>(shared_->iterations / part, 1, most) : 1;
}

/// At the next place. Its last page is entered by the function's last instruction, which returns: the page's address is
/// translated before the clock is read.
std::uint64_t TimedRegion::time_elsewhere(const Function& function, std::uint64_t iterations) const {
  const std::size_t distance = places_.distance(shared_->place);
  shared_->place = (shared_->place + 1) % code_places;
  call(function.address + function.bytes - return_bytes() + distance);
  return time(function, iterations, distance);
}

Pair TimedRegion::time_reference() const {
  return {time(short_reference_, reference_iterations_, 0), time(long_reference_, reference_iterations_, 0)};
}

Pair TimedRegion::time_kernel() const {
  const std::uint64_t n = shared_->iterations;
  const Pair pair{time_runs(short_kernel_, n), time_runs(long_kernel_, is_loop_ ? 2 * n : n)};
  ++shared_->variation; // both runs of a pair vary alike
  return pair;
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
  for (unsigned i = 0; i<most_settling&& static_cast<double>(near)> limit; ++i)
    near = time(long_reference_, near_iterations, 0);
}

void TimedRegion::sample(const Child& child) {
  shared_->count = 0;
  see_written_code();
  if (!set_clock(child)) return;
  choose_iterations();
  for (unsigned run = 0; run < warm_runs; ++run) {
    time_reference();
    time_kernel();
  }
  const double end = now_seconds() + batch_seconds_;
  std::uint32_t undisturbed = child.disturbances();
  Pair reference = time_reference();
  std::uint64_t fast = time(long_reference_, near_iterations, 0);
  for (unsigned i = 0; i < wanted_samples_ && (i == 0 || now_seconds() < end); ++i) {
    RawSample& sample = samples_[i];
    if (!set_clock(child)) return; // the system may have moved the counter
    sample.before = reference;
    sample.witness = time_witness();
    if (!decoded_)
      time(short_kernel_, shared_->iterations, 0); // wakes what sleeps, and slows the clock that will be slow
    sample.kernel = time_kernel();
    shared_->x87_status |= control_->x87_status; // each timed run tells its own
    shared_->simd_status |= control_->simd_status;
    sample.near = time(long_reference_, near_iterations, 0);
    settle(sample.near, fast);
    sample.witness += time_witness();
    const std::uint32_t disturbances = child.disturbances();
    sample.after = reference = time_reference();
    sample.far = fast = time(long_reference_, near_iterations, 0);
    // Nothing disturbs a simulated core.
    sample.disturbances = simulated_.ticks_per_cycle > 0 ? 0 : child.disturbances() - undisturbed;
    undisturbed = disturbances; // the reference is the next sample's, too
    shared_->count = i + 1;
  }
}

std::span<const RawSample> TimedRegion::samples() const {
  return {samples_, static_cast<std::size_t>(std::min<std::uint64_t>(shared_->count, wanted_samples_))};
}

SampleScale TimedRegion::scale() const {
  const auto iterations = static_cast<double>(shared_->iterations) * static_cast<double>(shared_->runs);
  return {static_cast<double>(reference_iterations_) * reference_copies, iterations * copies_,
          is_loop_ ? 0 : iterations};
}

std::uint64_t TimedRegion::iterations() const {
  return shared_->iterations;
}
std::uint16_t TimedRegion::x87_status() const {
  return shared_->x87_status;
}
std::uint32_t TimedRegion::simd_status() const {
  return shared_->simd_status;
}

} // namespace corecast::runner
