#include "cpp/lower/graph.hpp"

#include "cpp/base/interrupt.hpp"
#include "cpp/base/recycled.hpp"
#include "cpp/isa/glob.hpp"
#include "cpp/lower/late_loads.hpp"
#include "cpp/lower/latencies.hpp"
#include "cpp/lower/patterns.hpp"
#include "cpp/lower/pointer_chase.hpp"
#include "cpp/lower/register_slots.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

namespace corecast {
namespace {

constexpr std::uint32_t instructions_between_polls = 256;

/// Whether a latency, which is not negative, is more than the nearest whole number of cycles.
bool rounds_down(double cycles) {
  return static_cast<double>(static_cast<std::int64_t>(cycles + 0.5)) < cycles - 1e-9;
}

/// Who wrote a location last. x86 general registers have two parts where AH..DH are renamed apart.
struct Writers {
  std::uint32_t low = no_node;
  std::uint32_t low_distance = 0;
  std::uint32_t high = no_node; // AH..DH apart from the rest, no_node where not
  std::uint32_t high_distance = 0;
  bool high_dirty = false;           // a merge is still due before the whole register is read
  double synchronisation_cycles = 0; // rsp: uops that the renamer put behind the last writer
};

class GraphBuilder {
public:
  GraphBuilder(const Machine& machine, std::span<const Instruction* const> instructions,
               std::span<const FormEntry* const> entries, const std::vector<bool>& seconds, DependencyGraph room,
               const Aliasing* aliasing, bool loop)
      : loop_(loop), machine_(machine), pipeline_(machine.pipeline()), instructions_(instructions), entries_(entries),
        seconds_(seconds), late_loads_(mean_delays(machine)), aliasing_(aliasing), graph_(std::move(room)),
        pointer_chase_(pipeline_, instructions_, entries_, graph_) {
    graph_.clear();
    stack_pointer_ = machine.stack_pointer();
    if (pipeline_.front_end.stack_engine && stack_pointer_ != 0)
      stack_engine_operand_ = static_cast<OperandId>(operand_id::implicit_register + stack_pointer_);
  }

  DependencyGraph run(bool edges) {
    reserve();
    make_nodes();
    if (reads_change_state_ || writes_unknown_) {
      walk(false); // the state at the end of an iteration
      for (Writers& writers : state_) {
        writers.low_distance = 1;
        writers.high_distance = 1;
      }
      walk(true);
    } else {
      walk(true);
      for (DependencyUse& use : graph_.uses)
        if (use.producer == no_node) carry(use);
    }
    register_uses_ = graph_.uses.size();
    add_overflows();
    add_executions();
    add_delays();
    add_memory_uses();
    order_uses();
    if (edges) make_edges();
    return std::move(graph_);
  }

private:
  // --- nodes ---------------------------------------------------------------------------------------------------------

  /// Room for what most regions need.
  void reserve() {
    const std::size_t count = instructions_.size();
    first_node_.reserve(count + 1);
    graph_.nodes.reserve(2 * count);
    graph_.uses.reserve(4 * count);
    state_.reserve(32);
  }

  void make_nodes() {
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      first_node_.push_back(static_cast<std::uint32_t>(graph_.nodes.size()));
      // Reads merge high bytes that were written apart, and bring rsp up to date where pushes and pops have moved it.
      reads_change_state_ = reads_change_state_ || (separate_high() && instructions_[i]->traits.writes_high8);
      writes_unknown_ = writes_unknown_ || instructions_[i]->unknown;
      for (const Operand& operand : instructions_[i]->operands) {
        reads_change_state_ = reads_change_state_ || by_stack_engine(operand) ||
                              (pipeline_.front_end.stack_offset_in_addresses && names_stack_pointer(operand));
        const bool writes = operand.kind == OperandKind::mem ? operand.write : writes_registers(operand);
        if (writes && node_of(i, operand.id) == no_node) graph_.nodes.push_back({i, operand.id, 0, 0});
      }
      const bool stores = std::any_of(instructions_[i]->memory.begin(), instructions_[i]->memory.end(),
                                      [](const MemoryAccess& access) { return access.write; });
      if (stores && node_of(i, operand_id::memory) == no_node) graph_.nodes.push_back({i, operand_id::memory, 0, 0});
    }
    first_node_.push_back(static_cast<std::uint32_t>(graph_.nodes.size()));
  }

  /// What nobody wrote before in this iteration was written last in the one before.
  void carry(DependencyUse& use) {
    use.producer = writers(use.reg).low;
    use.distance = use.producer == no_node ? 0 : 1;
  }

  bool names_stack_pointer(const Operand& operand) const {
    if (stack_pointer_ == 0) return false;
    return std::any_of(operand.registers.begin(), operand.registers.end(),
                       [&](const RegisterUse& use) { return use.reg == stack_pointer_; });
  }

  static bool writes_registers(const Operand& operand) {
    const auto written = [](const RegisterUse& use) { return use.write; };
    return operand.kind == OperandKind::reg ? operand.write
                                            : std::any_of(operand.registers.begin(), operand.registers.end(), written);
  }

  /// Node of an output; during make_nodes the instruction's nodes so far.
  std::uint32_t node_of(std::uint32_t instruction, OperandId operand) const {
    const auto end = instruction + 1 < first_node_.size() ? first_node_[instruction + 1]
                                                          : static_cast<std::uint32_t>(graph_.nodes.size());
    for (std::uint32_t n = first_node_[instruction]; n < end; ++n)
      if (graph_.nodes[n].operand == operand) return n;
    return no_node;
  }

  // --- last writers --------------------------------------------------------------------------------------------------

  Writers& writers(RegisterId reg) {
    const std::uint32_t slot = slots_[reg];
    if (slot >= state_.size()) add_writers();
    return state_[slot];
  }

  /// Registers get their slots one after the other. Not inline: rare, and it would make the usual way longer.
  [[gnu::noinline]] void add_writers() { state_.emplace_back(); }

  /// Text that cannot be read may write anything: what comes after it waits for nothing before it.
  void forget_writers() {
    for (Writers& writers : state_)
      writers = Writers{};
  }

  bool by_stack_engine(const Operand& operand) const { return operand.id == stack_engine_operand_ && operand.implicit; }

  void walk(bool record) {
    synchronised_ = no_node;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      if (i % instructions_between_polls == instructions_between_polls - 1) poll_interrupt();
      const Instruction& instruction = *instructions_[i];
      if (record || reads_change_state_) read_operands(i, record);
      if (instruction.unknown) forget_writers();
      bool moved = false;
      for (const Operand& operand : instruction.operands) {
        if (by_stack_engine(operand))
          moved = true;
        else
          write_operand(i, operand);
      }
      if (moved) move_stack(i, record);
    }
  }

  void read_operands(std::uint32_t i, bool record) {
    for (const Operand& operand : instructions_[i]->operands) {
      if (!by_stack_engine(operand))
        read_operand(i, operand, record);
      else if (record)
        read_stack_address(i, operand);
    }
  }

  void read_operand(std::uint32_t i, const Operand& operand, bool record) {
    const FormEntry* entry = entries_[i];
    // A row may list a dependency on a register that is only written (popcnt's false one on some cores).
    const bool false_dependency = entry != nullptr && operand.write && operand.id < operand_id::memory &&
                                  operand.kind == OperandKind::reg && names_source(*entry, operand.id, operand.id);
    for (const RegisterUse& use : operand.registers) {
      if (use.read || (false_dependency && use.write))
        read(i, operand.id, use, false, record);
      else if (use.write && merges(use))
        read(i, operand.id, use, true, record);
    }
  }

  bool separate_high() const { return pipeline_.rename.high8_renamed_separately; }

  /// Whether a write keeps some of the register's old value in the same renamed register.
  bool merges(const RegisterUse& use) const {
    switch (use.part) {
    case Part::low8:
    case Part::low16:
      return true;
    case Part::high8:
      return !separate_high();
    default:
      return false;
    }
  }

  void add_use(std::uint32_t i, OperandId source, const RegisterUse& use, bool merge, std::uint32_t producer,
               std::uint32_t distance, double extra) {
    DependencyUse out;
    out.producer = producer;
    out.consumer = i;
    out.distance = producer == no_node ? 0 : distance;
    out.source = source;
    out.reg = use.reg;
    out.merge = merge;
    out.extra_cycles = extra;
    if (source == operand_id::flags)
      out.kind = DependencyKind::flags;
    else if (source == operand_id::address || source == operand_id::index)
      out.kind = DependencyKind::address;
    graph_.uses.push_back(out);
  }

  void read(std::uint32_t i, OperandId source, const RegisterUse& use, bool merge, bool record) {
    if (use.reg == stack_pointer_ && stack_pointer_ != 0) {
      stack_settled_ = true;
      if (!adds_stack_offset(i, source) && needs_synchronisation(i)) synchronise_stack(i, record);
    }
    Writers& from = writers(use.reg);
    double extra = from.synchronisation_cycles;
    const bool apart = from.high != no_node;
    if (use.part == Part::high8 && separate_high()) {
      if (from.high_dirty) {
        if (record) add_use(i, source, use, merge, from.high, from.high_distance, extra);
        return;
      }
      extra += pipeline_.rename.high8_clean_read_extra_cycles;
    }
    const bool low_only = use.part == Part::low8 && separate_high();
    if (apart && !low_only) {
      constexpr double merged = 1; // for whoever reads behind the merge, too
      if (from.high_dirty && record)
        graph_.extra_uops.push_back({i, machine_.port_roles().high8_merge, "merge of a high-byte register", true});
      from.high_dirty = false;
      if (record) add_use(i, source, use, merge, from.high, from.high_distance, extra + merged);
      extra += merged;
    }
    if (record) add_use(i, source, use, merge, from.low, from.low_distance, extra);
  }

  void write_operand(std::uint32_t i, const Operand& operand) {
    if (!writes_registers(operand)) return;
    const std::uint32_t node = node_of(i, operand.id);
    for (const RegisterUse& use : operand.registers) {
      if (!use.write) continue;
      Writers& to = writers(use.reg);
      if (use.part == Part::high8 && separate_high()) {
        to.high = node;
        to.high_distance = 0;
        to.high_dirty = true;
      } else {
        to.low = node;
        to.low_distance = 0;
        to.synchronisation_cycles = 0;
        if (use.part != Part::low8 || !separate_high()) to.high = no_node;
        to.high_dirty = to.high_dirty && to.high != no_node;
      }
      if (use.reg == stack_pointer_ && stack_pointer_ != 0) {
        stack_offset_ = 0;
        stack_settled_ = true;
      }
    }
  }

  /// Pushes and pops wait for the last uop that wrote rsp, not for each other: the renamer knows the offset between.
  void read_stack_address(std::uint32_t i, const Operand& operand) {
    const Writers& from = writers(stack_pointer_);
    add_use(i, operand_id::address, operand.registers.front(), false, from.low, from.low_distance,
            from.synchronisation_cycles);
  }

  /// Whether a read of rsp takes the renamer's offset along.
  bool adds_stack_offset(std::uint32_t i, OperandId source) const {
    if (!pipeline_.front_end.stack_offset_in_addresses) return false;
    const bool moves = entries_[i] != nullptr && entries_[i]->flags.eliminated;
    return source == operand_id::address || source == operand_id::index || moves;
  }

  /// Once an instruction. Cores whose addresses add the offset have the uop for every other use of rsp.
  bool needs_synchronisation(std::uint32_t i) {
    if (!pipeline_.front_end.stack_offset_in_addresses) return stack_offset_ != 0;
    return std::exchange(synchronised_, i) != i;
  }

  /// The renamer's offset goes into rsp through a separate uop: who reads rsp from then on waits for that, too. One
  /// without an offset passes rsp on and takes a slot alone.
  void synchronise_stack(std::uint32_t i, bool record) {
    if (!pipeline_.front_end.stack_synchronisation) return;
    // Where addresses add the offset, what writes rsp does not put an end to it, and steps up and down do not cancel.
    const bool used = std::exchange(stack_used_, false);
    const bool offset = std::exchange(stack_offset_, 0) != 0;
    const bool adds = pipeline_.front_end.stack_offset_in_addresses ? used : offset;
    if (adds) writers(stack_pointer_).synchronisation_cycles += 1;
    const PortRoles& roles = machine_.port_roles();
    const PortMask alone = roles.stack_synchronisation != 0 ? roles.stack_synchronisation : roles.integer_alu;
    ExtraUop uop{i, adds ? alone : 0, "stack pointer synchronisation", false};
    uop.joins_operation = adds && roles.stack_synchronisation != 0;
    if (record) graph_.extra_uops.push_back(uop);
  }

  /// Push, pop, call, ret: the renamer keeps the offset, no uop changes rsp.
  void move_stack(std::uint32_t i, bool record) {
    stack_moved_ = true;
    const std::int64_t step = stack_step(i);
    const std::int64_t reach = pipeline_.front_end.stack_engine_reach_bytes();
    // Without anything that settles the offset in each iteration it overflows now and then: see add_overflows.
    if (stack_settled_ && (stack_offset_ + step < -reach || stack_offset_ + step >= reach))
      synchronise_stack(i, record);
    stack_offset_ += step;
    stack_used_ = true;
  }

  std::int64_t stack_step(std::uint32_t i) const {
    std::int64_t step = 0;
    for (const AffineValue& value : instructions_[i]->affine)
      if (value.reg == stack_pointer_) step += value.constant;
    return step;
  }

  bool moves_stack(std::uint32_t i) const {
    const auto& operands = instructions_[i]->operands;
    return std::any_of(operands.begin(), operands.end(),
                       [&](const Operand& operand) { return by_stack_engine(operand) && operand.write; });
  }

  /// A body that only pushes or pops: the offset that the renamer keeps overflows every few iterations.
  void add_overflows() {
    const FrontEndParameters& front_end = pipeline_.front_end;
    if (!stack_moved_ || !front_end.stack_synchronisation || stack_settled_) return;
    std::int64_t drift = 0;
    std::vector<std::uint32_t> movers;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i)
      if (moves_stack(i)) drift += stack_step(i);
    for (std::uint32_t i = 0; i < instructions_.size(); ++i)
      if (moves_stack(i) && stack_step(i) * drift > 0) movers.push_back(i);
    if (movers.empty()) return;
    const std::int64_t step = std::abs(stack_step(movers.front()));
    const std::int64_t reach = pipeline_.front_end.stack_engine_reach_bytes() - (drift < 0 ? 0 : 1);
    const double per_iteration =
        std::abs(static_cast<double>(drift)) / static_cast<double>(std::max<std::int64_t>(1, reach / step) * step);
    for (const std::uint32_t i : movers)
      graph_.extra_uops.push_back({i, machine_.port_roles().integer_alu, "stack pointer synchronisation", false,
                                   per_iteration / static_cast<double>(movers.size()),
                                   static_cast<std::int32_t>(stack_step(i))});
    std::stable_sort(graph_.extra_uops.begin(), graph_.extra_uops.end(),
                     [](const ExtraUop& a, const ExtraUop& b) { return a.instruction < b.instruction; });
  }

  /// What the renamer does by itself (an addition of a constant) is executed where it is joined with a branch, or with
  /// the move of what it adds to.
  void add_executions() {
    for (DependencyUse& use : graph_.uses)
      use.executed = is_executed(use.consumer) && added_by_renaming(use.consumer);
  }

  bool added_by_renaming(std::uint32_t i) const { return entries_[i] != nullptr && done_by_rename(*entries_[i]); }

  /// What the core's rules make later.
  void add_delays() {
    for (const Rule& rule : pipeline_.rules)
      if (rule.effect == Effect::delay && (loop_ || !rule.loops_only)) add_delay(rule);
    std::stable_sort(graph_.late_results.begin(), graph_.late_results.end(),
                     [](const LateResult& a, const LateResult& b) { return a.instruction < b.instruction; });
  }

  void add_delay(const Rule& rule) {
    for (std::size_t first = 0, end = 0; first < graph_.uses.size(); first = end) {
      while (end < graph_.uses.size() && graph_.uses[end].consumer == graph_.uses[first].consumer)
        ++end;
      const std::uint32_t i = graph_.uses[first].consumer;
      if (!fits(rule.consumer, candidate(i))) continue;
      const std::span<DependencyUse> uses(graph_.uses.data() + first, end - first);
      const auto handed = [&](const DependencyUse& use) {
        return passes_through(rule.through, use) && use.producer != no_node && fits_producer(rule.producer, use);
      };
      const auto from = std::find_if(uses.begin(), uses.end(), handed);
      if (from == uses.end()) continue;
      if (rule.producer_ports != 0)
        add_late_results(i, rule, uses, handed);
      else if (rule.ports != 0)
        graph_.late_results.push_back({i, rule.ports, rule.cycles});
      else
        for (DependencyUse& use : uses)
          if (rule.delays == Delays::result || handed(use) == (rule.delays == Delays::input)) delay(use, rule, *from);
      if (rule.port_cycles != 0) graph_.longer_operations.push_back({i, rule.port_cycles});
    }
  }

  /// One for each input that may have been made where the rule says.
  void add_late_results(std::uint32_t i, const Rule& rule, std::span<const DependencyUse> uses, const auto& handed) {
    bool again = false;
    for (const DependencyUse& use : uses) {
      if (!handed(use)) continue;
      graph_.late_results.push_back(
          {i, rule.ports, rule.cycles, rule.producer_ports, use.producer, use.distance, again});
      again = true;
    }
  }

  static void delay(DependencyUse& use, const Rule& rule, const DependencyUse& from) {
    if (!rule.same_group) {
      use.extra_cycles += rule.cycles;
      return;
    }
    use.group_value = from.producer;
    use.group_distance = from.distance;
    use.group_cycles = rule.cycles;
  }

  static bool passes_through(Through through, const DependencyUse& use) {
    const bool address = use.source == operand_id::address || use.source == operand_id::index;
    switch (through) {
    case Through::flags:
      return use.kind == DependencyKind::flags;
    case Through::address:
      return address;
    case Through::registers:
      return use.kind == DependencyKind::reg && !address;
    case Through::any:
      break;
    }
    return true;
  }

  Candidate candidate(std::uint32_t i) const {
    Candidate out{instructions_[i], entries_[i]};
    out.begins_pair = joined(i, false);
    return out;
  }

  bool fits_producer(const Pattern& pattern, const DependencyUse& use) const {
    const std::uint32_t i = maker_of(use.producer);
    Candidate producer = candidate(i);
    if (pattern.added_by_renaming) producer.added_by_renaming = !is_executed(i) && added_by_renaming(i);
    return fits(pattern, producer);
  }

  bool is_executed(std::uint32_t i) const { return (i < seconds_.size() && seconds_[i]) || joined(i, true); }
  bool moves_by_renaming(std::uint32_t i) const { return entries_[i] != nullptr && entries_[i]->flags.eliminated; }

  /// The instruction that made a value: moves that renaming does hand on what another one has made.
  std::uint32_t maker_of(std::uint32_t node) const {
    std::uint32_t i = graph_.nodes[node].instruction;
    for (std::size_t moves = 0; moves < instructions_.size() && !is_executed(i) && moves_by_renaming(i); ++moves) {
      const std::span<const DependencyUse> uses = register_uses_of(i);
      const auto moved = std::find_if(uses.begin(), uses.end(),
                                      [](const DependencyUse& use) { return use.kind == DependencyKind::reg; });
      if (moved == uses.end() || moved->producer == no_node) break;
      i = graph_.nodes[moved->producer].instruction;
    }
    return i;
  }

  /// An instruction's uses of what is in registers; those through memory may be missing yet.
  std::span<const DependencyUse> register_uses_of(std::uint32_t instruction) const {
    const std::span<const DependencyUse> all(graph_.uses.data(), register_uses_);
    const auto first = std::lower_bound(all.begin(), all.end(), instruction,
                                        [](const DependencyUse& each, std::uint32_t i) { return each.consumer < i; });
    const auto end =
        std::find_if(first, all.end(), [&](const DependencyUse& each) { return each.consumer != instruction; });
    return {first, end};
  }

  // --- memory --------------------------------------------------------------------------------------------------------

  void add_memory_uses() {
    const bool readable = std::none_of(instructions_.begin(), instructions_.end(),
                                       [](const Instruction* instruction) { return instruction->unknown; });
    if (!pipeline_.memory.store_to_load_dependencies || !readable) return;
    const std::vector<MemoryDependency> dependencies = find_memory_dependencies(instructions_, aliasing_);
    const MemoryParameters& memory = pipeline_.memory;
    const bool foresees = memory.renamed_loads_predicted > 0;
    // Unrolled, each copy's load is a separate instruction, which nothing has predicted.
    const bool predicted = loop_ && static_cast<double>(dependencies.size()) <= memory.renamed_loads_predicted;
    const bool reads_names = foresees && !memory.only_predicted_renamed;
    for (const MemoryDependency& dependency : dependencies) {
      DependencyUse use;
      use.producer = node_of(dependency.store, operand_id::memory);
      use.consumer = dependency.load;
      use.distance = dependency.distance;
      use.source = operand_id::memory;
      use.kind = DependencyKind::memory;
      use.contained = dependency.contained;
      use.access = dependency.load_access;
      use.store_access = dependency.store_access;
      use.joined = joined(dependency.load, false);
      use.own_update = loop_ && dependency.load == dependency.store && dependency.distance == 1;
      const bool foreseen = predicted && (!memory.last_run_renamed_only || is_of_last_run(dependency));
      use.same_address = foreseen || (reads_names && reads_as_the_store(dependency));
      graph_.uses.push_back(use);
      if (!dependency.contained) graph_.unforwarded.push_back(dependency.load);
    }
  }

  /// Whether a load comes before the store runs again.
  static bool is_of_last_run(const MemoryDependency& dependency) {
    return dependency.distance <= (dependency.store < dependency.load ? 0 : 1);
  }

  /// Whether an instruction is the first of a fused pair, with a branch or without one.
  bool joined(std::uint32_t i, bool with_branch) const {
    return i + 1 < seconds_.size() && seconds_[i + 1] && (instructions_[i + 1]->branch != Branch::none) == with_branch;
  }

  /// Whether each address register of a load holds what it held when the store read it, since nobody wrote it between.
  bool reads_as_the_store(const MemoryDependency& dependency) const {
    const MemoryAccess& load = instructions_[dependency.load]->memory[dependency.load_access];
    if (pipeline_.memory.relative_renamed_predicted_only && load.pc_relative) return false;
    if (pipeline_.memory.only_stack_known && (load.base != stack_pointer_ || load.index != 0)) return false;
    for (const RegisterId reg : {load.base, load.index}) {
      if (reg == 0) continue;
      const DependencyUse* stored = address_use(dependency.store, reg);
      const DependencyUse* loaded = address_use(dependency.load, reg);
      if (stored == nullptr || loaded == nullptr || stored->producer != loaded->producer) return false;
      if (stored->producer != no_node && loaded->distance != stored->distance + dependency.distance) return false;
    }
    return true;
  }

  /// Who wrote a register that an instruction's address is made of.
  const DependencyUse* address_use(std::uint32_t instruction, RegisterId reg) const {
    for (const DependencyUse& use : register_uses_of(instruction))
      if (use.kind == DependencyKind::address && use.reg == reg) return &use;
    return nullptr;
  }

  // --- edges ---------------------------------------------------------------------------------------------------------

  /// By consumer; those through memory came last.
  void order_uses() {
    const auto earlier = [](const DependencyUse& a, const DependencyUse& b) { return a.consumer < b.consumer; };
    if (!std::is_sorted(graph_.uses.begin(), graph_.uses.end(), earlier))
      std::stable_sort(graph_.uses.begin(), graph_.uses.end(), earlier);
  }

  void make_edges() {
    graph_.edges.reserve(4 * instructions_.size());
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      const std::size_t first = next;
      while (next < graph_.uses.size() && graph_.uses[next].consumer == i)
        ++next;
      if (first_node_[i] == first_node_[i + 1]) continue;
      const LatencyModel latencies(machine_, *instructions_[i], entries_[i]);
      if (entries_[i] != nullptr && !latencies.known()) ++graph_.unknown_latencies;
      for (std::uint32_t node = first_node_[i]; node < first_node_[i + 1]; ++node) {
        const std::size_t first_edge = graph_.edges.size();
        connect(node, std::span(graph_.uses).subspan(first, next - first), latencies);
        merge_parallel_edges(first_edge);
      }
    }
  }

  void connect(std::uint32_t node, std::span<const DependencyUse> uses, const LatencyModel& latencies) {
    ValueNode& value = graph_.nodes[node];
    const bool loaded = value.operand != operand_id::address && value.operand != operand_id::memory;
    const MeanDelay late = loaded ? mean_delay(late_loads_, *instructions_[value.instruction]) : MeanDelay{};
    if (uses.empty()) {
      const EdgeLatency own = latencies.without_inputs(value.operand);
      value.entry_cycles = own.cycles + late.cycles;
      value.entry_end_cycles = own.end_cycles + late.cycles;
      return;
    }
    for (const DependencyUse& use : uses) {
      auto latency =
          use.kind == DependencyKind::memory
              ? latencies.from_store(use, value.operand, *instructions_[graph_.nodes[use.producer].instruction])
              : latencies.from_register(use, value.operand);
      if (!latency) continue;
      const bool varies = use.kind == DependencyKind::memory ? !pipeline_.memory.forward_latency_by_waiting.empty()
                                                             : rounds_down(latency->cycles);
      graph_.estimated = graph_.estimated || varies;
      double extra = use.extra_cycles + cycles_of_group(use);
      if (use.source == operand_id::address || use.source == operand_id::index) extra += late.cycles;
      if (use.source == operand_id::address && value.operand != operand_id::address)
        extra -= (1 - late.share) * pointer_chase_.gain(use);
      latency->cycles = std::max(0.0, latency->cycles + extra);
      latency->end_cycles = std::max(0.0, latency->end_cycles + extra);
      const bool outside = use.producer == no_node || use.distance > 0;
      if (outside && use.kind != DependencyKind::memory) {
        value.entry_cycles = std::max(value.entry_cycles, latency->cycles);
        value.entry_end_cycles = std::max(value.entry_end_cycles, latency->end_cycles);
      }
      if (use.producer != no_node)
        graph_.edges.push_back({use.producer, node, use.distance, latency->cycles, latency->end_cycles});
    }
  }

  /// How much later an input counts as arriving on average for what rename takes in one cycle: slots so far apart share
  /// a group.
  double cycles_of_group(const DependencyUse& use) {
    if (use.group_value == no_node || use.group_distance > 0 || !pipeline_.rename.width) return 0;
    const double apart = static_cast<double>(use.consumer - graph_.nodes[use.group_value].instruction);
    const double share = std::max(0.0, 1 - apart / *pipeline_.rename.width);
    graph_.estimated = graph_.estimated || share > 0;
    return share * use.group_cycles;
  }

  /// Those into one node, from `first` on.
  void merge_parallel_edges(std::size_t first) {
    std::vector<GraphEdge>& edges = graph_.edges;
    const auto key = [](const GraphEdge& edge) { return std::tuple(edge.from, edge.distance); };
    std::sort(edges.begin() + static_cast<std::ptrdiff_t>(first), edges.end(),
              [&](const GraphEdge& a, const GraphEdge& b) { return key(a) < key(b); });
    std::size_t kept = first;
    for (std::size_t i = first; i < edges.size(); ++i) {
      if (kept > first && key(edges[kept - 1]) == key(edges[i])) {
        edges[kept - 1].cycles = std::max(edges[kept - 1].cycles, edges[i].cycles);
        edges[kept - 1].end_cycles = std::max(edges[kept - 1].end_cycles, edges[i].end_cycles);
      } else {
        edges[kept++] = edges[i];
      }
    }
    edges.resize(kept);
  }

  bool loop_;
  const Machine& machine_;
  const PipelineParameters& pipeline_;
  std::span<const Instruction* const> instructions_;
  std::span<const FormEntry* const> entries_;
  const std::vector<bool>& seconds_;
  std::vector<MeanDelay> late_loads_;
  const Aliasing* aliasing_;
  DependencyGraph graph_;
  PointerChase pointer_chase_;
  Recycled<std::uint32_t> first_node_;
  RegisterSlots slots_;
  Recycled<Writers> state_;
  std::size_t register_uses_ = 0; // before those through memory
  RegisterId stack_pointer_ = 0;
  OperandId stack_engine_operand_ = operand_id::any; // that push, pop, call and ret leave to the renamer; any: none is
  std::int64_t stack_offset_ = 0;
  bool stack_used_ = false;              // by pushes or pops, since the last such uop
  std::uint32_t synchronised_ = no_node; // the last instruction that the stack engine's uop went before
  bool stack_moved_ = false;             // by push, pop, call or ret
  bool stack_settled_ = false;           // each iteration brings the offset back to zero somewhere
  bool reads_change_state_ = false;
  bool writes_unknown_ = false; // some text cannot be read
};

} // namespace

DependencyGraph build_graph(const Machine& machine, std::span<const Instruction* const> instructions,
                            std::span<const FormEntry* const> entries, const std::vector<bool>& seconds,
                            DependencyGraph room, const Aliasing* aliasing, bool loop, bool edges) {
  return GraphBuilder(machine, instructions, entries, seconds, std::move(room), aliasing, loop).run(edges);
}

} // namespace corecast
