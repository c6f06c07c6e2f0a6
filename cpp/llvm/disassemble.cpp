// Bytes -> Listing.
#include "listing.hpp"
#include "target.hpp"
#include "walk_code.hpp"

#include "llvm/MC/MCContext.h"

#include <string>

namespace corecast {

Listing disassemble(Isa isa, const std::uint8_t* code, std::size_t size, std::uint64_t address) {
  const Target& target = Target::get(isa);
  llvm::MCContext context(target.triple, target.assembly.get(), target.registers.get(), target.subtarget.get());
  std::unique_ptr<llvm::MCDisassembler> decoder(target.target->createMCDisassembler(*target.subtarget, context));
  Describer describer(target, context);

  Listing listing;
  const llvm::ArrayRef<std::uint8_t> all(code, size);
  Described current;
  const auto describe = [&](const llvm::MCInst& inst, CodeSpan span, const std::string& prefixes) -> Described& {
    current = describe_span(describer, inst, all.slice(span.start, span.end - span.start), address + span.start,
                            span.last, prefixes);
    return current;
  };
  const auto keep = [&](Described& described) { listing.instructions.push_back(std::move(described.instruction)); };
  const auto unknown = [&](std::size_t start, std::size_t end, bool undecodable) {
    const std::string bytes = hex_text(all.slice(start, end - start));
    if (undecodable)
      listing.problems.push_back(
          {static_cast<std::uint32_t>(start), 0, undecodable_text(all.slice(start, end - start), start)});
    Instruction instruction;
    instruction.unknown = true;
    instruction.text = ".byte 0x" + bytes;
    instruction.address = address + start;
    instruction.length_bytes = static_cast<std::uint8_t>(end - start);
    instruction.bytes.assign(code + start, code + end);
    listing.instructions.push_back(std::move(instruction));
    return true;
  };
  walk_code(*decoder, isa, all, address, describe, keep, unknown);
  return listing;
}

void set_lines(Listing& listing, std::uint64_t address,
               const std::vector<std::pair<std::uint64_t, std::uint32_t>>& lines) {
  std::size_t next = 0;
  for (Instruction& instruction : listing.instructions) {
    while (next < lines.size() && lines[next].first <= instruction.address - address)
      ++next;
    instruction.line = next > 0 ? lines[next - 1].second : 0;
  }
}

} // namespace corecast
