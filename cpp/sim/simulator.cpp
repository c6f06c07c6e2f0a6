#include "cpp/sim/simulator.hpp"

#include "cpp/base/error.hpp"
#include "cpp/base/interrupt.hpp"
#include "cpp/sim/activity.hpp"
#include "cpp/sim/busy_cycles.hpp"
#include "cpp/sim/expand.hpp"
#include "cpp/sim/stages/stages.hpp"
#include "cpp/sim/steady_state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>

namespace corecast::sim {
namespace {

constexpr std::int32_t most_extra_cycles = 20000; // behind the measured ones
constexpr int most_kept_cycles = 10000;           // an iteration: a simulation has to see several
constexpr int most_uops = 1 << 19;                // an iteration: beyond that a simulation takes half a minute
constexpr std::int32_t cycles_between_polls = 256;

/// One per thread: its tables keep their memory from region to region.
struct ThreadScratch {
  Core core;
  SteadyState steady;

  /// Not inline: the address of what belongs to a thread would be asked for in every cycle.
  [[gnu::noinline]] static ThreadScratch& of_this_thread() {
    thread_local ThreadScratch scratch;
    return scratch;
  }
};

/// Name of the counter of cycles in which something had no room.
std::string full_counter(Full full) {
  return std::string(full_name(full)) + "_full_cycles";
}

constexpr double taken_all_the_time = 0.98; // of the cycles

/// Ports that are taken all the time by uops that can run nowhere else: of ports that uops may choose from, one can be
/// taken always while others stand idle. 0: none are.
PortMask binding_ports(const Program& program, const Simulation& out) {
  const double cycles = taken_all_the_time * out.cycles_per_iteration;
  PortMask taken = 0;
  for (std::size_t p = 0; p < out.port_uops.size(); ++p)
    if (out.port_uops[p] >= cycles) taken |= PortMask{1} << p;
  if (taken == 0) return 0;
  const auto confined_to = [&](PortMask ports) {
    const auto count = std::count_if(program.uops.begin(), program.uops.end(),
                                     [&](const Uop& uop) { return uop.ports != 0 && (uop.ports & ~ports) == 0; });
    return static_cast<double>(count) >= cycles * std::popcount(ports);
  };
  PortMask binding = 0;
  PortMask seen = 0; // the last set looked at: uops of one kind mostly follow each other
  for (const Uop& uop : program.uops) {
    if (uop.ports == 0 || uop.ports == seen || (uop.ports & ~taken) != 0 || (uop.ports & ~binding) == 0) continue;
    seen = uop.ports;
    if (confined_to(uop.ports)) binding |= uop.ports;
  }
  if (binding == 0 && confined_to(taken)) binding = taken;
  return binding;
}

/// What is at its limit; else what rename waited for most, where it waited for more than a tenth of the time.
const char* bottleneck_of(const Program& program, const Simulation& out) {
  const double cycles = out.cycles_per_iteration;
  if (out.binding_ports != 0) return "ports";
  if (bank_bound(program.banked_loads, program.banks) >= taken_all_the_time * cycles) return "load_banks";
  if (most_unit_cycles(program) >= taken_all_the_time * cycles) return "unit";
  const auto share = [&](std::initializer_list<Stall> kinds) {
    double sum = 0;
    for (const Stall kind : kinds)
      sum += out.stalls[static_cast<std::size_t>(kind)].second;
    return sum;
  };
  const double unit = share({Stall::unit_busy});
  const double ports = share({Stall::port_busy, Stall::store_commit});
  const double dependency = share({Stall::operand_latency});
  const double activity = share({Stall::activity});
  // A group that ends early holds nothing up while buffers fill behind it: then the front end is ahead.
  const bool ahead = unit + ports + dependency + activity > 0.1 * cycles;
  const double split = ahead ? 0.0 : share({Stall::split_group});
  const std::pair<const char*, double> waits[] = {
      {"frontend", split + share({Stall::predecode, Stall::decode, Stall::microcode, Stall::uop_cache,
                                  Stall::loop_buffer, Stall::fetch, Stall::serializing})},
      {"unit", unit},
      {"ports", ports},
      {"activity", activity},
      {"dependency", dependency}};
  const auto most = std::max_element(std::begin(waits), std::end(waits),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return share({Stall::none, Stall::retire_width}) > 0.9 * cycles ? "frontend" : most->first;
}

void add_counters(const Sample& from, const Sample& to, double iterations, Simulation& out) {
  out.counters.reserve(full_kinds + 2);
  const auto counter = [&](const char* name, std::uint32_t Stalls::* member) {
    out.counters.emplace_back(name, static_cast<double>(to.stalls.*member - from.stalls.*member) / iterations);
  };
  counter("renamed_fused_uops", &Stalls::renamed_fused);
  counter("eliminated_moves", &Stalls::eliminated_moves);
  counter("scheduled_uops", &Stalls::dispatched);
  for (std::size_t f = 1; f < full_kinds; ++f)
    out.counters.emplace_back(full_counter(static_cast<Full>(f)),
                              static_cast<double>(to.stalls.full[f] - from.stalls.full[f]) / iterations);
}

void summarize(const Core& core, const SteadyState& steady, bool counters, Simulation& out) {
  const Sample from = steady.from();
  const Sample to = steady.to();
  const double iterations =
      std::max<double>(1, static_cast<double>(to.iteration) - static_cast<double>(from.iteration));
  out.cycles_per_iteration = (to.cycle - from.cycle) / iterations;
  out.periodic = steady.periodic();
  out.simulated_cycles = static_cast<std::uint64_t>(core.now);
  out.span = {from.cycle, to.cycle};
  out.measured_iterations = to.iteration - from.iteration;
  out.stalls.reserve(stall_kinds);
  out.port_uops.reserve(to.port_uses.size());
  for (std::size_t s = 0; s < stall_kinds; ++s)
    out.stalls.emplace_back(stall_name(static_cast<Stall>(s)),
                            static_cast<double>(to.stalls.cycles[s] - from.stalls.cycles[s]) / iterations);
  if (counters) add_counters(from, to, iterations, out);
  for (std::size_t p = 0; p < to.port_uses.size(); ++p)
    out.port_uops.push_back(static_cast<double>(to.port_uses[p] - from.port_uses[p]) / iterations);
  out.binding_ports = binding_ports(*core.program, out);
  out.bottleneck = bottleneck_of(*core.program, out);
}

} // namespace

void Core::reset(const Program& new_program, const PipelineParameters& pipeline, bool books_ahead) {
  program = &new_program;
  parameters = CoreParameters::from(pipeline, new_program.loop);
  supply = Supply::of(new_program.body(), pipeline.front_end, parameters);
  front_end = FrontEnd{};
  front_end.cache.known.resize(2 * supply.entries.size());
  if (supply.one_path()) front_end.bodies_fetched = ~std::uint64_t{0}; // never short of code
  renamer = Renamer{};
  reorder_buffer = ReorderBuffer{};
  stalls = Stalls{};
  now = 0;
  moves.reset(parameters, new_program.moves);
  ports.reset(parameters, new_program);
  buffers.reset(parameters);
  last_store = LastStore{};
  const auto absent = std::count_if(new_program.laminated.begin(), new_program.laminated.end(),
                                    [](const DecodedUop& uop) { return uop.kind == LaminatedKind::added_on_overflow; });
  const auto fused = static_cast<std::uint32_t>(new_program.fused.size() - static_cast<std::size_t>(absent));
  retires_plainly = !new_program.moves && absent == 0 && parameters.store_block_bytes == 0;
  held_before.assign(1, 0);
  for (const FusedUop& each : new_program.fused)
    held_before.push_back(held_before.back() + each.held);
  const std::uint32_t in_flight = parameters.reorder_buffer / std::max(1U, fused) + 3;
  entries.reset(new_program, parameters);
  limits_dispatch = entries.active();
  planned_groups.clear();
  if (!limits_dispatch) plan_groups(new_program, parameters, planned_groups);
  scheduler.reset(new_program, parameters, ports, in_flight, books_ahead && !entries.late_binding());
  limits_activity = may_be_too_active(new_program, parameters);
  renames_plainly =
      scheduler.books_ahead() && !planned_groups.empty() && !new_program.moves && supply.extra_cycles == 0;
  if (!parameters.legacy_decoders || new_program.length == 0)
    front_end.supplier = Supplier::generic;
  else if (supply.loop_buffer)
    front_end.supplier = Supplier::loop_buffer;
  else
    front_end.supplier = supply.cached[0] ? Supplier::uop_cache : Supplier::decoders;
  if (supply.loop_buffer) front_end.uops.delivered = new_program.laminated.size() * supply.loop_buffer_copies;
}

namespace {

/// The machine as a block diagram, from its end to its start so that nothing passes two stages in one cycle:
///
///   predecoder - instruction queue - decoders -+
///   microcode sequencer ----------------------+- uop queue - rename -+- reorder buffer - retirement
///   uop cache --------------------------------+                      +- scheduler - ports, units
///   loop buffer ------------------------------+
///
/// The observer sees each unit as the stage left it; one that does nothing costs nothing.
template <typename Observer> void run_cycle(Core& core, Observer& observer) {
  ++core.now;
  rename(core);
  observer.after_rename(core);
  retire(core);
  observer.after_retire(core);
  execute(core);
  supply(core);
  observer.after_supply(core);
}

struct NoObserver {
  void after_rename(const Core&) {}
  void after_retire(const Core&) {}
  void after_supply(const Core&) {}
};

template <typename Observer> void run_to_end(Core& core, SteadyState& steady, Observer& observer) {
  do {
    run_cycle(core, observer);
    if (core.now % cycles_between_polls == 0) poll_interrupt();
  } while (!steady.finished(core));
}

/// Micro-ops of an iteration, as far as the rows tell.
double count_uops(std::span<const Costing> costings) {
  double sum = 0;
  for (const Costing& costing : costings) {
    if (costing.entry == nullptr) continue;
    double uops = costing.entry->uops ? std::max(costing.entry->uops->fused, costing.entry->uops->unfused) : 1;
    double at_ports = 0;
    for (const PortUse& use : costing.entry->ports)
      at_ports += (use.mask & costing.entry->kept_ports) != 0 ? 1 : use.count;
    sum += std::max(uops, at_ports);
  }
  return sum;
}

/// Cycles of instructions that repeat.
double kept_cycles(std::span<const Costing> costings) {
  double sum = 0;
  for (const Costing& costing : costings) {
    if (costing.entry == nullptr || !costing.entry->by_count) continue;
    double most = 0; // all its ports and units are kept for the same time
    for (const auto* uses : {&costing.entry->ports, &costing.entry->blocking})
      for (const PortUse& use : *uses)
        most = std::max(most, use.count);
    sum += most;
  }
  return sum;
}

/// Code as simulate() is given it, ready to run.
Program make_program(const Machine& machine, std::span<const Instruction* const> instructions,
                     const SimulateOptions& options) {
  if (instructions.empty()) return {};
  const std::vector<Costing> costings = find_costings(machine, instructions, options.unknown, options.mode);
  check_size(costings);
  const Recycled<const FormEntry*> entries = entries_of(costings);
  return expand(machine, Region(machine, instructions, entries,
                                {options.mode, options.start, options.aligned, options.aliasing.or_none(),
                                 options.register_step, options.slots_before, false}));
}

} // namespace

void check_size(std::span<const Costing> costings) {
  const double uops = count_uops(costings);
  if (uops > most_uops)
    throw SimulationLimitError("an iteration has " + std::to_string(std::llround(uops)) +
                               " micro-ops, too many to simulate (at most " + std::to_string(most_uops) +
                               "): use the method bounds");
  const double cycles = kept_cycles(costings);
  if (cycles > most_kept_cycles)
    throw SimulationLimitError("an iteration has strings that take " + std::to_string(std::llround(cycles)) +
                               " cycles, too many to simulate (at most " + std::to_string(most_kept_cycles) +
                               "): use the method bounds");
}

Simulation simulate(const Machine& machine, std::span<const Instruction* const> instructions,
                    const SimulateOptions& options) {
  return simulate(machine, make_program(machine, instructions, options), options);
}

Simulation simulate(const Machine& machine, const Program& program, const SimulateOptions& options) {
  Simulation out;
  out.unknown = program.unknown;
  if (program.laminated.empty()) return out;
  auto& [core, steady] = ThreadScratch::of_this_thread();
  core.reset(program, machine.pipeline(), options.books_ahead);
  steady.reset(core, options.fewest_cycles, options.span);
  NoObserver observer;
  run_to_end(core, steady, observer);
  summarize(core, steady, options.counters, out);
  return out;
}

Observation observe(const Machine& machine, std::span<const Instruction* const> instructions,
                    const ObserveOptions& options) {
  const Program program = make_program(machine, instructions, options.simulate);
  Observation out;
  out.simulation.unknown = program.unknown;
  if (program.laminated.empty()) return out;
  auto& [core, steady] = ThreadScratch::of_this_thread();
  core.reset(program, machine.pipeline(), options.simulate.books_ahead);
  steady.reset(core, options.simulate.fewest_cycles, options.simulate.span);
  Recorder recorder(core);
  run_to_end(core, steady, recorder);
  summarize(core, steady, options.simulate.counters, out.simulation);
  // What the measured cycles wait for, and the iterations to show, are followed to their end.
  const std::uint64_t first = options.timeline_from.value_or(steady.from().iteration);
  const std::uint64_t shown = options.timeline_iterations == 0 ? 0 : first + options.timeline_iterations;
  const std::uint64_t last = std::max(steady.to().iteration + 1, shown);
  const std::uint64_t wanted = std::max(core.renamer.next_uop, last * program.uops.size());
  const std::int32_t latest = core.now + most_extra_cycles;
  while (core.reorder_buffer.head_uop < wanted && core.now < latest) {
    run_cycle(core, recorder);
    if (core.now % cycles_between_polls == 0) poll_interrupt();
  }
  recorder.finish(core);
  const Span span{
      steady.from().cycle, steady.to().cycle,
      std::max<double>(1, static_cast<double>(steady.to().iteration) - static_cast<double>(steady.from().iteration))};
  Waits waits(program, core.parameters, recorder);
  waits.set_load(load_of_resources(program, waits, recorder, span), out.simulation.cycles_per_iteration);
  out.stalls = account(waits, recorder, span);
  for (auto& [name, cycles] : out.simulation.stalls)
    cycles = std::accumulate(out.stalls.begin(), out.stalls.end(), 0.0, [&](double sum, const StallShare& share) {
      return std::string_view(stall_name(share.cause)) == name ? sum + share.cycles : sum;
    });
  out.simulation.bottleneck = bottleneck_of(program, out.simulation);
  add_counters(program, waits, recorder, span, machine.resources(), out.simulation.counters);
  out.timeline = cut_timeline(program, waits, recorder, first, options.timeline_iterations);
  return out;
}

} // namespace corecast::sim
