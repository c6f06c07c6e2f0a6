#include "requirements.hpp"

#include "cpp/machine/extensions.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <algorithm>
#include <charconv>

namespace corecast {
namespace {

#include "cpp/llvm/generated/opcode_requirements.inc"

std::string_view opcodes_of(Isa isa) {
  switch (isa) {
  case Isa::aarch64:
    return aarch64_opcodes;
  case Isa::riscv64:
    return riscv64_opcodes;
  case Isa::x86:
    break;
  }
  return x86_opcodes;
}

Architecture architecture_of(Isa isa) {
  switch (isa) {
  case Isa::aarch64:
    return Architecture::aarch64;
  case Isa::riscv64:
    return Architecture::riscv64;
  case Isa::x86:
    break;
  }
  return Architecture::x86;
}

/// The number behind a name in sorted lines "NAME number"; 0 where there is no such line.
std::uint16_t find_line(std::string_view lines, std::string_view name) {
  std::size_t low = 0;
  std::size_t high = lines.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t newline = lines.rfind('\n', middle == 0 ? 0 : middle - 1);
    const std::size_t start = middle == 0 || newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t end = lines.find('\n', start);
    const std::string_view line = lines.substr(start, end - start);
    const std::size_t blank = line.find(' ');
    const int order = line.substr(0, blank).compare(name);
    if (order == 0) {
      std::uint16_t number = 0;
      std::from_chars(line.data() + blank + 1, line.data() + line.size(), number);
      return number;
    }
    if (order < 0)
      low = end + 1;
    else
      high = start;
  }
  return 0;
}

} // namespace

std::uint16_t requirement_of(Isa isa, std::string_view opcode) {
  const std::string_view lines = opcodes_of(isa);
  if (const std::uint16_t found = find_line(lines, opcode)) return found;
  for (const std::string_view mask : {"kz", "k"}) // of masked opcodes the table has those that differ from the others
    if (opcode.ends_with(mask)) return find_line(lines, opcode.substr(0, opcode.size() - mask.size()));
  return 0;
}

std::uint16_t requirement_called(Isa isa, std::string_view text) {
  const auto all = requirements(architecture_of(isa));
  const auto found = std::find(all.begin(), all.end(), text);
  return found == all.end() ? std::uint16_t{0} : static_cast<std::uint16_t>(found - all.begin());
}

} // namespace corecast
