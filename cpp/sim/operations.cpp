#include "cpp/sim/expansion.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace corecast::sim {

/// All results, and every input that one of them depends on.
Expansion::Results Expansion::all_results(Few<Destination> to) const {
  Results out;
  out.to = std::move(to);
  out.table = LatencyTable(out.to.size());
  bool any = false;
  const auto begin = [&](const DependencyUse* source) {
    out.from.push_back(source);
    out.table.add_input();
    any = out.to.empty();
  };
  const auto add = [&](std::optional<double> cycles) {
    out.table.add(cycles ? std::optional(whole(*cycles)) : std::nullopt);
    any = any || cycles;
  };
  const auto end = [&] {
    if (any) return;
    out.from.pop_back();
    out.table.drop_input();
  };
  for (const DependencyUse& use : uses_) {
    if (use.kind == DependencyKind::memory || (is_address(use) && !loads_.empty())) continue;
    if (is_address(use) && stored_node_ != none) continue; // belongs to the store's address
    begin(&use);
    for (const Destination& destination : out.to) {
      const auto cycles = model_.from_register(use, destination.operand);
      add(cycles ? std::optional(cycles->cycles) : std::nullopt);
    }
    end();
  }
  if (loaded_ == none) return out;
  begin(nullptr);
  for (const Destination& destination : out.to) {
    std::optional<double> cycles;
    if (destination.operand == operand_id::memory)
      cycles = model_.operation_after_load();
    else if (const auto way = address_cycles(destination.operand))
      cycles = whole(*way) <= whole(load_latency_) ? 0.0 : std::max(1.0, *way - load_latency_);
    else if (!model_.known())
      cycles = 1;
    else if (!has_rule_to(*entry_, destination.operand)) // silent about it: as of other inputs
      cycles = std::max(1.0, largest_latency(*entry_).value_or(1) - load_latency_);
    add(cycles);
  }
  end();
  return out;
}

/// A plain store's uop that takes its data to the store's pipe: the data are stored as if it were not there.
bool Expansion::carries_to_store() const {
  if (!loads_.empty()) return false;
  return std::all_of(uses_.begin(), uses_.end(), [&](const DependencyUse& use) {
    if (is_address(use) || use.kind == DependencyKind::memory) return true;
    const auto cycles = model_.from_register(use, operand_id::memory);
    return cycles && whole(cycles->cycles) == 0;
  });
}

void Expansion::add_source(const DependencyUse* source, double extra) {
  if (source == nullptr)
    add_input(loaded_, 0, extra);
  else
    add_use(*source, extra);
}

/// Takes out results that are there as soon as one of their sources, as the register of an exchange is when it is
/// loaded: no operation makes them. False: there are none.
bool Expansion::add_passed(Results& all) {
  Few<Destination> made;
  for (std::size_t d = 0; d < all.to.size(); ++d) {
    bool passed = false;
    for (std::size_t s = 0; s < all.from.size(); ++s)
      passed = passed || all.table.at(s, d) == 0;
    if (!passed) {
      made.push_back(all.to[d]);
      continue;
    }
    begin_join();
    for (std::size_t s = 0; s < all.from.size(); ++s)
      if (const auto cycles = all.table.at(s, d)) add_source(all.from[s], *cycles);
    add_output(all.to[d].value, 0);
  }
  if (made.size() == all.to.size()) return false;
  all.to = std::move(made);
  return true;
}

void Expansion::add_operations() {
  Few<Destination> to = destinations_;
  if (stored_node_ != none && !carries_to_store()) {
    const std::uint32_t renamed = context_.stored_values[stored_node_];
    to_store_ = renamed != none ? renamed : program_.values++;
    to.push_back({none, operand_id::memory, to_store_});
  }
  Results all = all_results(std::move(to));
  // What is joined with a branch is executed where the branch is, also what renaming does by itself elsewhere.
  const bool executed =
      std::any_of(operations_.begin(), operations_.end(), [](const PlannedUop& uop) { return uop.of_pair; });
  if (model_.known() && !executed && add_passed(all)) all = all_results(std::move(all.to));
  if (is_double_flag_shift(all)) return add_shift(all);
  const std::vector<Results> several = by_inputs(all);
  const std::span<const Results> each = several.empty() ? std::span(&all, 1) : std::span(several);
  std::size_t next = 0; // operation
  for (std::size_t r = 0; r < each.size(); ++r) {
    const std::size_t others = each.size() - r - 1;
    const std::size_t most = operations_.size() - next - others;
    next += add_results(each[r], std::span(operations_).subspan(next, most), r == 0);
  }
  for (; next < operations_.size(); ++next) {
    begin_uop(operations_[next]);
    for (const DependencyUse* source : all.from)
      add_source(source, 0);
  }
}

std::int32_t Expansion::Results::slowest() const {
  std::int32_t most = 0;
  for (std::size_t s = 0; s < table.inputs(); ++s)
    for (const auto& cycles : table.row(s))
      most = std::max(most, cycles.value_or(0));
  return most;
}

/// Where there are uops enough, what one uop each makes, the slowest first: results that depend on different inputs.
/// Else nothing: one makes all.
std::vector<Expansion::Results> Expansion::by_inputs(const Results& all) const {
  if (operations_.size() <= 1 || all.to.size() <= 1 || !model_.known()) return {};
  const Few<std::size_t> classes = classes_of_outputs(all.table);
  const std::size_t count = *std::max_element(classes.begin(), classes.end()) + 1;
  if (count == 1 || count > operations_.size()) return {};
  std::vector<Results> out(count);
  for (std::size_t d = 0; d < all.to.size(); ++d)
    out[classes[d]].to.push_back(all.to[d]);
  for (std::size_t r = 0; r < count; ++r) {
    out[r].table = LatencyTable(out[r].to.size());
    for (std::size_t s = 0; s < all.from.size(); ++s) {
      bool any = false;
      out[r].table.add_input();
      for (std::size_t d = 0; d < all.to.size(); ++d) {
        if (classes[d] != r) continue;
        out[r].table.add(all.table.at(s, d));
        any = any || all.table.at(s, d).has_value();
      }
      if (any)
        out[r].from.push_back(all.from[s]);
      else
        out[r].table.drop_input();
    }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Results& a, const Results& b) { return a.slowest() > b.slowest(); });
  return out;
}

/// Adds the uops that make some results, at most one for each operation given, and says how many they are: the main
/// one, and before it one for each group of inputs that have to be there sooner.
std::size_t Expansion::add_results(const Results& what, std::span<const PlannedUop> operations, bool slowest) {
  Few<std::int32_t> unlisted;
  for (const Destination& each : what.to)
    unlisted.push_back(whole(model_.known() ? largest_latency(*entry_, each.operand).value_or(1) : 1));
  const LatencySplit split = split_latencies(what.table, unlisted);
  Few<std::size_t> order(what.from.size(), 0);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return split.after_input[a] < split.after_input[b]; });
  Few<std::int32_t> waits; // of the groups
  for (const std::size_t s : order)
    if (const std::int32_t wait = split.after_input[s]; wait > (waits.empty() ? 0 : waits.back()))
      waits.push_back(wait);
  const std::size_t helpers = what.to.empty() ? 0 : std::min(waits.size(), operations.size() - 1);
  Few<std::uint32_t> helped;
  for (std::size_t h = 0; h < helpers; ++h) {
    begin_uop(operations[h + 1]);
    for (const std::size_t s : order) {
      const std::int32_t later = split.after_input[s] - waits[h]; // slower ones still wait longer before the last one
      if (later == 0 || (later > 0 && h + 1 == helpers)) add_source(what.from[s], later);
    }
    helped.push_back(program_.values++);
    add_output(helped.back(), waits[h]);
  }
  const std::uint32_t main = begin_uop(operations.front());
  if (slowest) attach_unit(main);
  for (const std::size_t s : order)
    if (helpers == 0 || split.after_input[s] == 0) add_source(what.from[s], split.after_input[s]);
  for (const std::uint32_t value : helped)
    add_input(value, 0, 0);
  if (slowest && loads_.empty() && stored_node_ == none && !writeback_request_) add_written_back();
  Few<std::pair<std::size_t, std::uint32_t>> joined; // results that wait longer, and what the uop makes of them
  for (std::size_t d = 0; d < what.to.size(); ++d) {
    std::uint32_t value = what.to[d].value;
    if (waits_longer(what, split, d)) joined.emplace_back(d, value = program_.values++);
    add_output(value, split.to_output[d]);
  }
  for (const auto& [d, made] : joined)
    add_join(what, split, d, made);
  return helpers + 1;
}

/// Whether a result is there later after some input than the uop that makes it can say.
bool Expansion::waits_longer(const Results& what, const LatencySplit& split, std::size_t d) const {
  for (std::size_t s = 0; s < what.from.size(); ++s) {
    const DependencyUse* source = what.from[s];
    const bool made = source == nullptr || source->producer != no_node;
    if (made && what.table.at(s, d).value_or(0) > split.after_input[s] + split.to_output[d]) return true;
  }
  return std::any_of(uses_.begin(), uses_.end(),
                     [&](const DependencyUse& use) { return longer_way(use, what.to[d].operand) > 0; });
}

/// A result that is there when the uop has made it, and each input for so long as its latency says.
void Expansion::add_join(const Results& what, const LatencySplit& split, std::size_t d, std::uint32_t made) {
  begin_join();
  add_input(made, 0, 0);
  for (std::size_t s = 0; s < what.from.size(); ++s)
    if (what.table.at(s, d).value_or(0) > split.after_input[s] + split.to_output[d])
      add_source(what.from[s], *what.table.at(s, d));
  for (const DependencyUse& use : uses_)
    if (const std::int32_t cycles = longer_way(use, what.to[d].operand); cycles > 0) add_use(use, cycles);
  add_output(what.to[d].value, 0);
}

/// Shifts by cl: registers pass in one cycle, flags are kept or replaced in two (pipeline facts IN-144).
bool Expansion::is_double_flag_shift(const Results& all) const {
  if (operations_.size() != 3 || !loads_.empty() || stored_node_ != none || pipeline_.architecture != Architecture::x86)
    return false;
  const bool flags_in = std::any_of(all.from.begin(), all.from.end(), [](const DependencyUse* source) {
    return source != nullptr && source->source == operand_id::flags;
  });
  const auto is_flags = [](const Destination& each) { return each.operand == operand_id::flags; };
  if (!flags_in || all.to.size() < 2 || std::none_of(all.to.begin(), all.to.end(), is_flags)) return false;
  for (std::size_t s = 0; s < all.from.size(); ++s)
    for (std::size_t d = 0; d < all.to.size(); ++d)
      if (const auto cycles = all.table.at(s, d); cycles && *cycles != (is_flags(all.to[d]) ? 2 : 1)) return false;
  return true;
}

void Expansion::add_shift(const Results& all) {
  begin_uop(operations_[0]);
  for (const DependencyUse* source : all.from)
    if (source->source != operand_id::flags) add_source(source, 0);
  for (const Destination& each : all.to)
    if (each.operand != operand_id::flags) add_output(each.value, 1);
  const std::uint32_t shifted = program_.values++;
  add_output(shifted, 1);
  begin_uop(operations_[1]);
  for (const DependencyUse* source : all.from)
    if (source->source == operand_id::flags) add_source(source, 0);
  const std::uint32_t kept = program_.values++;
  add_output(kept, 1);
  begin_uop(operations_[2]);
  add_input(shifted, 0, 0);
  add_input(kept, 0, 0);
  for (const Destination& each : all.to)
    if (each.operand == operand_id::flags) add_output(each.value, 1);
}

} // namespace corecast::sim
