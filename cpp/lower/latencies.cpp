#include "cpp/lower/latencies.hpp"

#include "cpp/lower/patterns.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>

namespace corecast {
namespace {

constexpr double assumed_cycles = 1; // where nothing is known: no result is free

} // namespace

double slow_address_cycles(const PipelineParameters& pipeline, const Instruction& instruction) {
  const double cycles = pipeline.memory.complex_address_cycles;
  if (cycles == 0) return 0;
  const bool slow = std::any_of(instruction.memory.begin(), instruction.memory.end(), [](const MemoryAccess& access) {
    const bool displaced = access.displacement != 0 || !access.symbol.empty();
    return access.read && access.index != 0 && !access.vector_index &&
           (access.scale > 1 || (access.base != 0 && displaced));
  });
  return slow ? cycles : 0;
}

LatencyModel::LatencyModel(const Machine& machine, const Instruction& instruction, const FormEntry* entry)
    : machine_(machine), pipeline_(machine.pipeline()), instruction_(instruction), entry_(entry),
      vector_(instruction.traits.vector), slow_address_(slow_address_cycles(pipeline_, instruction)) {
  for (const MemoryAccess& access : instruction.memory) {
    loads_ = loads_ || access.read;
    stores_ = stores_ || access.write;
  }
}

std::optional<double> LatencyModel::rule(OperandId source, OperandId destination) const {
  if (auto cycles = find_latency(*entry_, source, destination)) return cycles;
  if (source == operand_id::index) return find_latency(*entry_, operand_id::address, destination);
  if (source == operand_id::address) return find_latency(*entry_, operand_id::index, destination);
  return std::nullopt;
}

double LatencyModel::load_latency() const {
  const MemoryParameters& memory = pipeline_.memory;
  const double plain = memory.load_latency_cycles.value_or(0);
  return vector_ ? memory.vector_load_latency_cycles.value_or(plain) : plain;
}

double LatencyModel::operation_after_load() const {
  if (entry_ == nullptr) return 0;
  if (!known()) return stores_ ? assumed_cycles : 0;
  const auto whole = find_latency(*entry_, operand_id::memory, operand_id::memory);
  return whole ? std::max(1.0, *whole - load_latency()) : assumed_cycles;
}

/// Whether something is made of registers on their way to memory. A plain store has no separate operation: what its
/// row lists is the store itself, of as many parts as it has.
bool LatencyModel::operates() const {
  if (loads_) return true;
  if (!entry_->uops || entry_->uops->unfused <= 2) return false;
  if (!entry_->ports_known) return true;
  const bool updates_base =
      std::any_of(instruction_.memory.begin(), instruction_.memory.end(),
                  [](const MemoryAccess& access) { return access.write_back != WriteBack::none; });
  return machine_.memory_ports().operations(entry_->ports, loads_, stores_) > (updates_base ? 1 : 0);
}

std::optional<EdgeLatency> LatencyModel::to_memory(OperandId source) const {
  const bool address = source == operand_id::address || source == operand_id::index;
  const auto listed = rule(source, operand_id::memory);
  const double store = pipeline_.memory.store_latency_cycles;
  if (loads_ && address) { // load, operate, store
    const double cycles = load_latency() + operation_after_load() + slow_address_;
    return EdgeLatency{cycles, std::max(cycles, listed.value_or(cycles) + slow_address_)};
  }
  if (address) return EdgeLatency{0, listed.value_or(0)}; // a store forwards as soon as its data are there
  if (!operates()) return EdgeLatency{0, listed.value_or(0)};
  const double operation = std::max(loads_ ? 1.0 : 0.0, listed.value_or(store + assumed_cycles) - store);
  return EdgeLatency{operation, listed.value_or(operation)};
}

/// Whether an output of an instruction without a row waits for an input: not where its value is known to be made of
/// other registers (updated bases and stack pointers).
bool LatencyModel::reaches(const DependencyUse& use, OperandId destination) const {
  const bool from_address = use.source == operand_id::address || use.source == operand_id::index;
  if (destination == operand_id::address) return from_address;
  if (destination < operand_id::implicit_register) return true;
  const auto value = std::find_if(instruction_.affine.begin(), instruction_.affine.end(), [&](const AffineValue& each) {
    return each.reg == destination - operand_id::implicit_register;
  });
  return value == instruction_.affine.end() || std::any_of(value->terms.begin(), value->terms.end(),
                                                           [&](const AffineTerm& term) { return term.reg == use.reg; });
}

std::optional<EdgeLatency> LatencyModel::from_register(const DependencyUse& use, OperandId destination) const {
  const auto both = [](double cycles) { return EdgeLatency{cycles, cycles}; };
  if (entry_ == nullptr) return reaches(use, destination) ? std::optional(EdgeLatency{}) : std::nullopt;
  if (!known()) return both(destination == operand_id::memory && !loads_ ? 0 : assumed_cycles);
  const FormEntry& entry = *entry_;
  if (entry.latency.empty() && !use.merge && destination != operand_id::memory) {
    if (entry.flags.eliminated) return both(0);
    return std::nullopt;
  }
  if (destination == operand_id::memory) return to_memory(use.source);

  const bool from_address = use.source == operand_id::address || use.source == operand_id::index;
  if (destination == operand_id::address) { // write-back
    if (!from_address) return std::nullopt;
    return both(rule(use.source, destination).value_or(pipeline_.memory.writeback_latency_cycles));
  }
  auto cycles = rule(use.source, destination);
  if (!cycles && use.merge) cycles = largest_latency(entry, destination).value_or(assumed_cycles);
  const bool implicit = use.source >= operand_id::implicit_register || destination >= operand_id::implicit_register;
  if (!cycles && !has_rule_to(entry, destination)) {
    // The row is silent about this output: the instruction's largest latency, but one cycle for implicit registers
    // (stack and string pointers, counters), which are stepped beside the real work.
    cycles = implicit ? assumed_cycles : largest_latency(entry).value_or(assumed_cycles);
  }
  if (!cycles) return std::nullopt;
  if (entry.flags.eliminated && *cycles >= 1) cycles = 0;
  if (use.executed) cycles = std::max(1.0, *cycles);
  return both(*cycles + (from_address ? slow_address_ : 0));
}

/// Whether the core hands the stored register on instead of loading. It knows the address by the registers that it is
/// made of, or predicts it.
bool LatencyModel::renamed(const DependencyUse& use, const Instruction& store) const {
  const MemoryParameters& memory = pipeline_.memory;
  if (!memory.renamed_latency_cycles || vector_ || store.traits.vector) return false;
  if (memory.only_predicted_renamed && !use.same_address) return false;
  if (entry_ != nullptr && entry_->flags.locked) return false; // timed on a Zen 4
  const MemoryAccess& load = instruction_.memory[use.access];
  const MemoryAccess& stored = store.memory[use.store_access];
  if (load.width_bytes > stored.width_bytes || load.symbol != stored.symbol) return false;
  const Candidate producer{&store, nullptr, &stored};
  Candidate consumer{&instruction_, entry_, &load};
  consumer.begins_pair = use.joined;
  const bool permitted = std::any_of(pipeline_.rules.begin(), pipeline_.rules.end(), [&](const Rule& rule) {
    if (rule.effect != Effect::rename_memory || (rule.same_width && load.width_bytes != stored.width_bytes))
      return false;
    return fits(rule.producer, producer) && fits(rule.consumer, consumer);
  });
  if (!permitted) return false;
  if (load.pc_relative || stored.pc_relative)
    return load.pc_relative && stored.pc_relative && (use.same_address || !memory.relative_renamed_predicted_only) &&
           (&store != &instruction_ || (memory.own_relative_renamed && use.own_update)) &&
           relative_target(instruction_, load) == relative_target(store, stored);
  const bool named = load.base != 0 && load.same_address_as(stored);
  if (memory.renamed_loads_predicted == 0) return named;
  return use.same_address && (named || (use.contained && load.width_bytes == stored.width_bytes));
}

std::optional<EdgeLatency> LatencyModel::from_store(const DependencyUse& use, OperandId destination,
                                                    const Instruction& store) const {
  const MemoryParameters& memory = pipeline_.memory;
  if (destination == operand_id::address) return std::nullopt; // the base's update waits for no data
  if (entry_ == nullptr) return reaches(use, destination) ? std::optional(EdgeLatency{}) : std::nullopt;
  const auto plain = memory.store_forward_latency_cycles;
  auto forward =
      vector_ && memory.vector_store_forward_latency_cycles ? memory.vector_store_forward_latency_cycles : plain;
  if (use.own_update && !vector_ && memory.update_forward_latency_cycles)
    forward = memory.update_forward_latency_cycles;
  if (renamed(use, store)) forward = memory.renamed_latency_cycles;
  // What waits until stores are in the cache reads there, and takes as long as its row was timed to take.
  if (entry_->flags.locked && memory.locked_wait_cycles > 0)
    if (const auto own = find_latency(*entry_, operand_id::memory, operand_id::memory))
      forward = *own - operation_after_load();
  // Without a known latency the load's own is the least that the data can take.
  const double base = forward.value_or(load_latency());
  if (!known() || destination == operand_id::memory) {
    const double cycles = base + operation_after_load();
    return EdgeLatency{cycles, cycles};
  }
  // What the row's load takes longer than a plain one, it does longer with forwarded data, too: on a Zen 4 `movsxd`
  // takes a cycle more than `mov`, a store and a load of a ymm register one more than of an xmm register.
  double extra = 0;
  const auto whole = rule(operand_id::address, destination);
  if (!whole && has_rule_to(*entry_, destination) && !find_latency(*entry_, operand_id::memory, destination))
    return std::nullopt;
  if (whole)
    extra = std::max(0.0, *whole - load_latency());
  else if (const auto own = find_latency(*entry_, operand_id::memory, destination))
    extra = *own;
  else if (!has_rule_to(*entry_, destination)) // the row is silent: as of other inputs
    extra = std::max(0.0, largest_latency(*entry_).value_or(assumed_cycles) - load_latency());
  return EdgeLatency{base + extra, base + extra};
}

EdgeLatency LatencyModel::without_inputs(OperandId destination) const {
  if (entry_ == nullptr) return {};
  if (!known()) return destination == operand_id::memory ? EdgeLatency{} : EdgeLatency{assumed_cycles, assumed_cycles};
  const double cycles = largest_latency(*entry_, destination).value_or(0);
  if (destination == operand_id::memory) return {0, cycles};
  return {cycles, cycles};
}

} // namespace corecast
