// TOML as pipelines are written, read without a library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace corecast {

struct TomlValue {
  using List = std::vector<TomlValue>;
  using Table = std::vector<std::pair<std::string, TomlValue>>; // in the order of the file
  std::variant<bool, std::int64_t, double, std::string, List, Table> data;

  /// How it came to be, which decides what a later header may add to it.
  enum class Origin : std::uint8_t { value, implied, header, headers } origin = Origin::value;
};

/// The keys of a text that keeps to the plain part of TOML: bare keys without dots (except in headers), strings without
/// escapes on one line, decimal numbers. Nothing where the text holds anything else or is wrong: a whole reader says
/// what it means, or what is wrong. Such a reader finds the same keys and values in every text that is read here.
std::optional<TomlValue::Table> read_plain_toml(std::string_view text);

} // namespace corecast
