#include "cpp/machine/pipeline/pipeline.hpp"

#include "cpp/base/error.hpp"
#include "cpp/machine/extensions.hpp"
#include "cpp/machine/forms/form_row.hpp"
#include "cpp/machine/pipeline/pipeline_reader.hpp"
#include "cpp/machine/pipeline/read_front_end.hpp"
#include "cpp/machine/pipeline/read_rules.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace corecast {
namespace {

using Reader = PipelineReader;

Architecture read_architecture(const Reader& in) {
  const std::string isa = in.required_text("isa");
  if (isa == "aarch64") return Architecture::aarch64;
  if (isa == "riscv64") return Architecture::riscv64;
  if (isa != "x86") in.fail("isa", "x86, aarch64 or riscv64, not \"" + isa + "\"");
  return Architecture::x86;
}

double number_in(const Value& item, std::string_view key) {
  const Value* value = item.find(key);
  return value == nullptr || value->number() == nullptr ? 0 : *value->number();
}

std::optional<double> optional_number_in(const Value& item, std::string_view key) {
  const double number = number_in(item, key);
  return number > 0 ? std::optional(number) : std::nullopt;
}

void read_late_loads(const Reader& in, PipelineParameters& out) {
  if (const Value::List* list = in.list("loads.late"))
    for (const Value& item : *list) {
      const Value* base = item.find("base");
      out.memory.late_loads.push_back(
          {base == nullptr ? "" : *base->text(), number_in(item, "share"), number_in(item, "cycles")});
    }
}

void read_activity(const Reader& in, BackEndParameters& out) {
  const Value::List* list = in.list("vectors.activity");
  if (list == nullptr) return;
  for (const Value& item : *list) {
    ActivityCycles each{number_in(item, "bits"),
                        {},
                        number_in(item, "operation_cycles"),
                        number_in(item, "load_cycles"),
                        number_in(item, "store_cycles")};
    each.operations.mnemonics = item.texts("mnemonics");
    out.activity.push_back(std::move(each));
  }
}

/// Of microcode, against speculative leaks: form tables of these names hold what instructions take with them.
constexpr const char* known_mitigations[] = {"gather_data_sampling"};

std::vector<std::string> read_mitigations_off(const Reader& in) {
  std::vector<std::string> off;
  for (const char* name : known_mitigations)
    if (!in.boolean((std::string("mitigations.") + name).c_str(), true)) off.push_back(name);
  return off;
}

/// What follows from several values of the table.
void finish_memory(MemoryParameters& memory) {
  for (auto* each :
       {&memory.load_latency_cycles, &memory.vector_load_latency_cycles, &memory.vector_operand_load_latency_cycles})
    if (*each) **each += memory.extra_load_latency_cycles;
  // Where entries are given back before retirement, what is in flight until then counts.
  if (memory.loads_in_flight) memory.load_queue_entries = memory.loads_in_flight;
}

/// The ports that an item of a list of tables names: ports, units and groups.
std::uint64_t read_ports(const Reader& in, const Value& item, const std::string& path, const PortNames& ports) {
  return ports.mask_of(in.strings(*item.find("ports"), path + ".ports"), path + ".ports");
}

/// The same, each port being itself: other ports that rows may take in its place (ports.spread) lie elsewhere.
std::uint64_t own_ports(const std::vector<std::string>& names, const std::string& path, const PortNames& ports,
                        const std::vector<std::string>& all) {
  PortMask mask = 0;
  for (const std::string& name : names) {
    const auto port = std::find(all.begin(), all.end(), name);
    mask |= port == all.end() ? ports.mask_of({name}, path) : PortMask{1} << (port - all.begin());
  }
  return mask;
}

void read_schedulers(const Reader& in, const PortNames& ports, PipelineParameters& out) {
  constexpr const char* schedulers = "schedulers";
  if (const Value::List* list = in.list(schedulers))
    for (const Value& item : *list)
      out.back_end.schedulers.push_back({own_ports(in.strings(*item.find("ports"), std::string(schedulers) + ".ports"),
                                                   std::string(schedulers) + ".ports", ports, out.ports),
                                         number_in(item, "entries"), optional_number_in(item, "accepts_per_cycle"),
                                         optional_number_in(item, "issues_per_cycle")});
  PortMask seen = 0;
  for (const SchedulerParameters& each : out.back_end.schedulers) {
    if ((each.ports & seen) != 0) in.fail(schedulers, "each port in one scheduler at most");
    seen |= each.ports;
  }
  if (out.back_end.schedulers.empty()) return;
  if (!in.text("port_choice.policy")) out.back_end.port_assignment = PortAssignment::at_issue;
  if (out.back_end.port_assignment == PortAssignment::at_issue) return;
  for (const SchedulerParameters& each : out.back_end.schedulers)
    if (each.dispatches_per_cycle || each.issues_per_cycle)
      in.fail(schedulers, "ports and entries alone where ports are chosen at rename");
}

void read_dispatch_limits(const Reader& in, const PortNames& ports, PipelineParameters& out) {
  constexpr const char* limits = "rename.limits";
  if (const Value::List* list = in.list(limits))
    for (const Value& item : *list)
      out.rename.dispatch_limits.push_back({read_ports(in, item, limits, ports), number_in(item, "uops_per_cycle")});
}

/// What a table names itself; where its figures come from is not an entry.
std::vector<std::pair<std::string, const Value*>> entries_of(const Reader& in, const char* path) {
  std::vector<std::pair<std::string, const Value*>> out;
  if (const Value::Table* table = in.table(path))
    for (const auto& [name, value] : *table)
      if (name != "source" && name != "confidence") out.emplace_back(name, &value);
  return out;
}

bool goes_by_slots(PortAssignment policy) {
  return policy == PortAssignment::rotating || policy == PortAssignment::paired_slots ||
         policy == PortAssignment::ranked;
}

std::uint8_t single_port(const Reader& in, const PortNames& ports, const std::string& name, const std::string& path) {
  if (const auto port = ports.port(name)) return static_cast<std::uint8_t>(*port);
  const std::uint64_t mask = ports.mask_of({name}, path);
  if (std::popcount(mask) != 1) in.fail(path, "single ports, not the group " + name);
  return static_cast<std::uint8_t>(std::countr_zero(mask));
}

std::vector<std::uint8_t> ranks_in(const Value::List& list) {
  std::vector<std::uint8_t> out;
  for (const Value& rank : list)
    out.push_back(static_cast<std::uint8_t>(*rank.number()));
  return out;
}

/// The orders of ports by slot, all of the set that the table names.
SlotOrder read_slot_order(const Reader& in, const PortNames& ports) {
  SlotOrder out;
  for (const auto& [name, order] : entries_of(in, "port_choice.slot_orders")) {
    const std::string path = "port_choice.slot_orders." + name;
    out.by_least.push_back({single_port(in, ports, name, path), {}});
    out.ports |= PortMask{1} << out.by_least.back().first;
    for (const std::string& port : in.strings(*order, path))
      out.by_least.back().second.push_back(single_port(in, ports, port, path));
    if (out.by_least.back().second.empty()) in.fail(path, "a list of at least one port");
  }
  for (const auto& [least, order] : out.by_least)
    for (const std::uint8_t port : order)
      if ((out.ports >> port & 1) == 0)
        in.fail("port_choice.slot_orders", "orders of the ports that the table names, and no others");
  return out;
}

/// How ports are chosen. What the policy does not use is ignored: a model may inherit it.
void read_port_choice(const Reader& in, const PortNames& ports, PipelineParameters& out) {
  BackEndParameters& back_end = out.back_end;
  if (goes_by_slots(back_end.port_assignment) && !back_end.waiting_limit_uops)
    in.fail("port_choice.policy", "given with port_choice.waiting_limit_uops where it goes by slots");
  constexpr const char* alternating = "port_choice.alternating";
  if (const Value::List* sets = in.list(alternating))
    for (const Value& set : *sets) {
      back_end.alternating.push_back(ports.mask_of(in.strings(set, alternating), alternating));
      if (std::popcount(back_end.alternating.back()) < 2) in.fail(alternating, "a list of sets of two ports or more");
    }
  if (back_end.alternating.size() > 64) in.fail(alternating, "at most 64 sets");
  back_end.slot_order = read_slot_order(in, ports);
  if (const Value::List* ranks = in.list("port_choice.slot_ranks")) back_end.slot_ranks = ranks_in(*ranks);
  constexpr const char* set_ranks = "port_choice.set_ranks";
  if (const Value::List* sets = in.list(set_ranks))
    for (const Value& set : *sets)
      back_end.set_ranks.push_back({read_ports(in, set, set_ranks, ports), ranks_in(*set.find("ranks")->list())});
  if (!back_end.set_ranks.empty() && back_end.slot_ranks.empty())
    in.fail(set_ranks, "given with port_choice.slot_ranks");
}

void read_changes(const Reader& in, const char* path, FormChange::What what, PipelineParameters& out) {
  for (const auto& [glob, value] : entries_of(in, path))
    out.changes.push_back({what, glob, *value->number()});
}

void read_port_changes(const Reader& in, const PortNames& ports, PipelineParameters& out) {
  for (const auto& [glob, value] : entries_of(in, "changes.ports")) {
    const std::string key = "changes.ports." + glob;
    out.changes.push_back({FormChange::What::ports, glob, 0, parse_port_usage(*value->text(), ports, key)});
  }
}

/// extensions.names, and what further keys of the table add (true) or take away (false).
std::optional<std::vector<std::string>> read_extensions(const Reader& in, Architecture architecture,
                                                        const std::string& isa) {
  std::vector<std::string> names = in.texts("extensions.names");
  const Value::Table* table = in.table("extensions");
  if (table == nullptr || !table->contains("names")) return std::nullopt;
  const std::vector<std::string_view> known = extension_names(architecture);
  const auto check = [&](const std::string& path, const std::string& name) {
    if (!std::binary_search(known.begin(), known.end(), name))
      in.fail(path, ("an extension of " + isa + ", not '" + name + "'").c_str());
  };
  for (const std::string& name : names)
    check("extensions.names", name);
  for (const auto& [name, value] : entries_of(in, "extensions")) {
    if (name == "names") continue;
    check("extensions." + name, name);
    if (value->boolean() == nullptr) in.fail("extensions." + name, "true or false");
    std::erase(names, name);
    if (*value->boolean()) names.push_back(name);
  }
  return names;
}

/// Takes down what is wrong instead of giving up at the first.
class Faults {
public:
  explicit Faults(std::vector<Fault> found) : all(std::move(found)) {}

  /// Runs a reader of `key`. What has been complained of there is not read: it would be said twice.
  template <typename Read> void guard(const std::string& key, const Read& read) {
    const auto is_inside = [&](const Fault& each) {
      return each.key == key || (each.key.starts_with(key) && each.key[key.size()] == '.');
    };
    if (std::any_of(all.begin(), all.end(), is_inside)) return;
    try {
      read();
    } catch (const KeyError& error) {
      all.push_back({error.key, error.what()});
    } catch (const ModelError& error) { // of names of ports: it begins with the key
      const std::string message = error.what();
      all.push_back({message.substr(0, message.find_first_of(": ")), message});
    }
  }

  std::vector<Fault> all;
};

void read_ports_and_units(const Reader& in, PipelineParameters& out) {
  out.ports = in.texts("ports.names");
  if (out.ports.empty()) in.fail("ports.names", "a list of at least one port");
  for (const auto& [name, members] : entries_of(in, "ports.groups"))
    out.port_groups[name] = in.strings(*members, "ports.groups." + name);
  for (const auto& [name, members] : entries_of(in, "ports.spread"))
    out.port_spread[name] = in.strings(*members, "ports.spread." + name);
  for (const auto& [name, unit] : entries_of(in, "units"))
    out.units.push_back(name);
  if (out.ports.size() + out.units.size() > 64) in.fail("ports.names", "at most 64 ports, together with [units]");
}

/// What needs the names of the ports.
void read_with_ports(const Reader& in, const PortNames& ports, Faults& faults, PipelineParameters& out) {
  faults.guard("changes.ports", [&] { read_port_changes(in, ports, out); });
  for (const std::string& unit : out.units)
    faults.guard("units." + unit, [&] {
      const std::string key = "units." + unit + ".port";
      if (const auto port = in.text(key)) ports.mask_of({*port}, key);
    });
  const PortMask all_ports = (PortMask{1} << (out.ports.size() - 1) << 1) - 1;
  faults.guard("repeats", [&] { out.repeats = read_repeats(in, ports, all_ports); });
  faults.guard("schedulers", [&] { read_schedulers(in, ports, out); });
  faults.guard("rename.spread_ports", [&] {
    out.back_end.spread = own_ports(out.rename.spread_ports, "rename.spread_ports", ports, out.ports);
  });
  faults.guard("rename.spread_address_ports", [&] {
    out.back_end.spread_addresses =
        own_ports(out.rename.spread_address_ports, "rename.spread_address_ports", ports, out.ports);
  });
  faults.guard("rename.port_turns", [&] {
    for (const std::string& port : out.rename.port_turns)
      out.back_end.turns.push_back(own_ports({port}, "rename.port_turns", ports, out.ports));
  });
  faults.guard("scheduler_queue.ports", [&] {
    out.back_end.queued = own_ports(out.scheduler_queue_ports, "scheduler_queue.ports", ports, out.ports);
  });
  faults.guard("rename.limits", [&] { read_dispatch_limits(in, ports, out); });
  faults.guard("port_choice", [&] { read_port_choice(in, ports, out); });
  faults.guard("rules", [&] {
    out.rules = read_rules(in, ports);
    std::copy_if(out.rules.begin(), out.rules.end(), std::back_inserter(out.front_end.supply_costs),
                 [](const Rule& rule) { return rule.effect == Effect::supply_cost; });
  });
}

void read_all(const Reader& in, Faults& faults, PipelineParameters& out) {
  out.name = in.text("name").value_or("");
  faults.guard("isa", [&] { out.architecture = read_architecture(in); });
  read_scalars(in, out.architecture == Architecture::x86, out);
  faults.guard("extensions", [&] { out.extensions = read_extensions(in, out.architecture, in.required_text("isa")); });
  faults.guard("vector_length_bits", [&] {
    if (out.vector_length_bits && !is_vector_length(*out.vector_length_bits))
      in.fail("vector_length_bits", "a power of two from 128 to 65536");
  });
  faults.guard("changes", [&] {
    read_changes(in, "changes.latency", FormChange::What::latency_cycles, out);
    read_changes(in, "changes.uops", FormChange::What::uops, out);
  });
  faults.guard("uop_cache.entry_limits", [&] { read_uop_cache_entry_limits(in, out.front_end); });
  faults.guard("loop_buffer.copies", [&] { read_loop_buffer_copies(in, out.front_end); });
  faults.guard("loads.late", [&] { read_late_loads(in, out); });
  out.memory.forward_latency_by_waiting = in.numbers("store_forwarding.latency_by_waiting");
  faults.guard("vectors.activity", [&] { read_activity(in, out.back_end); });
  finish_memory(out.memory);
  out.mitigations_off = read_mitigations_off(in);
  const std::size_t before = faults.all.size();
  faults.guard("units", [&] { faults.guard("ports", [&] { read_ports_and_units(in, out); }); });
  if (faults.all.size() == before && !out.ports.empty())
    faults.guard("ports", [&] { read_with_ports(in, PortNames(out), faults, out); });
}

Faults read_pipeline(const Value& tree, PipelineParameters& out) {
  Faults faults(check_parameters(tree));
  read_all(Reader(tree, out.file), faults, out);
  return faults;
}

} // namespace

PipelineDetail PipelineParameters::detail() const {
  const bool front =
      front_end.decoders || front_end.uop_cache_width || front_end.fetch_instructions || front_end.fetch_bytes;
  const bool waiting = back_end.in_order || back_end.scheduler_entries || !back_end.schedulers.empty();
  const bool loads = memory.load_latency_cycles || memory.vector_load_latency_cycles;
  const bool forwarding = memory.store_forward_latency_cycles || memory.vector_store_forward_latency_cycles;
  const bool ordered = back_end.in_order || back_end.reorder_buffer_entries;
  if (front && waiting && ordered && loads && forwarding) {
    const SimulationGaps gaps = simulation_gaps();
    const bool chooses = back_end.in_order || back_end.port_assignment != PortAssignment::least_loaded;
    return chooses && gaps.required.empty() && gaps.unlimited.empty() ? PipelineDetail::full : PipelineDetail::most;
  }
  return front || waiting || loads || forwarding ? PipelineDetail::partial : PipelineDetail::widths;
}

SimulationGaps PipelineParameters::simulation_gaps() const {
  SimulationGaps out;
  for (const Need& need : needs(*this)) {
    if (need.known) continue;
    if (need.kind == Need::simulate)
      out.required.emplace_back(need.part);
    else if (back_end.in_order) // keeps what it has issued: there are no such buffers
      continue;
    else
      (need.kind == Need::limit ? out.unlimited : out.required).emplace_back(need.part);
  }
  return out;
}

PipelineParameters PipelineParameters::read(const Value& tree, const std::string& file) {
  PipelineParameters out;
  out.file = file;
  const Faults faults = read_pipeline(tree, out);
  if (!faults.all.empty()) throw KeyError(faults.all.front().key, faults.all.front().message, file);
  return out;
}

std::vector<Fault> PipelineParameters::faults(const Value& tree) {
  PipelineParameters out;
  return read_pipeline(tree, out).all;
}

} // namespace corecast
