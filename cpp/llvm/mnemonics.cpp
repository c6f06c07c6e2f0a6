// The names that instructions have in text, for suggestions.
#include "listing.hpp"
#include "target.hpp"

#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"

#include <set>

namespace corecast {
namespace {

/// LLVM 19 takes a pointer, later versions a reference.
template <typename Printer> llvm::StringRef mnemonic_of(Printer& printer, const llvm::MCInst& inst) {
  const char* text = nullptr;
  if constexpr (requires { printer.getMnemonic(inst); })
    text = printer.getMnemonic(inst).first;
  else
    text = printer.getMnemonic(&inst).first;
  return text == nullptr ? llvm::StringRef() : llvm::StringRef(text);
}

} // namespace

std::vector<std::string> mnemonics(Isa isa) {
  const Target& target = Target::get(isa);
  std::set<std::string> names;
  for (const unsigned variant : {0U, 1U}) { // x86: AT&T and Intel syntax
    if (variant == 1 && isa != Isa::x86) break;
    const std::unique_ptr<llvm::MCInstPrinter> printer(target.target->createMCInstPrinter(
        target.triple, variant, *target.assembly, *target.instructions, *target.registers));
    for (unsigned opcode = 0; opcode < target.instructions->getNumOpcodes(); ++opcode) {
      if (target.instructions->get(opcode).isPseudo()) continue;
      llvm::MCInst inst;
      inst.setOpcode(opcode);
      const llvm::StringRef name = mnemonic_of(*printer, inst).trim();
      if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._") == llvm::StringRef::npos && !name.empty())
        names.insert(name.str());
    }
  }
  return {names.begin(), names.end()};
}

} // namespace corecast
