#include "cpp/sim/simulator.hpp"

#include "cpp/core/error.hpp"
#include "cpp/core/form_text.hpp"
#include "cpp/sim/expand.hpp"
#include "cpp/sim/stages/stages.hpp"
#include "cpp/sim/steady_state.hpp"

#include <algorithm>

namespace corecast::sim {
namespace {

constexpr std::size_t nearest_count = 3;

const FormEntry* entry_for(const Machine& machine, const Instruction& instruction, UnknownPolicy policy) {
  const Lookup& found = machine.lookup(instruction);
  if (found.status != LookupStatus::unknown || policy == UnknownPolicy::skip) return found.entry;
  if (policy == UnknownPolicy::error)
    throw UnknownFormError(instruction.unknown ? "cannot be read: " + instruction.text
                                               : "no data for " + instruction.form + " (" + instruction.text + ")",
                           instruction.line);
  if (instruction.unknown) return nullptr;
  const std::vector<std::string> near = machine.nearest_forms(instruction.form, nearest_count);
  const bool same = !near.empty() && FormText::parse(near.front()).mnemonic == FormText::parse(instruction.form).mnemonic;
  return same ? machine.find(near.front()) : nullptr;
}

/// One per thread: its tables keep their memory from region to region.
struct Workplace {
  Core core;
  SteadyState steady;

  static Workplace& of_this_thread() {
    thread_local Workplace workplace;
    return workplace;
  }
};

const char* bottleneck_of(const Core& core, const Simulation& out) {
  const double cycles = out.cycles_per_iteration;
  for (const double uses : out.port_uops)
    if (uses >= 0.98 * cycles) return "ports";
  const auto share = [&](std::initializer_list<Stall> kinds) {
    double sum = 0;
    for (const Stall kind : kinds)
      sum += out.stalls[static_cast<std::size_t>(kind)].second;
    return sum;
  };
  const double front_end = share({Stall::none, Stall::split_group, Stall::predecode, Stall::decode, Stall::microcode,
                                  Stall::uop_cache, Stall::loop_buffer, Stall::fetch, Stall::serializing});
  if (front_end >= 0.5 * cycles) return "frontend";
  if (share({Stall::unit_busy}) >= 0.5 * cycles) return "unit";
  (void)core;
  return share({Stall::port_busy}) > share({Stall::operand_latency}) ? "ports" : "dependency";
}

void summarize(const Core& core, const SteadyState& steady, Simulation& out) {
  const Sample from = steady.from();
  const Sample to = steady.to();
  const double iterations = std::max<double>(1, static_cast<double>(to.iteration) - static_cast<double>(from.iteration));
  out.cycles_per_iteration = (to.cycle - from.cycle) / iterations;
  out.periodic = steady.periodic();
  out.simulated_cycles = static_cast<std::uint64_t>(core.now);
  out.span = {from.cycle, to.cycle};
  out.measured_iterations = to.iteration - from.iteration;
  for (std::size_t s = 0; s < stall_kinds; ++s)
    out.stalls.emplace_back(stall_name(static_cast<Stall>(s)),
                            static_cast<double>(to.stalls.cycles[s] - from.stalls.cycles[s]) / iterations);
  const auto counter = [&](const char* name, std::uint64_t Stalls::* member) {
    out.counters.emplace_back(name, static_cast<double>(to.stalls.*member - from.stalls.*member) / iterations);
  };
  counter("renamed_fused_uops", &Stalls::renamed_fused);
  counter("eliminated_moves", &Stalls::eliminated_moves);
  counter("scheduled_uops", &Stalls::dispatched);
  counter("reorder_buffer_full_cycles", &Stalls::reorder_buffer_full);
  counter("scheduler_full_cycles", &Stalls::scheduler_full);
  for (std::size_t p = 0; p < to.port_uses.size(); ++p)
    out.port_uops.push_back(static_cast<double>(to.port_uses[p] - from.port_uses[p]) / iterations);
  out.bottleneck = bottleneck_of(core, out);
}

} // namespace

void Core::reset(const Program& new_program, const PipelineParameters& pipeline) {
  program = &new_program;
  parameters = CoreParameters::from(pipeline, new_program.loop);
  parameters.jcc_erratum = parameters.jcc_erratum && new_program.aligned;
  code = Code::lay_out(new_program, parameters);
  front_end = FrontEnd{};
  renamer = Renamer{};
  reorder_buffer = ReorderBuffer{};
  stalls = Stalls{};
  now = 0;
  moves.reset(parameters);
  ports.reset(parameters, new_program.resources);
  const auto absent = std::count_if(new_program.laminated.begin(), new_program.laminated.end(), [](const LaminatedUop& uop) {
    return uop.kind == LaminatedKind::added_on_overflow;
  });
  const auto fused = static_cast<std::uint32_t>(new_program.fused.size() - static_cast<std::size_t>(absent));
  const std::uint32_t in_flight = parameters.reorder_buffer / std::max(1U, fused) + 3;
  values.reset(std::max(1U, new_program.values), in_flight + 2 * new_program.farthest + 2);
  scheduler.reset(new_program, parameters, in_flight);
  entries.reset(new_program, parameters);
  if (!parameters.legacy_decoders || new_program.length == 0)
    front_end.supplier = Supplier::generic;
  else if (code.loop_buffer)
    front_end.supplier = Supplier::loop_buffer;
  else
    front_end.supplier = code.cached[0] ? Supplier::uop_cache : Supplier::decoders;
  if (code.loop_buffer) front_end.uops.delivered = new_program.laminated.size() * code.loop_buffer_copies;
}

/// The machine as a block diagram, from its end to its start so that nothing passes two stages in one cycle:
///
///   predecoder - instruction queue - decoders -+
///   microcode sequencer ----------------------+- uop queue - rename -+- reorder buffer - retirement
///   uop cache --------------------------------+                      +- scheduler - ports, units
///   loop buffer ------------------------------+
static void run_cycle(Core& core) {
  rename(core);
  retire(core);
  execute(core);
  supply(core);
}

Simulation simulate(const Machine& machine, std::span<const Instruction* const> instructions,
                    const SimulateOptions& options) {
  Simulation out;
  if (instructions.empty()) return out;
  std::vector<const FormEntry*> entries;
  entries.reserve(instructions.size());
  for (const Instruction* instruction : instructions)
    entries.push_back(entry_for(machine, *instruction, options.unknown));
  Program program = expand(machine, instructions, entries, options.mode, options.start);
  program.aligned = options.aligned;
  out.unknown = program.unknown;
  if (program.laminated.empty()) return out;
  auto& [core, steady] = Workplace::of_this_thread();
  core.reset(program, machine.pipeline());
  steady.reset(core, options.fewest_cycles, options.span);
  do {
    ++core.now;
    run_cycle(core);
  } while (!steady.finished(core));
  summarize(core, steady, out);
  return out;
}

} // namespace corecast::sim
