#include "cpp/tests/shipped_pipelines.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace corecast {
namespace {

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t tab = line.find('\t');
    out.emplace_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return out;
    line.remove_prefix(tab + 1);
  }
}

/// The member of a table, or the item of a list ("#0") that a step leads to; what is not there is made.
Value& inside(Value& value, const std::string& step) {
  if (!step.starts_with('#')) {
    if (value.table() == nullptr) value.data = Value::Table{};
    return std::get<Value::Table>(value.data)[step];
  }
  if (value.list() == nullptr) value.data = Value::List{};
  auto& list = std::get<Value::List>(value.data);
  list.resize(std::max<std::size_t>(list.size(), std::stoul(step.substr(1)) + 1));
  return list[std::stoul(step.substr(1))];
}

/// "n4.5", "bTrue", "ttext", or an empty list "l" or table "d".
Value leaf(const std::string& text) {
  const std::string rest = text.substr(1);
  switch (text.front()) {
  case 'n':
    return {std::stod(rest)};
  case 'b':
    return {rest == "True"};
  case 'l':
    return {Value::List{}};
  case 'd':
    return {Value::Table{}};
  default:
    return {rest};
  }
}

Value read_all() {
  const char* name = std::getenv("CORECAST_TEST_PIPELINES");
  std::ifstream file(name != nullptr ? name : "");
  if (!file) throw std::runtime_error("no file CORECAST_TEST_PIPELINES: run the tests by scripts/build --tests");
  Value out;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> steps = split(line);
    Value* at = &out;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
      at = &inside(*at, steps[i]);
    *at = leaf(steps.back());
  }
  return out;
}

} // namespace

PipelineParameters shipped_pipeline(const std::string& core) {
  static const Value all = read_all();
  const Value* tree = all.find(core);
  if (tree == nullptr) throw std::runtime_error("CORECAST_TEST_PIPELINES has no " + core);
  return PipelineParameters::read(*tree, core);
}

} // namespace corecast
