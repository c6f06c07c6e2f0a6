#include "cpp/tests/shipped_pipelines.hpp"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>
#include <stdexcept>

namespace corecast {
namespace {

Value value_of(const llvm::json::Value& json) {
  if (const auto flag = json.getAsBoolean()) return {*flag};
  if (const auto number = json.getAsNumber()) return {*number};
  if (const auto text = json.getAsString()) return {text->str()};
  if (const llvm::json::Array* list = json.getAsArray()) {
    Value::List out;
    for (const llvm::json::Value& each : *list)
      out.push_back(value_of(each));
    return {std::move(out)};
  }
  Value::Table out;
  for (const auto& [name, each] : *json.getAsObject())
    out.emplace(std::string(llvm::StringRef(name)), value_of(each));
  return {std::move(out)};
}

Value read_all() {
  const char* file = std::getenv("CORECAST_TEST_PIPELINES");
  const auto text = llvm::MemoryBuffer::getFile(file != nullptr ? file : "");
  if (!text) throw std::runtime_error("no file CORECAST_TEST_PIPELINES: run the tests by scripts/build --tests");
  auto json = llvm::json::parse((*text)->getBuffer());
  if (!json) throw std::runtime_error("CORECAST_TEST_PIPELINES: " + llvm::toString(json.takeError()));
  return value_of(*json);
}

} // namespace

PipelineParameters shipped_pipeline(const std::string& core) {
  static const Value all = read_all();
  const Value* tree = all.find(core);
  if (tree == nullptr) throw std::runtime_error("CORECAST_TEST_PIPELINES has no " + core);
  return PipelineParameters::read(*tree, core);
}

} // namespace corecast
