#include "cpp/predict/hex.hpp"

#include <array>
#include <charconv>

namespace corecast {
namespace {

constexpr std::int8_t separator = -1;
constexpr std::int8_t other = -2;

constexpr std::array<std::int8_t, 256> make_kinds() {
  std::array<std::int8_t, 256> kinds{};
  kinds.fill(other);
  for (const char c : std::string_view(" \t\n\r\f\v\x1c\x1d\x1e\x1f,;:_\"'{}[]()"))
    kinds[static_cast<unsigned char>(c)] = separator;
  for (unsigned digit = 0; digit < 10; ++digit)
    kinds['0' + digit] = static_cast<std::int8_t>(digit);
  for (unsigned digit = 10; digit < 16; ++digit)
    kinds['a' + digit - 10] = kinds['A' + digit - 10] = static_cast<std::int8_t>(digit);
  return kinds;
}

constexpr std::array<std::int8_t, 256> kinds = make_kinds();

std::int8_t kind_at(std::string_view text, std::size_t at) {
  return at < text.size() ? kinds[static_cast<unsigned char>(text[at])] : other;
}

bool is_x(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] == 'x' || text[at] == 'X');
}

/// What is wrong with the digits at `at`.
std::string fault_at(std::string_view text, std::size_t at) {
  const std::string place = " at position " + std::to_string(at + 1);
  if (kind_at(text, at) >= 0) return "half a byte ('" + std::string(1, text[at]) + "')" + place + " of the hex string";
  const bool plain = text[at] > ' ' && text[at] <= '~';
  return (plain ? "'" + std::string(1, text[at]) + "'" : "a character") + place + " is not a hexadecimal digit";
}

} // namespace

std::string read_hex(std::string_view text, std::vector<std::uint8_t>& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::int8_t kind = kind_at(text, at);
    if (kind == separator) {
      ++at;
    } else if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == 'x') {
      at += 2;
    } else if (text[at] == '0' && is_x(text, at + 1)) {
      if (kind_at(text, at + 2) < 0) return fault_at(text, at + 1);
      at += 2;
    } else {
      const std::int8_t low = kind_at(text, at + 1);
      if (kind < 0 || low < 0 || (text[at + 1] == '0' && is_x(text, at + 2))) return fault_at(text, at);
      out.push_back(static_cast<std::uint8_t>(kind << 4 | low));
      at += 2;
    }
  }
  return "";
}

std::optional<std::uint64_t> read_address(std::string_view text) {
  while (!text.empty() && kinds[static_cast<unsigned char>(text.front())] == separator)
    text.remove_prefix(1);
  while (!text.empty() && kinds[static_cast<unsigned char>(text.back())] == separator)
    text.remove_suffix(1);
  if (text.empty()) return 0;
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && is_x(text, 1)) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

} // namespace corecast
