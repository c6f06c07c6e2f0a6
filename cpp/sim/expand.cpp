#include "cpp/sim/expand.hpp"

#include "cpp/base/few.hpp"
#include "cpp/base/interrupt.hpp"
#include "cpp/lower/addresses.hpp"
#include "cpp/sim/activity.hpp"
#include "cpp/sim/dataflow.hpp"
#include "cpp/sim/late_loads.hpp"
#include "cpp/sim/link.hpp"
#include "cpp/sim/moves.hpp"
#include "cpp/sim/slots.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace corecast::sim {
namespace {

constexpr std::uint32_t instructions_between_polls = 64;

class Expander {
public:
  Expander(const Machine& machine, const Region& region, Program room)
      : machine_(machine), pipeline_(machine.pipeline()), region_(region), instructions_(region.instructions),
        entries_(region.entries), graph_(region.graph), memory_ports_(machine.memory_ports()), late_loads_(machine),
        program_(std::move(room)) {
    program_.clear();
    program_.loop = region.is_loop();
    program_.start = region.layout.start;
    program_.alignment_known = region.layout.alignment_known;
    program_.slots_before = region.slots_before;
    program_.decoded.assign(region.decoded.begin(), region.decoded.end());
    program_.length = static_cast<std::uint32_t>(region.layout.length_bytes);
    program_.late_wakeup = machine.port_roles().late_wakeup;
    shared_results_ = machine.port_roles().shared_results;
    shared_general_results_ = machine.port_roles().shared_general_results;
    long_results_ = machine.port_roles().long_results;
    program_.overtaken_results =
        shared_general_results_ != 0 ? ~PortMask{0} : long_results_ | machine.port_roles().second_results;
    vector_result_ = machine.port_roles().vector_result;
    late_loads_.prepare(instructions_, program_);
  }

  Program run() {
    PointerChase pointer_chase(pipeline_, instructions_, entries_, graph_);
    ExpansionContext context{machine_, instructions_, entries_, graph_, memory_ports_, pointer_chase, {}, {}, {}, {},
                             {}};
    index(context);
    program_.values = static_cast<std::uint32_t>(graph_.nodes.size());
    reserve();
    if (pipeline_.memory.joined_stores_bytes > 0 || pipeline_.memory.paired_stores_line_bytes > 0)
      program_.stores = find_stores(instructions_, region_.places, pipeline_.memory, region_.stores_apart);
    if (const std::int64_t block = pipeline_.memory.store_block_bytes(); block > 0)
      program_.phases = phases_of(program_.stores, block);
    program_.banks = LoadBanks::of(pipeline_.memory);
    program_.banked_loads = find_banked_loads(instructions_, region_.places, program_.banks);
    program_.phases = std::lcm(program_.phases, bank_phases(program_.banked_loads, program_.banks));
    context.store_data_values.assign(graph_.nodes.size(), none);
    context.store_addresses.assign(graph_.nodes.size(), none);
    context.stored_values.assign(graph_.nodes.size(), none);
    for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n)
      if (graph_.nodes[n].operand == operand_id::memory) {
        context.store_addresses[n] = n;
        context.store_data_values[n] = program_.values++;
        if (pipeline_.memory.renamed_latency_cycles) context.stored_values[n] = program_.values++;
      }
    std::size_t extra = 0;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      if (i % instructions_between_polls == instructions_between_polls - 1) poll_interrupt();
      describe_next(i);
      program_.instructions.back().first_laminated = static_cast<std::uint32_t>(program_.laminated.size());
      Few<ExtraUop, 4> before;
      for (; extra < graph_.extra_uops.size() && graph_.extra_uops[extra].instruction <= i; ++extra)
        before.push_back(graph_.extra_uops[extra]);
      add_extra(context, before, i);
      const std::size_t own = program_.laminated.size();
      if (!region_.fused_seconds[i]) add_instruction(context, i);
      if (own < program_.laminated.size()) {
        // The stack engine's uop goes together with its instruction, which it begins then.
        const unsigned of_offset = constants_of_offset(before, i);
        program_.laminated[of_offset > 0 ? own - 1 : own].constants = constants_of(i) + of_offset;
        program_.laminated[own].begins_group = entries_[i] != nullptr && entries_[i]->flags.begins_group;
      }
      if (entries_[i] != nullptr && entries_[i]->flags.microcoded)
        for (std::size_t l = own; l < program_.laminated.size(); ++l)
          program_.laminated[l].microcoded = true;
      program_.instructions.back().laminated_end = static_cast<std::uint32_t>(program_.laminated.size());
    }
    if (!pipeline_.back_end.activity.empty()) mark_activity(machine_, instructions_, program_);
    keep_names_of_moves(program_);
    mark_laminated();
    link_inputs(program_);
    time_waiting_loads();
    mark_overwritten();
    program_.avoided = full_ports();
    program_.resources = static_cast<std::uint32_t>(machine_.resources().size());
    program_.units = program_.resources + 1 + static_cast<std::uint32_t>(limited_.size());
    return std::move(program_);
  }

private:
  /// What most bodies need: instructions have few uops, and growing step by step costs more than filling.
  void reserve() {
    const std::size_t instructions = instructions_.size();
    program_.instructions.reserve(instructions);
    program_.outputs.reserve(graph_.nodes.size() + instructions);
    program_.laminated.reserve(instructions + graph_.extra_uops.size());
    program_.fused.reserve(2 * instructions);
    program_.uops.reserve(2 * instructions);
    program_.inputs.reserve(graph_.uses.size() + instructions);
    program_.written.reserve(graph_.nodes.size());
  }

  /// Where all loads that wait for stores are links of one chain through memory, and wait as long as usual.
  void time_waiting_loads() {
    const MemoryParameters& memory = pipeline_.memory;
    if (memory.forward_latency_by_waiting.empty() || !memory.store_forward_latency_cycles) return;
    const auto behind_data = [&memory](double cycles) {
      return static_cast<std::int32_t>(std::ceil(16 * (cycles - memory.store_data_cycles) - 1e-9));
    };
    const std::int32_t usual = behind_data(*memory.store_forward_latency_cycles);
    WaitingLoads& out = program_.waiting;
    std::uint32_t waiting = 0;
    const MemoryAccess* place = nullptr;
    bool load_behind = false;
    for (const Uop& uop : program_.uops) {
      const auto first = program_.inputs.begin() + uop.first_input;
      const auto end = program_.inputs.begin() + uop.input_end;
      out.loads += uop.kind == UopKind::load ? 1 : 0;
      load_behind |= uop.kind == UopKind::load && waiting > 0;
      if (std::none_of(first, end, [](const UopInput& input) { return input.late; })) continue;
      if (std::any_of(first, end, [&](const UopInput& input) { return input.late && input.sixteenths != usual; }))
        return;
      const Instruction& reader = *instructions_[uop.instruction];
      if (reader.memory.empty() || (place != nullptr && !place->same_address_as(reader.memory.front()))) return;
      place = &reader.memory.front();
      ++waiting;
    }
    if (waiting == 0 || waiting > std::max(1U, stores_to(*place))) return;
    out.links = waiting;
    program_.phases = std::lcm(program_.phases, std::int64_t{16});
    const bool one_group = program_.fused.size() == pipeline_.rename.width && waiting == 1 && load_behind;
    if (one_group && region_.is_loop() && memory.one_group_forward_latency_cycles) {
      out.sixteenths = {behind_data(*memory.one_group_forward_latency_cycles)};
      return;
    }
    for (const double cycles : memory.forward_latency_by_waiting)
      out.sixteenths.push_back(behind_data(cycles));
    if (memory.full_queue_forward_latency_cycles)
      out.in_full_queue = behind_data(*memory.full_queue_forward_latency_cycles);
    out.queue = static_cast<std::uint32_t>(memory.load_queue_entries.value_or(0));
  }

  std::uint32_t stores_to(const MemoryAccess& place) const {
    return static_cast<std::uint32_t>(
        std::count_if(instructions_.begin(), instructions_.end(), [&](const Instruction* instruction) {
          return !instruction->memory.empty() && instruction->memory.front().write &&
                 place.same_address_as(instruction->memory.front());
        }));
  }

  /// What rename need not ask the instruction for.
  void mark_laminated() {
    for (DecodedUop& each : program_.laminated) {
      const SimInstruction& instruction = program_.instructions[each.instruction];
      const bool uncommon = each.kind == LaminatedKind::added_alone || each.kind == LaminatedKind::added_on_overflow;
      each.plain = !uncommon && !instruction.serializing && instruction.move == MoveClass::none;
      each.slots = each.fused_end - each.first_fused;
      each.first_uop = program_.fused[each.first_fused].first_uop;
      each.uop_end = program_.fused[each.fused_end - 1].uop_end;
      for (std::uint32_t f = each.first_fused; f < each.fused_end; ++f)
        for (std::uint32_t u = program_.fused[f].first_uop; u < program_.fused[f].uop_end; ++u)
          program_.uops[u].fused = f;
      each.names =
          each.last && (instruction.move != MoveClass::none || instruction.first_written != instruction.written_end);
    }
  }

  /// What rename adds is executed for its flags alone, and not for those that are overwritten, unread, in its group;
  /// but what shares a slot with the move before it is executed for its sum.
  void mark_overwritten() {
    const PortMask ports = machine_.port_roles().added_flags;
    if (ports == 0) return;
    for (std::uint32_t u = 0; u < program_.uops.size(); ++u) {
      Uop& uop = program_.uops[u];
      const FormEntry* entry = entries_[uop.instruction];
      if (uop.ports != ports || entry == nullptr || !done_by_rename(*entry)) continue;
      if (region_.is_fused_second(uop.instruction)) continue;
      if (const auto by = overwriter_of_flags(uop.instruction)) uop.overwritten = uops_until(*by, u);
    }
  }

  /// The first instruction behind it with which all its flags are overwritten; none where they are read before.
  std::optional<std::uint32_t> overwriter_of_flags(std::uint32_t i) const {
    const auto reads = [&](const DependencyUse& use) {
      return use.kind == DependencyKind::flags && use.producer != no_node &&
             graph_.nodes[use.producer].instruction == i;
    };
    if (std::any_of(graph_.uses.begin(), graph_.uses.end(), reads)) return std::nullopt;
    const auto count = static_cast<std::uint32_t>(instructions_.size());
    std::vector<RegisterId> left = flags_written(*instructions_[i]);
    for (std::uint32_t behind = 1; behind <= count; ++behind) {
      const std::uint32_t j = (i + behind) % count;
      for (const RegisterId flag : flags_written(*instructions_[j]))
        std::erase(left, flag);
      if (left.empty()) return j;
    }
    return std::nullopt;
  }

  static std::vector<RegisterId> flags_written(const Instruction& instruction) {
    std::vector<RegisterId> out;
    for (const Operand& operand : instruction.operands)
      if (operand.id == operand_id::flags)
        for (const RegisterUse& use : operand.registers)
          if (use.write) out.push_back(use.reg);
    return out;
  }

  /// From one uop to the next that belongs to an instruction, or to the pair that this is the second of.
  std::uint32_t uops_until(std::uint32_t instruction, std::uint32_t from) const {
    const auto size = static_cast<std::uint32_t>(program_.uops.size());
    const bool again = instruction <= program_.uops[from].instruction; // in the next iteration
    for (std::uint32_t u = again ? 0 : from + 1; u < size; ++u)
      if (program_.uops[u].instruction >= instruction) return (again ? size : 0) + u - from;
    return 0;
  }

  /// Of an instruction, or a fused pair, for rename.
  std::uint32_t constants_of(std::uint32_t i) const {
    const unsigned own = renamed_constants(*instructions_[i], machine_.stack_pointer());
    return own + (region_.is_fused_first(i) ? renamed_constants(*instructions_[i + 1], machine_.stack_pointer()) : 0);
  }

  unsigned constants_of_offset(std::span<const ExtraUop> before, std::uint32_t i) const {
    const auto each = static_cast<unsigned>(pipeline_.front_end.stack_synchronisation_constants);
    if (before.empty()) return 0;
    return offset_constants(before.back(), *instructions_[i], machine_.stack_pointer(), each);
  }

  void index(ExpansionContext& context) const {
    context.first_node.assign(instructions_.size() + 1, 0);
    context.first_use.assign(instructions_.size() + 1, 0);
    for (const ValueNode& node : graph_.nodes)
      ++context.first_node[node.instruction + 1];
    for (const DependencyUse& use : graph_.uses)
      ++context.first_use[use.consumer + 1];
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      context.first_node[i + 1] += context.first_node[i];
      context.first_use[i + 1] += context.first_use[i];
    }
  }

  void describe_next(std::uint32_t i) {
    SimInstruction about;
    about.without_row = entries_[i] == nullptr;
    about.serializing = entries_[i] != nullptr && entries_[i]->flags.serializing;
    about.first_written = static_cast<std::uint32_t>(program_.written.size());
    for (const Operand& operand : instructions_[i]->operands)
      for (const RegisterUse& use : operand.registers)
        if (const std::uint32_t name = use.write ? names_[use.reg] : none; name < most_names)
          program_.written.push_back({static_cast<std::uint8_t>(name), MoveClass::none});
    about.written_end = static_cast<std::uint32_t>(program_.written.size());
    program_.instructions.push_back(about);
  }

  /// Cycles that neither ports nor units of the row explain: locked instructions wait for each other, others of unknown
  /// ports for their own kind.
  void limit_throughput(std::uint32_t i, std::uint32_t first_uop) {
    const FormEntry* entry = entries_[i];
    if (entry == nullptr || !entry->reciprocal_throughput_cycles || *entry->reciprocal_throughput_cycles <= 1) return;
    const bool exclusive = entry->flags.locked || entry->flags.serializing;
    if (!exclusive && entry->ports_known) return;
    Uop* free = nullptr;
    for (std::uint32_t u = first_uop; u < program_.uops.size(); ++u) {
      if (program_.uops[u].unit != none) {
        if (!exclusive || program_.uops[u].unit_cycles >= *entry->reciprocal_throughput_cycles) return;
        continue;
      }
      if (free == nullptr && program_.uops[u].waits) free = &program_.uops[u];
    }
    if (free == nullptr) return;
    std::uint32_t unit = static_cast<std::uint32_t>(machine_.resources().size());
    if (!exclusive) {
      auto found = std::find(limited_.begin(), limited_.end(), entry);
      if (found == limited_.end()) found = limited_.insert(limited_.end(), entry);
      unit += 1 + static_cast<std::uint32_t>(found - limited_.begin());
    }
    free->unit = unit;
    free->unit_cycles = *entry->reciprocal_throughput_cycles;
  }

  void add_extra(const ExpansionContext& context, std::span<const ExtraUop> extras, std::uint32_t i) {
    for (const ExtraUop& extra : extras) {
      DecodedUop laminated;
      laminated.kind = extra.alone                   ? LaminatedKind::added_alone
                       : extra.stack_step_bytes != 0 ? LaminatedKind::added_on_overflow
                                                     : LaminatedKind::added;
      laminated.stack_step = extra.stack_step_bytes;
      laminated.instruction = i;
      laminated.first_fused = static_cast<std::uint32_t>(program_.fused.size());
      laminated.fused_end = laminated.first_fused + 1;
      const auto uop_at = static_cast<std::uint32_t>(program_.uops.size());
      Uop uop;
      uop.ports = extra.ports;
      uop.instruction = i;
      uop.waits = extra.ports != 0;
      uop.first_input = uop.input_end = static_cast<std::uint32_t>(program_.inputs.size());
      uop.first_output = uop.output_end = static_cast<std::uint32_t>(program_.outputs.size());
      uop.leads = extra.joins_operation;
      if (extra.joins_operation) uop.input_end += add_stack_pointer(context, i);
      program_.uops.push_back(uop);
      program_.fused.push_back({uop_at, uop_at + 1, 0});
      program_.laminated.push_back(laminated);
    }
  }

  /// What the stack engine's uop adds its offset to; what reads its result waits a cycle longer for that. Returns the
  /// number of inputs.
  std::uint32_t add_stack_pointer(const ExpansionContext& context, std::uint32_t i) {
    for (std::uint32_t u = context.first_use[i]; u < context.first_use[i + 1]; ++u) {
      const DependencyUse& use = graph_.uses[u];
      if (use.reg != machine_.stack_pointer() || use.producer == no_node || use.kind == DependencyKind::memory)
        continue;
      program_.inputs.push_back(
          {use.producer, use.distance, std::max(0, static_cast<std::int32_t>(use.extra_cycles) - 1)});
      return 1;
    }
    return 0;
  }

  // --- one instruction -----------------------------------------------------------------------------------------------

  void add_instruction(const ExpansionContext& context, std::uint32_t i) {
    const FormEntry* entry = entries_[i];
    SimInstruction& about = program_.instructions.back();
    const auto first_uop = static_cast<std::uint32_t>(program_.uops.size());
    if (entry == nullptr) ++program_.unknown;
    const bool joined = region_.is_fused_first(i) && runs_beside_first(*instructions_[i + 1], entries_[i + 1]);
    if (entry != nullptr && entry->flags.eliminated && mark_move(context, i, names_, program_, about)) {
      if (joined) {
        about.move = MoveClass::none; // the pair is executed
        add_copy(context, i, program_);
      } else {
        add_move(context, i, program_);
      }
      for (const PlannedUop& uop : region_.uops.of(i))
        add_pass(uop.ports, i, program_);
    } else {
      const std::span<const PlannedUop> planned = region_.uops.of(i);
      const bool nothing = planned.empty() && entry != nullptr && entry->latency_known && entry->ports_known &&
                           (entry->latency.empty() || entry->flags.eliminated || entry->flags.zero_idiom);
      if (!nothing) append_uops(context, i, planned, program_);
    }
    if (joined) append_uops(context, i + 1, region_.uops.of(i + 1), program_);
    limit_throughput(i, first_uop);
    mark_accesses(i, first_uop);
    const auto& traits = instructions_[i]->traits;
    if (shared_results_ != 0 && traits.packed_integer) mark_results(first_uop, shared_results_);
    if (shared_general_results_ != 0 && !traits.vector) mark_results(first_uop, shared_general_results_);
    mark_late_results(i, first_uop);
    if ((vector_result_ | long_results_) != 0 && machine_.writes_general(*instructions_[i]))
      mark_general_results(first_uop, instructions_[i]->traits.vector);
    if (!late_loads_.empty()) late_loads_.mark(*instructions_[i], i, first_uop, program_);
    const std::size_t first_fused = program_.fused.size();
    form_slots(machine_, memory_ports_, {*instructions_[i], i, first_uop}, program_);
    if (pipeline_.back_end.slots_of_others > 0) mark_choices(i, first_fused);
  }

  /// Among which ports its operations choose, as slots behind them see it.
  void mark_choices(std::uint32_t i, std::size_t first_fused) {
    for (std::size_t f = first_fused; f < program_.fused.size(); ++f) {
      FusedUop& fused = program_.fused[f];
      bool executed = false;
      for (std::uint32_t u = fused.first_uop; u < fused.uop_end; ++u) {
        const Uop& uop = program_.uops[u];
        executed = executed || uop.ports != 0;
        if (uop.kind == UopKind::operation && uop.ports != 0) fused.choice = uop.ports;
      }
      if (!executed) fused.choice = done_without(i);
    }
  }

  /// The ports of what rename does by itself: those of the same instruction of other registers, or of arithmetic.
  PortMask done_without(std::uint32_t i) const {
    const FormEntry* plain = machine_.find(instructions_[i]->form);
    if (plain != nullptr && !plain->flags.eliminated && !plain->ports.empty()) return plain->ports.front().mask;
    return machine_.writes_general(*instructions_[i]) ? machine_.port_roles().integer_alu : 0;
  }

  /// What keeps accesses from starting together: the line that a store goes to, the banks that a
  /// load reads, 256 bits in 128-bit units.
  void mark_accesses(std::uint32_t i, std::uint32_t first_uop) {
    const MemoryParameters& memory = pipeline_.memory;
    if (program_.stores.empty() && program_.banked_loads.empty() && !memory.slow_256_bit_memory) return;
    const auto store = std::find_if(program_.stores.begin(), program_.stores.end(),
                                    [&](const AccessAddress& address) { return address.instruction == i; });
    const auto banked = std::find_if(program_.banked_loads.begin(), program_.banked_loads.end(),
                                     [&](const BankedLoad& load) { return load.instruction == i; });
    const std::vector<MemoryAccess>& accesses = instructions_[i]->memory;
    const bool wide =
        memory.slow_256_bit_memory && std::any_of(accesses.begin(), accesses.end(),
                                                  [](const MemoryAccess& access) { return access.width_bytes >= 32; });
    for (std::uint32_t u = first_uop; u < program_.uops.size(); ++u) {
      Uop& uop = program_.uops[u];
      if (uop.kind == UopKind::store_data && store != program_.stores.end())
        uop.store = static_cast<std::uint32_t>(store - program_.stores.begin());
      uop.wide_load = wide && uop.kind == UopKind::load;
      if (uop.kind == UopKind::load && banked != program_.banked_loads.end())
        uop.banked = static_cast<std::uint32_t>(banked - program_.banked_loads.begin());
    }
  }

  /// Where its operations run on ports that make their results late. What several rules say adds up.
  void mark_late_results(std::uint32_t i, std::uint32_t first_uop) {
    const auto first = std::lower_bound(graph_.late_results.begin(), graph_.late_results.end(), i,
                                        [](const LateResult& each, std::uint32_t at) { return each.instruction < at; });
    if (first == graph_.late_results.end() || first->instruction != i) return;
    for (std::uint32_t u = first_uop; u < program_.uops.size(); ++u) {
      Uop& uop = program_.uops[u];
      if (uop.kind != UopKind::operation) continue;
      uop.first_late = static_cast<std::uint32_t>(program_.late_results.size());
      for (auto late = first; late != graph_.late_results.end() && late->instruction == i; ++late)
        if ((uop.ports & late->ports) != 0 && may_be_made_on(*late))
          program_.late_results.push_back({late->ports, static_cast<std::int32_t>(std::lround(late->cycles)),
                                           late->maker_ports, late->value, late->distance, 0, late->same_rule});
      uop.late_end = static_cast<std::uint32_t>(program_.late_results.size());
    }
  }

  /// Whether what the result waits for may run on the ports that the rule names for it.
  bool may_be_made_on(const LateResult& late) const {
    if (late.maker_ports == 0) return true;
    const std::uint32_t i = graph_.nodes[late.value].instruction;
    if (entries_[i] != nullptr && entries_[i]->flags.eliminated) return true; // what the move hands on
    const std::span<const PlannedUop> planned = region_.uops.of(i);
    return std::any_of(planned.begin(), planned.end(),
                       [&](const PlannedUop& uop) { return (uop.ports & late.maker_ports) != 0; });
  }

  /// When its operations need the way out of ports that is one for all results of their kind.
  void mark_results(std::uint32_t first_uop, PortMask shared) {
    for (std::uint32_t u = first_uop; u < program_.uops.size(); ++u) {
      Uop& uop = program_.uops[u];
      if (uop.kind != UopKind::operation || (uop.ports & shared) == 0) continue;
      const std::uint8_t cycles = cycles_to_result(uop);
      // Of general registers, longer ones are known to be in the way only where no other port runs them.
      if (!instructions_[uop.instruction]->traits.vector && cycles != 1 && (uop.ports & ~shared) != 0) continue;
      uop.result_cycles = cycles;
      if (cycles > 1) program_.shared_results |= shared;
    }
  }

  /// Those of `port_choice.avoided_where_full` that are.
  PortMask full_ports() const {
    PortMask full = 0;
    const double least = static_cast<double>(program_.fused.size()) / pipeline_.rename.width.value_or(1);
    for (PortMask rest = machine_.port_roles().avoided_where_full; rest != 0; rest &= rest - 1) {
      const PortMask port = rest & (~rest + 1);
      const auto takes = std::count_if(program_.uops.begin(), program_.uops.end(), [&](const Uop& uop) {
        return uop.kind == UopKind::operation && uop.ports == port && cycles_to_result(uop) > 1 &&
               makes_integers(*instructions_[uop.instruction]);
      });
      if (takes > 0 && static_cast<double>(takes) >= least) full |= port;
    }
    return full;
  }

  /// General registers or flags.
  bool makes_integers(const Instruction& instruction) const {
    return machine_.writes_general(instruction) || !flags_written(instruction).empty();
  }

  /// When its results for general registers are there, where they leave ports together with those of others.
  void mark_general_results(std::uint32_t first_uop, bool vector) {
    for (std::uint32_t u = first_uop; u < program_.uops.size(); ++u) {
      Uop& uop = program_.uops[u];
      if (uop.kind != UopKind::operation || uop.ports == 0) continue;
      const std::uint8_t cycles = cycles_to_result(uop);
      if (vector && vector_result_ != 0 && cycles > 1) { // of several the first makes it
        uop.result_cycles = cycles;
        uop.result_port = static_cast<std::uint8_t>(std::countr_zero(vector_result_));
        program_.shared_results |= vector_result_;
        return;
      }
      if (vector) continue;
      if (cycles == 1)
        uop.result_cycles = 1;
      else if ((uop.ports & ~long_results_) == 0 && uop.unit == none && works_alone(u, first_uop))
        mark_long_results(uop, cycles);
    }
  }

  /// Which of several makes the result is not known.
  bool works_alone(std::uint32_t operation, std::uint32_t first_uop) const {
    for (std::uint32_t u = first_uop; u < program_.uops.size(); ++u)
      if (u != operation && program_.uops[u].kind == UopKind::operation && program_.uops[u].ports != 0) return false;
    return true;
  }

  /// What takes a cycle gives way to it; a multiplication's second result has other ports' way.
  void mark_long_results(Uop& uop, std::uint8_t cycles) {
    uop.result_waits = false;
    uop.result_cycles = cycles;
    program_.shared_results |= uop.ports;
    const PortMask second = machine_.port_roles().second_results;
    if (second == 0 || machine_.general_results(*instructions_[uop.instruction]) < 2) return;
    uop.result_cycles = cycles_to_first_result(uop);
    uop.second_cycles = cycles;
    program_.shared_results |= second;
    program_.second_results = second;
  }

  std::uint8_t cycles_to_first_result(const Uop& uop) const {
    std::int32_t latency = farthest_result;
    for (std::uint32_t o = uop.first_output; o < uop.output_end; ++o)
      latency = std::min(latency, program_.outputs[o].latency);
    return static_cast<std::uint8_t>(std::max(latency, 0));
  }

  std::uint8_t cycles_to_result(const Uop& uop) const {
    std::int32_t latency = 0;
    for (std::uint32_t o = uop.first_output; o < uop.output_end; ++o)
      latency = std::max(latency, program_.outputs[o].latency);
    return static_cast<std::uint8_t>(std::clamp(latency, 0, farthest_result));
  }

  const Machine& machine_;
  const PipelineParameters& pipeline_;
  const Region& region_;
  std::span<const Instruction* const> instructions_;
  std::span<const FormEntry* const> entries_;
  const DependencyGraph& graph_;
  const MemoryPorts& memory_ports_;
  LateLoadTables late_loads_;
  RegisterSlots names_;
  PortMask shared_results_ = 0, shared_general_results_ = 0;
  PortMask vector_result_ = 0, long_results_ = 0;
  std::vector<const FormEntry*> limited_; // forms of which one starts at a time
  Program program_;
};

} // namespace

Program expand(const Machine& machine, const Region& region, Program room) {
  return Expander(machine, region, std::move(room)).run();
}

} // namespace corecast::sim
