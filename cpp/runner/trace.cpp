#include "trace.hpp"

#include "low_memory.hpp"
#include "tiles.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <span>
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
  /// `base`: of the function.
  Recorder(Log& log, TraceStep* steps, std::size_t most, std::uint64_t base, const TimedCode& code, std::size_t bytes)
      : log_(log), steps_(steps), most_(most), base_(base), begin_(base + code.body_at), end_(begin_ + bytes),
        traps_(code.traps) {}

  bool on_step(int code, void* context) override {
    if (!traps_.empty()) return on_trap(context);
    if (code != TRAP_TRACE) return false;
    const std::uint64_t at = interrupted_at(context);
    if (at == end_) log_.complete = true;
    if (at == end_ || log_.count == most_) {
      end_steps(context);
    } else if (at >= begin_ && at < end_) {
      steps_[log_.count] = {at - begin_, registers_at(context)};
      ++log_.count;
    }
    return true;
  }

private:
  /// Code without branches meets its traps in order.
  bool on_trap(void* context) {
    if (next_ >= traps_.size() || interrupted_at(context) != base_ + traps_[next_].at) return false;
    if (next_ + 1 == traps_.size()) {
      log_.complete = log_.count == next_;
    } else if (log_.count < most_) {
      steps_[log_.count] = {traps_[next_].offset, registers_at(context)};
      ++log_.count;
    }
    ++next_;
    pass_trap(context);
    return true;
  }

  Log& log_;
  TraceStep* steps_;
  std::size_t most_;
  std::uint64_t base_, begin_, end_;
  std::span<const Trap> traps_;
  std::size_t next_ = 0; // of the traps
};

class Mapping {
public:
  static Mapping low(std::size_t bytes) { return {bytes, map_low(bytes, PROT_READ | PROT_WRITE)}; }
  static Mapping shared(std::size_t bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return {bytes, at == MAP_FAILED ? nullptr : at};
  }
  ~Mapping() {
    if (at_ != nullptr) munmap(at_, bytes_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::uint8_t* at() const { return static_cast<std::uint8_t*>(at_); }

private:
  Mapping(std::size_t bytes, void* at) : bytes_(bytes), at_(at) {}

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

} // namespace

Trace trace(const TimedKernel& kernel, unsigned copies, std::size_t most_steps, const SandboxOptions& options) {
  if (const std::string obstacle = host_obstacle(); !obstacle.empty()) return refused(obstacle);
  if (!can_step()) return refused("code cannot be executed step by step on this host");
  if (kernel.values.tiles) {
    if (const std::string obstacle = host_tiles_obstacle(); !obstacle.empty()) return without_tiles(obstacle);
  }
  const std::vector<std::uint8_t> state = state_image(kernel.values);
  constexpr std::size_t frame_bytes = 2048; // more than the code around the copies
  constexpr std::size_t with_traps = 3;     // times as much: instructions may be half as long as a trap
  const std::size_t code_bytes = up(with_traps * kernel.code.size() * copies + frame_bytes);
  const Mapping memory = Mapping::low(code_bytes + page + up(state.size()));
  const Mapping shared = Mapping::shared(sizeof(Log) + most_steps * sizeof(TraceStep));
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
  __builtin___clear_cache(reinterpret_cast<char*>(memory.at()), reinterpret_cast<char*>(memory.at() + code.size()));
  if (mprotect(memory.at(), code_bytes, PROT_READ | PROT_EXEC) != 0) return refused("no memory for timed code");

  const std::span<const std::uint8_t> watched(memory.at() + timed.body_at, kernel.code.size() * copies);
  Log& log = *new (shared.at()) Log();
  auto* steps = reinterpret_cast<TraceStep*>(shared.at() + sizeof(Log));
  Recorder recorder(log, steps, most_steps, base, timed, watched.size());
  Trace found;
  SandboxOptions sandbox = options;
  sandbox.data_pages = kernel.data_pages;
  sandbox.tiles = kernel.values.tiles;
  found.outcome = run_in_child(
      sandbox, kernel.values.memory, watched,
      [&](const Child&) {
        see_written_code();
        reinterpret_cast<void (*)()>(base)();
      },
      &recorder);
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
