#include "cpp/bounds/legacy_decode.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace corecast {
std::optional<double> predecode_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items,
                                       LoopMode mode, bool aligned) {
  if (!parameters.predecode_block_bytes || !parameters.predecode_width) return std::nullopt;
  const auto block = static_cast<std::uint64_t>(*parameters.predecode_block_bytes);
  const double width = *parameters.predecode_width;
  std::uint64_t length = 0;
  for (const FrontendItem& item : items) {
    if (item.instruction->length_bytes == 0) return std::nullopt;
    length += item.instruction->length_bytes;
  }
  if (block == 0 || width <= 0 || length == 0) return std::nullopt;

  // Unrolled copies repeat their position in the blocks after `copies`; a loop begins at the same place each time.
  const std::uint64_t copies = mode == LoopMode::unroll ? block / std::gcd(length, block) : 1;
  const std::uint64_t start = aligned ? items[0].offset % block : 0;
  const std::uint64_t end = start + copies * length;
  // A pattern of unrolled copies is cyclic; a loop's last block is its own even where partly used.
  const std::uint64_t blocks = mode == LoopMode::unroll ? copies * length / block : (end + block - 1) / block;
  struct Work {
    double ends = 0;     // instructions whose last byte is in the block
    double spills = 0;   // nominal opcode in the block, last byte in the next
    double prefixed = 0; // length-changing prefixes
  };
  std::vector<Work> work(blocks);
  std::uint64_t at = start;
  for (std::uint64_t copy = 0; copy < copies; ++copy)
    for (const FrontendItem& item : items) {
      const Instruction& instruction = *item.instruction;
      const std::uint64_t opcode = (at + instruction.opcode_offset_bytes) / block;
      const std::uint64_t last = (at + instruction.length_bytes - 1) / block;
      ++work[last % blocks].ends;
      if (opcode != last) ++work[opcode % blocks].spills;
      if (instruction.length_changing_prefix) ++work[opcode % blocks].prefixed;
      at += instruction.length_bytes;
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

std::optional<double> decode_cycles(const FrontEndParameters& parameters, std::span<const FrontendItem> items) {
  if (!parameters.decoders) return std::nullopt;
  const int decoders = static_cast<int>(*parameters.decoders);
  if (!parameters.complex_decoders) { // all alike: instructions per cycle
    double count = 0;
    for (const FrontendItem& item : items)
      count += item.fused_second ? 0 : 1;
    return count / *parameters.decoders;
  }
  // Walk over the body until its first instruction meets a decoder that it met before: the pattern then repeats.
  std::vector<int> cycle_at_start(static_cast<std::size_t>(std::max(1, decoders)), -1);
  std::vector<int> round_at_start(cycle_at_start.size(), 0);
  int decoder = decoders - 1;
  int free_simple = 0;
  int cycles = 0;
  for (int round = 0;; ++round) {
    bool first = true;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const FrontendItem& item = items[i];
      if (item.fused_second) continue;
      const DecodeNeeds needs = decode_needs(parameters, item.entry);
      const bool pair = i + 1 < items.size() && items[i + 1].fused_second;
      const bool fusible =
          pair || (item.entry != nullptr && item.entry->fusible_listed && !item.entry->fusible.empty());
      const bool last_forbidden =
          fusible && !parameters.macro_fusible_may_use_last_decoder && decoder + 1 == decoders - 1;
      if (needs.complex_decoder || needs.laminated_uops > 1 || needs.microcode_uops > 0) {
        decoder = 0;
        free_simple = needs.simple_decoders_beside < 0 ? decoders - 1 : needs.simple_decoders_beside;
        ++cycles;
      } else if (free_simple == 0 || decoder + 1 >= decoders || last_forbidden) {
        decoder = 0;
        free_simple = decoders - 1;
        ++cycles;
      } else {
        ++decoder;
        --free_simple;
      }
      if (pair || item.instruction->branch != Branch::none) free_simple = 0;
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
