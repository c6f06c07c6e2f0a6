#include "cpp/bounds/legacy_decode.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace corecast {

std::optional<double> predecode_cycles(const FrontEndParameters& parameters, const Region& region) {
  if (!parameters.predecode_block_bytes || !parameters.predecode_width) return std::nullopt;
  const auto block = static_cast<std::uint64_t>(*parameters.predecode_block_bytes);
  const double width = *parameters.predecode_width;
  const std::uint64_t length = region.layout.length_bytes;
  const bool readable = std::all_of(region.decoded.begin(), region.decoded.end(),
                                    [](const DecodedInstruction& instruction) { return instruction.length > 0; });
  if (block == 0 || width <= 0 || length == 0 || !readable) return std::nullopt;

  // Unrolled copies repeat their position in the blocks after `copies`; a loop begins at the same place each time.
  const std::uint64_t copies = region.is_loop() ? 1 : block / std::gcd(length, block);
  const std::uint64_t start = region.layout.alignment_known ? region.layout.start % block : 0;
  const std::uint64_t end = start + copies * length;
  // A pattern of unrolled copies is cyclic; a loop's last block is its own even where partly used.
  const std::uint64_t blocks = region.is_loop() ? (end + block - 1) / block : copies * length / block;
  struct Work {
    double ends = 0;     // instructions whose last byte is in the block
    double spills = 0;   // nominal opcode in the block, last byte in the next
    double prefixed = 0; // length-changing prefixes
  };
  std::vector<Work> work(blocks);
  std::uint64_t at = start;
  for (std::uint64_t copy = 0; copy < copies; ++copy)
    for (const DecodedInstruction& instruction : region.decoded) {
      const std::uint64_t opcode = (at + instruction.opcode_offset) / block;
      const std::uint64_t last = (at + instruction.length - 1) / block;
      ++work[last % blocks].ends;
      if (opcode != last) ++work[opcode % blocks].spills;
      if (instruction.length_changing_prefix) ++work[opcode % blocks].prefixed;
      at += instruction.length;
    }
  const double stall = parameters.lcp_stall_cycles.value_or(0);
  double cycles = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const Work& previous = work[(b + blocks - 1) % blocks];
    const double slack = std::max(0.0, std::ceil((previous.ends + previous.spills) / width) - 1);
    cycles += std::ceil((work[b].ends + work[b].spills) / width) + std::max(0.0, stall * work[b].prefixed - slack);
  }
  return cycles / static_cast<double>(copies);
}

std::optional<double> decode_cycles(const FrontEndParameters& parameters, const Region& region, const Supply& supply) {
  if (!parameters.decoders) return std::nullopt;
  if (!parameters.complex_decoders) { // all alike: instructions per cycle
    const auto count = std::count_if(region.decoded.begin(), region.decoded.end(),
                                     [](const DecodedInstruction& instruction) { return !instruction.fused_second; });
    const auto first_only = std::count_if(region.decoded.begin(), region.decoded.end(), [&](const auto& instruction) {
      return parameters.first_decoder_bytes && instruction.length > *parameters.first_decoder_bytes;
    });
    return std::max(static_cast<double>(count) / *parameters.decoders, static_cast<double>(first_only));
  }
  const int decoders = std::max(1, static_cast<int>(*parameters.decoders));
  // Walk over the body until its first instruction meets a decoder that it met before: the pattern then repeats.
  std::vector<int> cycle_at_start(static_cast<std::size_t>(decoders), -1);
  std::vector<int> round_at_start(cycle_at_start.size(), 0);
  int decoder = decoders - 1;
  int free_simple = 0;
  int cycles = 0;
  for (int round = 0;; ++round) {
    bool first = true;
    for (const std::uint32_t i : supply.legacy) {
      const DecodedInstruction& instruction = region.decoded[i];
      if (instruction.fused_second) continue;
      const bool last_forbidden =
          instruction.fusible && !parameters.macro_fusible_may_use_last_decoder && decoder + 1 == decoders - 1;
      if (instruction.complex) {
        decoder = 0;
        free_simple = instruction.simple_beside < 0 ? decoders - 1 : instruction.simple_beside;
        ++cycles;
      } else if (free_simple == 0 || decoder + 1 >= decoders || last_forbidden) {
        decoder = 0;
        free_simple = decoders - 1;
        ++cycles;
      } else {
        ++decoder;
        --free_simple;
      }
      if (instruction.ends_group) free_simple = 0;
      if (!first) continue;
      first = false;
      const auto slot = static_cast<std::size_t>(decoder);
      if (cycle_at_start[slot] >= 0)
        return static_cast<double>(cycles - cycle_at_start[slot]) / (round - round_at_start[slot]);
      cycle_at_start[slot] = cycles;
      round_at_start[slot] = round;
    }
    if (first) return 0.0; // nothing to decode
  }
}

} // namespace corecast
