#include "cpp/sim/expansion.hpp"

#include <algorithm>
#include <utility>

namespace corecast::sim {

std::vector<Source> Expansion::sources(const std::vector<Destination>& to) const {
  std::vector<Source> out;
  for (const DependencyUse& use : uses_) {
    if (use.kind == DependencyKind::memory || (is_address(use) && !loads_.empty())) continue;
    if (is_address(use) && stored_node_ != none) continue; // belongs to the store's address
    Source source;
    source.use = &use;
    bool any = to.empty();
    for (const Destination& destination : to) {
      const auto cycles = model_.from_register(use, destination.operand);
      source.cycles.push_back(cycles ? std::optional(cycles->cycles) : std::nullopt);
      if (!cycles) continue;
      any = true;
      source.largest = std::max(source.largest, cycles->cycles);
    }
    if (any) out.push_back(std::move(source));
  }
  if (loaded_ == none) return out;
  Source source;
  bool any = to.empty();
  for (const Destination& destination : to) {
    std::optional<double> cycles;
    if (destination.operand == operand_id::memory)
      cycles = operation_on_loaded();
    else if (const auto way = address_cycles(destination.operand))
      cycles = std::max(1.0, *way - load_latency_);
    else if (!model_.known())
      cycles = 1;
    source.cycles.push_back(cycles);
    if (!cycles) continue;
    any = true;
    source.largest = std::max(source.largest, *cycles);
  }
  if (any) out.push_back(std::move(source));
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

void Expansion::add_source(const Source& source, double extra) {
  if (source.use == nullptr)
    add_input(loaded_, 0, extra);
  else
    add_use(*source.use, extra);
}

void Expansion::add_operations() {
  std::vector<Destination> to = destinations_;
  if (stored_node_ != none && !carries_to_store()) {
    const std::uint32_t renamed = context_.stored_values[stored_node_];
    to_store_ = renamed != none ? renamed : program_.values++;
    to.push_back({none, operand_id::memory, to_store_});
  }
  std::vector<Source> from = sources(to);
  std::stable_sort(from.begin(), from.end(), [](const Source& a, const Source& b) { return a.largest < b.largest; });
  if (is_double_flag_shift(from, to)) return add_shift(from, to);

  // Groups of equal latency; the fastest feeds the main uop, each further one a helper before it.
  Groups groups;
  for (std::size_t s = 0; s < from.size(); ++s) {
    if (groups.empty() || whole(from[s].largest) != whole(from[groups.back().first].largest))
      groups.emplace_back(s, s);
    groups.back().second = s + 1;
  }
  const double base = from.empty() ? 0 : from.front().largest;
  const std::size_t helpers = groups.size() <= 1 || to.empty() ? 0 : std::min(groups.size() - 1, operations_.size() - 1);
  std::vector<std::uint32_t> helped;
  for (std::size_t h = 1; h <= helpers; ++h) {
    begin_uop(operations_[h]);
    const double latency = from[groups[h].first].largest - base;
    for (std::size_t s = groups[h].first; s < groups[h].second; ++s)
      add_source(from[s], 0);
    if (h == helpers) // slower ones still wait longer before it
      for (std::size_t s = groups[h].second; s < from.size(); ++s)
        add_source(from[s], from[s].largest - base - latency);
    helped.push_back(program_.values++);
    add_output(helped.back(), latency);
  }
  add_main(from, to, groups, helpers, helped, output_latencies(from, to, groups, helpers));
  for (std::size_t u = helpers + 1; u < operations_.size(); ++u) {
    begin_uop(operations_[u]);
    for (const Source& source : from)
      add_source(source, 0);
  }
}

/// An output's latency is what its fastest inputs need; a slower one arrives later.
std::vector<double> Expansion::output_latencies(const std::vector<Source>& from, const std::vector<Destination>& to,
                                     const Groups& groups, std::size_t helpers) const {
  std::vector<double> latency(to.size(), 0);
  for (std::size_t d = 0; d < to.size(); ++d) {
    std::optional<double> least;
    for (std::size_t s = 0; s < from.size(); ++s) {
      const bool first_group = !groups.empty() && s < groups.front().second;
      if (!from[s].cycles[d] || (helpers > 0 && !first_group)) continue;
      const double cycles = *from[s].cycles[d];
      least = !least ? cycles : helpers > 0 ? std::max(*least, cycles) : std::min(*least, cycles);
    }
    if (!least)
      for (const Source& source : from)
        if (source.cycles[d]) least = std::min(least.value_or(1e9), *source.cycles[d]);
    latency[d] = least ? *least : model_.known() ? largest_latency(*entry_, to[d].operand).value_or(1) : 1;
  }
  return latency;
}

void Expansion::add_main(const std::vector<Source>& from, const std::vector<Destination>& to, const Groups& groups,
              std::size_t helpers, const std::vector<std::uint32_t>& helped, std::vector<double> latency) {
  main_uop_ = begin_uop(operations_.front());
  attach_unit(main_uop_);
  const std::size_t own = helpers > 0 ? groups.front().second : from.size();
  for (std::size_t s = 0; s < own; ++s)
    add_source(from[s], arrival(from[s], to, latency));
  for (const std::uint32_t value : helped)
    add_input(value, 0, 0);
  if (loads_.empty() && stored_node_ == none && !writeback_request_) add_written_back();
  for (std::size_t d = 0; d < to.size(); ++d)
    add_output(to[d].value, latency[d]);
}

/// How much later than the other inputs one may be used. Where its latencies to several outputs do not fit together, that
/// to itself holds, for chains go through it; the other outputs come later instead.
double Expansion::arrival(const Source& source, const std::vector<Destination>& to, std::vector<double>& latency) {
  std::optional<double> itself;
  double extra = 0;
  for (std::size_t d = 0; d < to.size(); ++d) {
    if (!source.cycles[d]) continue;
    extra = std::max(extra, *source.cycles[d] - latency[d]);
    if (source.use != nullptr && source.use->source == to[d].operand) itself = *source.cycles[d] - latency[d];
  }
  if (!itself || *itself == extra) return extra;
  for (std::size_t d = 0; d < to.size(); ++d)
    if (source.cycles[d]) latency[d] = std::max(latency[d], *source.cycles[d] - *itself);
  return *itself;
}

/// Shifts by cl: registers pass in one cycle, flags are kept or replaced in two (pipeline facts IN-144).
bool Expansion::is_double_flag_shift(const std::vector<Source>& from, const std::vector<Destination>& to) const {
  if (operations_.size() != 3 || !loads_.empty() || stored_node_ != none || pipeline_.architecture != Architecture::x86)
    return false;
  const bool flags_in = std::any_of(from.begin(), from.end(), [](const Source& source) {
    return source.use != nullptr && source.use->source == operand_id::flags;
  });
  const bool flags_out = std::any_of(to.begin(), to.end(), [](const Destination& d) { return d.operand == operand_id::flags; });
  return flags_in && flags_out && to.size() >= 2;
}

void Expansion::add_shift(const std::vector<Source>& from, const std::vector<Destination>& to) {
  begin_uop(operations_[0]);
  for (const Source& source : from)
    if (source.use->source != operand_id::flags) add_source(source, 0);
  for (const Destination& each : to)
    if (each.operand != operand_id::flags) add_output(each.value, 1);
  const std::uint32_t shifted = program_.values++;
  add_output(shifted, 1);
  begin_uop(operations_[1]);
  for (const Source& source : from)
    if (source.use->source == operand_id::flags) add_source(source, 0);
  const std::uint32_t kept = program_.values++;
  add_output(kept, 1);
  begin_uop(operations_[2]);
  add_input(shifted, 0, 0);
  add_input(kept, 0, 0);
  for (const Destination& each : to)
    if (each.operand == operand_id::flags) add_output(each.value, 1);
}

} // namespace corecast::sim
