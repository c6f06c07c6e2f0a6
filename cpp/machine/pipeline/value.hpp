// A tree of plain values: what a TOML file holds, without any TOML library.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace corecast {

struct Value {
  using List = std::vector<Value>;
  using Table = std::map<std::string, Value, std::less<>>;
  std::variant<std::monostate, bool, double, std::string, List, Table> data;

  /// The value at a dotted path ("rename.width"), nullptr where there is none.
  const Value* find(std::string_view path) const;

  /// Texts and numbers of the list there, without whatever else it holds; none where there is no list.
  std::vector<std::string> texts(std::string_view path) const;
  std::vector<double> numbers(std::string_view path) const;

  const double* number() const { return std::get_if<double>(&data); }
  const bool* boolean() const { return std::get_if<bool>(&data); }
  const std::string* text() const { return std::get_if<std::string>(&data); }
  const List* list() const { return std::get_if<List>(&data); }
  const Table* table() const { return std::get_if<Table>(&data); }
};

} // namespace corecast
