// A front end's parameters in whole numbers, every gap filled.
#pragma once

#include "cpp/machine/pipeline/pipeline.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace corecast {

inline constexpr std::uint32_t unlimited = 1U << 20;

/// A parameter in whole numbers, `otherwise` where it is unknown.
std::uint32_t whole_count(std::optional<double> value, std::uint32_t otherwise);

/// Fetch and decode of cores whose decoders are all alike (or not known).
struct SupplyParameters {
  std::uint32_t fetch_instructions = unlimited; // per cycle
  std::uint32_t fetch_block_bytes = 0;          // of one aligned block a cycle; 0: any bytes
  std::uint32_t fetch_queue = 64;               // uops
  std::uint32_t entries = 0;                    // per cycle, of a uop cache that is read entry by entry; 0: it is not
  bool entry_crosses_lines = false;
  std::optional<std::uint32_t> short_read_uops; // a uop cache is read line by line, and goes on after so many
  std::uint32_t decode_instructions = unlimited;
  std::uint32_t first_decoder_bytes = unlimited; // longer instructions are the first of their cycle
  std::uint32_t uops = 4;
  bool branch_ends_group = false;
};

struct FrontEndSizes {
  std::uint32_t width = 4;      // of rename
  bool legacy_decoders = false; // predecoder, decoders, uop cache, loop buffer and uop queue are known one by one
  std::uint32_t predecode_block_bytes = 16, predecode_width = 5, lcp_stall_cycles = 3;
  std::uint32_t instruction_queue = 20, predecode_to_decode = 3, decoders = 4;
  bool fusible_in_last_decoder = true;
  std::uint32_t microcode_width = 4, decoders_to_microcode = 1, microcode_to_decoders = 1;
  std::uint32_t cache_to_microcode = 2, cache_to_short_microcode = 2, microcode_to_cache = 0;
  std::optional<std::uint32_t> cache_to_decoders; // the predecoder waits while the uop cache delivers where absent
  std::uint32_t cache_width = 0, cache_block_bytes = 32, cache_line_slots = 6, cache_lines_per_block = 3;
  bool cache_line_change_costs = false;
  bool jcc_erratum = false, cache_needs_both_halves = false, cache_microcode_alone = true;
  bool loop_buffer = false, loop_buffer_with_stack = false;
  std::vector<UnrollRange> loop_buffer_copies;
  std::uint32_t uop_queue = 64;
  SupplyParameters supply; // other front ends
  double taken_branches_per_cycle = 1;

  /// `loop`: whether the code is one, which a uop cache then delivers.
  static FrontEndSizes of(const PipelineParameters& pipeline, bool loop);
};

} // namespace corecast
