// Bytes -> Listing.
#include "describe.hpp"
#include "listing.hpp"
#include "target.hpp"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"

#include <array>
#include <string>

namespace corecast {
namespace {

std::string hex(llvm::ArrayRef<std::uint8_t> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

} // namespace

Listing disassemble(Isa isa, const std::uint8_t *code, std::size_t size, std::uint64_t address) {
  const Target &target = Target::get(isa);
  llvm::MCContext context(target.triple, target.assembly.get(), target.registers.get(), target.subtarget.get());
  std::unique_ptr<llvm::MCDisassembler> decoder(target.target->createMCDisassembler(*target.subtarget, context));
  Describer describer(target, context);

  Listing listing;
  const llvm::ArrayRef<std::uint8_t> all(code, size);
  std::string pending_prefix;          // lock, rep: fused with what follows
  std::size_t pending_start = 0;
  for (std::size_t offset = 0; offset < size;) {
    llvm::MCInst inst;
    std::uint64_t length = 0;
    const auto status = decoder->getInstruction(inst, length, all.slice(offset), address + offset, llvm::nulls());
    if (status != llvm::MCDisassembler::Success) {
      if (!pending_prefix.empty()) { // nothing that it could belong to
        const std::size_t length_before = offset - pending_start;
        Instruction prefix;
        prefix.unknown = true;
        prefix.text = ".byte 0x" + hex(all.slice(pending_start, length_before));
        prefix.address = address + pending_start;
        prefix.length_bytes = static_cast<std::uint8_t>(length_before);
        prefix.bytes.assign(code + pending_start, code + offset);
        listing.instructions.push_back(std::move(prefix));
      }
      const std::size_t step = isa == Isa::x86 ? 1 : std::min<std::size_t>(isa == Isa::aarch64 ? 4 : 2, size - offset);
      const std::string bytes = hex(all.slice(offset, step));
      listing.problems.push_back({static_cast<std::uint32_t>(offset), 0, "cannot decode byte" + std::string(step > 1 ? "s " : " ") +
                                                                             bytes + " at offset " + std::to_string(offset)});
      Instruction unknown;
      unknown.unknown = true;
      unknown.text = ".byte 0x" + bytes;
      unknown.address = address + offset;
      unknown.length_bytes = static_cast<std::uint8_t>(step);
      unknown.bytes.assign(code + offset, code + offset + step);
      listing.instructions.push_back(std::move(unknown));
      offset += step;
      pending_prefix.clear();
      continue;
    }
    const std::size_t start = pending_prefix.empty() ? offset : pending_start;
    Instruction instruction =
        describer.describe(inst, *target.subtarget, address + start, all.slice(start, offset + length - start));
    offset += length;
    if (isa == Isa::x86 && is_lone_prefix(instruction) && offset < size) {
      if (pending_prefix.empty())
        pending_start = start;
      pending_prefix += instruction.mnemonic + " ";
      continue;
    }
    if (!pending_prefix.empty()) {
      for (std::string_view meaningful : {"lock ", "repne ", "rep "})
        if (pending_prefix.find(meaningful) != std::string::npos) {
          instruction.text.insert(0, meaningful);
          instruction.mnemonic.insert(0, meaningful);
          instruction.form.insert(0, meaningful);
        }
      pending_prefix.clear();
    }
    listing.instructions.push_back(std::move(instruction));
  }
  return listing;
}

} // namespace corecast
