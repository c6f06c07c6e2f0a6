// What reading code yields: instructions in order, with labels, data bytes and problems beside them.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "isa.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace corecast {

struct Label {
  std::string name;
  std::size_t index = 0; // position in Listing::instructions before which it stands
  std::uint32_t line = 0;
};

/// Bytes written by data directives inside code (.byte 100,103,144 of marker sequences).
struct DataBytes {
  std::size_t index = 0;
  std::uint32_t line = 0;
  std::vector<std::uint8_t> bytes;
};

struct Problem {
  std::uint32_t line = 0; // of the text; for decoded bytes the byte offset
  std::uint32_t column = 0;
  std::string message;
  bool fatal = false; // what follows was not read
};

struct Listing {
  std::vector<Instruction> instructions;
  std::vector<Label> labels;
  std::vector<DataBytes> data;
  std::vector<Problem> problems;
};

/// Whether a long call should continue: false where the user interrupted it.
using GoOn = std::function<bool()>;

enum class Syntax : std::uint8_t { att, intel };

/// Reads assembly text. Never throws on bad text: an illegal line becomes a problem and, where it is not a directive,
/// an instruction with `unknown` set. `syntax` matters for x86 only; .intel_syntax and .att_syntax in the text switch
/// it. `go_on` is asked many times a second; once it says no, the rest of the text is not read.
Listing assemble(Isa isa, std::string_view text, Syntax syntax = Syntax::att, const GoOn& go_on = [] { return true; });

/// Decodes bytes. Undecodable bytes become a problem and one unknown instruction each.
Listing disassemble(Isa isa, const std::uint8_t* code, std::size_t size, std::uint64_t address = 0);

/// Gives decoded instructions the lines of a text that they stand on; `lines` are (offset, line) in order.
void set_lines(Listing& listing, std::uint64_t address,
               const std::vector<std::pair<std::uint64_t, std::uint32_t>>& lines);

/// Every mnemonic that text may use, sorted; for x86 those of both syntaxes.
std::vector<std::string> mnemonics(Isa isa);

/// "rax", "zmm0", "zf", "x0", "z3"; "" for 0.
std::string register_name(Isa isa, RegisterId location);
/// The location of that name, 0 where there is none.
RegisterId register_number(Isa isa, std::string_view name);

} // namespace corecast
