#include "operand_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace corecast {
namespace {

template <std::size_t N> bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Words that LLVM prints before an x86 mnemonic. Encoding choices ({evex}, data16) do not make another instruction.
constexpr std::array<std::string_view, 4> kept_prefixes{"lock", "rep", "repe", "repne"};
constexpr std::array<std::string_view, 17> dropped_prefixes{"data16", "data32", "addr32", "addr16",   "notrack", "bnd",
                                                            "cs",     "ds",     "es",     "ss",       "fs",      "gs",
                                                            "{evex}", "{vex}",  "{nf}",   "xacquire", "xrelease"};

/// Repetition means something before string instructions only ("rep ret" is a ret).
bool is_string_instruction(std::string_view mnemonic) {
  constexpr std::array<std::string_view, 7> stems{"movs", "stos", "lods", "ins", "outs", "cmps", "scas"};
  return !mnemonic.empty() && contains(stems, mnemonic.substr(0, mnemonic.size() - 1)) &&
         std::string_view("bwdq").find(mnemonic.back()) != std::string_view::npos;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

} // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string> split_operands(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[' || c == '{' || c == '(')
      ++depth;
    else if (c == ']' || c == '}' || c == ')')
      --depth;
    else if (c == ',' && depth == 0) {
      parts.emplace_back(trim(text.substr(start, i - start)));
      start = i + 1;
    }
  }
  const std::string_view last = trim(text.substr(start));
  if (!last.empty()) parts.emplace_back(last);
  return parts;
}

PrintedInstruction split_printed(Isa isa, std::string_view printed) {
  PrintedInstruction result;
  if (isa == Isa::aarch64) printed = printed.substr(0, printed.find("//")); // remarks of the printer
  printed = trim(printed);
  while (!printed.empty()) {
    std::size_t end = 0;
    while (end < printed.size() && !is_blank(printed[end]))
      ++end;
    std::string_view word = printed.substr(0, end);
    printed = trim(printed.substr(end));
    if (isa == Isa::x86 && !printed.empty() && contains(dropped_prefixes, word)) continue;
    if (!result.mnemonic.empty()) result.mnemonic += ' ';
    result.mnemonic += word;
    if (isa != Isa::x86 || !contains(kept_prefixes, word)) break;
  }
  const std::size_t blank = result.mnemonic.rfind(' ');
  if (blank != std::string::npos && result.mnemonic.starts_with("rep") &&
      !is_string_instruction(std::string_view(result.mnemonic).substr(blank + 1)))
    result.mnemonic.erase(0, blank + 1);
  result.text = result.mnemonic;
  if (isa == Isa::x86 &&
      printed.starts_with("{dfv=")) { // flags where the condition of an APX ccmp fails: values, not a form
    const std::size_t end = std::min(printed.find('}'), printed.size() - 1) + 1;
    result.text += " " + std::string(printed.substr(0, end));
    printed = trim(printed.substr(end));
  }
  result.operands = split_operands(printed);
  for (std::size_t i = 0; i < result.operands.size(); ++i)
    result.text += (i == 0 ? " " : ", ") + result.operands[i];
  return result;
}

bool parse_integer(std::string_view text, std::int64_t& value) {
  text = trim(text);
  if (!text.empty() && (text.front() == '#' || text.front() == '$')) text.remove_prefix(1);
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return false;
  value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

} // namespace corecast
