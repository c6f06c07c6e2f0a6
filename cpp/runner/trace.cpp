#include "trace.hpp"

#include "tiles.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace corecast::runner {

#if defined(__linux__)

namespace {

/// In memory that both processes see.
struct Log {
  std::uint64_t count = 0;
  bool complete = false;
};

class Recorder final : public Steps {
public:
  Recorder(Log& log, TraceStep* steps, std::size_t most, std::uint64_t begin, std::uint64_t end)
      : log_(log), steps_(steps), most_(most), begin_(begin), end_(end) {}

  void on_step(void* context) override {
    const std::uint64_t at = interrupted_at(context);
    if (at == end_) log_.complete = true;
    if (at == end_ || log_.count == most_) {
      end_steps(context);
    } else if (at >= begin_ && at < end_) {
      steps_[log_.count] = {at - begin_, registers_at(context)};
      ++log_.count;
    }
  }

private:
  Log& log_;
  TraceStep* steps_;
  std::size_t most_;
  std::uint64_t begin_, end_;
};

class Mapping {
public:
  Mapping(std::size_t bytes, int flags)
      : bytes_(bytes), at_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapping() {
    if (at_ != MAP_FAILED) munmap(at_, bytes_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::uint8_t* at() const { return at_ == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(at_); }

private:
  std::size_t bytes_;
  void* at_;
};

constexpr std::size_t page = 4096;
std::size_t up(std::size_t bytes) {
  return (bytes + page - 1) / page * page;
}

Trace refused(std::string message) {
  Trace found;
  found.outcome.end = End::failed;
  found.outcome.message = std::move(message);
  return found;
}

Trace without_tiles(std::string obstacle) {
  Trace found = refused(std::move(obstacle));
  found.outcome.tiles_refused = true;
  return found;
}

#if defined(MAP_32BIT)
constexpr int low_addresses = MAP_32BIT;
#else
constexpr int low_addresses = 0;
#endif

} // namespace

Trace trace(const TimedKernel& kernel, unsigned copies, std::size_t most_steps, const SandboxOptions& options) {
  if (const std::string obstacle = host_obstacle(); !obstacle.empty()) return refused(obstacle);
  if (!can_step()) return refused("code cannot be executed step by step on this host");
  if (kernel.values.tiles) {
    if (const std::string obstacle = host_tiles_obstacle(); !obstacle.empty()) return without_tiles(obstacle);
  }
  const std::vector<std::uint8_t> state = state_image(kernel.values);
  constexpr std::size_t frame_bytes = 1024; // more than the code around the copies
  const std::size_t code_bytes = up(kernel.code.size() * copies + frame_bytes);
  const Mapping memory(code_bytes + page + up(state.size()), MAP_PRIVATE | low_addresses);
  const Mapping shared(sizeof(Log) + most_steps * sizeof(TraceStep), MAP_SHARED);
  if (memory.at() == nullptr || shared.at() == nullptr) return refused("no memory for timed code");
  auto* control = new (memory.at() + code_bytes) Control();
  control->iterations = 1;
  const void* values = std::memcpy(memory.at() + code_bytes + page, state.data(), state.size());
  const LoopCode loop{.body = kernel.code,
                      .copies = copies,
                      .counter = kernel.counter,
                      .setting = kernel.setting,
                      .relocations = kernel.relocations,
                      .offset = kernel.offset,
                      .step_by_step = true};
  const auto base = reinterpret_cast<std::uint64_t>(memory.at());
  const TimedCode timed = timed_function(loop, kernel.values, base, control, values);
  const std::vector<std::uint8_t>& code = timed.bytes;
  std::memcpy(memory.at(), code.data(), code.size());
  if (mprotect(memory.at(), code_bytes, PROT_READ | PROT_EXEC) != 0) return refused("no memory for timed code");

  const std::span<const std::uint8_t> watched(memory.at() + timed.body_at, kernel.code.size() * copies);
  Log& log = *new (shared.at()) Log();
  auto* steps = reinterpret_cast<TraceStep*>(shared.at() + sizeof(Log));
  Recorder recorder(log, steps, most_steps, base + timed.body_at, base + timed.body_at + watched.size());
  Trace found;
  SandboxOptions sandbox = options;
  sandbox.data_pages = kernel.data_pages;
  sandbox.tiles = kernel.values.tiles;
  found.outcome = run_in_child(
      sandbox, kernel.values.memory, watched, [&](const Child&) { reinterpret_cast<void (*)()>(base)(); }, &recorder);
  const std::uint64_t ended_at = found.outcome.instruction;
  if (ended_at >= base + timed.tiles_at && ended_at < base + timed.tiles_end) refuse_tiles(found.outcome);
  found.steps.assign(steps, steps + std::min<std::uint64_t>(log.count, most_steps));
  found.complete = log.complete;
  return found;
}

#else

Trace trace(const TimedKernel&, unsigned, std::size_t, const SandboxOptions&) {
  Trace found;
  found.outcome.end = End::failed;
  found.outcome.message = host_obstacle();
  return found;
}

#endif

} // namespace corecast::runner
