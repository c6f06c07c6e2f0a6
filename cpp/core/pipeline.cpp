#include "cpp/core/pipeline.hpp"

#include "cpp/core/error.hpp"
#include "cpp/core/extensions.hpp"
#include "cpp/core/form_row.hpp"
#include "cpp/core/pipeline_reader.hpp"
#include "cpp/core/read_front_end.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace corecast {
namespace {

constexpr double most_line_bytes = 4096;

using Reader = PipelineReader;

Architecture read_architecture(const Reader& in, const std::string& file) {
  const std::string isa = in.required_text("isa");
  if (isa == "x86") return Architecture::x86;
  if (isa == "aarch64") return Architecture::aarch64;
  if (isa == "riscv64") return Architecture::riscv64;
  throw ModelError("isa must be x86, aarch64 or riscv64, not \"" + isa + "\"", file);
}

MoveSlotFreed read_move_slot_freed(const Reader& in) {
  constexpr const char* path = "rename.move_elimination_gpr_slot_freed";
  const std::string name = in.text(path).value_or("all_overwritten");
  if (name == "one_left") return MoveSlotFreed::one_left;
  if (name == "one_left_without_move") return MoveSlotFreed::one_left_without_move;
  if (name != "all_overwritten") in.fail(path, "all_overwritten, one_left or one_left_without_move");
  return MoveSlotFreed::all_overwritten;
}

RenameParameters read_rename(const Reader& in, const std::string& file) {
  RenameParameters out;
  out.width = in.width({"rename.dispatch_width_uops_per_cycle", "rename.issue_width_fused_uops_per_cycle",
                         "rename.dispatch_width_mops_per_cycle", "rename.rename_width_mops_per_cycle"});
  if (!out.width) throw ModelError("rename.dispatch_width_uops_per_cycle is missing", file);
  out.high8_renamed_separately = in.boolean("rename.high8_renamed_separately", false);
  out.high8_clean_read_extra_cycles = in.number({"rename.high8_clean_read_extra_cycles"}).value_or(0);
  out.high8_merge_ports = in.texts("rename.high8_merge_ports");
  out.one_uop_per_slot = in.boolean("rename.one_uop_per_slot", false);
  out.slow_flags = {in.texts("rename.slow_flags_from"), in.texts("rename.slow_flags_to"),
                    in.number({"rename.slow_flags_cycles"}).value_or(1)};
  out.late_constants = {in.texts("rename.late_constants_to"), in.number({"rename.late_constants_cycles"}).value_or(2)};
  out.constants_per_cycle = in.width({"rename.dispatch_constants_per_cycle"});
  out.move_elimination_gpr_slots = in.number({"rename.move_elimination_gpr_slots"});
  out.move_elimination_simd_slots = in.number({"rename.move_elimination_simd_slots"});
  out.move_elimination_pipeline_cycles = in.number({"rename.move_elimination_pipeline_length_cycles"}).value_or(2);
  out.move_elimination_gpr_slot_freed = read_move_slot_freed(in);
  return out;
}

PortAssignment read_port_assignment(const Reader& in) {
  const std::string name = in.text("back_end.port_assignment").value_or("least_loaded");
  if (name == "six_port") return PortAssignment::six_port;
  if (name == "eight_port") return PortAssignment::eight_port;
  if (name == "ten_port") return PortAssignment::ten_port;
  if (name == "in_turn") return PortAssignment::in_turn;
  if (name == "at_dispatch") return PortAssignment::at_dispatch;
  if (name != "least_loaded")
    in.fail("back_end.port_assignment", "least_loaded, six_port, eight_port, ten_port, in_turn or at_dispatch");
  return PortAssignment::least_loaded;
}

std::vector<LateLoads> read_late_loads(const Reader& in) {
  constexpr const char* path = "memory.late_loads";
  constexpr double most_cycles = 10000;
  std::vector<LateLoads> out;
  const Value::List* list = in.list(path);
  if (list == nullptr) return out;
  for (const Value& item : *list) {
    const Value* share = item.find("share");
    const Value* cycles = item.find("cycles");
    const Value* base = item.find("base");
    const bool numbers = share != nullptr && cycles != nullptr && share->number() != nullptr && cycles->number() != nullptr;
    if (!numbers || !(*share->number() >= 0 && *share->number() <= 1) ||
        !(*cycles->number() >= 0 && *cycles->number() <= most_cycles) || (base != nullptr && base->text() == nullptr))
      in.fail(path, "a list of {share = 0.1, cycles = 10, base = \"x1\"}, where base may be left out");
    out.push_back({base == nullptr ? "" : *base->text(), *share->number(), *cycles->number()});
  }
  return out;
}

Mirroring read_mirroring(const Reader& in) {
  const std::string name = in.text("memory.memory_mirroring").value_or("full");
  if (name == "stack") return Mirroring::stack;
  if (name == "moves") return Mirroring::moves;
  if (name == "alone") return Mirroring::alone;
  if (name != "full") in.fail("memory.memory_mirroring", "full, stack, moves or alone");
  return Mirroring::full;
}

/// Of microcode, against speculative leaks: form tables of these names hold what instructions take with them.
constexpr const char* known_mitigations[] = {"gather_data_sampling"};

std::vector<std::string> read_mitigations_off(const Reader& in) {
  std::vector<std::string> off;
  for (const char* name : known_mitigations)
    if (!in.boolean((std::string("mitigations.") + name).c_str(), true)) off.push_back(name);
  return off;
}

MemoryParameters read_memory(const Reader& in) {
  MemoryParameters out;
  out.load_latency_cycles = in.number({"memory.load_latency_cycles", "memory.load_latency_int_cycles"});
  out.vector_load_latency_cycles = in.number(
      {"memory.vector_load_latency_cycles", "memory.load_latency_vec_cycles", "memory.load_latency_neon_cycles"});
  out.vector_operand_load_latency_cycles = in.number({"memory.vector_operand_load_latency_cycles"});
  out.complex_address_cycles = in.number({"memory.complex_address_cycles"}).value_or(0);
  out.extra_load_latency_cycles = in.number({"memory.extra_load_latency_cycles"}).value_or(0);
  out.late_loads = read_late_loads(in);
  for (auto* each : {&out.load_latency_cycles, &out.vector_load_latency_cycles, &out.vector_operand_load_latency_cycles})
    if (*each) **each += out.extra_load_latency_cycles;
  out.store_forward_latency_cycles =
      in.number({"memory.store_forward_latency_cycles", "memory.store_forward_success_cycles"});
  out.vector_store_forward_latency_cycles =
      in.number({"memory.vector_store_forward_latency_cycles", "memory.store_forward_vec_cycles"});
  out.mirrored_forward_latency_cycles = in.number({"memory.store_forward_mirrored_cycles"});
  out.mirrored_loads_predicted = in.number({"memory.mirrored_loads_predicted"}).value_or(0);
  out.mirroring = read_mirroring(in);
  out.mirroring_except = in.texts("memory.memory_mirroring_except");
  out.store_latency_cycles = in.number({"memory.store_latency_cycles"}).value_or(4);
  out.writeback_latency_cycles = in.number({"memory.writeback_latency_cycles"}).value_or(1);
  out.store_address_cycles = in.number({"memory.store_address_to_ready_cycles"}).value_or(out.store_address_cycles);
  out.store_data_cycles = in.number({"memory.store_data_to_ready_cycles"}).value_or(out.store_data_cycles);
  out.store_forward_extra_cycles =
      in.number({"memory.store_forward_extra_cycles"}).value_or(out.store_forward_extra_cycles);
  out.store_to_load_dependencies = in.boolean("memory.store_to_load_dependencies", true);
  out.paired_stores_bases_aligned = in.boolean("memory.paired_stores_bases_aligned", false);
  out.paired_stores_line_bytes =
      static_cast<std::int64_t>(std::min(in.number({"memory.paired_stores_same_line_bytes"}).value_or(0), most_line_bytes));
  out.line_bytes = static_cast<std::int64_t>(std::min(in.number({"memory.line_bytes"}).value_or(0), most_line_bytes));
  out.line_crossing_cycles = in.number({"memory.line_crossing_cycles"}).value_or(0);
  out.slow_256_bit_memory = in.boolean("memory.slow_256_bit_memory", false);
  out.fast_pointer_chasing = in.boolean("memory.fast_pointer_chasing", false);
  out.fast_pointer_chasing_with_index = in.boolean("memory.fast_pointer_chasing_with_index", false);
  out.fast_pointer_chasing_latency_cycles = in.number({"memory.fast_pointer_chasing_latency_cycles"});
  out.fast_pointer_chasing_max_displacement =
      in.number({"memory.fast_pointer_chasing_max_displacement"}).value_or(2047);
  // Where entries are given back before retirement, what is in flight until then counts.
  out.load_queue_entries = in.number({"memory.loads_in_flight", "memory.load_queue_entries"});
  out.store_queue_entries = in.number({"memory.store_queue_entries"});
  out.stores_per_cycle = in.width({"memory.stores_per_cycle"});
  out.joined_stores_bytes =
      static_cast<std::int64_t>(std::min(in.number({"memory.joined_stores_same_block_bytes"}).value_or(0), most_line_bytes));
  out.store_write_unit = in.text("memory.store_write_unit");
  out.load_ports = in.text("memory.load_ports");
  out.vector_load_ports = in.text("memory.vector_load_ports");
  out.store_address_ports = in.text("memory.store_address_ports");
  out.store_address_ports_indexed = in.text("memory.store_address_ports_indexed");
  out.store_data_ports = in.text("memory.store_data_ports");
  out.vector_store_data_ports = in.text("memory.vector_store_data_ports");
  out.writeback_ports = in.text("memory.writeback_ports");
  return out;
}

/// The ports that an item of a list of tables names: ports, units and groups.
std::uint64_t read_ports(const Reader& in, const Value& item, const std::string& path, const PortNames& ports) {
  const Value* names = item.find("ports");
  if (names == nullptr) in.fail(path, "tables with ports");
  return ports.mask_of(in.strings(*names, path + ".ports"), path + ".ports");
}

std::optional<double> read_count(const Reader& in, const Value& item, const std::string& path, const char* key) {
  const Value* value = item.find(key);
  if (value == nullptr) return std::nullopt;
  if (value->number() == nullptr || *value->number() < 1) in.fail(path + "." + key, "a number from 1 on");
  return *value->number();
}

void read_schedulers(const Reader& in, const PortNames& ports, PipelineParameters& out) {
  constexpr const char* schedulers = "back_end.schedulers";
  if (const Value::List* list = in.list(schedulers))
    for (const Value& item : *list) {
      const auto entries = read_count(in, item, schedulers, "entries");
      if (!entries) in.fail(schedulers, "tables with ports and entries");
      out.back_end.schedulers.push_back({read_ports(in, item, schedulers, ports), *entries,
                                         read_count(in, item, schedulers, "dispatches_per_cycle"),
                                         read_count(in, item, schedulers, "issues_per_cycle")});
    }
  if (out.back_end.schedulers.empty()) return;
  if (!in.text("back_end.port_assignment")) out.back_end.port_assignment = PortAssignment::at_dispatch;
  if (out.back_end.port_assignment == PortAssignment::at_dispatch) return;
  for (const SchedulerParameters& each : out.back_end.schedulers)
    if (each.dispatches_per_cycle || each.issues_per_cycle)
      in.fail(schedulers, "ports and entries alone where ports are chosen at rename");
}

void read_dispatch_limits(const Reader& in, const PortNames& ports, PipelineParameters& out) {
  constexpr const char* limits = "rename.dispatch_limits";
  if (const Value::List* list = in.list(limits))
    for (const Value& item : *list) {
      const auto uops = read_count(in, item, limits, "uops_per_cycle");
      if (!uops) in.fail(limits, "tables with ports and uops_per_cycle");
      out.rename.dispatch_limits.push_back({read_ports(in, item, limits, ports), *uops});
    }
}

std::vector<FusionRule> read_fusion(const Reader& in) {
  std::vector<FusionRule> rules;
  const Value::List* pairs = in.list("fusion.pairs");
  if (pairs == nullptr) return rules;
  for (const Value& pair : *pairs) {
    const Value* first = pair.find("first");
    const Value* second = pair.find("second");
    if (first == nullptr || second == nullptr) in.fail("fusion.pairs", "tables with first and second");
    FusionRule rule;
    rule.first = in.strings(*first, "fusion.pairs.first");
    rule.second = in.strings(*second, "fusion.pairs.second");
    const auto flag = [&](const char* key, bool& target) {
      if (const Value* value = pair.find(key)) {
        if (value->boolean() == nullptr) in.fail(std::string("fusion.pairs.") + key, "true or false");
        target = *value->boolean();
      }
    };
    flag("first_memory", rule.first_memory);
    flag("first_immediate_memory", rule.first_immediate_memory);
    flag("rip_relative", rule.rip_relative);
    flag("into_copy", rule.into_copy);
    rules.push_back(std::move(rule));
  }
  return rules;
}

/// What a table names itself; where its figures come from is no entry.
std::vector<std::pair<std::string, const Value*>> entries_of(const Reader& in, const char* path) {
  std::vector<std::pair<std::string, const Value*>> out;
  if (const Value::Table* table = in.table(path))
    for (const auto& [name, value] : *table)
      if (name != "source" && name != "confidence") out.emplace_back(name, &value);
  return out;
}

void read_changes(const Reader& in, const char* path, FormChange::What what, PipelineParameters& out) {
  for (const auto& [glob, value] : entries_of(in, path)) {
    const double least = what == FormChange::What::uops ? 1 : 0;
    if (value->number() == nullptr || !std::isfinite(*value->number()) || *value->number() < least)
      in.fail(std::string(path) + "." + glob, least > 0 ? "a number from 1 on" : "a number from 0 on");
    out.changes.push_back({what, glob, *value->number()});
  }
}

void read_port_changes(const Reader& in, const PortNames& ports, PipelineParameters& out) {
  for (const auto& [glob, value] : entries_of(in, "changes.ports")) {
    const std::string key = "changes.ports." + glob;
    if (value->text() == nullptr) in.fail(key, "a port usage such as \"1*p0\"");
    out.changes.push_back({FormChange::What::ports, glob, 0, parse_port_usage(*value->text(), ports, key)});
  }
}

/// extensions.names, and what further keys of the table add (true) or take away (false).
std::optional<std::vector<std::string>> read_extensions(const Reader& in, Architecture architecture, const std::string& isa) {
  std::vector<std::string> names = in.texts("extensions.names");
  const Value::Table* table = in.table("extensions");
  if (table == nullptr || !table->contains("names")) return std::nullopt;
  const std::vector<std::string_view> known = extension_names(architecture);
  const auto check = [&](const std::string& path, const std::string& name) {
    if (!std::binary_search(known.begin(), known.end(), name)) in.fail(path, ("an extension of " + isa + ", not '" + name + "'").c_str());
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

PipelineParameters read_pipeline(const Value& tree, const std::string& file, Reader::Keys* asked) {
  const Reader in(tree, file, asked);
  PipelineParameters out;
  out.file = file;
  out.name = in.required_text("name");
  out.architecture = read_architecture(in, file);
  out.extensions = read_extensions(in, out.architecture, in.required_text("isa"));
  out.ports = in.texts("ports.names");
  if (out.ports.empty()) throw ModelError("ports.names is missing", file);
  for (const auto& [name, members] : entries_of(in, "ports.groups"))
    out.port_groups[name] = in.strings(*members, "ports.groups." + name);
  for (const auto& [name, members] : entries_of(in, "ports.spread"))
    out.port_spread[name] = in.strings(*members, "ports.spread." + name);
  out.table_vector_bits = in.number({"back_end.sve_vector_bits", "back_end.vector_bits"});
  out.vector_length_bits = in.number({"vector_length_bits"});
  if (out.vector_length_bits && !is_vector_length(*out.vector_length_bits))
    in.fail("vector_length_bits", "a power of two from 128 to 65536");
  read_changes(in, "changes.latency", FormChange::What::latency_cycles, out);
  read_changes(in, "changes.uops", FormChange::What::uops, out);
  for (const auto& [name, unit] : entries_of(in, "units")) {
    if (unit->table() == nullptr) in.fail("units." + name, "a table");
    out.units.push_back(name);
  }
  if (out.ports.size() + out.units.size() > 64) throw ModelError("more than 64 ports and units", file);
  const PortNames ports(out);
  read_port_changes(in, ports, out);
  out.repeats = read_repeats(in, ports, (PortMask{1} << (out.ports.size() - 1) << 1) - 1);
  for (const std::string& unit : out.units)
    if (const std::string key = "units." + unit + ".port"; const auto port = in.text(key.c_str())) ports.mask_of({*port}, key);

  out.front_end = read_front_end(in, out.architecture);
  out.rename = read_rename(in, file);
  out.back_end.retire_width =
      in.width({"back_end.retire_width_uops_per_cycle", "back_end.retire_width_fused_uops_per_cycle",
                 "back_end.retire_width_mops_per_cycle", "back_end.retire_width_per_cycle"});
  out.back_end.reorder_buffer_entries = in.number({"back_end.rob_entries"});
  out.back_end.integer_alu_ports = in.texts("back_end.integer_alu_ports");
  out.back_end.taken_branch_ports = in.texts("back_end.taken_branch_ports");
  out.back_end.zmm_closes_port = in.text("back_end.zmm_closes_port").value_or("");
  out.back_end.shared_result_ports = in.texts("back_end.shared_result_ports");
  out.back_end.vector_ports = in.texts("back_end.vector_ports");
  out.back_end.in_order = in.boolean("in_order", in.boolean("back_end.in_order", in.boolean("fusion.in_order", false)));
  out.back_end.scheduler_entries = in.number({"back_end.scheduler_entries"});
  out.back_end.issue_to_dispatch_cycles = in.number({"back_end.issue_to_dispatch_delay_cycles"}).value_or(0);
  out.back_end.port_assignment = read_port_assignment(in);
  read_schedulers(in, ports, out);
  read_dispatch_limits(in, ports, out);
  out.back_end.last_slot_sees_group = in.boolean("back_end.last_slot_sees_group", false);
  out.back_end.late_arrival_window_cycles =
      in.number({"back_end.late_arrival_window_cycles"}).value_or(out.back_end.late_arrival_window_cycles);
  out.back_end.integer_registers = in.number({"back_end.int_prf_entries"});
  out.back_end.vector_registers = in.number({"back_end.vec_prf_entries", "back_end.fp_prf_entries"});
  out.back_end.integer_registers_architectural = in.number({"back_end.int_prf_architectural_entries"});
  out.back_end.vector_registers_architectural =
      in.number({"back_end.vec_prf_architectural_entries", "back_end.fp_prf_architectural_entries"});
  out.memory = read_memory(in);
  out.mitigations_off = read_mitigations_off(in);
  out.fusion = read_fusion(in);
  out.register_pair_ports = in.texts("fusion.register_pair_ports");
  out.fused_nops = in.texts("fusion.nops");
  out.derive_zmm = in.boolean("derive.zmm_ports", false);
  out.derive_wide_vector = in.boolean("derive.ymm_from_xmm", true);
  out.rmw_shares_slot = in.boolean("rename.read_modify_write_is_one_slot", in.text("vendor").value_or("") == "amd");
  out.micro_fusion = in.boolean("rename.micro_fusion", out.architecture == Architecture::x86);
  return out;
}

} // namespace

PipelineDetail PipelineParameters::detail() const {
  const bool whole_front = front_end.predecode_block_bytes && front_end.complex_decoders && front_end.uop_cache_width &&
                           front_end.idq_entries && front_end.microcode_width;
  const bool waiting = back_end.scheduler_entries || !back_end.schedulers.empty();
  const bool buffers = back_end.reorder_buffer_entries && waiting && memory.load_queue_entries && memory.store_queue_entries;
  if (whole_front && buffers && back_end.port_assignment != PortAssignment::least_loaded) return PipelineDetail::full;
  const bool front = front_end.decoders || front_end.uop_cache_width || front_end.fetch_instructions || front_end.fetch_bytes;
  const bool loads = memory.load_latency_cycles || memory.vector_load_latency_cycles;
  const bool forwarding = memory.store_forward_latency_cycles || memory.vector_store_forward_latency_cycles;
  if (front && waiting && back_end.reorder_buffer_entries && loads && forwarding) return PipelineDetail::most;
  return front || waiting || loads || forwarding ? PipelineDetail::partial : PipelineDetail::widths;
}

SimulationGaps PipelineParameters::simulation_gaps() const {
  SimulationGaps out;
  const auto need = [&](bool known, const char* what) {
    if (!known) out.required.emplace_back(what);
  };
  const auto expect = [&](bool known, const char* what) {
    if (!known) out.unlimited.emplace_back(what);
  };
  need(rename.width.has_value(), "rename width");
  need(back_end.in_order || back_end.reorder_buffer_entries, "reorder buffer");
  need(memory.load_latency_cycles || memory.vector_load_latency_cycles, "load latency");
  if (back_end.in_order) return out; // keeps what it has issued: there are no such buffers
  expect(back_end.scheduler_entries || !back_end.schedulers.empty(), "scheduler");
  expect(memory.load_queue_entries.has_value(), "load queue");
  expect(memory.store_queue_entries.has_value(), "store queue");
  expect(back_end.integer_registers.has_value(), "integer registers");
  expect(back_end.vector_registers.has_value(), "vector registers");
  return out;
}

PipelineParameters PipelineParameters::read(const Value& tree, const std::string& file) {
  return read_pipeline(tree, file, nullptr);
}

std::vector<std::vector<std::string>> PipelineParameters::keys() {
  const auto text = [](const char* value) { return Value{std::string(value)}; };
  const Value ports{Value::Table{{"names", {Value::List{text("0")}}}}};
  const Value rename{Value::Table{{"dispatch_width_uops_per_cycle", {1.0}}}};
  const Value least{Value::Table{{"name", text("")}, {"isa", text("x86")}, {"ports", ports}, {"rename", rename}}};
  Reader::Keys asked;
  read_pipeline(least, "", &asked);
  return asked;
}

} // namespace corecast
