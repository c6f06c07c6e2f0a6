// Typed values out of a pipeline.toml.
#pragma once

#include "cpp/base/error.hpp"
#include "cpp/machine/pipeline/generated/parameters.hpp"
#include "cpp/machine/pipeline/parameter_table.hpp"
#include "cpp/machine/pipeline/value.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corecast {

/// Reads typed values out of one pipeline.toml, naming the key in each complaint. The scalar readers take a value of
/// another type for none: check_parameters() has reported it.
class PipelineReader {
public:
  PipelineReader(const Value& tree, const std::string& file) : tree_(tree), file_(file) {}

  /// Nothing for what is unlimited.
  std::optional<double> number(std::string_view path) const {
    const Value* value = tree_.find(path);
    const double* number = value == nullptr ? nullptr : value->number();
    if (number == nullptr || !std::isfinite(*number) || *number < 0) return std::nullopt;
    return *number;
  }

  bool boolean(std::string_view path, bool otherwise) const {
    const Value* value = tree_.find(path);
    return value == nullptr || value->boolean() == nullptr ? otherwise : *value->boolean();
  }

  std::optional<std::string> text(std::string_view path) const {
    const Value* value = tree_.find(path);
    if (value == nullptr || value->text() == nullptr) return std::nullopt;
    return *value->text();
  }

  /// One of several ways, `otherwise` where none of their names is there.
  template <typename Policy> Policy policy(std::string_view path, Policy otherwise) const {
    const std::optional<std::string> name = text(path);
    return name ? named<Policy>(*name).value_or(otherwise) : otherwise;
  }

  std::vector<std::string> texts(std::string_view path) const { return tree_.texts(path); }
  std::vector<double> numbers(std::string_view path) const { return tree_.numbers(path); }

  /// Throws ModelError where there is no such text.
  std::string required_text(const char* path) const {
    auto found = text(path);
    if (!found) throw ModelError(std::string(path) + " is missing", file_);
    return *found;
  }

  /// Throws ModelError where the value at `path` is another one.
  std::vector<std::string> strings(const Value& value, const std::string& path) const {
    if (value.list() == nullptr) fail(path, "a list of strings");
    std::vector<std::string> result;
    for (const Value& item : *value.list()) {
      if (item.text() == nullptr) fail(path, "a list of strings");
      result.push_back(*item.text());
    }
    return result;
  }

  const Value::Table* table(std::string_view path) const {
    const Value* value = tree_.find(path);
    return value == nullptr ? nullptr : value->table();
  }

  const Value::List* list(std::string_view path) const {
    const Value* value = tree_.find(path);
    return value == nullptr ? nullptr : value->list();
  }

  [[noreturn]] void fail(const std::string& path, const std::string& expected) const {
    throw KeyError(path, path + " must be " + expected, file_);
  }

private:
  const Value& tree_;
  const std::string& file_;
};

} // namespace corecast
