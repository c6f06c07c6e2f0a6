#include "cpp/machine/derive/vector_length.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace corecast {
namespace {

constexpr double least_bits = 128;
constexpr double most_bits = 65536; // RVV's; SVE's is 2048

/// "@m2,e64", "@mf2,e8": a register group's length in vectors, and its elements; 0 where the text says neither.
struct RegisterGroup {
  double registers = 1;
  double element_bits = 0;
};

RegisterGroup register_group(std::string_view key) {
  RegisterGroup out;
  const std::size_t at = key.find(" @");
  if (at == std::string_view::npos) return out;
  std::string_view rest = key.substr(at + 2);
  const auto number = [](std::string_view text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of(", @");
    const std::string_view word = rest.substr(0, end);
    if (word.starts_with("mf"))
      out.registers = 1 / std::max(1.0, number(word.substr(2)));
    else if (word.starts_with("m"))
      out.registers = std::max(1.0, number(word.substr(1)));
    else if (word.starts_with("e"))
      out.element_bits = number(word.substr(1));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return out;
}

double scalable_element_bits(std::string_view key) {
  for (std::size_t at = key.find("z."); at != std::string_view::npos; at = key.find("z.", at + 1)) {
    if (at > 0 && key[at - 1] != ' ' && key[at - 1] != '{' && key[at - 1] != '[') continue;
    switch (at + 2 < key.size() ? key[at + 2] : ' ') {
    case 'b':
      return 8;
    case 'h':
      return 16;
    case 's':
      return 32;
    case 'd':
      return 64;
    case 'q':
      return 128;
    default:
      break;
    }
  }
  return 0;
}

} // namespace

bool is_vector_length(double bits) {
  return bits >= least_bits && bits <= most_bits && std::exp2(std::round(std::log2(bits))) == bits;
}

double element_bits(std::string_view key) {
  if (const double scalable = scalable_element_bits(key); scalable > 0) return scalable;
  return register_group(key).element_bits;
}

LengthUnits length_units(std::string_view key, double vector_bits) {
  const double element = element_bits(key);
  if (element <= 0) return {};
  const double bits = vector_bits * (scalable_element_bits(key) > 0 ? 1 : register_group(key).registers);
  const double lanes = std::max(1.0, bits / element);
  return {lanes, bits / 128, std::ceil(std::log2(lanes))};
}

std::optional<double> growing_count(std::string_view text, const LengthUnits& units) {
  if (units.lanes <= 0) return std::nullopt;
  double sum = 0;
  bool first = true;
  while (!text.empty()) {
    double sign = 1;
    if (text.front() == '+' || text.front() == '-') {
      sign = text.front() == '-' ? -1 : 1;
      text.remove_prefix(1);
    } else if (!first) {
      return std::nullopt;
    }
    double value = 1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = error == std::errc();
    if (number) text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const char letter = text.empty() ? ' ' : text.front();
    if (letter == 'L' || letter == 'Q' || letter == 'T') {
      value *= letter == 'L' ? units.lanes : letter == 'Q' ? units.granules : units.steps;
      text.remove_prefix(1);
    } else if (!number) {
      return std::nullopt;
    }
    sum += sign * value;
    first = false;
  }
  if (first || sum < 0) return std::nullopt;
  return sum;
}

} // namespace corecast
