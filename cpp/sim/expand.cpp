#include "cpp/sim/expand.hpp"

#include "cpp/core/addresses.hpp"
#include "cpp/core/fusion.hpp"
#include "cpp/core/legacy_decode.hpp"
#include "cpp/core/register_slots.hpp"
#include "cpp/sim/dataflow.hpp"
#include "cpp/sim/link.hpp"
#include "cpp/sim/units/buffers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace corecast::sim {
namespace {

constexpr std::uint32_t most_decoded_uops = 4; // more come from the microcode sequencer
constexpr std::uint32_t most_names = 64; // registers whose aliases are followed

std::uint32_t up(double count) { return static_cast<std::uint32_t>(std::ceil(std::max(0.0, count) - 1e-6)); }

/// Signed width that an immediate needs as it is encoded. Operations of 32 bits may write a negative one as a large
/// positive number.
unsigned encoded_immediate_bits(const Instruction& instruction) {
  const std::size_t length = instruction.bytes.size();
  const bool full = instruction.form.find("i64") != std::string::npos;
  if (instruction.immediate_bits <= 32 || full || length < 4) return instruction.immediate_bits;
  std::uint32_t value = 0;
  for (std::size_t b = 0; b < 4; ++b)
    value |= std::uint32_t{instruction.bytes[length - 4 + b]} << (8 * b);
  const auto number = static_cast<std::int32_t>(value);
  return number >= -32768 && number <= 32767 ? 16 : 32;
}

class Expander {
public:
  Expander(const Machine& machine, std::span<const Instruction* const> instructions,
           std::span<const FormEntry* const> entries, LoopMode mode, std::uint64_t start)
      : machine_(machine), pipeline_(machine.pipeline()), instructions_(instructions), entries_(entries),
        memory_ports_(machine), graph_(build_graph(machine, instructions, entries)) {
    program_.loop = mode == LoopMode::loop;
    program_.start = start;
    std::vector<std::uint64_t> offsets;
    std::uint64_t offset = start;
    for (const Instruction* instruction : instructions) {
      offsets.push_back(offset);
      offset += instruction->length_bytes;
    }
    program_.length = static_cast<std::uint32_t>(offset - start);
    seconds_ = find_fused_seconds(machine, instructions, entries, offsets, program_.loop);
    const PortNames& ports = machine.port_names();
    zmm_ = !pipeline_.back_end.zmm_closes_port.empty() &&
           std::any_of(instructions.begin(), instructions.end(),
                       [](const Instruction* instruction) { return has_operand(*instruction, "zmm"); });
    closed_ = zmm_ ? ports.mask_of({pipeline_.back_end.zmm_closes_port}) : 0;
    taken_ = ports.mask_of(pipeline_.back_end.taken_branch_ports);
    if (pipeline_.memory.line_crossing_cycles > 0)
      crossings_ = find_line_crossings(instructions, pipeline_.memory.line_bytes);
  }

  Program run() {
    ExpansionContext context{machine_, instructions_, entries_, graph_, memory_ports_, {}, {}, {}, {}, {}};
    index(context);
    program_.values = static_cast<std::uint32_t>(graph_.nodes.size());
    if (pipeline_.memory.paired_stores_line_bytes > 0) program_.stores = find_store_addresses(instructions_);
    context.store_data_values.assign(graph_.nodes.size(), none);
    context.store_addresses.assign(graph_.nodes.size(), none);
    context.stored_values.assign(graph_.nodes.size(), none);
    for (std::uint32_t n = 0; n < graph_.nodes.size(); ++n)
      if (graph_.nodes[n].operand == operand_id::memory) {
        context.store_addresses[n] = n;
        context.store_data_values[n] = program_.values++;
        if (pipeline_.memory.mirrored_forward_latency_cycles) context.stored_values[n] = program_.values++;
      }
    std::size_t extra = 0;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      program_.instructions.push_back(describe(i));
      program_.instructions.back().first_laminated = static_cast<std::uint32_t>(program_.laminated.size());
      std::vector<ExtraUop> before;
      for (; extra < graph_.extra_uops.size() && graph_.extra_uops[extra].instruction <= i; ++extra)
        before.push_back(graph_.extra_uops[extra]);
      add_extra(before, i);
      if (!seconds_[i]) add_instruction(context, i);
      program_.instructions.back().laminated_end = static_cast<std::uint32_t>(program_.laminated.size());
    }
    if (!crossings_.empty()) spread_crossings();
    keep_names_of_moves();
    mark_laminated();
    link_inputs(program_);
    program_.resources = static_cast<std::uint32_t>(machine_.resources().size());
    program_.units = program_.resources + 1 + static_cast<std::uint32_t>(limited_.size());
    return std::move(program_);
  }

private:
  /// Only names that some move reads or writes matter to move elimination: what overwrites others is not followed.
  void keep_names_of_moves() {
    std::uint64_t followed = 0;
    for (const SimInstruction& each : program_.instructions)
      if (each.move != MoveClass::none)
        followed |= (std::uint64_t{1} << each.source_name) | (std::uint64_t{1} << each.destination_name);
    std::uint32_t kept = 0;
    for (SimInstruction& each : program_.instructions) {
      const std::uint32_t first = std::exchange(each.first_written, kept);
      for (std::uint32_t w = first; w < each.written_end; ++w)
        if ((followed >> program_.written[w].name) & 1) program_.written[kept++] = program_.written[w];
      each.written_end = kept;
    }
    program_.written.resize(kept);
    program_.moves = followed != 0;
  }

  /// What rename need not ask the instruction for.
  void mark_laminated() {
    for (LaminatedUop& each : program_.laminated) {
      const SimInstruction& instruction = program_.instructions[each.instruction];
      const bool uncommon = each.kind == LaminatedKind::added_alone || each.kind == LaminatedKind::added_on_overflow;
      each.plain = !uncommon && !instruction.serializing && instruction.move == MoveClass::none;
      each.slots = each.fused_end - each.first_fused;
      each.first_uop = program_.fused[each.first_fused].first_uop;
      each.uop_end = program_.fused[each.fused_end - 1].uop_end;
      for (std::uint32_t f = each.first_fused; f < each.fused_end; ++f)
        for (std::uint32_t u = program_.fused[f].first_uop; u < program_.fused[f].uop_end; ++u)
          program_.uops[u].fused = f;
      each.names = each.last && (instruction.move != MoveClass::none || instruction.first_written != instruction.written_end);
    }
  }

  static bool has_operand(const Instruction& instruction, const char* name) {
    return instruction.form.find(name) != std::string::npos;
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

  SimInstruction describe(std::uint32_t i) {
    const Instruction& instruction = *instructions_[i];
    const FormEntry* entry = entries_[i];
    const FrontEndParameters& front_end = pipeline_.front_end;
    SimInstruction out;
    out.offset = program_.instructions.empty()
                     ? 0
                     : program_.instructions.back().offset + program_.instructions.back().length;
    out.length = instruction.length_bytes;
    out.opcode_offset = instruction.opcode_offset_bytes;
    out.length_changing_prefix = instruction.length_changing_prefix;
    out.branch = instruction.branch != Branch::none;
    out.fused_second = seconds_[i];
    out.fused_first = i + 1 < seconds_.size() && seconds_[i + 1];
    out.fusible = out.fused_first || (entry != nullptr && entry->fusible_listed && !entry->fusible.empty());
    const FrontendItem item{&instruction, entry, 0, seconds_[i], 0};
    const DecodeNeeds needs = decode_needs(item);
    out.decoded_uops = std::max(1U, up(needs.laminated_uops));
    out.microcode_uops = up(needs.microcode_uops);
    const bool pop5c = instruction.mnemonic == "pop" && !instruction.bytes.empty() && instruction.bytes.back() == 0x5C;
    out.complex = needs.complex_decoder || out.decoded_uops > 1 || out.microcode_uops > 0 ||
                  (pop5c && front_end.pop5c_complex);
    out.simple_beside = pop5c && front_end.pop5c_ends_group ? 0 : needs.simple_decoders_beside;
    out.serializing = entry != nullptr && entry->flags.serializing;
    out.wide_immediate = needs_second_slot(instruction);
    out.changes_stack = moves_stack_pointer(instruction);
    out.first_written = static_cast<std::uint32_t>(program_.written.size());
    for (const Operand& operand : instruction.operands)
      for (const RegisterUse& use : operand.registers) {
        if (!use.write) continue;
        out.writes_high8 = out.writes_high8 || use.part == Part::high8;
        if (const std::uint32_t name = names_[use.reg]; name < most_names)
          program_.written.push_back({static_cast<std::uint8_t>(name), MoveClass::none});
      }
    out.written_end = static_cast<std::uint32_t>(program_.written.size());
    return out;
  }

  /// Whether the uop cache has too few bits in one slot: an immediate shares them with a displacement.
  bool needs_second_slot(const Instruction& instruction) const {
    const FrontEndParameters& front_end = pipeline_.front_end;
    const unsigned bits = encoded_immediate_bits(instruction);
    if (bits > front_end.uop_cache_extra_slot_immediate_bits) return true;
    if (instruction.memory.empty() || bits == 0) return false;
    const std::int64_t displacement = instruction.memory.front().displacement;
    const bool far = displacement < -32768 || displacement > 32767;
    return far || bits > front_end.uop_cache_extra_slot_memory_immediate_bits;
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

  void add_extra(const std::vector<ExtraUop>& extras, std::uint32_t i) {
    for (const ExtraUop& extra : extras) {
      LaminatedUop laminated;
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
      program_.uops.push_back(uop);
      program_.fused.push_back({uop_at, uop_at + 1, 0});
      program_.laminated.push_back(laminated);
    }
  }

  // --- one instruction -----------------------------------------------------------------------------------------------

  std::vector<PortUse> port_uses(std::uint32_t i) const {
    const FormEntry* entry = entries_[i];
    if (entry == nullptr) return {};
    std::vector<PortUse> uses = entry->ports;
    const bool vector = zmm_ && has_operand(*instructions_[i], "mm");
    const bool final_branch =
        program_.loop && taken_ != 0 && i + 1 == instructions_.size() && instructions_[i]->branch != Branch::none;
    for (PortUse& use : uses) {
      if (vector && (use.mask & ~closed_) != 0) use.mask &= ~closed_;
      if (final_branch && (use.mask & taken_) != 0) use.mask &= taken_;
    }
    return uses;
  }

  /// The pair's operation runs where the branch runs; a pair without a branch keeps the second's uops alone.
  void join_second(std::uint32_t i, std::vector<UopRequest>& requests) const {
    const std::vector<PortUse> second = port_uses(i + 1);
    const PortMask wanted = second.empty() ? 0 : second.front().mask;
    const bool branch = instructions_[i + 1]->branch != Branch::none;
    auto found = std::find_if(requests.begin(), requests.end(), [&](const UopRequest& request) {
      return request.kind == UopKind::operation && (request.ports & wanted) == wanted;
    });
    if (found == requests.end())
      found = std::find_if(requests.begin(), requests.end(),
                           [](const UopRequest& request) { return request.kind == UopKind::operation; });
    if (found == requests.end()) {
      if (branch && wanted != 0) requests.push_back({wanted, UopKind::operation, 1});
      return;
    }
    found->ports = branch ? wanted : 0;
  }

  void add_instruction(const ExpansionContext& context, std::uint32_t i) {
    const FormEntry* entry = entries_[i];
    SimInstruction& about = program_.instructions.back();
    const auto first_uop = static_cast<std::uint32_t>(program_.uops.size());
    if (entry == nullptr) ++program_.unknown;
    if (entry != nullptr && entry->flags.eliminated && mark_move(context, i, about)) {
      add_move(context, i);
      for (const PortUse& use : port_uses(i))
        add_pass(use.mask, i);
    } else {
      std::vector<UopRequest> requests = list_uops(port_uses(i), *instructions_[i], memory_ports_);
      if (about.fused_first) join_second(i, requests);
      const bool nothing = requests.empty() && entry != nullptr && entry->latency_known && entry->ports_known &&
                           (entry->latency.empty() || entry->flags.eliminated || entry->flags.zero_idiom);
      if (!nothing) append_uops(context, i, std::move(requests), program_);
    }
    if (about.fused_first && instructions_[i + 1]->branch == Branch::none)
      append_uops(context, i + 1, list_uops(port_uses(i + 1), *instructions_[i + 1], memory_ports_), program_);
    limit_throughput(i, first_uop);
    mark_accesses(i, first_uop);
    form_fused(i, first_uop, about);
  }

  /// What keeps accesses from starting together: the line that a store goes to, 256 bits in 128-bit units.
  void mark_accesses(std::uint32_t i, std::uint32_t first_uop) {
    const MemoryParameters& memory = pipeline_.memory;
    if (memory.paired_stores_line_bytes <= 0 && !memory.slow_256_bit_memory) return;
    const auto store = std::find_if(program_.stores.begin(), program_.stores.end(),
                                    [&](const StoreAddress& address) { return address.instruction == i; });
    const std::vector<MemoryAccess>& accesses = instructions_[i]->memory;
    const bool wide = memory.slow_256_bit_memory &&
                      std::any_of(accesses.begin(), accesses.end(),
                                  [](const MemoryAccess& access) { return access.width_bytes >= 32; });
    for (std::uint32_t u = first_uop; u < program_.uops.size(); ++u) {
      Uop& uop = program_.uops[u];
      if (uop.kind == UopKind::store_data) {
        if (store != program_.stores.end()) uop.store = static_cast<std::uint32_t>(store - program_.stores.begin());
        if (wide) uop.port_cycles *= 2;
      }
      uop.wide_load = wide && uop.kind == UopKind::load;
    }
  }

  /// Accesses that go on in the next line take an address port once more. Which one is not known: all of their kind
  /// share that time.
  void spread_crossings() {
    for (const UopKind kind : {UopKind::load, UopKind::store_address}) {
      double share = 0;
      for (const LineCrossings& crossing : crossings_)
        share += kind == UopKind::load ? crossing.loads : crossing.stores;
      const auto uops = std::count_if(program_.uops.begin(), program_.uops.end(), [&](const Uop& uop) { return uop.kind == kind; });
      for (Uop& uop : program_.uops)
        if (uop.kind == kind) uop.port_cycles += share * pipeline_.memory.line_crossing_cycles / static_cast<double>(uops);
    }
  }

  /// Whether the core may eliminate this move, and what it needs to know to do so.
  bool mark_move(const ExpansionContext& context, std::uint32_t i, SimInstruction& about) {
    if (context.first_node[i + 1] != context.first_node[i] + 1) return false;
    const std::uint32_t first = context.first_use[i];
    if (context.first_use[i + 1] != first + 1) return false;
    const DependencyUse& use = graph_.uses[first];
    if (use.kind != DependencyKind::reg || about.first_written == about.written_end) return false;
    const std::uint32_t source = names_[use.reg];
    if (source >= most_names) return false;
    about.move = is_vector_form(pipeline_, *instructions_[i]) ? MoveClass::vector : MoveClass::general;
    about.move_source = use.producer == no_node ? none : use.producer;
    about.move_distance = use.distance;
    about.move_output = context.first_node[i];
    about.source_name = static_cast<std::uint8_t>(source);
    about.destination_name = program_.written[about.first_written].name;
    return true;
  }

  /// Eliminated, but its row lists a port: nobody waits for its passing there.
  void add_pass(PortMask ports, std::uint32_t i) {
    Uop uop;
    uop.ports = ports;
    uop.instruction = i;
    uop.waits = uop.despite_elimination = true;
    uop.first_input = uop.input_end = static_cast<std::uint32_t>(program_.inputs.size());
    uop.first_output = uop.output_end = static_cast<std::uint32_t>(program_.outputs.size());
    program_.uops.push_back(uop);
  }

  /// The uop of a move that is not eliminated: that of the form with one register for both.
  void add_move(const ExpansionContext& context, std::uint32_t i) {
    const FormEntry* plain = find_variant(machine_, entries_[i]->key, true, false);
    PortMask mask = 0;
    if (plain != nullptr && !plain->flags.eliminated && !plain->ports.empty()) mask = plain->ports.front().mask;
    Uop uop;
    uop.ports = mask;
    uop.instruction = i;
    uop.waits = true;
    uop.first_input = static_cast<std::uint32_t>(program_.inputs.size());
    const DependencyUse& use = graph_.uses[context.first_use[i]];
    if (use.producer != no_node)
      program_.inputs.push_back({use.producer, use.distance, static_cast<std::int32_t>(use.extra_cycles)});
    uop.input_end = static_cast<std::uint32_t>(program_.inputs.size());
    uop.first_output = static_cast<std::uint32_t>(program_.outputs.size());
    program_.outputs.push_back({context.first_node[i], mask == 0 ? 0 : 1});
    uop.output_end = static_cast<std::uint32_t>(program_.outputs.size());
    program_.uops.push_back(uop);
  }

  // --- slots ---------------------------------------------------------------------------------------------------------

  bool fuses(std::uint32_t uop) const {
    const Uop& each = program_.uops[uop];
    return (each.ports & memory_ports_.fusing()) != 0 && (each.ports & ~memory_ports_.fusing()) == 0;
  }

  /// Without micro-fusion every uop takes a slot of its own, from the decoders on.
  static void split_slots(std::uint32_t uops, std::uint32_t& slots, SimInstruction& about) {
    if (uops <= slots) return;
    slots = uops;
    if (about.microcode_uops > 0) return;
    about.decoded_uops = std::min(slots, most_decoded_uops);
    about.microcode_uops = slots - about.decoded_uops;
    about.complex = about.complex || slots > 1;
  }

  void form_fused(std::uint32_t i, std::uint32_t first_uop, SimInstruction& about) {
    const FormEntry* entry = entries_[i];
    std::uint32_t slots = std::max(1U, entry != nullptr && entry->uops ? up(entry->uops->fused) : 1U);
    if (pipeline_.rename.one_uop_per_slot) split_slots(static_cast<std::uint32_t>(program_.uops.size()) - first_uop, slots, about);
    while (program_.uops.size() - first_uop < slots) {
      Uop empty;
      empty.instruction = i;
      empty.first_input = empty.input_end = static_cast<std::uint32_t>(program_.inputs.size());
      empty.first_output = empty.output_end = static_cast<std::uint32_t>(program_.outputs.size());
      program_.uops.push_back(empty);
    }
    const auto end = static_cast<std::uint32_t>(program_.uops.size());
    const auto first_fused = static_cast<std::uint32_t>(program_.fused.size());
    std::uint32_t at = first_uop;
    for (std::uint32_t slot = 0; slot + 1 < slots; ++slot) {
      const bool pair = end - at > slots - slot && fuses(at);
      program_.fused.push_back({at, at + (pair ? 2 : 1), 0});
      at += pair ? 2 : 1;
    }
    program_.fused.push_back({at, end, 0});
    hold_entries(i, first_uop, first_fused);
    form_laminated(i, first_fused, about);
  }

  /// Loads and stores have a place in their queues, written registers one in their file, from the instruction's last slot.
  void hold_entries(std::uint32_t i, std::uint32_t first_uop, std::uint32_t first_fused) {
    std::uint32_t addresses = 0;
    std::uint32_t data = 0;
    for (std::uint32_t u = first_uop; u < program_.uops.size(); ++u) {
      addresses += program_.uops[u].kind == UopKind::store_address ? 1 : 0;
      data += program_.uops[u].kind == UopKind::store_data ? 1 : 0;
    }
    const UopKind store = data >= addresses ? UopKind::store_data : UopKind::store_address;
    for (std::uint32_t f = first_fused; f < program_.fused.size(); ++f) {
      FusedUop& fused = program_.fused[f];
      for (std::uint32_t u = fused.first_uop; u < fused.uop_end; ++u) {
        if (program_.uops[u].kind == UopKind::load) fused.held += entries_of(Buffer::load_queue, 1);
        if (program_.uops[u].kind == store) fused.held += entries_of(Buffer::store_queue, 1);
      }
    }
    program_.fused.back().held += written_registers(i);
  }

  BufferEntries written_registers(std::uint32_t i) const {
    std::vector<RegisterId> seen;
    BufferEntries out = 0;
    for (const Operand& operand : instructions_[i]->operands)
      for (const RegisterUse& use : operand.registers) {
        if (!use.write || std::find(seen.begin(), seen.end(), use.reg) != seen.end()) continue;
        seen.push_back(use.reg);
        const RegisterFile file = machine_.register_file(use.reg);
        if (file == RegisterFile::integer) out += entries_of(Buffer::integer_registers, 1);
        if (file == RegisterFile::vector) out += entries_of(Buffer::vector_registers, 1);
      }
    return out;
  }

  void form_laminated(std::uint32_t i, std::uint32_t first_fused, const SimInstruction& about) {
    const auto end = static_cast<std::uint32_t>(program_.fused.size());
    const std::uint32_t count = std::min(about.decoded_uops + about.microcode_uops, end - first_fused);
    std::uint32_t at = first_fused;
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      LaminatedUop out;
      out.kind = slot < about.decoded_uops ? LaminatedKind::decoded : LaminatedKind::microcode;
      out.instruction = i;
      out.first_fused = at;
      const bool last = slot + 1 == count;
      const FusedUop& fused = program_.fused[at];
      const bool pair = !last && end - at > count - slot && fused.uop_end - fused.first_uop == 1 && fuses(fused.first_uop);
      at = last ? end : at + (pair ? 2 : 1);
      out.fused_end = at;
      for (std::uint32_t f = out.first_fused; f < out.fused_end; ++f)
        out.held += program_.fused[f].held;
      out.last = last;
      program_.laminated.push_back(out);
    }
  }

  const Machine& machine_;
  const PipelineParameters& pipeline_;
  std::span<const Instruction* const> instructions_;
  std::span<const FormEntry* const> entries_;
  MemoryPorts memory_ports_;
  DependencyGraph graph_;
  std::vector<bool> seconds_;
  RegisterSlots names_;
  PortMask closed_ = 0;
  PortMask taken_ = 0;
  bool zmm_ = false;
  std::vector<LineCrossings> crossings_; // by instruction, or empty
  std::vector<const FormEntry*> limited_; // forms of which one starts at a time
  Program program_;
};

} // namespace

Program expand(const Machine& machine, std::span<const Instruction* const> instructions,
               std::span<const FormEntry* const> entries, LoopMode mode, std::uint64_t start) {
  return Expander(machine, instructions, entries, mode, start).run();
}

} // namespace corecast::sim
