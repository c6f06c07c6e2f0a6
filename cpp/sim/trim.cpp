#include "cpp/sim/trim.hpp"

#include <algorithm>
#include <vector>

namespace corecast::sim {
namespace {

/// Keeps some of the entries that uops own by ranges [first, end), in their order.
template <typename Entry, typename Keep>
void keep_entries(std::vector<Uop>& uops, std::vector<Entry>& entries, std::uint32_t Uop::* first, std::uint32_t Uop::* end,
                  Keep keep) {
  std::uint32_t kept = 0;
  for (Uop& uop : uops) {
    const std::uint32_t begin = kept;
    for (std::uint32_t e = uop.*first; e < uop.*end; ++e)
      if (keep(uop, entries[e])) entries[kept++] = entries[e];
    uop.*first = begin;
    uop.*end = kept;
  }
  entries.resize(kept);
}

void leave_out_unmade(Program& program) {
  std::vector<bool> made(program.values, false);
  for (const UopOutput& output : program.outputs)
    made[output.value] = true;
  for (const SimInstruction& each : program.instructions)
    if (each.move_output != none) made[each.move_output] = true;
  keep_entries(program.uops, program.inputs, &Uop::first_input, &Uop::input_end,
               [&](const Uop&, const UopInput& input) { return made[input.value]; });
}

/// Results that wait for something else keep their outputs: these say when they are done.
bool any_late(const Program& program, const Uop& uop) {
  return std::any_of(program.inputs.begin() + uop.first_input, program.inputs.begin() + uop.input_end,
                     [](const UopInput& input) { return input.late; });
}

void leave_out_unread(Program& program) {
  std::vector<bool> read(program.values, false);
  for (const UopInput& input : program.inputs)
    read[input.value] = true;
  for (const SimInstruction& each : program.instructions)
    if (each.move_source != none) read[each.move_source] = true;
  keep_entries(program.uops, program.outputs, &Uop::first_output, &Uop::output_end,
               [&](const Uop& uop, const UopOutput& output) { return read[output.value] || any_late(program, uop); });
}

void number_values(Program& program) {
  std::vector<std::uint32_t> numbers(program.values, none);
  program.values = 0;
  const auto renumber = [&](std::uint32_t& value) {
    if (value == none) return;
    if (numbers[value] == none) numbers[value] = program.values++;
    value = numbers[value];
  };
  for (UopInput& input : program.inputs)
    renumber(input.value);
  for (UopOutput& output : program.outputs)
    renumber(output.value);
  for (SimInstruction& each : program.instructions) {
    renumber(each.move_source);
    renumber(each.move_output);
  }
}

} // namespace

void trim_values(Program& program) {
  leave_out_unmade(program);
  leave_out_unread(program);
  number_values(program);
}

} // namespace corecast::sim
