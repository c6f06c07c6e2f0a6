#include "x86_semantics.hpp"

#include <algorithm>
#include <string>

namespace corecast {
namespace {

#include "generated/x86_semantics.inc"

struct RegisterClass {
  std::string_view name;
  std::string_view cls;
};

/// Registers that stay literal in form keys, because an encoding fixes them.
constexpr RegisterClass literal_registers[] = {
    {"al", "r8"}, {"cl", "r8"}, {"ax", "r16"}, {"dx", "r16"}, {"eax", "r32"}, {"rax", "r64"}, {"r8h", "r8"},
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

/// Take the part before the separator off the front of `text`.
std::string_view take(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return part;
}

bool matches_one(std::string_view alternatives, std::string_view operand) {
  if (alternatives == "*") return true;
  std::string_view cls = operand;
  for (const auto& literal : literal_registers)
    if (literal.name == operand) cls = literal.cls;
  while (!alternatives.empty()) {
    const auto alternative = take(alternatives, '|');
    const bool immediate = alternative == "i" && !operand.empty() && operand.front() == 'i';
    if (alternative == operand || alternative == cls || immediate) return true;
  }
  return false;
}

bool matches(std::string_view pattern, std::string_view operands) {
  while (!pattern.empty() && !operands.empty()) {
    auto operand = trim(take(operands, ','));
    operand = operand.substr(0, operand.find('{')); // masks
    if (!matches_one(take(pattern, ','), operand)) return false;
  }
  return pattern.empty() && operands.empty();
}

const X86Semantics* find_exact(std::string_view mnemonic, int explicit_operands, std::string_view operands) {
  const auto range = std::ranges::equal_range(x86_semantics, mnemonic, {}, &X86Semantics::mnemonic);
  for (const auto& row : range) {
    if (row.operands >= 0 && row.operands != explicit_operands) continue;
    if (row.pattern.empty() || matches(row.pattern, operands)) return &row;
  }
  return nullptr;
}

} // namespace

const X86Semantics* find_x86_semantics(std::string_view mnemonic, int explicit_operands, std::string_view operands) {
  for (;;) {
    if (const auto* row = find_exact(mnemonic, explicit_operands, operands)) return row;
    const auto end = mnemonic.find(' ');
    if (end == std::string_view::npos) return nullptr;
    const auto prefix = mnemonic.substr(0, end);
    if (prefix == "{nf}") // APX: the same instruction without its flags
      return nullptr;
    const auto rest = trim(mnemonic.substr(end));
    if (prefix == "repe" || prefix == "repz")
      if (const auto* row = find_exact("rep " + std::string(rest), explicit_operands, operands)) return row;
    if (prefix == "repnz")
      if (const auto* row = find_exact("repne " + std::string(rest), explicit_operands, operands)) return row;
    mnemonic = rest;
  }
}

std::span<const X86Semantics> all_x86_semantics() {
  return x86_semantics;
}

} // namespace corecast
