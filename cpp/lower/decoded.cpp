#include "cpp/lower/decoded.hpp"

#include "cpp/lower/decode_needs.hpp"
#include "cpp/lower/planned_uops.hpp"

#include <algorithm>
#include <cmath>

namespace corecast {
namespace {

/// Signed width that an immediate needs as it is encoded. Operations of 32 bits may write a negative one as a large
/// positive number.
unsigned encoded_immediate_bits(const Instruction& instruction) {
  const std::size_t length = instruction.bytes.size();
  if (instruction.immediate_bits <= 32 || instruction.traits.immediate_64 || length < 4)
    return instruction.immediate_bits;
  std::uint32_t value = 0;
  for (std::size_t b = 0; b < 4; ++b)
    value |= std::uint32_t{instruction.bytes[length - 4 + b]} << (8 * b);
  const auto number = static_cast<std::int32_t>(value);
  return number >= -32768 && number <= 32767 ? 16 : 32;
}

/// Whether the uop cache has too few bits in one slot: an immediate shares them with a displacement.
bool needs_second_slot(const FrontEndParameters& front_end, const Instruction& instruction) {
  const unsigned bits = encoded_immediate_bits(instruction);
  if (bits > front_end.uop_cache_extra_slot_immediate_bits) return true;
  if (instruction.memory.empty() || bits == 0) return false;
  const std::int64_t displacement = instruction.memory.front().displacement;
  const bool far = displacement < -32768 || displacement > 32767;
  return far || bits > front_end.uop_cache_extra_slot_memory_immediate_bits;
}

/// An address relative to the instruction, the only one of an operation that is not of vectors: where it stores or has
/// an immediate, decoders do not pass on both parts of it as one uop; else rename takes its load and its operation
/// apart.
void split_relative(const PipelineParameters& pipeline, const Instruction& instruction, std::uint32_t uops,
                    DecodedInstruction& out) {
  const bool one = instruction.memory.size() == 1 && instruction.memory.front().pc_relative;
  if (!one || instruction.traits.vector || out.branch || out.microcode_uops > 0) return;
  if (instruction.memory.front().write || instruction.immediate_bits > 0) {
    if (!pipeline.front_end.relative_complex) return;
    out.complex = true;
    ++out.decoded_uops;
    ++out.slots;
  } else if (pipeline.rename.relative_unlaminated && out.slots < uops) {
    ++out.slots;
  }
}

/// Without micro-fusion every uop takes a separate slot, from the decoders on.
void split_slots(const FrontEndParameters& front_end, std::uint32_t uops, DecodedInstruction& out) {
  if (uops <= out.slots) return;
  out.slots = uops;
  if (out.microcode_uops > 0) return;
  out.decoded_uops = std::min(out.slots, static_cast<std::uint32_t>(front_end.complex_decoder_max_uops));
  out.microcode_uops = out.slots - out.decoded_uops;
  out.complex = out.complex || out.slots > 1;
}

/// What decoders and microcode make has at most as many parts as there are slots.
void limit_to_slots(DecodedInstruction& out) {
  const std::uint32_t made = std::min(out.decoded_uops + out.microcode_uops, out.slots);
  out.decoded_uops = std::min(out.decoded_uops, made);
  out.microcode_uops = made - out.decoded_uops;
}

} // namespace

std::uint32_t whole_slots(double count) {
  return static_cast<std::uint32_t>(std::ceil(std::max(0.0, count) - 1e-6));
}

DecodedInstruction decode(const PipelineParameters& pipeline, const Instruction& instruction, const FormEntry* entry,
                          FusedPlace fused, std::uint32_t uops) {
  const FrontEndParameters& front_end = pipeline.front_end;
  DecodedInstruction out;
  out.length = instruction.length_bytes;
  out.opcode_offset = instruction.opcode_offset_bytes;
  out.length_changing_prefix = instruction.length_changing_prefix;
  out.branch = instruction.branch != Branch::none;
  out.fused_first = fused.first;
  out.fused_second = fused.second;
  out.absorbed = fused.second && is_absorbed(entry) && !out.branch;
  out.fusible = out.fused_first || (entry != nullptr && entry->fusible_listed && !entry->fusible.empty());
  const DecodeNeeds needs = decode_needs(front_end, entry);
  out.decoded_uops = std::max(1U, whole_slots(needs.laminated_uops));
  out.microcode_uops = whole_slots(needs.microcode_uops);
  const bool pop5c = instruction.traits.pop5c;
  out.complex =
      needs.complex_decoder || out.decoded_uops > 1 || out.microcode_uops > 0 || (pop5c && front_end.pop5c_complex);
  out.simple_beside = pop5c && front_end.pop5c_ends_group ? 0 : needs.simple_decoders_beside;
  out.wide_immediate = needs_second_slot(front_end, instruction);
  out.constants = cached_constants(instruction);
  out.changes_stack = instruction.traits.moves_stack_pointer;
  out.writes_high8 = instruction.traits.writes_high8;
  out.slots = std::max(1U, entry != nullptr && entry->uops ? whole_slots(entry->uops->fused) : 1U);
  split_relative(pipeline, instruction, uops, out);
  if (pipeline.rename.one_uop_per_slot) split_slots(front_end, uops, out);
  limit_to_slots(out);
  return out;
}

} // namespace corecast
