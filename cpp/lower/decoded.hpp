// What the front end handles of each instruction.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/lower/encoded_constants.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <cstdint>

namespace corecast {

/// The first of a fused pair stands for both; the second has neither uops nor slots.
struct DecodedInstruction {
  std::uint32_t offset = 0; // from the start of the body
  std::uint32_t length = 0;
  std::uint32_t opcode_offset = 0;
  bool length_changing_prefix = false;
  bool branch = false;
  bool jumps = false; // a branch inside the body that is taken
  bool fused_second = false;
  bool absorbed = false; // such a second one that is decoded all the same
  bool fused_first = false;
  bool ends_group = false; // of the decoders: a branch, or its pair
  bool fusible = false;
  bool complex = false;
  std::int32_t simple_beside = -1; // decoders that work beside it; -1: all
  bool wide_immediate = false;     // takes a second slot of the uop cache
  EncodedConstants constants;      // in the uop cache
  bool changes_stack = false;
  bool writes_high8 = false;
  std::uint32_t added_uops = 0;   // by the renamer, before it
  std::uint32_t decoded_uops = 1; // by the decoders, or from the uop cache
  std::uint32_t microcode_uops = 0;
  std::uint32_t slots = 1; // of rename, reorder buffer and retirement, without those that the renamer adds

  bool operator==(const DecodedInstruction&) const = default;
};

/// A row counts on average; a part of a slot is taken as a whole one.
std::uint32_t whole_slots(double count);

struct FusedPlace {
  bool first = false;
  bool second = false;
};

/// `uops`: how many it has at the ports. Where it lies, where it jumps, and what the renamer adds is filled in
/// elsewhere.
DecodedInstruction decode(const PipelineParameters& pipeline, const Instruction& instruction, const FormEntry* entry,
                          FusedPlace fused, std::uint32_t uops);

} // namespace corecast
