#include "cpp/bounds/analyze.hpp"

#include "cpp/base/error.hpp"
#include "cpp/bounds/demands.hpp"
#include "cpp/isa/form_text.hpp"
#include "cpp/lower/activity.hpp"
#include "cpp/lower/load_banks.hpp"
#include "cpp/lower/region.hpp"
#include "cpp/lower/repeat_count.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace corecast {
namespace {

/// Of the lowered code what both the full analysis and the bare prediction compute first.
class Bounded {
public:
  Bounded(const Machine& machine, const Region& region, std::span<const Costing> costings)
      : region(region), costings(costings), demands(port_demands(machine, region)),
        frontend(frontend_bounds(machine, region)), load_banks(bound_of_banks(machine, region)),
        activity(activity_bound(machine, region)) {}

  /// Instructions that the ports do not explain: measured cycles of forms whose ports are unknown, and of those that
  /// wait for others (locked, serializing). Equal forms share whatever resource it is; locked ones exclude each other.
  double throughput_bound() const {
    double bound = 0;
    std::map<const FormEntry*, double> by_form;
    double exclusive = 0;
    for (const FormEntry* entry : region.entries) {
      if (entry == nullptr || !entry->reciprocal_throughput_cycles) continue;
      if (entry->flags.locked || entry->flags.serializing)
        exclusive += *entry->reciprocal_throughput_cycles;
      else if (!entry->ports_known)
        by_form[entry] += *entry->reciprocal_throughput_cycles;
    }
    for (const auto& item : by_form)
      bound = std::max(bound, item.second);
    return std::max(bound, exclusive);
  }

  const Region& region;
  std::span<const Costing> costings;
  std::vector<PortDemand> demands;
  FrontendResult frontend;
  double load_banks; // cycles that the banks need from which loads are served; as far as the machine has some
  double activity;   // that the whole core needs for its wide vectors, whatever the ports; as far as it is known to

private:
  static double bound_of_banks(const Machine& machine, const Region& region) {
    const LoadBanks banks = LoadBanks::of(machine.pipeline().memory);
    return bank_bound(find_banked_loads(region.instructions, region.places, banks), banks);
  }
};

/// Whether micro-ops are spread equally over the ports of their set: asked for, or what the core does.
bool equal_shares(const Machine& machine, const AnalyzeOptions& options) {
  return options.uniform_ports || machine.pipeline().back_end.port_assignment == PortAssignment::in_turn;
}

/// Whether what the core did before decides, micro-op by micro-op in program order.
bool goes_by_order(const Machine& machine, const AnalyzeOptions& options) {
  return !options.uniform_ports && machine.pipeline().back_end.port_assignment == PortAssignment::after_last;
}

/// The largest bound; on ties the one that says most about the code: ports, then dependencies, then the front end.
const Bound& largest(const std::vector<Bound>& bounds) {
  const Bound* best = &bounds.front();
  for (const Bound& bound : bounds)
    if (bound.cycles > best->cycles + 1e-9) best = &bound;
  return *best;
}

std::vector<Bound> bounds_of(const Bounded& code, const Bound& ports, double dependency) {
  const FrontendResult& frontend = code.frontend;
  const BoundKind supply = frontend.proven >= frontend.bound ? BoundKind::proven : BoundKind::estimate;
  const BoundKind chains = code.region.graph.estimated ? BoundKind::estimate : BoundKind::proven;
  std::vector<Bound> bounds{ports, {"dependency", dependency, chains}, {"frontend", frontend.bound, supply}};
  if (const double throughput = code.throughput_bound(); throughput > 0)
    bounds.push_back({"throughput", throughput, BoundKind::estimate});
  if (code.load_banks > 0) bounds.push_back({"load_banks", code.load_banks, BoundKind::proven});
  if (code.activity > 0) bounds.push_back({"activity", code.activity, BoundKind::proven});
  return bounds;
}

std::string note_of(const InstructionAnalysis& out, const Lookup& lookup) {
  if (lookup.status == LookupStatus::derived) return lookup.note;
  if (lookup.status == LookupStatus::unknown) {
    if (!lookup.lacking.empty()) return lookup.note;
    if (out.entry != nullptr) return "unknown, counted like " + out.entry->key;
    return "unknown: only its slot in rename counts";
  }
  if (out.entry->by_count) return lookup.note;
  if (out.entry->flags.zero_idiom) return "zero idiom";
  if (out.entry->flags.eliminated) return "eliminated at rename";
  if (out.entry->flags.dependency_breaking) return "dependency-breaking";
  if (out.entry->flags.microcoded) return "microcoded";
  return "";
}

/// Cycles from one instance of a form to the next where it is alone on the core.
std::optional<double> reciprocal_throughput(const FormEntry& entry) {
  if (entry.reciprocal_throughput_cycles) return entry.reciprocal_throughput_cycles;
  if (!entry.ports_known) return std::nullopt;
  std::vector<PortDemand> demands;
  for (const auto* uses : {&entry.ports, &entry.blocking})
    for (const PortUse& use : *uses)
      demands.push_back({0, use.count, use.mask});
  return balanced_bound(demands);
}

InstructionAnalysis instruction_analysis(const Machine& machine, const Bounded& code, std::size_t i) {
  InstructionAnalysis out;
  out.lookup = code.costings[i].lookup;
  out.entry = code.costings[i].entry;
  out.nearest = nearest_of(machine, *code.region.instructions[i], *out.lookup);
  out.fused_uops = fused_uops(code.region, i);
  out.fused_second = code.region.fused_seconds[i];
  out.fused_first = i + 1 < code.region.fused_seconds.size() && code.region.fused_seconds[i + 1];
  if (out.entry != nullptr && out.entry->latency_known) {
    out.latency_cycles = largest_latency(*out.entry).value_or(0);
    if (out.entry->flags.eliminated && *out.latency_cycles >= 1) out.latency_cycles = 0;
  }
  if (out.entry != nullptr) out.reciprocal_throughput_cycles = reciprocal_throughput(*out.entry);
  out.note = note_of(out, *out.lookup);
  return out;
}

std::string plural(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// An instruction by its place: code that was not text has addresses in place of lines.
std::string named(const Instruction& instruction) {
  if (instruction.line > 0) return "line " + std::to_string(instruction.line) + ": " + instruction.text;
  return address_text(instruction) + ": " + instruction.text;
}

/// The count of a string instruction whose cost is that of its count; nothing where nothing is to be said of it.
std::string costed_repetition(const Instruction& instruction, std::int64_t count) {
  if (count == 0 || !instruction.traits.may_end_early) return "";
  return " repeats at most " + std::to_string(count) + (count == 1 ? " time" : " times") +
         ": counted as if no comparison ended it earlier";
}

/// What is known of a count; the models' rows hold for one that their sources do not name.
std::string repetition(std::optional<std::int64_t> count) {
  if (!count) return " repeats as often as a register says, which is not known: its figures are those of some count";
  if (*count == 0)
    return " repeats 0 times in every iteration but the first, since nothing sets its count again: its figures are "
           "those "
           "of some other count";
  return " repeats " + std::to_string(*count) + (*count == 1 ? " time" : " times") +
         ": the model does not say what that costs, its figures are those of some other count";
}

/// SSE code without VEX where registers' upper halves hold data, on cores of which it is known what the change costs.
void warn_of_transitions(const Machine& machine, const Bounded& code, std::vector<std::string>& warnings) {
  const double cycles = machine.pipeline().back_end.transition_cycles.value_or(0);
  if (cycles <= 0) return;
  const auto instructions = code.region.instructions;
  const Instruction* filling = nullptr;
  const auto walk = [&]() -> bool {
    for (const Instruction* instruction : instructions) {
      if (instruction->traits.clears_upper_halves) filling = nullptr;
      if (instruction->traits.fills_upper_halves) filling = instruction;
      if (filling == nullptr || !instruction->traits.legacy_sse) continue;
      char text[32];
      std::snprintf(text, sizeof text, "%g", cycles);
      warnings.push_back(named(*instruction) + " works without VEX on registers whose upper halves " + named(*filling) +
                         " has filled: each such change costs some " + text + " cycles, which are not predicted");
      return true;
    }
    return false;
  };
  // What the end of an iteration leaves matters at its start.
  if (!walk()) walk();
}

void add_warnings(const Machine& machine, const Bounded& code, std::span<const Instruction* const> instructions,
                  Analysis& out) {
  for (std::size_t i = 0; i < instructions.size(); ++i)
    if (const Lookup& lookup = *out.instructions[i].lookup; !lookup.lacking.empty())
      out.warnings.push_back(named(*instructions[i]) + " " + lookup.note + ": left out");
  const auto portless = static_cast<std::size_t>(
      std::count_if(out.instructions.begin(), out.instructions.end(), [](const InstructionAnalysis& instruction) {
        return instruction.entry != nullptr && !instruction.entry->ports_known;
      }));
  if (portless > 0)
    out.warnings.push_back("ports unknown for " + plural(portless, "instruction") + ": the port bound leaves them out");
  if (code.region.graph.unknown_latencies > 0)
    out.warnings.push_back("latency unknown for " + plural(code.region.graph.unknown_latencies, "instruction") +
                           ": counted as 1 cycle");
  warn_of_transitions(machine, code, out.warnings);
  for (const std::uint32_t load : code.region.graph.unforwarded)
    out.warnings.push_back(named(*instructions[load]) +
                           " reads more than the store before it wrote: forwarding fails, the real chain is slower");
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (!instructions[i]->traits.repeats) continue;
    const FormEntry* entry = code.costings[i].entry;
    const std::optional<std::int64_t> count = repeat_count(instructions, i, code.region.is_loop());
    const bool costed = entry != nullptr && entry->by_count && count;
    const std::string text = costed ? costed_repetition(*instructions[i], *count) : repetition(count);
    if (!text.empty()) out.warnings.push_back(named(*instructions[i]) + text);
  }
}

/// Instructions without data add no cycles to a chain: they are none of its links.
void keep_links(const Bounded& code, DependencyChain& chain) {
  std::size_t kept = 0;
  for (std::size_t link = 0; link < chain.instructions.size(); ++link) {
    if (code.costings[chain.instructions[link]].entry == nullptr) continue;
    chain.instructions[kept] = chain.instructions[link];
    chain.instruction_cycles[kept++] = chain.instruction_cycles[link];
  }
  chain.instructions.resize(kept);
  chain.instruction_cycles.resize(kept);
}

} // namespace

LowerOptions lower_options(const AnalyzeOptions& options) {
  return {options.mode,          options.aligned ? options.start_offset : 0,
          options.aligned,       options.aliasing.or_none(),
          options.register_step, options.slots_before};
}

Analysis analyze(const Machine& machine, std::span<const Instruction* const> instructions,
                 const AnalyzeOptions& options) {
  const std::vector<Costing> costings = find_costings(machine, instructions, options.unknown, options.mode);
  const Recycled<const FormEntry*> entries = entries_of(costings);
  Region region(machine, instructions, entries, lower_options(options));
  Bounded code(machine, region, costings);
  Analysis out;
  for (std::size_t i = 0; i < instructions.size(); ++i)
    out.instructions.push_back(instruction_analysis(machine, code, i));
  const std::size_t resources = machine.resources().size();
  out.balanced = distribute_balanced(code.demands, instructions.size(), resources);
  out.uniform = distribute_uniform(code.demands, instructions.size(), resources);
  out.critical_path = critical_path(code.region.graph);
  out.loop_carried = loop_carried_chains(code.region.graph);
  keep_links(code, out.critical_path);
  for (DependencyChain& chain : out.loop_carried)
    keep_links(code, chain);
  add_warnings(machine, code, instructions, out);
  out.uniform_ports = equal_shares(machine, options);
  if (goes_by_order(machine, options))
    out.ordered = distribute_after_last(code.demands, instructions.size(), resources);
  const PortDistribution& chosen = out.ordered ? *out.ordered : out.uniform_ports ? out.uniform : out.balanced;
  const double shared = chosen.bound;
  const bool estimated = options.uniform_ports || out.ordered; // other shares may be better
  const Bound ports{"ports", shared, estimated ? BoundKind::estimate : BoundKind::proven};
  const double dependency = out.loop_carried.empty() ? 0 : out.loop_carried.front().cycles;
  out.bounds = bounds_of(code, ports, dependency);
  const double proven_ports = ports.kind == BoundKind::proven ? shared : out.balanced.bound;
  out.proven_throughput_cycles = std::max({code.frontend.proven, proven_ports, code.load_banks, code.activity});
  out.proven_cycles = std::max(out.proven_throughput_cycles, code.region.graph.estimated ? 0.0 : dependency);
  const Bound& binding = largest(out.bounds);
  out.cycles_per_iteration = binding.cycles;
  out.bottleneck = binding.name;
  out.frontend = std::move(code.frontend);
  out.graph = std::move(region.graph);
  return out;
}

Prediction predict(const Machine& machine, std::span<const Instruction* const> instructions,
                   const AnalyzeOptions& options) {
  const std::vector<Costing> costings = find_costings(machine, instructions, options.unknown, options.mode);
  const Recycled<const FormEntry*> entries = entries_of(costings);
  return predict(machine, Region(machine, instructions, entries, lower_options(options)), costings, options);
}

namespace {

double ports_bound(const Machine& machine, const Bounded& code, const AnalyzeOptions& options) {
  const std::size_t instructions = code.costings.size();
  const std::size_t resources = machine.resources().size();
  if (goes_by_order(machine, options)) return distribute_after_last(code.demands, instructions, resources).bound;
  if (equal_shares(machine, options)) return distribute_uniform(code.demands, instructions, resources).bound;
  return balanced_bound(code.demands);
}

} // namespace

Prediction predict(const Machine& machine, const Region& region, std::span<const Costing> costings,
                   const AnalyzeOptions& options) {
  const Bounded code(machine, region, costings);
  Prediction out;
  for (const Costing& costing : costings) {
    if (costing.lookup->status == LookupStatus::known)
      ++out.known;
    else if (costing.lookup->status == LookupStatus::derived)
      ++out.derived;
    else
      ++out.unknown;
  }
  out.bounds = {ports_bound(machine, code, options),
                loop_carried_bound(region.graph),
                code.frontend.bound,
                code.throughput_bound(),
                code.load_banks,
                code.activity};
  for (std::size_t i = 0; i < out.bounds.size(); ++i)
    if (out.bounds[i] > out.cycles_per_iteration + 1e-9) {
      out.cycles_per_iteration = out.bounds[i];
      out.bottleneck = Prediction::bound_names[i];
    }
  return out;
}

} // namespace corecast
