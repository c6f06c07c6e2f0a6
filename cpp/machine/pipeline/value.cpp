#include "cpp/machine/pipeline/value.hpp"

namespace corecast {

namespace {

template <typename Item> std::vector<Item> all_of(const Value* list, const Item* (Value::*as)() const) {
  std::vector<Item> out;
  if (list == nullptr || list->list() == nullptr) return out;
  for (const Value& each : *list->list())
    if (const Item* item = (each.*as)()) out.push_back(*item);
  return out;
}

} // namespace

const Value* Value::find(std::string_view path) const {
  const Value* here = this;
  while (!path.empty()) {
    const Table* table = here->table();
    if (table == nullptr) return nullptr;
    const std::size_t dot = path.find('.');
    const auto found = table->find(path.substr(0, dot));
    if (found == table->end()) return nullptr;
    here = &found->second;
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  }
  return here;
}

std::vector<std::string> Value::texts(std::string_view path) const {
  return all_of(find(path), &Value::text);
}

std::vector<double> Value::numbers(std::string_view path) const {
  return all_of(find(path), &Value::number);
}

} // namespace corecast
