// Work in a child process that may fault, hang, or write anywhere, and what became of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace corecast::runner {

class CycleCounter;

enum class End : std::uint8_t {
  done,    // the work returned
  signal,  // a signal ended it
  timeout, // it was killed for its time
  failed   // it could not be set up
};

struct Outcome {
  End end = End::done;
  int signal = 0;
  std::uint64_t address = 0;     // that the signal tells of: of a fault or an illegal instruction; 0 where none
  std::uint64_t instruction = 0; // address of the one that the signal ended; 0 where that is not known
  std::int64_t offset = -1;      // the same from the start of the watched code, -1 where it was elsewhere
  std::string message;           // of End::failed
  bool pinned = false;           // to one core
  bool real_time = false;        // priority
  bool confined = false;         // system calls are refused
  bool tiles_refused = false;    // of End::failed: the system, or the core, did not let the work use AMX's tiles
};

/// Receives every step of code that traps after each instruction.
class Steps {
public:
  virtual ~Steps() = default;
  /// In the child's signal handler; `context` is what the handler got and returns to. `code`: of the signal. False: it
  /// is not a step, but a trap of the code's own.
  virtual bool on_step(int code, void* context) = 0;
};

struct SandboxOptions {
  int cpu = -1; // to run on; -1: the one that the caller runs on
  bool real_time = true;
  double timeout_seconds = 5;
  bool counts_cycles = false;    // the work reads the core's cycles from the system's counter
  bool tiles = false;            // the work uses AMX's tiles: the system is asked for them
  std::size_t most_pages = 4096; // of data that are mapped where the work touches memory that is not there
  unsigned data_pages = 1;       // of memory, which these are in turn
};

/// What the work may ask while it runs in the child. Nothing here allocates memory.
class Child {
public:
  virtual ~Child() = default;
  /// Context switches of the process, pages mapped for it, and changes of its counter so far.
  virtual std::uint32_t disturbances() const = 0;
  /// Of cycles, where the work was to read one.
  virtual const CycleCounter* counter() const = 0;
};

/// Runs `work` in a child process. Pages of unmapped user addresses that it touches become `data_pages` pages of memory
/// in turn, filled with `memory`; any other fault, signal or system call ends it. `watched` is the code that offsets
/// count from. Traps of single steps go to `steps`; without one they end the work.
Outcome run_in_child(const SandboxOptions& options, std::uint64_t memory, std::span<const std::uint8_t> watched,
                     const std::function<void(const Child&)>& work, Steps* steps = nullptr);

/// Makes of the signal that ended the configuration of AMX's tiles a refusal that says so.
void refuse_tiles(Outcome& outcome);

/// "SIGSEGV" and the like; "signal 40" for one without a name.
std::string signal_name(int signal);

} // namespace corecast::runner
