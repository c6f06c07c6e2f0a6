// How the body lies in memory: what the uop cache can hold, and what must be decoded each time.
#pragma once

#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"

#include <cstdint>
#include <vector>

namespace corecast::sim {

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

/// L-uops of an instruction by the unit that delivers them.
struct Supply {
  std::uint32_t added = 0;     // before it, by the stack engine or for a merge
  std::uint32_t decoded = 0;
  std::uint32_t microcode = 0;
  std::uint32_t after = 0;     // with the second half of its pair
};

struct Code {
  std::vector<Supply> supply;        // by instruction
  std::vector<bool> cached;          // by instruction
  std::vector<std::uint32_t> legacy; // instructions that come from the decoders
  std::vector<CacheEntry> entries;
  std::vector<CacheLine> lines;
  std::vector<std::uint32_t> block;  // by place in `legacy`: 16-byte block within the iteration
  std::uint32_t blocks = 0;          // per iteration
  std::uint32_t last_decoded = 0;    // instruction
  std::vector<bool> ends_entry;      // by L-uop: the last one of an entry of a uop cache that is read entry by entry
  std::vector<bool> ends_line;       // ... of a line of that cache
  bool replayed = false; // fits a loop buffer, whether or not the uop cache is simulated
  bool loop_buffer = false;
  std::uint32_t loop_buffer_copies = 1;

  /// Whether all instructions come the same way, from the uop cache or from the decoders.
  bool one_path() const { return legacy.empty() || lines.empty(); }

  static Code lay_out(const Program& program, const PipelineParameters& pipeline, const CoreParameters& parameters);
};

} // namespace corecast::sim
