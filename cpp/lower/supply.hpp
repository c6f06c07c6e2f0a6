// Who delivers the uops of a body: what the uop cache can hold, what must be decoded each time, what a loop buffer
// replays.
#pragma once

#include "cpp/lower/decoded.hpp"
#include "cpp/lower/front_end_sizes.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace corecast {

/// A slot of a uop cache line.
struct CacheEntry {
  std::uint32_t instruction = 0;
  bool last = false;       // of the instruction's uops in the cache
  bool extra_slot = false; // its immediate takes a second one
  bool microcode = false;  // the microcode sequencer goes on from here
  std::uint32_t slot = 0;  // position in the line
};

struct CacheLine {
  std::uint32_t first = 0, end = 0; // entries
};

/// A body of code and the places of its instructions.
struct Body {
  std::span<const DecodedInstruction> instructions;
  std::uint64_t start = 0; // address of the first byte
  bool alignment_known = false;
  bool loop = true;
  std::optional<std::uint32_t> slots_before = {}; // LowerOptions

  std::uint64_t address(std::size_t i) const { return start + instructions[i].offset; }
  std::uint32_t length() const {
    return instructions.empty() ? 0 : instructions.back().offset + instructions.back().length;
  }
};

/// From where most of a body's uops come.
enum class Deliverer : std::uint8_t { decoders, uop_cache, loop_buffer };

struct Supply {
  std::vector<bool> cached;          // by instruction
  std::vector<std::uint32_t> legacy; // instructions that come from the decoders
  std::vector<CacheEntry> entries;
  std::vector<CacheLine> lines;
  std::vector<std::uint32_t> block; // by place in `legacy`: 16-byte block within the iteration
  std::uint32_t blocks = 0;         // per iteration
  std::uint32_t last_decoded = 0;   // instruction
  std::vector<bool> ends_entry;     // by decoded uop (decoded, microcoded or added): the last one of an entry of a uop
                                    // cache that is read entry by entry
  std::vector<bool> ends_line;      // ... of a line of that cache
  std::vector<std::uint32_t> read_cycles; // by decoded uop: what the read takes that ends with it, 0 within a read
  bool replayed = false;                  // fits a loop buffer, whether or not the uop cache is simulated
  bool loop_buffer = false;
  std::uint32_t loop_buffer_copies = 1;

  Deliverer deliverer = Deliverer::decoders;
  double extra_cycles = 0;  // for which rename waits in each iteration: what the core's rules say
  bool begins_anew = false; // the uop cache goes back to the body's start in the next cycle only

  /// Whether all instructions come the same way, from the uop cache or from the decoders.
  bool one_path() const { return legacy.empty() || lines.empty(); }

  static Supply of(const Body& body, const FrontEndParameters& parameters, const FrontEndSizes& sizes);
};

} // namespace corecast
