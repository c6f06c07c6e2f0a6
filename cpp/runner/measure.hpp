// Cycles of the core that a kernel takes, from repeated timing in child processes.
#pragma once

#include "harness.hpp"
#include "sampling.hpp"
#include "sandbox.hpp"
#include "simulated_clock.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corecast::runner {

struct TimedKernel {
  std::vector<std::uint8_t> code;
  int counter = -1;         // general register that the kernel leaves alone, -1: none
  bool is_loop = false;     // the loop's branch follows every execution; else copies follow each other
  bool keeps_flags = false; // see LoopCode: the kernel hands flags from one execution to the next
  unsigned copies = 0;      // of the shorter unrolled loop; 0: chosen by the size of the code
  StartValues values;
  std::vector<std::uint8_t> setting; // an instruction that is executed once, before: the type of RISC-V's vectors
  std::vector<Relocation> relocations;
  unsigned offset = 0;  // of the code's start from a multiple of 64 bytes
  bool decoded = false; // every execution of unrolled code is decoded anew: caches of decoded instructions are made to
                        // forget it, and registers start again with their values
  std::uint64_t most_iterations = std::uint64_t{1} << 32; // of one run, after which registers start again
  bool drains = false;     // runs end when their stores are written: short runs of a loop leave most of them waiting
  unsigned data_pages = 1; // of memory that the pages of addresses are in turn
};

struct MeasureOptions {
  SandboxOptions sandbox;
  Tolerances tolerances;
  Clock clock = Clock::timer;
  unsigned samples = 48;            // a batch
  unsigned most_batches = 16;       // until the estimate is stable
  double known_rate = 0;            // see Estimator
  double known_witness = 0;         // see Estimator
  double patience_seconds = 2;      // for which batches on a shared core are made again; a batch's timeout at most
  double batch_seconds = 0.05;      // after which a batch ends with fewer samples
  double reference_cycles = 49'152; // of the longer reference loop: much longer than a step of the clock
  SimulatedTimes simulated;         // in place of the clock
};

struct Measurement {
  Outcome outcome; // of the last batch: of the one that failed, where one did
  Estimate estimate;
  std::int64_t fault_offset = -1; // from the kernel's start to the instruction that a signal ended, -1: none
  unsigned short_copies = 0, long_copies = 0; // unroll factors; of a loop 1 and 1
  std::uint64_t iterations = 0;               // of the last batch
  std::vector<RawSample> samples;             // of all batches, those that do not count included
  std::uint16_t x87_status = 0;               // exceptions that x87 code met
  std::uint32_t simd_status = 0;              // MXCSR: those that SIMD code met
};

/// Bytes of unrolled code that this host decodes anew in every execution; twice as many follow them. Redwood Cove keeps
/// decoded code by its physical address: at 64 addresses in turn, 2,500 and 5,000 bytes of NOPs of 15 bytes still take
/// 0.26 cycles each, which the decoders need 0.47 for; 5,000 and 10,000 do not. Others, whose first-level cache of
/// instructions is smaller, decode code that was moved.
std::size_t decoded_bytes();

/// Times a kernel on this host. The outcome holds whether there is a value.
Measurement measure(const TimedKernel& kernel, const MeasureOptions& options);

} // namespace corecast::runner
