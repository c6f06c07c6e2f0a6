// State of the units that bring uops to rename.
#pragma once

#include "cpp/lower/supply.hpp"
#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace corecast::sim {

enum class Supplier : std::uint8_t { decoders, uop_cache, loop_buffer, generic };

/// A place in a list that is walked over and over.
struct Cursor {
  std::uint64_t iteration = 0;
  std::uint32_t index = 0;

  void advance(std::size_t size) {
    if (++index < size) return;
    index = 0;
    ++iteration;
  }

  void advance(std::uint32_t steps, std::size_t size) {
    for (index += steps; index >= size; ++iteration)
      index -= static_cast<std::uint32_t>(size);
  }
};

struct Predecoder {
  Cursor next;             // in Supply::legacy
  std::uint32_t group = 0; // instructions that wait out a stall
  bool spilled = false;    // the instruction before `next` waits for its last bytes
  bool spilled_ends_body = false;
  bool in_block = false;
  std::uint64_t block = 0;
  std::uint32_t stall = 0;
  std::uint32_t block_cycles = 0;
};

struct InstructionQueue {
  Cursor oldest;           // in Supply::legacy
  std::uint64_t begin = 0; // instructions decoded and predecoded so far
  std::uint64_t end = 0;
  std::array<std::int32_t, 64> predecoded{}; // ring of time stamps

  std::uint64_t size() const { return end - begin; }
};

struct MicrocodeSequencer {
  std::uint32_t stall = 0;
  std::uint32_t stall_after = 0;
  std::uint32_t left = 0; // uops to deliver
  std::uint32_t then = 0; // uops that come with the last of them
  bool busy() const { return stall > 0 || left > 0 || stall_after > 0; }
  /// Nothing comes between uop cache and decoders, either.
  bool leads_to_decoders() const { return stall > 0 && left == 0; }
};

/// What the uop cache delivers in one cycle, and where it stands then.
struct CacheDelivery {
  std::uint32_t uops = 0; // 0: not seen yet
  std::uint32_t iterations = 0;
  std::uint32_t line = 0, entry = 0;
  bool delayed = false;
};

struct UopCache {
  Cursor line; // in Supply::lines
  std::uint32_t entry = 0;
  bool delayed = false;
  std::vector<CacheDelivery> known; // by place: the entry in Supply::entries, twice, and whether it is delayed
};

/// Decoded uops by their number since the start: [renamed, delivered) are in the queue.
struct UopQueue {
  std::uint64_t renamed = 0;
  std::uint64_t delivered = 0;
  std::uint64_t size() const { return delivered - renamed; }
};

struct FrontEnd {
  Supplier supplier = Supplier::generic;
  Predecoder predecoder;
  InstructionQueue queue;
  MicrocodeSequencer microcode;
  UopCache cache;
  UopQueue uops;
  std::uint64_t bodies_fetched = 1; // iterations whose blocks have been queued
  double pause = 0;                 // cycles that rename still waits, see Supply::extra_cycles
  std::uint32_t decoders_taken = 0; // generic: in the next cycle, by what was delivered before
  double branch_debt = 0;           // generic: taken branches that fetch still works on
  std::uint64_t fetched = 0;        // generic: decoded uops whose instructions have been fetched
};

} // namespace corecast::sim
