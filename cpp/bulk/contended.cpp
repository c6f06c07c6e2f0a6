#include "cpp/bulk/contended.hpp"

#include "cpp/sim/hash.hpp"

#include <utility>

namespace corecast {
namespace {

constexpr std::int32_t fewest_cycles = 768;  // such loops settle sooner than others
constexpr std::size_t most_remembered = 2048; // some 2 KB each

/// Of what tells such loops apart, mostly.
std::uint64_t hash_of(const sim::Program& program) {
  sim::Hash hash;
  hash.add(program.start % 64);
  for (const sim::SimInstruction& instruction : program.instructions)
    hash.add(instruction.offset);
  for (const sim::Uop& uop : program.uops)
    hash.add(uop.ports);
  for (const sim::UopInput& input : program.inputs)
    hash.add(input.value | std::uint64_t{input.distance} << 32);
  return hash.value();
}

} // namespace

double ContendedLoops::cycles(const Block& block, sim::SimulateOptions options) {
  options.fewest_cycles = fewest_cycles;
  sim::Program program = sim::make_program(block.machine, block.instructions, block.costings, options);
  const std::uint64_t hash = hash_of(program);
  const auto [first, last] = followed_.equal_range(hash);
  for (auto known = first; known != last; ++known)
    if (known->second.program == program) return known->second.cycles;
  if (followed_.size() == most_remembered) followed_.clear();
  const double cycles = sim::simulate(block.machine, program, options).cycles_per_iteration;
  followed_.emplace(hash, Followed{std::move(program), cycles});
  return cycles;
}

} // namespace corecast
