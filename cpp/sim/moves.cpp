#include "cpp/sim/moves.hpp"

#include <utility>

namespace corecast::sim {

bool mark_move(const ExpansionContext& context, std::uint32_t i, RegisterSlots& names, const Program& program,
               SimInstruction& about) {
  if (context.first_node[i + 1] != context.first_node[i] + 1) return false;
  const std::uint32_t first = context.first_use[i];
  if (context.first_use[i + 1] != first + 1) return false;
  const DependencyUse& use = context.graph.uses[first];
  if (use.kind != DependencyKind::reg || about.first_written == about.written_end) return false;
  const std::uint32_t source = names[use.reg];
  if (source >= most_names) return false;
  about.move = context.instructions[i]->traits.vector ? MoveClass::vector : MoveClass::general;
  about.move_source = use.producer == no_node ? none : use.producer;
  about.move_distance = use.distance;
  about.move_output = context.first_node[i];
  about.source_name = static_cast<std::uint8_t>(source);
  about.destination_name = program.written[about.first_written].name;
  return true;
}

void add_pass(PortMask ports, std::uint32_t i, Program& program) {
  Uop uop;
  uop.ports = ports;
  uop.instruction = i;
  uop.waits = uop.despite_elimination = true;
  uop.first_input = uop.input_end = static_cast<std::uint32_t>(program.inputs.size());
  uop.first_output = uop.output_end = static_cast<std::uint32_t>(program.outputs.size());
  program.uops.push_back(uop);
}

void add_move(const ExpansionContext& context, std::uint32_t i, Program& program) {
  const FormEntry* plain = find_same_variant(context.machine, context.entries[i]->key);
  PortMask mask = 0;
  if (plain != nullptr && !plain->flags.eliminated && !plain->ports.empty()) mask = plain->ports.front().mask;
  Uop uop;
  uop.ports = mask;
  uop.instruction = i;
  uop.waits = true;
  uop.first_input = static_cast<std::uint32_t>(program.inputs.size());
  const DependencyUse& use = context.graph.uses[context.first_use[i]];
  if (use.producer != no_node)
    program.inputs.push_back({use.producer, use.distance, static_cast<std::int32_t>(use.extra_cycles)});
  uop.input_end = static_cast<std::uint32_t>(program.inputs.size());
  uop.first_output = static_cast<std::uint32_t>(program.outputs.size());
  program.outputs.push_back({context.first_node[i], mask == 0 ? 0 : 1});
  uop.output_end = static_cast<std::uint32_t>(program.outputs.size());
  program.uops.push_back(uop);
}

void add_copy(const ExpansionContext& context, std::uint32_t i, Program& program) {
  add_move(context, i, program);
  Uop& uop = program.uops.back();
  uop.ports = 0;
  uop.join = true;
  uop.completion_cycles = 0;
  program.outputs.back().latency = 0;
}

void keep_names_of_moves(Program& program) {
  std::uint64_t followed = 0;
  for (const SimInstruction& each : program.instructions)
    if (each.move != MoveClass::none)
      followed |= (std::uint64_t{1} << each.source_name) | (std::uint64_t{1} << each.destination_name);
  std::uint32_t kept = 0;
  for (SimInstruction& each : program.instructions) {
    const std::uint32_t first = std::exchange(each.first_written, kept);
    for (std::uint32_t w = first; w < each.written_end; ++w)
      if ((followed >> program.written[w].name) & 1) program.written[kept++] = program.written[w];
    each.written_end = kept;
  }
  program.written.resize(kept);
  program.moves = followed != 0;
}

} // namespace corecast::sim
