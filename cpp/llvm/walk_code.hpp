// The one loop that decodes a piece of code, whatever becomes of its instructions.
#pragma once

#include "describe.hpp"

#include "llvm/MC/MCDisassembler/MCDisassembler.h"

#include <string>

namespace corecast {

/// An instruction, or a prefix byte that LLVM decodes by itself though it belongs to what follows.
struct Described {
  Instruction instruction;
  bool lone_prefix = false;
};

inline std::string hex_text(llvm::ArrayRef<std::uint8_t> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

/// The message about bytes that are not instructions.
inline std::string undecodable_text(llvm::ArrayRef<std::uint8_t> bytes, std::size_t offset) {
  return "cannot decode byte" + std::string(bytes.size() > 1 ? "s " : " ") + hex_text(bytes) + " at offset " +
         std::to_string(offset);
}

/// Where an instruction stands in its code.
struct CodeSpan {
  std::size_t start = 0;
  std::size_t end = 0;
  bool last = false; // nothing follows
};

/// `prefixes`: what stood alone before it ("lock "), "" mostly.
inline Described describe_span(Describer& describer, const llvm::MCInst& inst, llvm::ArrayRef<std::uint8_t> bytes,
                               std::uint64_t address, bool last, const std::string& prefixes) {
  const Target& target = describer.target();
  Described out{describer.describe(inst, *target.subtarget, address, bytes), false};
  Instruction& instruction = out.instruction;
  out.lone_prefix = target.isa == Isa::x86 && !last && is_lone_prefix(instruction);
  if (out.lone_prefix || prefixes.empty()) return out;
  for (std::string_view meaningful : {"lock ", "repne ", "rep "})
    if (prefixes.find(meaningful) != std::string::npos) {
      instruction.text.insert(0, meaningful);
      instruction.mnemonic.insert(0, meaningful);
      instruction.form.insert(0, meaningful);
    }
  return out;
}

/// Calls, in the order of the code:
///   recall(offset) -> length of an instruction that needs no decoding and is complete, 0 where there is none
///   describe(inst, span, prefixes) -> Described & (or const)
///   keep(Described &): an instruction is complete
///   unknown(start, end, undecodable): bytes that are none; false ends the walk. `undecodable` is false for prefixes
///   before such bytes.
template <typename Recall, typename Describe, typename Keep, typename Unknown>
void walk_code(const llvm::MCDisassembler& decoder, Isa isa, llvm::ArrayRef<std::uint8_t> code, std::uint64_t address,
               Recall&& recall, Describe&& describe, Keep&& keep, Unknown&& unknown) {
  std::string prefixes; // lock, rep: fused with what follows
  std::size_t prefixes_start = 0;
  for (std::size_t offset = 0; offset < code.size();) {
    if (prefixes.empty())
      if (const std::size_t known = recall(offset); known > 0) {
        offset += known;
        continue;
      }
    llvm::MCInst inst;
    std::uint64_t length = 0;
    const auto status = decoder.getInstruction(inst, length, code.slice(offset), address + offset, llvm::nulls());
    if (status != llvm::MCDisassembler::Success) {
      if (!prefixes.empty() && !unknown(prefixes_start, offset, false)) // nothing that it could belong to
        return;
      const std::size_t step =
          isa == Isa::x86 ? 1 : std::min<std::size_t>(isa == Isa::aarch64 ? 4 : 2, code.size() - offset);
      if (!unknown(offset, offset + step, true)) return;
      offset += step;
      prefixes.clear();
      continue;
    }
    const std::size_t start = prefixes.empty() ? offset : prefixes_start;
    offset += length;
    auto& described = describe(inst, CodeSpan{start, offset, offset == code.size()}, prefixes);
    if (described.lone_prefix) {
      prefixes_start = start;
      prefixes += described.instruction.mnemonic + " ";
      continue;
    }
    prefixes.clear();
    keep(described);
  }
}

/// The same where every instruction is decoded.
template <typename Describe, typename Keep, typename Unknown>
void walk_code(const llvm::MCDisassembler& decoder, Isa isa, llvm::ArrayRef<std::uint8_t> code, std::uint64_t address,
               Describe&& describe, Keep&& keep, Unknown&& unknown) {
  const auto none = [](std::size_t) { return std::size_t{0}; };
  walk_code(decoder, isa, code, address, none, describe, keep, unknown);
}

} // namespace corecast
