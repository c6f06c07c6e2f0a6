#include "cpp/machine/lookup.hpp"

#include "cpp/machine/derive/derive.hpp"
#include "cpp/machine/machine.hpp"

namespace corecast {

namespace {

const FormEntry* variant_of(const Machine& machine, std::string_view form, std::string_view variant) {
  std::string key(form);
  key += ' ';
  key += variant;
  return machine.find(key);
}

} // namespace

const FormEntry* find_same_variant(const Machine& machine, std::string_view form) {
  if (const FormEntry* entry = variant_of(machine, form, "@same")) return entry;
  return machine.find(form);
}

const FormEntry* find_variant(const Machine& machine, std::string_view form, const Instruction& instruction) {
  const auto variant = [&](std::string_view name) { return variant_of(machine, form, name); };
  if (uses_one_register(instruction))
    if (const FormEntry* entry = variant("@same")) return entry;
  if (instruction.traits.zero_immediate)
    if (const FormEntry* entry = variant("@zero")) return entry;
  if (!instruction.address_variant.empty())
    if (const FormEntry* entry = variant(instruction.address_variant)) return entry;
  if (instruction.indexed)
    if (const FormEntry* entry = variant("@indexed")) return entry;
  return machine.find(form);
}

bool uses_one_register(const Instruction& instruction) {
  if (instruction.same_register) return true;
  if (!instruction.memory.empty()) return false;
  RegisterId reg = 0;
  unsigned count = 0;
  for (const Operand& operand : instruction.operands) {
    if (operand.implicit || operand.kind != OperandKind::reg || operand.registers.empty()) continue;
    if (operand.registers.size() > 1 || (count > 0 && operand.registers.front().reg != reg)) return false;
    reg = operand.registers.front().reg;
    ++count;
  }
  return count >= 2;
}

Lookup look_up(const Machine& machine, const Instruction& instruction) {
  Lookup out;
  if (instruction.unknown) return out;
  const auto try_form = [&](const std::string& form) {
    out.entry = find_variant(machine, form, instruction);
    if (out.entry == nullptr) return false;
    // Rows that were concluded by rule when the model was made say so.
    const bool concluded = is_concluded(*out.entry);
    out.status = concluded ? LookupStatus::derived : LookupStatus::known;
    if (concluded) out.note = out.entry->confidence + " by the model: " + out.entry->source;
    return true;
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
