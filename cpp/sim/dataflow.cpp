#include "cpp/sim/dataflow.hpp"

#include "cpp/core/pointer_chase.hpp"

#include <algorithm>
#include <cmath>

namespace corecast::sim {
namespace {

// Of a cycle, in forwarding: after so many iterations the pattern repeats. Rounded up, never below the bounds.
constexpr double late_parts = 16;
constexpr std::size_t most_uops = 1024; // of one instruction; string operations are cut off there

std::int32_t whole(double cycles) { return static_cast<std::int32_t>(std::lround(cycles)); }

/// An input of the instruction's operation: a use of the graph, or the value that its own load brought.
struct Source {
  const DependencyUse* use = nullptr; // nullptr: loaded
  std::vector<std::optional<double>> cycles; // to each destination
  double largest = 0;
};

/// An output of the operation: a node, or the value to be stored (none).
struct Destination {
  std::uint32_t node = none;
  OperandId operand = operand_id::memory;
  std::uint32_t value = none;
};

class Expansion {
public:
  Expansion(const ExpansionContext& context, std::uint32_t instruction, std::vector<UopRequest> requests,
            Program& program)
      : context_(context), i_(instruction), instruction_(*context.instructions[instruction]),
        entry_(context.entries[instruction]), pipeline_(context.machine.pipeline()), program_(program),
        model_(pipeline_, instruction_, entry_), requests_(std::move(requests)) {
    load_latency_ = pipeline_.memory.load_latency_cycles.value_or(0);
    model_load_latency_ = load_latency_;
    if (is_vector_form(pipeline_, instruction_)) {
      model_load_latency_ = pipeline_.memory.vector_load_latency_cycles.value_or(load_latency_);
      load_latency_ = pipeline_.memory.vector_operand_load_latency_cycles.value_or(model_load_latency_);
    }
    uses_ = std::span(context.graph.uses).subspan(context.first_use[i_], context.first_use[i_ + 1] - context.first_use[i_]);
  }

  void run() {
    sort_requests();
    if (requests_.empty()) add_unknown_access();
    find_destinations();
    join_carriers();
    if (operations_.empty() && loads_.empty() && stored_node_ == none && !destinations_.empty())
      operations_.push_back({0, UopKind::operation, 1}); // dataflow without a port
    for (std::size_t l = 0; l < loads_.size(); ++l)
      add_load(loads_[l], l + 1 == loads_.size());
    if (!operations_.empty()) add_operations();
    add_write_back_uop();
    add_stores();
  }

private:
  // --- what there is -------------------------------------------------------------------------------------------------

  void sort_requests() {
    for (const UopRequest& request : requests_) {
      if (request.kind == UopKind::load)
        loads_.push_back(request);
      else if (request.kind == UopKind::operation)
        operations_.push_back(request);
      else
        stores_.push_back(request);
    }
  }

  /// Ports unknown: what is read from memory and written back still passes through a load and an operation.
  void add_unknown_access() {
    const bool waits = std::any_of(uses_.begin(), uses_.end(),
                                   [](const DependencyUse& use) { return use.kind == DependencyKind::memory; });
    if (!waits) return;
    loads_.push_back({0, UopKind::load, 1});
    operations_.push_back({0, UopKind::operation, 1});
  }

  void find_destinations() {
    for (std::uint32_t node = context_.first_node[i_]; node < context_.first_node[i_ + 1]; ++node) {
      const OperandId operand = context_.graph.nodes[node].operand;
      if (operand == operand_id::memory)
        stored_node_ = node;
      else if (operand == operand_id::address)
        written_back_.push_back({node, operand, node});
      else
        destinations_.push_back({node, operand, node});
    }
    // A base register's update has a uop of its own where there is one to spare.
    if (written_back_.empty()) return;
    if (!operations_.empty() && (operations_.size() > 1 || destinations_.empty() || !loads_.empty())) {
      writeback_request_ = operations_.back();
      operations_.pop_back();
    }
  }

  /// Uops that carry loaded data to the registers, within the load's own latency: the result is the load's.
  void join_carriers() {
    if (loads_.empty() || operations_.empty() || destinations_.empty() || stored_node_ != none) return;
    for (const Destination& to : destinations_) {
      const auto cycles = address_cycles(to.operand);
      if (!cycles || *cycles > std::max(load_latency_, model_load_latency_)) return;
    }
    loads_.insert(loads_.begin(), operations_.begin(), operations_.end());
    operations_.clear();
  }

  bool is_address(const DependencyUse& use) const {
    return use.source == operand_id::address || use.source == operand_id::index;
  }

  // --- building ------------------------------------------------------------------------------------------------------

  std::uint32_t begin_uop(const UopRequest& request) {
    Uop uop;
    uop.ports = request.ports;
    uop.kind = request.kind;
    uop.instruction = i_;
    uop.port_cycles = request.port_cycles;
    uop.first_input = uop.input_end = static_cast<std::uint32_t>(program_.inputs.size());
    uop.first_output = uop.output_end = static_cast<std::uint32_t>(program_.outputs.size());
    uop.waits = true;
    program_.uops.push_back(uop);
    return static_cast<std::uint32_t>(program_.uops.size() - 1);
  }

  void add_input(std::uint32_t value, std::uint32_t distance, double extra) {
    program_.inputs.push_back({value, distance, whole(extra)});
    program_.uops.back().input_end = static_cast<std::uint32_t>(program_.inputs.size());
  }

  void add_output(std::uint32_t value, double latency) {
    program_.outputs.push_back({value, std::max(0, whole(latency))});
    program_.uops.back().output_end = static_cast<std::uint32_t>(program_.outputs.size());
  }

  void add_use(const DependencyUse& use, double extra) {
    if (use.producer == no_node) return;
    add_input(use.producer, use.distance, extra + use.extra_cycles);
  }

  void add_addresses(bool chase) {
    for (const DependencyUse& use : uses_) {
      if (!is_address(use)) continue;
      const bool base = chase && use.source == operand_id::address;
      add_use(use, base ? -pointer_chasing_gain(pipeline_, context_.instructions, context_.entries, context_.graph, use)
                        : 0);
    }
  }

  /// The stores that a load may take its data from: their parts are late inputs.
  void add_forwarded() {
    for (const DependencyUse& use : uses_) {
      if (use.kind != DependencyKind::memory || use.producer == no_node) continue;
      const Instruction& store = *context_.instructions[context_.graph.nodes[use.producer].instruction];
      const double whole_way = forward_cycles(use, store);
      if (whole_way < pipeline_.memory.store_data_cycles) {
        add_renamed(use, whole_way);
        continue;
      }
      const double cycles = whole_way - pipeline_.memory.store_data_cycles;
      for (const std::uint32_t part : {context_.store_addresses[use.producer], context_.store_data_values[use.producer]})
        if (part != none) add_late(part, use.distance, cycles);
    }
  }

  void add_late(std::uint32_t value, std::uint32_t distance, double cycles) {
    program_.inputs.push_back({value, distance, 0, true, std::ceil(cycles * late_parts - 1e-9) / late_parts});
    program_.uops.back().input_end = static_cast<std::uint32_t>(program_.inputs.size());
  }

  /// Memory renamed to a register: the load's result is what the store was given.
  void add_renamed(const DependencyUse& load, double cycles) {
    const std::uint32_t i = context_.graph.nodes[load.producer].instruction;
    const std::vector<MemoryAccess>& accesses = context_.instructions[i]->memory;
    if (std::any_of(accesses.begin(), accesses.end(), [](const MemoryAccess& access) { return access.read; }))
      return add_late(context_.stored_values[load.producer], load.distance, cycles);
    for (std::uint32_t u = context_.first_use[i]; u < context_.first_use[i + 1]; ++u) {
      const DependencyUse& use = context_.graph.uses[u];
      if (is_address(use) || use.kind == DependencyKind::memory || use.producer == no_node) continue;
      add_late(use.producer, load.distance + use.distance, cycles);
    }
  }

  /// From a store's data being ready to the loaded value, the whole way; the form's own work comes on top elsewhere.
  double forward_cycles(const DependencyUse& use, const Instruction& store) const {
    const auto edge = model_.from_store(use, operand_id::memory, store);
    const double own = operation_on_loaded();
    return edge ? edge->cycles - own : pipeline_.memory.store_forward_extra_cycles + pipeline_.memory.store_data_cycles;
  }

  double operation_on_loaded() const {
    if (entry_ == nullptr || !entry_->latency_known) return 0;
    const auto whole_way = find_latency(*entry_, operand_id::memory, operand_id::memory);
    return whole_way ? std::max(1.0, *whole_way - model_load_latency_) : 1.0;
  }

  void add_load(const UopRequest& request, bool last) {
    begin_uop(request);
    add_addresses(true);
    add_forwarded();
    if (!last) return;
    if (!operations_.empty() || stored_node_ != none) {
      loaded_ = program_.values++;
      add_output(loaded_, load_latency_);
    }
    if (!operations_.empty()) return;
    for (const Destination& to : destinations_)
      add_output(to.value, address_cycles(to.operand).value_or(load_latency_));
    for (const DependencyUse& use : uses_) { // rare: a load that merges into its destination
      if (is_address(use) || use.kind == DependencyKind::memory) continue;
      double extra = -1e9;
      for (const Destination& to : destinations_)
        if (const auto cycles = model_.from_register(use, to.operand))
          extra = std::max(extra, cycles->cycles - address_cycles(to.operand).value_or(load_latency_));
      if (extra > -1e8) add_use(use, extra);
    }
    add_written_back();
    if (operations_.empty()) attach_unit(static_cast<std::uint32_t>(program_.uops.size() - 1));
  }

  void add_written_back() {
    if (writeback_request_) return;
    for (const Destination& to : written_back_)
      add_output(to.value, pipeline_.memory.writeback_latency_cycles);
    written_back_.clear();
  }

  /// The longest way from an address register to an output.
  std::optional<double> address_cycles(OperandId destination) const {
    std::optional<double> most;
    for (const OperandId source : {operand_id::address, operand_id::index, operand_id::memory}) {
      DependencyUse use;
      use.source = source;
      use.consumer = i_;
      const auto cycles = entry_ != nullptr && entry_->latency_known ? find_latency(*entry_, source, destination) : std::nullopt;
      if (!cycles) continue;
      if (source == operand_id::memory && most) break; // of use only where the address is not listed
      const double way = source == operand_id::memory ? *cycles + model_load_latency_ : *cycles;
      most = std::max(most.value_or(0), way);
    }
    return most;
  }

  // --- the operation proper ------------------------------------------------------------------------------------------

  std::vector<Source> sources(const std::vector<Destination>& to) const {
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
  bool carries_to_store() const {
    if (!loads_.empty()) return false;
    return std::all_of(uses_.begin(), uses_.end(), [&](const DependencyUse& use) {
      if (is_address(use) || use.kind == DependencyKind::memory) return true;
      const auto cycles = model_.from_register(use, operand_id::memory);
      return cycles && whole(cycles->cycles) == 0;
    });
  }

  void add_source(const Source& source, double extra) {
    if (source.use == nullptr)
      add_input(loaded_, 0, extra);
    else
      add_use(*source.use, extra);
  }

  void add_operations() {
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

  void add_write_back_uop() {
    if (!writeback_request_) return;
    begin_uop(*writeback_request_);
    for (const DependencyUse& use : uses_)
      if (is_address(use)) add_use(use, 0);
    for (const Destination& each : written_back_)
      add_output(each.value, pipeline_.memory.writeback_latency_cycles);
  }

  using Groups = std::vector<std::pair<std::size_t, std::size_t>>;

  /// An output's latency is what its fastest inputs need; a slower one arrives later.
  std::vector<double> output_latencies(const std::vector<Source>& from, const std::vector<Destination>& to,
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

  void add_main(const std::vector<Source>& from, const std::vector<Destination>& to, const Groups& groups,
                std::size_t helpers, const std::vector<std::uint32_t>& helped, const std::vector<double>& latency) {
    main_uop_ = begin_uop(operations_.front());
    attach_unit(main_uop_);
    const std::size_t own = helpers > 0 ? groups.front().second : from.size();
    for (std::size_t s = 0; s < own; ++s) {
      double extra = 0;
      for (std::size_t d = 0; d < to.size(); ++d)
        if (from[s].cycles[d]) extra = std::max(extra, *from[s].cycles[d] - latency[d]);
      add_source(from[s], extra);
    }
    for (const std::uint32_t value : helped)
      add_input(value, 0, 0);
    if (loads_.empty() && stored_node_ == none && !writeback_request_) add_written_back();
    for (std::size_t d = 0; d < to.size(); ++d)
      add_output(to[d].value, latency[d]);
  }

  void attach_unit(std::uint32_t uop) {
    if (entry_ == nullptr || entry_->blocking.empty()) return;
    const PortUse& use = entry_->blocking.front();
    std::uint32_t unit = 0;
    for (PortMask mask = use.mask; (mask & 1) == 0 && mask != 0; mask >>= 1)
      ++unit;
    program_.uops[uop].unit = unit;
    program_.uops[uop].unit_cycles = use.count;
  }

  /// Shifts by cl: registers pass in one cycle, flags are kept or replaced in two (pipeline facts IN-144).
  bool is_double_flag_shift(const std::vector<Source>& from, const std::vector<Destination>& to) const {
    if (operations_.size() != 3 || !loads_.empty() || stored_node_ != none || pipeline_.architecture != Architecture::x86)
      return false;
    const bool flags_in = std::any_of(from.begin(), from.end(), [](const Source& source) {
      return source.use != nullptr && source.use->source == operand_id::flags;
    });
    const bool flags_out = std::any_of(to.begin(), to.end(), [](const Destination& d) { return d.operand == operand_id::flags; });
    return flags_in && flags_out && to.size() >= 2;
  }

  void add_shift(const std::vector<Source>& from, const std::vector<Destination>& to) {
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

  // --- stores --------------------------------------------------------------------------------------------------------

  void add_stores() {
    const bool alone = operations_.empty() && loads_.empty();
    const auto first = static_cast<std::uint32_t>(program_.uops.size());
    bool address_made = false;
    bool data_made = false;
    for (const UopRequest& request : stores_) {
      begin_uop(request);
      if (request.kind == UopKind::store_address) {
        add_addresses(false);
        if (alone) add_written_back();
        if (!address_made && stored_node_ != none)
          add_output(context_.store_addresses[stored_node_], pipeline_.memory.store_address_cycles);
        address_made = true;
        continue;
      }
      add_store_data();
      if (!data_made && stored_node_ != none)
        add_output(context_.store_data_values[stored_node_], pipeline_.memory.store_data_cycles);
      data_made = true;
    }
    if (alone && !stores_.empty()) attach_unit(first);
    if (stored_node_ == none || data_made) return;
    // No port for the data: they leave with the operation's result.
    begin_uop({0, UopKind::store_data, 1});
    add_store_data();
    add_output(context_.store_data_values[stored_node_], pipeline_.memory.store_data_cycles);
  }

  void add_store_data() {
    if (to_store_ != none) return add_input(to_store_, 0, 0);
    if (loaded_ != none) add_input(loaded_, 0, 0);
    for (const DependencyUse& use : uses_)
      if (!is_address(use) && use.kind != DependencyKind::memory) add_use(use, 0);
  }

  const ExpansionContext& context_;
  std::uint32_t i_;
  const Instruction& instruction_;
  const FormEntry* entry_;
  const PipelineParameters& pipeline_;
  Program& program_;
  LatencyModel model_;
  std::vector<UopRequest> requests_;
  std::vector<UopRequest> loads_, operations_, stores_;
  std::optional<UopRequest> writeback_request_;
  std::vector<Destination> destinations_, written_back_;
  std::span<const DependencyUse> uses_;
  std::uint32_t stored_node_ = none;
  std::uint32_t loaded_ = none;
  std::uint32_t to_store_ = none;
  std::uint32_t main_uop_ = none;
  double load_latency_ = 0;
  double model_load_latency_ = 0;
};

} // namespace

std::vector<UopRequest> list_uops(const std::vector<PortUse>& ports, const Instruction& instruction,
                                  const MemoryPorts& memory_ports) {
  bool reads = false;
  bool writes = false;
  for (const MemoryAccess& access : instruction.memory) {
    reads = reads || access.read;
    writes = writes || access.write;
  }
  std::vector<UopRequest> loads, operations, addresses, data;
  for (const PortUse& use : ports) {
    const UopKind kind = memory_ports.kind(use.mask, reads, writes);
    std::vector<UopRequest>& list = kind == UopKind::load            ? loads
                                    : kind == UopKind::store_address ? addresses
                                    : kind == UopKind::store_data    ? data
                                                                     : operations;
    for (double left = use.count; left > 1e-3 && list.size() < most_uops; left -= 1)
      list.push_back({use.mask, kind, std::min(1.0, left)});
  }
  // Where loads and store addresses share ports, a store's data show which of them are the latter.
  const std::size_t kept = reads ? 1 : 0; // one access may serve both
  while (data.size() > addresses.size() && loads.size() > kept) {
    addresses.push_back(loads.back());
    addresses.back().kind = UopKind::store_address;
    loads.pop_back();
  }
  std::vector<UopRequest> out = std::move(loads);
  out.insert(out.end(), operations.begin(), operations.end());
  for (std::size_t s = 0; s < std::max(addresses.size(), data.size()); ++s) {
    if (s < addresses.size()) out.push_back(addresses[s]);
    if (s < data.size()) out.push_back(data[s]);
  }
  return out;
}

void append_uops(const ExpansionContext& context, std::uint32_t instruction, std::vector<UopRequest> requests,
                 Program& program) {
  Expansion(context, instruction, std::move(requests), program).run();
}

} // namespace corecast::sim
