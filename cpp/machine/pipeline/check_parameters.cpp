// Compares a pipeline.toml with the table of parameters.
#include "cpp/machine/pipeline/parameter_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace corecast {
namespace {

const Parameter* find(std::string_view key) {
  const std::span<const Parameter> all = parameters();
  const auto found = std::lower_bound(all.begin(), all.end(), key,
                                      [](const Parameter& each, std::string_view wanted) { return each.key < wanted; });
  return found != all.end() && found->key == key ? &*found : nullptr;
}

/// Whether some key goes on behind this one.
bool has_inner_keys(const std::string& key) {
  const std::span<const Parameter> all = parameters();
  const auto found =
      std::lower_bound(all.begin(), all.end(), key + ".",
                       [](const Parameter& each, const std::string& wanted) { return each.key < wanted; });
  return found != all.end() && found->key.starts_with(key + ".");
}

std::string shown(double number) {
  std::array<char, 32> text{};
  const bool plain = std::abs(number) < 1e15; // 1000000 rather than 1e+06
  const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number, format).ptr};
}

std::string shown(const Value& value) {
  if (const double* number = value.number()) return std::isfinite(*number) ? shown(*number) : "no finite number";
  if (const bool* flag = value.boolean()) return *flag ? "true" : "false";
  if (const std::string* text = value.text()) return '"' + *text + '"';
  return value.list() != nullptr ? "a list" : value.table() != nullptr ? "a table" : "a date";
}

std::string joined_choices(std::string_view choices) {
  std::string out;
  for (std::size_t start = 0; start <= choices.size();) {
    const std::size_t end = std::min(choices.find(';', start), choices.size());
    const bool last = end == choices.size();
    if (!out.empty()) out += last ? " or " : ", ";
    out += choices.substr(start, end - start);
    start = end + 1;
  }
  return out;
}

bool is_choice(std::string_view choices, std::string_view name) {
  return (";" + std::string(choices) + ";").find(";" + std::string(name) + ";") != std::string::npos;
}

std::string number_expected(const Parameter& parameter) {
  std::string out = parameter.type == ParameterType::integer ? "an integer " : "a number ";
  out +=
      parameter.above_low ? "above " + shown(parameter.low) + " and up to " : "from " + shown(parameter.low) + " to ";
  out += shown(parameter.high);
  if (!parameter.unit.empty()) out += " (" + std::string(parameter.unit) + ")";
  if (parameter.unlimited) out += ", or \"unlimited\"";
  return out;
}

bool number_fits(const Parameter& parameter, const Value& value) {
  if (parameter.unlimited && value.text() != nullptr) return *value.text() == "unlimited";
  const double* number = value.number();
  if (number == nullptr || !std::isfinite(*number)) return false;
  if (parameter.type == ParameterType::integer && *number != std::floor(*number)) return false;
  return *number <= parameter.high && (parameter.above_low ? *number > parameter.low : *number >= parameter.low);
}

bool all_texts(const Value& value) {
  return value.list() != nullptr && std::all_of(value.list()->begin(), value.list()->end(),
                                                [](const Value& each) { return each.text() != nullptr; });
}

bool all_text_lists(const Value& value) {
  return value.list() != nullptr && std::all_of(value.list()->begin(), value.list()->end(), all_texts);
}

bool all_numbers(const Parameter& parameter, const Value& value) {
  return value.list() != nullptr && std::all_of(value.list()->begin(), value.list()->end(),
                                                [&](const Value& each) { return number_fits(parameter, each); });
}

bool all_rows(const Value& value) {
  const auto is_row = [](const Value& row) {
    return row.list() != nullptr && std::all_of(row.list()->begin(), row.list()->end(),
                                                [](const Value& each) { return each.number() != nullptr; });
  };
  return value.list() != nullptr && std::all_of(value.list()->begin(), value.list()->end(), is_row);
}

/// What a value must be, empty where it is.
std::string complaint(const Parameter& parameter, const Value& value) {
  switch (parameter.type) {
  case ParameterType::any:
    return "";
  case ParameterType::boolean:
    return value.boolean() != nullptr ? "" : "true or false";
  case ParameterType::number:
  case ParameterType::integer:
    return number_fits(parameter, value) ? "" : number_expected(parameter);
  case ParameterType::numbers:
    return all_numbers(parameter, value) ? "" : "a list of numbers, each " + number_expected(parameter);
  case ParameterType::text:
    return value.text() != nullptr ? "" : "a string";
  case ParameterType::texts:
    return all_texts(value) ? "" : "a list of strings";
  case ParameterType::text_lists:
    return all_text_lists(value) ? "" : "a list of lists of strings";
  case ParameterType::policy:
    return value.text() != nullptr && is_choice(parameter.choices, *value.text()) ? ""
                                                                                  : joined_choices(parameter.choices);
  case ParameterType::table:
    return value.table() != nullptr ? "" : "a table";
  case ParameterType::tables:
    return value.list() != nullptr ? "" : "a list of tables";
  case ParameterType::rows:
    return all_rows(value) ? "" : "a list of lists of numbers";
  }
  return "";
}

class Checker {
public:
  /// `pattern`: the table's key in the form that parameters have, with a dot behind it where it is not empty.
  void check_table(const Value::Table& table, const std::string& pattern, const std::string& path) {
    for (const auto& [name, value] : table)
      check(value, pattern_of(pattern, name), path + name);
    for (const Parameter& each : parameters())
      if (each.required && each.key.starts_with(pattern)) check_present(table, each.key.substr(pattern.size()), path);
  }

  std::vector<Fault> faults;

private:
  /// `rest`: of a required key, from this table on.
  void check_present(const Value::Table& table, std::string_view rest, const std::string& path) {
    if (rest.find('[') != std::string_view::npos) return; // in items, which need not be there
    const std::size_t dot = rest.find('.');
    const auto found = table.find(rest.substr(0, dot));
    const bool inner = dot != std::string_view::npos;
    if (found != table.end() && (!inner || found->second.table() != nullptr)) return; // an inner table looks for itself
    const std::string key = path + std::string(rest);
    if (found == table.end()) faults.push_back({key, key + " is missing"});
  }

  static std::string pattern_of(const std::string& outer, const std::string& name) {
    std::string exact = outer + name;
    if (name.find('.') == std::string::npos && (find(exact) != nullptr || has_inner_keys(exact))) return exact;
    if (name == "source" || name == "confidence") return name; // every table may have its own
    if (const std::string any = outer + "*"; find(any) != nullptr || has_inner_keys(any)) return any;
    return exact;
  }

  void check(const Value& value, const std::string& pattern, const std::string& path) {
    const Parameter* parameter = find(pattern);
    if (parameter == nullptr) {
      check_outer(value, pattern, path);
      return;
    }
    if (const std::string expected = complaint(*parameter, value); !expected.empty()) {
      faults.push_back({path, path + " must be " + expected + ", not " + shown(value)});
      return;
    }
    if (parameter->type == ParameterType::table) check_table(*value.table(), pattern + ".", path + ".");
    if (parameter->type == ParameterType::tables) check_items(*value.list(), pattern, path);
  }

  /// A table that holds keys, such as [memory], or what nothing knows.
  void check_outer(const Value& value, const std::string& pattern, const std::string& path) {
    if (!has_inner_keys(pattern))
      faults.push_back({path, path + " is not a key of pipeline.toml"});
    else if (value.table() == nullptr)
      faults.push_back({path, path + " must be a table, not " + shown(value)});
    else
      check_table(*value.table(), pattern + ".", path + ".");
  }

  void check_items(const Value::List& items, const std::string& pattern, const std::string& path) {
    for (std::size_t place = 0; place < items.size(); ++place) {
      const std::string item = path + "." + std::to_string(place);
      if (items[place].table() == nullptr)
        faults.push_back({item, item + " must be a table, not " + shown(items[place])});
      else
        check_table(*items[place].table(), pattern + "[].", item + ".");
    }
  }
};

} // namespace

std::vector<Fault> check_parameters(const Value& tree) {
  Checker checker;
  if (const Value::Table* table = tree.table()) checker.check_table(*table, "", "");
  return std::move(checker.faults);
}

} // namespace corecast
