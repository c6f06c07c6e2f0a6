// What the runner needs to know of an instruction set: one file an ISA implements it, harness_none.cpp where none fits.
#pragma once

#include "values.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace corecast::runner {

/// The page through which timed code and the runner talk; it lies directly behind the code.
struct Control {
  std::uint64_t iterations = 0; // in
  std::uint64_t begin = 0;      // out: clock before and after
  std::uint64_t end = 0;
  std::uint64_t countdown = 0; // the loop's counter where the kernel leaves no register free
  std::uint64_t saved_stack = 0;
  std::uint32_t saved_control = 0; // of floating point
  std::uint16_t x87_status = 0;    // out: exceptions that x87 code met; see x87_flags
  std::uint32_t simd_status = 0;   // out: MXCSR (x86), whose lowest bits are the exceptions that SIMD code met
  std::uint32_t counter = 0;       // in: the number of the counter that Clock::counter reads
};

/// What timed code reads the time from.
enum class Clock : std::uint8_t {
  timer,  // which always runs, as a rule at a constant rate
  counter // of the core's cycles, while a CycleCounter of this thread is open
};

/// How an instruction holds an address that is relative to it.
enum class Field : std::uint8_t {
  displacement, // four bytes, from the instruction's end (x86)
  page          // pages from the instruction's own, in 21 bits (AArch64's adrp)
};

/// An address within code, relative to the instruction, that is the same in every copy.
struct Relocation {
  std::uint32_t field = 0;  // of four bytes, from the start of the code
  std::uint32_t end = 0;    // of the instruction
  std::uint64_t target = 0; // within 2 GiB of all addresses below 2 GiB
  Field kind = Field::displacement;
};

/// A loop around copies of a kernel.
struct LoopCode {
  std::span<const std::uint8_t> body;
  unsigned copies = 1;
  int counter = -1;         // general register that counts iterations; -1: memory does
  bool keeps_flags = false; // what closes the loop leaves all flags alone, where the instruction set has flags
  std::span<const std::uint8_t> setting{}; // an instruction that is executed once, before the registers are set
  std::span<const Relocation> relocations{};
  unsigned offset = 0; // of the first copy from a multiple of 64 bytes
  Clock clock = Clock::timer;
  bool drains = false;       // the clock is read when all stores are written (x86)
  bool touches = false;      // what relocations lead to is read once, before the clock is (x86)
  bool step_by_step = false; // a trap (SIGTRAP) follows every instruction
};

/// "" where this host can be measured, else why not.
std::string host_obstacle();

/// The ISA that can be measured here ("x86"), "" where none.
const char* host_isa();

/// The clock that timed code reads, by what it reads it with.
const char* clock_name(Clock clock);

/// Whether timed code can read the system's counter of that number.
bool reads_counter(std::uint32_t number);

/// Whether memory can count iterations, where a kernel leaves no register free.
bool counts_in_memory();

/// Steps of the timer a second; 0: they are so short that they need not be known.
double timer_hz();

/// Instructions that were written before are what this core fetches from now on. Other cores may have written them.
void see_written_code();

/// Bytes of register state that timed code loads, to be stored 64-byte aligned.
std::vector<std::uint8_t> state_image(const StartValues& values);

/// A trap in front of an instruction.
struct Trap {
  std::size_t at = 0;     // from the start of the function
  std::size_t offset = 0; // of the instruction, from the start of the first copy, as if there were no traps
};

struct TimedCode {
  std::vector<std::uint8_t> bytes;
  std::size_t body_at = 0;                 // where the first copy of the kernel starts
  std::size_t tiles_at = 0, tiles_end = 0; // what configures AMX's tiles; both 0: nothing does (x86)
  std::vector<Trap> traps; // of code that is executed step by step, the last one behind it; none: the core itself traps
};

/// A function `void()` for address `at` that sets the registers, reads the clock, runs the loop `control.iterations`
/// times, reads the clock and restores what its caller expects.
TimedCode timed_function(const LoopCode& loop, const StartValues& values, std::uint64_t at, const Control* control,
                         const void* state);

/// One link of the reference chain: a dependent addition that takes one cycle of the core on every core of the ISA.
std::span<const std::uint8_t> reference_link();
/// A counter register that the link leaves alone.
int reference_counter();

/// What takes a slot of the front end, and nothing else: copies of it take all that the core has, and whoever shares
/// the core slows them down. The reference's counter counts their iterations. Empty where there is none.
std::span<const std::uint8_t> witness_nop();

/// Where the code of a signal handler's context was.
std::uint64_t interrupted_at(const void* context);

/// Whether code can be executed step by step, and be moved from run to run.
bool can_step();
constexpr std::size_t general_registers = 32;
/// Of the instruction that a timed function ends with, which returns.
std::size_t return_bytes();
/// What the general registers held there, by the ISA's numbers.
std::array<std::uint64_t, general_registers> registers_at(const void* context);
/// The handler of a trap returns to what follows it.
void pass_trap(void* context);
/// No more traps of the core's own after what the handler returns to.
void end_steps(void* context);

} // namespace corecast::runner
