#include "cpp/isa/form_text.hpp"

#include <array>

namespace corecast {
namespace {

constexpr std::array<std::string_view, 6> prefixes{"lock", "rep", "repe", "repne", "xacquire", "xrelease"};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& text) {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : trimmed(text.substr(end + 1));
  return word;
}

bool is_prefix(std::string_view word) {
  for (const std::string_view prefix : prefixes)
    if (word == prefix) return true;
  return false;
}

} // namespace

std::string_view without_variant(std::string_view key) {
  return key.substr(0, key.find(" @"));
}

FormText FormText::parse(std::string_view key) {
  FormText out;
  const std::string_view plain = without_variant(key);
  if (plain.size() < key.size()) out.variant = std::string(trimmed(key.substr(plain.size())));
  std::string_view rest = trimmed(plain);
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    if (!out.mnemonic.empty()) out.mnemonic += ' ';
    out.mnemonic += word;
    if (!is_prefix(word)) break;
  }
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= rest.size(); ++i) {
    const char c = i < rest.size() ? rest[i] : ',';
    if (c == '[' || c == '{' || c == '(')
      ++depth;
    else if (c == ']' || c == '}' || c == ')')
      --depth;
    if (c != ',' || (depth != 0 && i < rest.size())) continue;
    const std::string_view operand = trimmed(rest.substr(start, i - start));
    if (!operand.empty()) out.operands.emplace_back(operand);
    start = i + 1;
  }
  return out;
}

std::string FormText::str() const {
  std::string out = mnemonic;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    out += i == 0 ? " " : ", ";
    out += operands[i];
  }
  if (!variant.empty()) {
    out += ' ';
    out += variant;
  }
  return out;
}

} // namespace corecast
