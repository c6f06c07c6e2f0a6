#include "cpp/machine/pipeline/read_rules.hpp"

#include "cpp/machine/forms/form_row.hpp"

#include <string>

namespace corecast {
namespace {

std::optional<bool> flag_in(const Value& table, std::string_view key) {
  const Value* value = table.find(key);
  return value == nullptr || value->boolean() == nullptr ? std::nullopt : std::optional(*value->boolean());
}

std::optional<double> number_in(const Value& table, std::string_view key) {
  const Value* value = table.find(key);
  return value == nullptr || value->number() == nullptr ? std::nullopt : std::optional(*value->number());
}

template <typename Policy> Policy policy_in(const Value& table, std::string_view key, Policy otherwise) {
  const Value* value = table.find(key);
  return value == nullptr || value->text() == nullptr ? otherwise : named<Policy>(*value->text()).value_or(otherwise);
}

Pattern read_pattern(const Value& rule, std::string_view side) {
  Pattern out;
  const Value* table = rule.find(side);
  if (table == nullptr) return out;
  out.mnemonics = table->texts("mnemonics");
  out.except = table->texts("except");
  out.access = policy_in(*table, "access", AccessKind::any);
  out.width_bytes = table->numbers("width_bytes");
  out.max_uops = number_in(*table, "max_uops");
  out.indexed = flag_in(*table, "indexed");
  out.pc_relative = flag_in(*table, "pc_relative");
  out.memory_and_immediate = flag_in(*table, "memory_and_immediate");
  out.register_update = flag_in(*table, "register_update");
  out.vector = flag_in(*table, "vector");
  out.sets_flags = flag_in(*table, "sets_flags");
  out.extends = flag_in(*table, "extends");
  out.begins_pair = flag_in(*table, "begins_pair");
  out.added_by_renaming = flag_in(*table, "added_by_renaming");
  out.changes_copy = flag_in(*table, "changes_copy");
  return out;
}

/// Conditions that only some effects can tell: else they would be taken for true or false without a look.
void check_supply_cost(const PipelineReader& in, const Value& item, const std::string& path) {
  for (const char* side : {"producer", "consumer"})
    if (item.find(side) != nullptr) in.fail(path + "." + side, "absent: a supply cost is of a whole body");
}

void check_rule(const PipelineReader& in, const Rule& rule, const std::string& path) {
  const bool pairs = rule.effect == Effect::fuse || rule.effect == Effect::absorb;
  for (const auto& [side, pattern] : {std::pair("producer", &rule.producer), std::pair("consumer", &rule.consumer)}) {
    const std::string start = path + "." + side + ".";
    if (pairs && pattern->begins_pair) in.fail(start + "begins_pair", "absent where a rule makes pairs");
    if (pattern->added_by_renaming && (rule.effect != Effect::delay || side != std::string_view("producer")))
      in.fail(start + "added_by_renaming", "of the producer of a delay");
    if (pattern->changes_copy && (!pairs || side != std::string_view("consumer")))
      in.fail(start + "changes_copy", "of the consumer of a pair");
  }
  if (rule.effect == Effect::rename_memory && rule.producer.max_uops)
    in.fail(path + ".producer.max_uops", "absent where memory is renamed");
  const bool costs = rule.effect == Effect::delay || rule.effect == Effect::supply_cost;
  if (rule.cycles != 0 && !costs) in.fail(path + ".cycles", "absent where nothing is delayed");
  if (rule.cycles == 0 && costs) in.fail(path + ".cycles", "above 0 (cycles) for a delay or a cost");
  if (rule.ports != 0 && (rule.effect != Effect::delay || rule.delays != Delays::result))
    in.fail(path + ".ports", "absent where no result is delayed");
  if (rule.producer_ports != 0 && rule.ports == 0)
    in.fail(path + ".producer_ports", "absent where no ports delay a result");
  if (rule.port_cycles != 0 && rule.effect != Effect::delay)
    in.fail(path + ".port_cycles", "absent where nothing is delayed");
  if (rule.same_width && rule.effect != Effect::rename_memory)
    in.fail(path + ".same_width", "absent where no memory is renamed");
  if (rule.same_group && (rule.effect != Effect::delay || rule.ports != 0 || rule.port_cycles != 0))
    in.fail(path + ".same_group", "absent where nothing is delayed, or an operation by its ports");
  if (rule.loops_only && !pairs && rule.effect != Effect::delay)
    in.fail(path + ".loops_only", "absent where a rule makes no pairs and delays nothing");
}

} // namespace

std::vector<Rule> read_rules(const PipelineReader& in, const PortNames& ports) {
  std::vector<Rule> rules;
  const Value::List* list = in.list("rules");
  if (list == nullptr) return rules;
  for (std::size_t place = 0; place < list->size(); ++place) {
    const Value& item = (*list)[place];
    const std::string path = "rules." + std::to_string(place);
    Rule rule;
    rule.effect = policy_in(item, "effect", Effect::delay);
    rule.producer = read_pattern(item, "producer");
    rule.consumer = read_pattern(item, "consumer");
    rule.through = policy_in(item, "through", Through::registers);
    rule.delays = policy_in(item, "delays", Delays::input);
    rule.cycles = number_in(item, "cycles").value_or(0);
    rule.port_cycles = number_in(item, "port_cycles").value_or(0);
    if (item.find("ports") != nullptr) rule.ports = ports.mask_of(item.texts("ports"), path + ".ports");
    if (item.find("producer_ports") != nullptr)
      rule.producer_ports = ports.mask_of(item.texts("producer_ports"), path + ".producer_ports");
    rule.supplier = policy_in(item, "supplier", Supplied::any);
    rule.per = policy_in(item, "per", CostOf::line);
    rule.line_bytes = static_cast<std::uint32_t>(number_in(item, "line_bytes").value_or(64));
    rule.free = static_cast<std::uint32_t>(number_in(item, "free").value_or(0));
    rule.loops_only = flag_in(item, "loops_only").value_or(false);
    rule.same_group = flag_in(item, "same_group").value_or(false);
    rule.same_width = flag_in(item, "same_width").value_or(false);
    if (rule.effect == Effect::supply_cost) check_supply_cost(in, item, path);
    check_rule(in, rule, path);
    rules.push_back(std::move(rule));
  }
  return rules;
}

} // namespace corecast
