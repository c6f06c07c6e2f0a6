#include "cpp/machine/derive/derive.hpp"

#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <unordered_set>

namespace corecast {
namespace {

// A search over related forms, nearest first. The limits keep a hopeless form cheap; real derivations take one to three
// steps.
constexpr unsigned deepest = 3;
constexpr std::size_t most_forms = 300;

struct Step {
  FormText form;
  std::size_t parent; // index into the steps, itself for the first
  unsigned depth;
  std::string note;
  Adapt adapt;
};

std::span<const DeriveRule> rules_of(const Machine& machine) {
  switch (machine.pipeline().architecture) {
  case Architecture::x86:
    return x86_rules();
  case Architecture::aarch64:
    return aarch64_rules();
  case Architecture::riscv64:
    return riscv_rules();
  }
  return {};
}

/// Applies the adaptations from the form found back to the wanted one.
bool adapt_back(const DeriveContext& context, const std::vector<Step>& steps, std::size_t found, FormEntry& entry,
                std::string& note) {
  for (std::size_t at = found; steps[at].parent != at; at = steps[at].parent) {
    if (steps[at].adapt && !steps[at].adapt(context, entry)) return false;
    note += steps[at].note;
  }
  return true;
}

void finish(FormEntry& entry, const std::string& wanted) {
  entry.key = wanted;
  entry.confidence = "derived";
  // Measured for another form, whose ports say the same of this one; where nobody knows them, it is all that there is.
  if (entry.ports_known) entry.reciprocal_throughput_cycles.reset();
}

bool add_ports(const DeriveContext& context, const std::optional<std::string>& usage, std::vector<PortUse>& out) {
  if (!usage) return false;
  const Machine& machine = context.machine;
  const auto uses = parse_port_usage(*usage, machine.port_names(), "memory");
  out.insert(out.end(), uses.begin(), uses.end());
  return true;
}

bool add_load_ports(const DeriveContext& context, bool vector, std::vector<PortUse>& ports) {
  const MemoryParameters& memory = context.machine.pipeline().memory;
  return add_ports(context, vector && memory.vector_load_ports ? memory.vector_load_ports : memory.load_ports, ports);
}

bool add_store_ports(const DeriveContext& context, bool vector, std::vector<PortUse>& ports) {
  const MemoryParameters& memory = context.machine.pipeline().memory;
  const bool indexed = context.instruction.indexed && memory.store_address_ports_indexed;
  const auto& data =
      vector && memory.vector_store_data_ports ? memory.vector_store_data_ports : memory.store_data_ports;
  return add_ports(context, indexed ? memory.store_address_ports_indexed : memory.store_address_ports, ports) &&
         add_ports(context, data, ports);
}

double load_latency(const DeriveContext& context, bool vector) {
  const MemoryParameters& memory = context.machine.pipeline().memory;
  const auto plain = memory.load_latency_cycles.value_or(0);
  return vector ? memory.vector_load_latency_cycles.value_or(plain) : plain;
}

} // namespace

FormEntry plain_load(const DeriveContext& context, bool vector, OperandId destination, bool& possible) {
  FormEntry entry;
  possible = add_load_ports(context, vector, entry.ports) && context.machine.pipeline().memory.load_latency_cycles;
  entry.latency.push_back({operand_id::address, destination, load_latency(context, vector)});
  entry.uops = UopCounts{1, 1, 1};
  entry.source = "pipeline.toml";
  return entry;
}

FormEntry plain_store(const DeriveContext& context, bool vector, OperandId data, bool& possible) {
  FormEntry entry;
  possible = add_store_ports(context, vector, entry.ports);
  const double latency = context.machine.pipeline().memory.store_latency_cycles;
  entry.latency.push_back({data, operand_id::memory, latency});
  entry.latency.push_back({operand_id::address, operand_id::memory, latency});
  entry.uops = context.machine.pipeline().micro_fusion ? UopCounts{1, 2, 1} : UopCounts{1, 1, 1};
  entry.source = "pipeline.toml";
  return entry;
}

Adapt add_memory_access(OperandId position, bool vector, bool also_stored) {
  return [=](const DeriveContext& context, FormEntry& entry) {
    const PipelineParameters& pipeline = context.machine.pipeline();
    if (!pipeline.memory.load_latency_cycles) return false;
    if (!add_load_ports(context, vector, entry.ports)) return false;
    if (also_stored && !add_store_ports(context, vector, entry.ports)) return false;

    const double load = load_latency(context, vector);
    const double store = pipeline.memory.store_latency_cycles;
    std::vector<LatencyRule> rules;
    for (LatencyRule rule : entry.latency) {
      if (also_stored && rule.destination == position) {
        rule.destination = operand_id::memory;
        rule.cycles += rule.source == position ? 0 : store;
      }
      if (rule.source == position) {
        rules.push_back({operand_id::memory, rule.destination, rule.cycles + (also_stored ? load : 0)});
        rule.source = operand_id::address;
        rule.cycles += load;
      } else if (rule.source == operand_id::any) {
        rules.push_back({operand_id::address, rule.destination, rule.cycles + load});
      }
      rules.push_back(rule);
    }
    entry.latency = std::move(rules);

    // A load shares the slot of its operation; a store takes another one except on cores with macro-ops.
    if (entry.uops) {
      const bool macro_ops = pipeline.micro_fusion && pipeline.rmw_shares_slot;
      UopCounts& uops = *entry.uops;
      const double own = std::max(1.0, uops.fused);
      const double extra = pipeline.micro_fusion ? (also_stored && !macro_ops ? 1 : 0) : (also_stored ? 2 : 1);
      uops.fused = own + extra;
      uops.retired = std::max(1.0, uops.retired) + extra;
      uops.unfused += also_stored ? 3 : 1;
    }
    if (also_stored) entry.decode.reset();
    entry.flags.eliminated = false;
    return true;
  };
}

void add_with_operand(std::vector<Sibling>& out, const FormText& base, std::size_t position, std::string operand) {
  Sibling sibling{base, "", {}};
  sibling.form.operands[position] = std::move(operand);
  out.push_back(std::move(sibling));
}

void add_family(std::vector<Sibling>& out, const FormText& form,
                std::span<const std::span<const std::string_view>> families) {
  for (const auto family : families) {
    if (std::find(family.begin(), family.end(), form.mnemonic) == family.end()) continue;
    for (const std::string_view other : family) {
      if (other == form.mnemonic) continue;
      Sibling sibling{form, "", {}};
      sibling.form.mnemonic = other;
      out.push_back(std::move(sibling));
    }
  }
}

std::optional<Derived> derive(const Machine& machine, const Instruction& instruction) {
  const DeriveContext context{machine, instruction};
  const auto rules = rules_of(machine);
  std::vector<Step> steps;
  std::unordered_set<std::string> seen;
  const auto start = [&](const std::string& key) {
    if (!seen.insert(key).second) return;
    steps.push_back({FormText::parse(key), steps.size(), 0, "", {}});
  };
  start(instruction.form);
  for (const std::string& form : instruction.alternative_forms)
    start(form);

  std::vector<Sibling> siblings;
  for (std::size_t at = 0; at < steps.size() && steps.size() < most_forms; ++at) {
    if (steps[at].depth == deepest) continue;
    siblings.clear();
    for (const DeriveRule rule : rules)
      rule(context, steps[at].form, siblings);
    for (Sibling& sibling : siblings) {
      const std::string key = sibling.form.mnemonic.empty() ? std::string() : sibling.form.str();
      if (!key.empty() && !seen.insert(key).second) continue;
      const FormEntry* base = nullptr;
      static const FormEntry nothing;
      if (key.empty())
        base = &nothing; // the rule makes the entry itself
      else
        base = find_variant(machine, key, instruction);
      const unsigned depth = key.empty() ? deepest : steps[at].depth + 1; // nothing follows from an entry made here
      steps.push_back({std::move(sibling.form), at, depth, std::move(sibling.note), std::move(sibling.adapt)});
      if (base == nullptr) continue;
      Derived result{*base, key.empty() ? "" : "like " + base->key};
      if (adapt_back(context, steps, steps.size() - 1, result.entry, result.note)) {
        finish(result.entry, instruction.form);
        return result;
      }
    }
  }
  return std::nullopt;
}

} // namespace corecast
