// Typed values out of a pipeline.toml.
#pragma once

#include "cpp/core/error.hpp"
#include "cpp/core/pipeline.hpp"

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corecast {

/// Reads typed values out of one pipeline.toml, naming the key in each complaint.
class PipelineReader {
public:
  using Keys = std::vector<std::vector<std::string>>;

  /// `asked`: takes down every key that is looked for.
  PipelineReader(const Value& tree, const std::string& file, Keys* asked) : tree_(tree), file_(file), asked_(asked) {}

  /// The first of several spellings that is present. -1 stands for "unlimited" and reads as unknown.
  std::optional<double> number(std::initializer_list<const char*> paths) const {
    if (asked_ != nullptr) asked_->emplace_back(paths.begin(), paths.end());
    for (const char* path : paths) {
      const Value* value = look(path);
      if (value == nullptr) continue;
      const double* number = value->number();
      if (number == nullptr || !std::isfinite(*number)) fail(path, "a number");
      if (*number < 0) return std::nullopt;
      return *number;
    }
    return std::nullopt;
  }

  /// The same of what is moved in a cycle: nothing ever would be with a width of 0.
  std::optional<double> width(std::initializer_list<const char*> paths) const {
    const std::optional<double> found = number(paths);
    if (found && *found <= 0)
      for (const char* path : paths)
        if (look(path) != nullptr) fail(path, "more than 0");
    return found;
  }

  bool boolean(const char* path, bool otherwise) const {
    const Value* value = find(path);
    if (value == nullptr) return otherwise;
    if (value->boolean() == nullptr) fail(path, "true or false");
    return *value->boolean();
  }

  std::optional<std::string> text(const char* path) const {
    const Value* value = find(path);
    if (value == nullptr) return std::nullopt;
    if (value->text() == nullptr) fail(path, "a string");
    return *value->text();
  }

  std::string required_text(const char* path) const {
    auto found = text(path);
    if (!found) throw ModelError(std::string(path) + " is missing", file_);
    return *found;
  }

  std::vector<std::string> texts(const char* path) const {
    const Value* value = find(path);
    return value == nullptr ? std::vector<std::string>{} : strings(*value, path);
  }

  std::vector<std::string> strings(const Value& value, const std::string& path) const {
    if (value.list() == nullptr) fail(path, "a list of strings");
    std::vector<std::string> result;
    for (const Value& item : *value.list()) {
      if (item.text() == nullptr) fail(path, "a list of strings");
      result.push_back(*item.text());
    }
    return result;
  }

  const Value::Table* table(const char* path) const {
    const Value* value = find(path);
    if (value == nullptr) return nullptr;
    if (value->table() == nullptr) fail(path, "a table");
    return value->table();
  }

  const Value::List* list(const char* path) const {
    const Value* value = find(path);
    if (value == nullptr) return nullptr;
    if (value->list() == nullptr) fail(path, "a list");
    return value->list();
  }

  [[noreturn]] void fail(const std::string& path, const char* expected) const {
    throw ModelError(path + " must be " + expected, file_);
  }

private:
  const Value* find(const char* path) const {
    if (asked_ != nullptr) asked_->push_back({path});
    return look(path);
  }

  /// The value at a path, whose tables must be some.
  const Value* look(std::string_view path) const {
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
      const Value* outer = tree_.find(path.substr(0, dot));
      if (outer != nullptr && outer->table() == nullptr) fail(std::string(path.substr(0, dot)), "a table");
    }
    return tree_.find(path);
  }

  const Value& tree_;
  const std::string& file_;
  Keys* asked_;
};

} // namespace corecast
