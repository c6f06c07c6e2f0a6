#include "cpp/predict/simulated_programs.hpp"

#include "cpp/sim/expand.hpp"

#include <utility>

namespace corecast {
namespace {

constexpr std::size_t entries = 1 << 14;    // a power of two; together less than a second-level cache
constexpr std::size_t most_spare_uops = 24; // of a program whose memory, some 3 KB, is kept for others

} // namespace

sim::Program SimulatedPrograms::expand(const Machine& machine, const Region& region) {
  sim::Program room;
  if (!spare_.empty()) {
    room = std::move(spare_.back());
    spare_.pop_back();
  }
  return sim::expand(machine, region, std::move(room));
}

void SimulatedPrograms::give_back(sim::Program program) {
  if (program.uops.size() <= most_spare_uops) spare_.push_back(std::move(program));
}

SimulatedPrograms::Entry& SimulatedPrograms::entry_of(const sim::Digest& digest) {
  if (entries_.empty()) entries_.resize(entries);
  return entries_[digest.first % entries];
}

sim::Digest SimulatedPrograms::expect(const sim::Program& program) {
  const sim::Digest digest = sim::digest_of(program);
  __builtin_prefetch(&entry_of(digest));
  return digest;
}

const SimulatedPrograms::Result& SimulatedPrograms::find(const Machine& machine, const sim::Program& program,
                                                         const sim::Digest& digest) {
  Entry& entry = entry_of(digest);
  if (entry.digest == digest) return entry.result;
  sim::SimulateOptions options;
  options.fewest_cycles = fewest_cycles_;
  options.counters = false;
  sim::Simulation found = sim::simulate(machine, program, options);
  entry = {digest, {found.cycles_per_iteration, std::move(found.bottleneck)}};
  return entry.result;
}

} // namespace corecast
