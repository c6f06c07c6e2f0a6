#include "cpp/machine/pipeline/value.hpp"

namespace corecast {

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

} // namespace corecast
