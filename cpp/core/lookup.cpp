#include "cpp/core/lookup.hpp"

#include "cpp/core/derive.hpp"
#include "cpp/core/machine.hpp"

namespace corecast {

const FormEntry* find_variant(const Machine& machine, std::string_view form, bool same_register, bool indexed) {
  const auto variant = [&](std::string_view suffix) {
    std::string key(form);
    key += suffix;
    return machine.find(key);
  };
  if (same_register)
    if (const FormEntry* entry = variant(" @same")) return entry;
  if (indexed)
    if (const FormEntry* entry = variant(" @indexed")) return entry;
  return machine.find(form);
}

Lookup look_up(const Machine& machine, const Instruction& instruction) {
  Lookup out;
  if (instruction.unknown) return out;
  const auto try_form = [&](const std::string& form) {
    out.entry = find_variant(machine, form, instruction.same_register, instruction.indexed);
    if (out.entry != nullptr) out.status = LookupStatus::known;
    return out.entry != nullptr;
  };
  if (try_form(instruction.form)) return out;
  for (const std::string& form : instruction.alternative_forms)
    if (try_form(form)) return out;
  if (auto derived = derive(machine, instruction)) {
    out.status = LookupStatus::derived;
    out.note = std::move(derived->note);
    out.owned = std::make_unique<const FormEntry>(std::move(derived->entry));
    out.entry = out.owned.get();
  }
  return out;
}

} // namespace corecast
