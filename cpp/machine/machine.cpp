#include "cpp/machine/machine.hpp"

#include "cpp/base/error.hpp"
#include "cpp/isa/form_text.hpp"
#include "cpp/machine/derive/operation.hpp"
#include "cpp/machine/derive/scale_to_length.hpp"
#include "cpp/machine/forms/form_change.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <tuple>

namespace corecast {
namespace {

/// Levenshtein distance, given up above `limit`.
unsigned edit_distance(std::string_view a, std::string_view b, unsigned limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  std::vector<unsigned> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i);
    unsigned best = row[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
      best = std::min(best, row[j]);
    }
    if (best > limit) return limit + 1;
  }
  return row[b.size()];
}

PortRoles roles_of(const PipelineParameters& pipeline, const PortNames& ports) {
  PortRoles roles;
  const BackEndParameters& back_end = pipeline.back_end;
  roles.integer_alu = ports.mask_of(back_end.integer_alu_ports, "ports.integer_alu");
  roles.high8_merge = ports.mask_of(pipeline.rename.high8_merge_ports, "partial_registers.high8_merge_ports");
  roles.taken_branch = ports.mask_of(back_end.taken_branch_ports, "ports.taken_branch");
  roles.register_pair = ports.mask_of(pipeline.register_pair_ports, "fusion.register_pair_ports");
  roles.stack_synchronisation =
      ports.mask_of(pipeline.stack_synchronisation_ports, "stack_engine.synchronization_ports");
  if (!back_end.zmm_closes_port.empty())
    roles.closed_by_zmm = ports.mask_of({back_end.zmm_closes_port}, "vectors.zmm_closes_port");
  roles.moved_by_zmm = ports.mask_of(back_end.zmm_moved_ports, "vectors.zmm_moved_ports");
  roles.shared_results = ports.mask_of(back_end.shared_result_ports, "ports.shared_result");
  roles.shared_general_results = ports.mask_of(back_end.shared_general_result_ports, "ports.shared_general_result");
  roles.avoided_where_full = ports.mask_of(back_end.avoided_where_full_ports, "port_choice.avoided_where_full");
  roles.added_flags = ports.mask_of(back_end.added_flags_ports, "ports.added_flags");
  roles.late_wakeup = ports.mask_of(back_end.late_wakeup_ports, "vectors.late_wakeup_ports");
  roles.long_results = ports.mask_of(back_end.long_result_ports, "ports.long_result");
  roles.second_results = ports.mask_of(back_end.second_result_ports, "ports.second_result");
  if (!back_end.vector_result_port.empty())
    roles.vector_result = ports.mask_of({back_end.vector_result_port}, "ports.vector_result_port");
  roles.vectors = ports.mask_of(back_end.vector_ports, "vectors.ports");
  if (const auto& unit = pipeline.memory.store_write_unit)
    roles.store_writes = ports.mask_of({*unit}, "stores.write_unit");
  if (const auto& unit = pipeline.memory.line_crossing_unit)
    roles.line_crossings = ports.mask_of({*unit}, "memory.line_crossing_unit");
  return roles;
}

Extensions extensions_of(const PipelineParameters& pipeline) {
  return pipeline.extensions ? Extensions(pipeline.architecture, *pipeline.extensions) : Extensions();
}

/// By requirement, what is said of instructions that the core lacks.
std::vector<Lookup> lacking_lookups(const Extensions& extensions, const PipelineParameters& pipeline) {
  std::vector<Lookup> out(requirements(pipeline.architecture).size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (const std::string* missing = extensions.missing(static_cast<std::uint16_t>(i))) {
      out[i].lacking = *missing;
      out[i].note = "needs " + *missing + ", which " + pipeline.name + " does not have";
    }
  return out;
}

std::string_view mnemonic_of(std::string_view key) {
  constexpr std::string_view prefixed[] = {"lock ", "rep ", "repe ", "repne "};
  std::size_t start = 0;
  for (const std::string_view prefix : prefixed)
    if (key.starts_with(prefix)) start = prefix.size();
  return key.substr(0, key.find(' ', start));
}

} // namespace

Machine::Machine(PipelineParameters pipeline, std::vector<FormTable> tables, RegisterNames registers)
    : Machine(std::move(pipeline), std::make_shared<const std::vector<FormTable>>(std::move(tables)),
              std::move(registers)) {}

Machine::Machine(const Machine& other, PipelineParameters pipeline)
    : Machine(std::move(pipeline), other.tables_, other.registers_) {}

Machine::Machine(PipelineParameters pipeline, std::shared_ptr<const std::vector<FormTable>> tables,
                 RegisterNames registers)
    : pipeline_(std::move(pipeline)), extensions_(extensions_of(pipeline_)),
      lacking_(lacking_lookups(extensions_, pipeline_)), port_names_(pipeline_),
      port_roles_(roles_of(pipeline_, port_names_)), memory_ports_(pipeline_, port_names_), tables_(std::move(tables)),
      registers_(std::move(registers)), stack_pointer_(is(Architecture::x86) ? registers_.id_of("rsp") : RegisterId{0}),
      resources_(pipeline_.ports) {
  resources_.insert(resources_.end(), pipeline_.units.begin(), pipeline_.units.end());
}

std::optional<FoundRow> Machine::row_of(std::string_view key) const {
  const std::vector<std::string>& off = pipeline_.mitigations_off;
  for (const FormTable& table : *tables_)
    if (const TableRow* row = table.find(key)) {
      if (!off.empty() && std::find(off.begin(), off.end(), table.name()) != off.end()) continue;
      const FoundRow found{&table, *row};
      return found.absent() ? std::nullopt : std::optional(found);
    }
  return std::nullopt;
}

bool Machine::writes_register(const Instruction& instruction) const {
  for (const Operand& operand : instruction.operands)
    for (const RegisterUse& use : operand.registers)
      if (use.write && register_file(use.reg) != RegisterFile::none) return true;
  return false;
}

bool Machine::writes_general(const Instruction& instruction) const {
  return general_results(instruction) > 0;
}

std::size_t Machine::general_results(const Instruction& instruction) const {
  std::size_t results = 0;
  for (const Operand& operand : instruction.operands)
    for (const RegisterUse& use : operand.registers)
      if (use.write && register_file(use.reg) == RegisterFile::integer) ++results;
  return results;
}

const std::vector<FoundRow>& Machine::all_rows() const {
  std::call_once(all_rows_once_, [this] { all_rows_ = rows_that_count(*tables_, pipeline_.mitigations_off); });
  return all_rows_;
}

FormEntry Machine::parse(const FoundRow& found) const {
  FormEntry entry =
      parse_row(found.line(), port_names_, registers_, found.table->file(), found.row.line, pipeline_.vector_bits());
  if (!entry.by_length && pipeline_.table_vector_bits && pipeline_.vector_length_bits)
    scale_to_length(entry, *pipeline_.table_vector_bits, *pipeline_.vector_length_bits);
  for (const FormChange& change : pipeline_.changes)
    change_form(entry, change);
  delay_loads(entry, pipeline_.memory.extra_load_latency_cycles);
  return entry;
}

const FormEntry* Machine::find(std::string_view key) const {
  const auto found = row_of(key);
  if (!found) return nullptr;
  const std::string_view text = found->text();
  const std::scoped_lock lock(entries_mutex_);
  auto entry = entries_.find(text.data());
  if (entry == entries_.end()) entry = entries_.emplace(text.data(), parse(*found)).first;
  return &entry->second;
}

const Lookup* Machine::repeated(const FormEntry& row, std::int64_t count) const {
  for (const RepeatCost& cost : pipeline_.repeats) {
    if (std::find(cost.forms.begin(), cost.forms.end(), row.key) == cost.forms.end()) continue;
    const std::optional<double> cycles = cost.cycles(count);
    if (!cycles) continue;
    const std::scoped_lock lock(repeated_mutex_);
    Lookup& lookup = repeated_[{&row, count}];
    if (lookup.entry == nullptr) {
      lookup.owned = std::make_unique<const FormEntry>(with_repeats(row, cost, *cycles));
      lookup.entry = lookup.owned.get();
      lookup.status = is_concluded(*lookup.entry) ? LookupStatus::derived : LookupStatus::known;
      lookup.note = "repeats " + std::to_string(count) + (count == 1 ? " time" : " times");
    }
    return &lookup;
  }
  return nullptr;
}

const Lookup& Machine::behind_stores(const FormEntry& row) const {
  const std::scoped_lock lock(behind_stores_mutex_);
  Lookup& lookup = behind_stores_[&row];
  if (lookup.entry == nullptr) {
    lookup.owned = std::make_unique<const FormEntry>(kept_longer(row, pipeline_.memory.locked_wait_cycles));
    lookup.entry = lookup.owned.get();
    lookup.status = is_concluded(row) ? LookupStatus::derived : LookupStatus::known;
    lookup.note = "waits for the stores before it";
  }
  return lookup;
}

std::optional<Machine::RowText> Machine::row_text(std::string_view key) const {
  const auto found = row_of(key);
  if (!found) return std::nullopt;
  return RowText{found->line(), found->table->file(), found->row.line};
}

const Lookup& Machine::lookup(const Instruction& instruction) const {
  static const Lookup nothing;
  if (instruction.unknown) return nothing;
  if (lacks(instruction) != nullptr) return lacking_[instruction.requirement];
  thread_local std::string key;
  key = instruction.form;
  key += uses_one_register(instruction) ? '=' : ' ';
  key += instruction.indexed ? '+' : ' ';
  key += instruction.traits.zero_immediate ? '0' : ' ';
  key += instruction.address_variant;
  {
    const std::shared_lock lock(lookups_mutex_);
    if (const auto found = lookups_.find(std::string_view(key)); found != lookups_.end()) return *found->second;
  }
  auto made = std::make_unique<const Lookup>(look_up(*this, instruction));
  const std::unique_lock lock(lookups_mutex_);
  return *lookups_.try_emplace(key, std::move(made)).first->second; // the first of two racing threads wins
}

std::vector<std::string> Machine::keys() const {
  std::vector<std::string> result;
  result.reserve(all_rows().size());
  for (const FoundRow& found : all_rows())
    result.emplace_back(found.key());
  return result;
}

std::vector<std::string> Machine::check() const {
  std::vector<std::string> problems;
  for (const std::string& key : keys()) {
    try {
      find(key);
    } catch (const ModelError& error) {
      problems.push_back(error.file + ":" + std::to_string(error.line) + ": " + error.what());
    }
  }
  return problems;
}

std::vector<std::string> Machine::nearest_forms(std::string_view key, std::size_t count) const {
  constexpr std::size_t remembered = 3; // what an analysis asks for; searching takes milliseconds
  if (count > remembered) return search_nearest(key, count);
  const std::scoped_lock lock(nearest_mutex_);
  auto found = nearest_.find(key);
  if (found == nearest_.end()) found = nearest_.emplace(std::string(key), search_nearest(key, remembered)).first;
  const std::vector<std::string>& all = found->second;
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()))};
}

std::vector<std::string> Machine::search_nearest(std::string_view key, std::size_t count) const {
  const std::string_view operation = operation_of(pipeline_.architecture, mnemonic_of(key));
  return ranked(key, count,
                [&](std::string_view other) { return operation_of(pipeline_.architecture, other) == operation; });
}

std::vector<std::string> Machine::similar_forms(std::string_view key, std::size_t count) const {
  const std::string_view mnemonic = mnemonic_of(key);
  const unsigned limit = mnemonic.size() > 4 ? 2 : 1;
  return ranked(key, count, [&](std::string_view other) { return edit_distance(other, mnemonic, limit) <= limit; });
}

template <typename IsMeant>
std::vector<std::string> Machine::ranked(std::string_view key, std::size_t count, IsMeant is_meant) const {
  struct Candidate {
    bool other_mnemonic;
    unsigned distance;
    std::string_view key;
    auto order() const { return std::tie(other_mnemonic, distance, key); }
  };
  const std::string_view mnemonic = mnemonic_of(key);
  std::vector<Candidate> candidates;
  for (const FoundRow& found : all_rows()) {
    const std::string_view known = found.key();
    const std::string_view other = mnemonic_of(known);
    const bool same = other == mnemonic;
    if (!same && !is_meant(other)) continue;
    const unsigned distance = edit_distance(known, key, 32);
    candidates.push_back({!same, distance, known});
  }
  const std::size_t wanted = std::min(count, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(wanted), candidates.end(),
                    [](const Candidate& a, const Candidate& b) { return a.order() < b.order(); });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < wanted; ++i)
    result.emplace_back(candidates[i].key);
  return result;
}

} // namespace corecast
