#include "cpp/sim/expansion.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace corecast::sim {
namespace {

/// `one`: the bit of the unit.
void need_unit(Uop& uop, PortMask one, double cycles) {
  uop.unit = static_cast<std::uint32_t>(std::countr_zero(one));
  uop.unit_cycles = cycles;
}

} // namespace

Expansion::Expansion(const ExpansionContext& context, std::uint32_t instruction, std::span<const PlannedUop> planned,
                     Program& program)
    : context_(context), i_(instruction), instruction_(*context.instructions[instruction]),
      entry_(context.entries[instruction]), pipeline_(context.machine.pipeline()), program_(program),
      model_(context.machine, instruction_, entry_), planned_(planned),
      slow_address_(slow_address_cycles(pipeline_, instruction_)) {
  load_latency_ = pipeline_.memory.load_latency_cycles.value_or(0);
  model_load_latency_ = load_latency_;
  if (instruction_.traits.vector) {
    model_load_latency_ = pipeline_.memory.vector_load_latency_cycles.value_or(load_latency_);
    load_latency_ = pipeline_.memory.vector_operand_load_latency_cycles.value_or(model_load_latency_);
  }
  uses_ =
      std::span(context.graph.uses).subspan(context.first_use[i_], context.first_use[i_ + 1] - context.first_use[i_]);
}

void Expansion::run() {
  if (entry_ == nullptr) return add_without_row();
  sort_planned();
  if (loads_.empty()) add_unknown_load();
  find_destinations();
  join_carriers();
  if (operations_.empty() && loads_.empty() && stored_node_ == none && !destinations_.empty())
    operations_.push_back({ports_for_flags(), UopKind::operation, 1, false}); // else dataflow without a port
  for (std::size_t l = 0; l < loads_.size(); ++l)
    add_load(loads_[l], l == 0);
  if (!operations_.empty()) add_operations();
  if (operations_.empty() && !loads_.empty() && stored_node_ != none) add_updated();
  add_write_back_uop();
  add_stores();
  if (operations_.empty() && loads_.empty()) add_status();
}

/// Of an addition that rename does.
PortMask Expansion::ports_for_flags() const {
  const bool flags = std::any_of(destinations_.begin(), destinations_.end(),
                                 [](const Destination& to) { return to.operand == operand_id::flags; });
  return flags && done_by_rename(*entry_) ? context_.machine.port_roles().added_flags : 0;
}

void Expansion::sort_planned() {
  for (const PlannedUop& request : planned_) {
    if (request.kind == UopKind::load)
      loads_.push_back(request);
    else if (request.kind == UopKind::operation)
      operations_.push_back(request);
    else
      stores_.push_back(request);
  }
}

/// An instruction without data has its slot alone: each of its values is there with the last of its inputs.
void Expansion::add_without_row() {
  for (std::uint32_t node = context_.first_node[i_]; node < context_.first_node[i_ + 1]; ++node) {
    const OperandId operand = context_.graph.nodes[node].operand;
    begin_join();
    add_inputs_of(operand);
    add_output(node, 0);
    if (operand != operand_id::memory) continue;
    for (const std::uint32_t value : {context_.store_data_values[node], context_.stored_values[node]})
      if (value != none) add_output(value, 0);
  }
}

void Expansion::add_inputs_of(OperandId destination) {
  for (const DependencyUse& use : uses_) {
    if (use.producer == no_node) continue;
    if (use.kind != DependencyKind::memory) {
      if (model_.from_register(use, destination)) add_use(use, 0);
      continue;
    }
    const Instruction& store = *context_.instructions[context_.graph.nodes[use.producer].instruction];
    if (!model_.from_store(use, destination, store)) continue;
    for (const std::uint32_t part : {context_.store_addresses[use.producer], context_.store_data_values[use.producer]})
      if (part != none) add_input(part, use.distance, 0);
  }
}

/// No port of the row's tells where it loads: what a store left still comes that way.
void Expansion::add_unknown_load() {
  const bool waits = std::any_of(uses_.begin(), uses_.end(),
                                 [](const DependencyUse& use) { return use.kind == DependencyKind::memory; });
  if (waits) loads_.push_back({0, UopKind::load, 1, false});
}

void Expansion::find_destinations() {
  for (std::uint32_t node = context_.first_node[i_]; node < context_.first_node[i_ + 1]; ++node) {
    const OperandId operand = context_.graph.nodes[node].operand;
    if (operand == operand_id::memory)
      stored_node_ = node;
    else if (operand == operand_id::address)
      written_back_.push_back({node, operand, node});
    else
      destinations_.push_back({node, operand, node});
  }
  // A base register's update has a separate uop where there is one to spare.
  if (written_back_.empty() || (operations_.size() <= 1 && !destinations_.empty() && loads_.empty())) return;
  const auto update = std::find_if(operations_.rbegin(), operations_.rend(), [&](const PlannedUop& request) {
    return context_.memory_ports.may_update_base(request.ports);
  });
  if (update == operations_.rend()) return;
  writeback_request_ = *update;
  operations_.erase(std::next(update).base());
}

/// Uops that carry loaded data to the registers, within the load's own latency: the result is the load's.
void Expansion::join_carriers() {
  if (loads_.empty() || operations_.empty() || destinations_.empty() || stored_node_ != none) return;
  const double after_first = static_cast<double>(loads_.size() - 1) / std::max(1, std::popcount(loads_.front().ports));
  for (const Destination& to : destinations_) {
    const auto cycles = address_cycles(to.operand);
    if (!cycles || *cycles > std::max(load_latency_, model_load_latency_) + after_first) return;
  }
  loads_.append(operations_.begin(), operations_.end());
  operations_.clear();
}

bool Expansion::is_address(const DependencyUse& use) const {
  return use.source == operand_id::address || use.source == operand_id::index;
}

std::uint32_t Expansion::begin_uop(const PlannedUop& request) {
  Uop uop;
  uop.ports = request.ports;
  uop.kind = request.kind;
  uop.instruction = i_;
  uop.port_cycles = request.port_cycles;
  if (const PortMask unit = context_.machine.port_roles().line_crossings; unit != 0 && request.crossings > 0)
    need_unit(uop, unit, request.crossings);
  uop.first_input = uop.input_end = static_cast<std::uint32_t>(program_.inputs.size());
  uop.first_output = uop.output_end = static_cast<std::uint32_t>(program_.outputs.size());
  uop.waits = true;
  program_.uops.push_back(uop);
  return static_cast<std::uint32_t>(program_.uops.size() - 1);
}

/// A value that is there when the last of its inputs has arrived.
void Expansion::begin_join() {
  begin_uop({0, UopKind::operation, 1, false});
  program_.uops.back().join = true;
  program_.uops.back().completion_cycles = 0;
}

void Expansion::add_input(std::uint32_t value, std::uint32_t distance, double extra) {
  program_.inputs.push_back({value, distance, whole(extra)});
  program_.uops.back().input_end = static_cast<std::uint32_t>(program_.inputs.size());
}

void Expansion::add_output(std::uint32_t value, double latency) {
  program_.outputs.push_back({value, std::max(0, whole(latency))});
  program_.uops.back().output_end = static_cast<std::uint32_t>(program_.outputs.size());
}

void Expansion::add_use(const DependencyUse& use, double extra) {
  if (use.producer == no_node) return;
  add_input(use.producer, use.distance, extra + use.extra_cycles);
  if (use.group_value == no_node) return;
  program_.inputs.back().in_group = true;
  Uop& uop = program_.uops.back();
  uop.group_value = use.group_value;
  uop.group_distance = use.group_distance;
  uop.group_cycles = whole(use.group_cycles);
}

void Expansion::add_addresses(bool chase, bool main) {
  const auto moves = [](const MemoryAccess& access) { return access.write_back == WriteBack::post; };
  const bool moves_on =
      writeback_request_ && std::any_of(instruction_.memory.begin(), instruction_.memory.end(), moves);
  for (const DependencyUse& use : uses_) {
    if (!is_address(use)) continue;
    if (moves_on && use.source == operand_id::index) continue; // the uop that updates the base adds it
    add_use(use, main ? sooner_cycles(use) : 0);
    if (use.producer != no_node && chase && use.source == operand_id::address)
      program_.inputs.back().sooner = static_cast<std::uint8_t>(whole(context_.pointer_chase.gain(use)));
  }
}

/// The stores that a load may take its data from: their parts are late inputs.
void Expansion::add_forwarded() {
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

void Expansion::add_late(std::uint32_t value, std::uint32_t distance, double cycles) {
  program_.inputs.push_back(
      {value, distance, 0, true, static_cast<std::int32_t>(std::ceil(16 * cycles - 1e-9))}); // never below the bounds
  program_.uops.back().input_end = static_cast<std::uint32_t>(program_.inputs.size());
}

/// Memory renamed to a register: the load's result is what the store was given.
void Expansion::add_renamed(const DependencyUse& load, double cycles) {
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
double Expansion::forward_cycles(const DependencyUse& use, const Instruction& store) const {
  const auto edge = model_.from_store(use, operand_id::memory, store);
  const double own = model_.operation_after_load();
  return edge ? edge->cycles - own : pipeline_.memory.store_forward_extra_cycles + pipeline_.memory.store_data_cycles;
}

/// Whether the uop that was begun last takes its data from a store.
bool Expansion::waits_for_store() const {
  return std::any_of(program_.inputs.begin() + program_.uops.back().first_input, program_.inputs.end(),
                     [](const UopInput& input) { return input.late; });
}

/// Of several loads the first one makes the results: a row's latency is that of all of them together.
void Expansion::add_load(const PlannedUop& request, bool main) {
  begin_uop(request);
  add_addresses(true, main);
  add_forwarded();
  if (!main) return;
  const double beyond =
      waits_for_store() ? pipeline_.memory.extra_load_latency_cycles : 0; // such data come from no cache
  if (!operations_.empty() || stored_node_ != none) {
    loaded_ = program_.values++;
    add_output(loaded_, load_latency_ + slow_address_ - beyond);
  }
  add_written_back();
  if (!operations_.empty()) return;
  Few<LoadedResult> joined; // results that wait for more than the load
  for (const Destination& to : destinations_) {
    const double whole_way = address_cycles(to.operand).value_or(load_latency_) + slow_address_ - beyond;
    const double work = work_on_forwarded(to.operand);
    const bool alone = whole(work) <= 0 && !updates_from_register();
    const std::uint32_t loaded = alone ? to.value : program_.values++;
    add_output(loaded, alone ? whole_way : whole_way - work);
    if (!alone) joined.push_back({to, loaded, work});
  }
  if (stored_node_ == none) add_merged();
  attach_unit(static_cast<std::uint32_t>(program_.uops.size() - 1));
  for (const LoadedResult& result : joined)
    add_loaded_result(result);
}

/// Whether registers are read for what is stored in place of what was loaded: the load does not wait for them.
bool Expansion::updates_from_register() const {
  return stored_node_ != none && std::any_of(uses_.begin(), uses_.end(), [&](const DependencyUse& use) {
           return !is_address(use) && use.kind != DependencyKind::memory && use.producer != no_node;
         });
}

/// How much longer than to any load's result data that a store left take to an output.
double Expansion::work_on_forwarded(OperandId destination) const {
  double most = 0;
  for (const DependencyUse& use : uses_) {
    if (use.kind != DependencyKind::memory || use.producer == no_node) continue;
    const Instruction& store = *context_.instructions[context_.graph.nodes[use.producer].instruction];
    if (const auto edge = model_.from_store(use, destination, store))
      most = std::max(most, edge->cycles - forward_cycles(use, store));
  }
  return most;
}

/// A result that is there so long after the loaded data, and after the registers that it depends on.
void Expansion::add_loaded_result(const LoadedResult& result) {
  begin_join();
  add_input(result.loaded, 0, result.work);
  for (const DependencyUse& use : uses_) {
    if (stored_node_ == none || is_address(use) || use.kind == DependencyKind::memory) continue;
    if (const auto edge = model_.from_register(use, result.to.operand)) add_use(use, edge->cycles);
  }
  add_output(result.to.value, 0);
}

/// What a load without an operation reads besides its address: the register that it keeps a part of, or a mask. What is
/// needed later than the address does not hold up its start.
void Expansion::add_merged() {
  const bool forwarded = waits_for_store();
  for (const DependencyUse& use : uses_) {
    if (is_address(use) || use.kind == DependencyKind::memory || use.producer == no_node) continue;
    std::optional<double> most; // more than from the address
    double whole_way = 0;
    for (const Destination& to : destinations_)
      if (const auto cycles = model_.from_register(use, to.operand)) {
        most = std::max(most.value_or(-1e9),
                        cycles->cycles - address_cycles(to.operand).value_or(load_latency_) - slow_address_);
        whole_way = std::max(whole_way, cycles->cycles);
      }
    if (!most) continue;
    if (*most < 0 && !forwarded) // of late inputs one way alone is kept
      add_late(use.producer, use.distance, whole_way + use.extra_cycles);
    else
      add_use(use, *most);
  }
}

void Expansion::add_written_back() {
  if (writeback_request_) return;
  for (const Destination& to : written_back_) {
    add_output(to.value, pipeline_.memory.writeback_latency_cycles);
    program_.outputs.back().prompt = true;
  }
  written_back_.clear();
}

/// From one kind of address register to an output; of the other kind where the row knows only that.
std::optional<double> Expansion::cycles_from(OperandId address, OperandId destination) const {
  if (entry_ == nullptr || !entry_->latency_known) return std::nullopt;
  if (const auto cycles = find_latency(*entry_, address, destination)) return cycles;
  return find_latency(*entry_, address == operand_id::index ? operand_id::address : operand_id::index, destination);
}

/// The shortest way from the address to an output: registers from which it is longer may arrive sooner.
std::optional<double> Expansion::address_cycles(OperandId destination) const {
  std::optional<double> least;
  for (const DependencyUse& use : uses_) {
    if (!is_address(use)) continue;
    if (const auto cycles = cycles_from(use.source, destination)) least = std::min(least.value_or(*cycles), *cycles);
  }
  if (!least) least = cycles_from(operand_id::address, destination);
  if (least || entry_ == nullptr || !entry_->latency_known) return least;
  const auto loaded = find_latency(*entry_, operand_id::memory, destination);
  return loaded ? std::optional(*loaded + model_load_latency_) : std::nullopt;
}

/// So many cycles sooner than the load's own address register has to be there.
double Expansion::sooner_cycles(const DependencyUse& use) const {
  std::optional<double> least;
  for (const Destination& to : destinations_) {
    const auto own = cycles_from(use.source, to.operand);
    const auto shortest = address_cycles(to.operand);
    if (own && shortest) least = std::min(least.value_or(1e9), whole(*own) - whole(*shortest) * 1.0);
  }
  return least.value_or(0);
}

/// From an address register to an output, where that is longer than the load and what follows it say; 0 where it is
/// not.
std::int32_t Expansion::longer_way(const DependencyUse& use, OperandId destination) const {
  if (!is_address(use) || use.producer == no_node || destination == operand_id::memory) return 0;
  if (loads_.empty()) { // what a store tells of itself waits for its address, its data do not
    const auto cycles = stored_node_ == none ? std::nullopt : model_.from_register(use, destination);
    return cycles ? whole(cycles->cycles) : 0;
  }
  const auto own = cycles_from(use.source, destination);
  const auto shortest = address_cycles(destination);
  if (!own || !shortest || whole(*own) <= whole(*shortest) + whole(sooner_cycles(use))) return 0;
  return whole(*own + slow_address_);
}

void Expansion::add_write_back_uop() {
  if (!writeback_request_) return;
  begin_uop(*writeback_request_);
  for (const DependencyUse& use : uses_)
    if (is_address(use)) add_use(use, 0);
  for (const Destination& each : written_back_)
    add_output(each.value, pipeline_.memory.writeback_latency_cycles);
}

void Expansion::attach_unit(std::uint32_t uop) {
  if (entry_ == nullptr || entry_->blocking.empty()) return;
  const PortUse& use = entry_->blocking.front();
  if (!std::has_single_bit(use.mask)) { // whichever of several ports it takes
    program_.uops[uop].port_cycles = std::max(program_.uops[uop].port_cycles, use.count);
    return;
  }
  need_unit(program_.uops[uop], use.mask, use.count);
}

void Expansion::add_stores() {
  const bool alone = operations_.empty() && loads_.empty();
  const auto first = static_cast<std::uint32_t>(program_.uops.size());
  bool address_made = false;
  bool data_made = false;
  for (const PlannedUop& request : stores_) {
    begin_uop(request);
    if (request.kind == UopKind::store_address) {
      add_addresses(false, false);
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
  begin_uop({0, UopKind::store_data, 1, false});
  add_store_data();
  add_output(context_.store_data_values[stored_node_], pipeline_.memory.store_data_cycles);
}

/// What is made of loaded data and of registers on its way back to memory, where no uop of the row's is the operation:
/// atomics that the load and store unit does.
void Expansion::add_updated() {
  Few<std::pair<const DependencyUse*, double>> from;
  for (const DependencyUse& use : uses_) {
    if (is_address(use) || use.kind == DependencyKind::memory) continue;
    const auto edge = model_.from_register(use, operand_id::memory);
    if (edge && edge->cycles > 0) from.emplace_back(&use, edge->cycles);
  }
  if (from.empty()) return;
  to_store_ = program_.values++;
  begin_join();
  add_input(loaded_, 0, model_.operation_after_load());
  for (const auto& [use, cycles] : from)
    add_use(*use, cycles);
  add_output(to_store_, 0);
}

/// What a store writes to registers, as whether it took place: there so long after its inputs as the row says.
void Expansion::add_status() {
  for (const Destination& to : destinations_) {
    Few<std::pair<const DependencyUse*, std::int32_t>> from;
    std::int32_t least = whole(model_.without_inputs(to.operand).cycles);
    for (const DependencyUse& use : uses_)
      if (const auto edge = model_.from_register(use, to.operand); edge && use.kind != DependencyKind::memory) {
        from.emplace_back(&use, whole(edge->cycles));
        least = std::min(least, from.back().second);
      }
    begin_join();
    for (const auto& [use, cycles] : from)
      add_use(*use, cycles - least);
    add_output(to.value, least);
  }
}

void Expansion::add_store_data() {
  if (to_store_ != none) return add_input(to_store_, 0, 0);
  if (loaded_ != none) add_input(loaded_, 0, 0);
  for (const DependencyUse& use : uses_)
    if (!is_address(use) && use.kind != DependencyKind::memory) add_use(use, 0);
}

void append_uops(const ExpansionContext& context, std::uint32_t instruction, std::span<const PlannedUop> planned,
                 Program& program) {
  Expansion(context, instruction, planned, program).run();
}

} // namespace corecast::sim
