#include "cpp/predict/simulated_programs.hpp"

#include "cpp/sim/hash.hpp"

#include <utility>

namespace corecast {
namespace {

constexpr std::size_t entries = 8192; // a power of two
constexpr std::size_t most_uops = 24; // of a program that is worth its place: some 3 KB; longer ones seldom come again

/// Of what tells programs apart, mostly.
std::uint64_t hash_of(const sim::Program& program) {
  sim::Hash hash;
  hash.add(program.start << 1 | (program.loop ? 1 : 0));
  for (const DecodedInstruction& instruction : program.decoded)
    hash.add(instruction.offset);
  for (const sim::Uop& uop : program.uops)
    hash.add(uop.ports ^ std::uint64_t{uop.first_input} << 40 ^
             static_cast<std::uint64_t>(uop.completion_cycles) << 48);
  for (const sim::UopInput& input : program.inputs)
    hash.add(input.value | std::uint64_t{input.distance} << 32);
  return hash.value();
}

} // namespace

SimulatedPrograms::Entry& SimulatedPrograms::place_of(const sim::Program& program) {
  if (program.uops.size() > most_uops) return unremembered_;
  if (entries_.empty()) entries_.resize(entries);
  return entries_[hash_of(program) % entries];
}

sim::Program SimulatedPrograms::lower(const Block& block) {
  sim::SimulateOptions options;
  options.mode = block.options.mode;
  options.unknown = block.options.unknown;
  options.start = block.options.start_offset;
  options.register_step = block.options.register_step;
  options.slots_before = block.options.slots_before;
  sim::Program room;
  if (!spare_.empty()) {
    room = std::move(spare_.back());
    spare_.pop_back();
  }
  return sim::make_program(block.machine, block.instructions, block.costings, options, std::move(room));
}

void SimulatedPrograms::give_back(sim::Program program) {
  if (program.uops.size() <= most_uops) spare_.push_back(std::move(program));
}

const SimulatedPrograms::Result& SimulatedPrograms::find(const Machine& machine, const sim::Program& program) {
  Entry& entry = place_of(program);
  if (entry.program == program) return entry.result;
  sim::SimulateOptions options;
  options.fewest_cycles = fewest_cycles_;
  options.counters = false;
  sim::Simulation found = sim::simulate(machine, program, options);
  if (&entry != &unremembered_) entry.program = program; // a copy: memory that was used a moment ago serves again
  entry.result = {found.cycles_per_iteration, std::move(found.bottleneck)};
  return entry.result;
}

} // namespace corecast
