#include "cpp/core/analyze.hpp"

#include "cpp/core/demands.hpp"
#include "cpp/core/error.hpp"
#include "cpp/core/form_text.hpp"
#include "cpp/core/fusion.hpp"
#include "cpp/core/machine.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace corecast {
namespace {

constexpr std::size_t nearest_count = 3;

/// What both the full analysis and the bare prediction compute first.
class Region {
public:
  Region(const Machine& machine, std::span<const Instruction* const> instructions, const AnalyzeOptions& options)
      : machine_(machine), instructions_(instructions), options_(options) {
    entries_.reserve(instructions.size());
    for (const Instruction* instruction : instructions)
      look_up(*instruction);
    lay_out();
    seconds = find_fused_seconds(machine, instructions, entries_, offsets_, options.aligned);
    graph = build_graph(machine, instructions, entries_);
    demands = port_demands(machine, instructions, entries_, seconds, graph.extra_uops, options.mode == LoopMode::loop);
    for (std::uint32_t i = 0; i < instructions.size(); ++i)
      items.push_back({instructions[i], entries_[i], offsets_[i], seconds[i], 0});
    for (const ExtraUop& uop : graph.extra_uops)
      items[uop.instruction].extra_uops += 1;
    frontend = frontend_bounds(machine, items, options.mode, options.aligned);
  }

  const FormEntry* entry(std::size_t i) const { return entries_[i]; }

  /// Instructions that the ports do not explain: measured cycles of forms whose ports are unknown, and of those that
  /// wait for others (locked, serializing). Equal forms share whatever resource it is; locked ones exclude each other.
  double throughput_bound() const {
    double bound = 0;
    std::map<const FormEntry*, double> by_form;
    double exclusive = 0;
    for (const FormEntry* entry : entries_) {
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

  std::vector<const Lookup*> lookups;
  std::vector<std::vector<std::string>> nearest;
  std::vector<bool> seconds;
  std::vector<FrontendItem> items;
  std::vector<PortDemand> demands;
  DependencyGraph graph;
  FrontendResult frontend;

private:
  void look_up(const Instruction& instruction) {
    const Lookup& found = machine_.lookup(instruction);
    lookups.push_back(&found);
    const FormEntry* entry = found.entry;
    std::vector<std::string> near;
    if (found.status == LookupStatus::unknown) {
      if (options_.unknown == UnknownPolicy::error)
        throw UnknownFormError(instruction.unknown ? "cannot be read: " + instruction.text
                                                   : "no data for " + instruction.form + " (" + instruction.text + ")",
                               instruction.line);
      if (!instruction.unknown) near = machine_.nearest_forms(instruction.form, nearest_count);
      if (options_.unknown == UnknownPolicy::nearest) entry = stand_in(instruction, near);
    }
    nearest.push_back(std::move(near));
    entries_.push_back(entry);
  }

  /// Only a form of the same mnemonic is near enough to lend its cost.
  const FormEntry* stand_in(const Instruction& instruction, const std::vector<std::string>& near) const {
    if (near.empty()) return nullptr;
    const bool same = FormText::parse(near.front()).mnemonic == FormText::parse(instruction.form).mnemonic;
    return same ? machine_.find(near.front()) : nullptr;
  }

  void lay_out() {
    std::uint64_t offset = options_.aligned ? options_.start_offset : 0;
    for (const Instruction* instruction : instructions_) {
      offsets_.push_back(offset);
      offset += instruction->length_bytes;
    }
  }

  const Machine& machine_;
  std::span<const Instruction* const> instructions_;
  const AnalyzeOptions& options_;
  std::vector<const FormEntry*> entries_;
  std::vector<std::uint64_t> offsets_;
};

/// The largest bound; on ties the one that says most about the code: ports, then dependencies, then the front end.
const Bound& largest(const std::vector<Bound>& bounds) {
  const Bound* best = &bounds.front();
  for (const Bound& bound : bounds)
    if (bound.cycles > best->cycles + 1e-9) best = &bound;
  return *best;
}

std::vector<Bound> bounds_of(double ports, double dependency, double frontend, double throughput) {
  std::vector<Bound> bounds{{"ports", ports}, {"dependency", dependency}, {"frontend", frontend}};
  if (throughput > 0) bounds.push_back({"throughput", throughput});
  return bounds;
}

std::string note_of(const InstructionAnalysis& out, const Lookup& lookup) {
  if (lookup.status == LookupStatus::derived) return lookup.note;
  if (lookup.status == LookupStatus::unknown) {
    if (out.entry != nullptr) return "unknown, counted like " + out.entry->key;
    return "unknown, counted as one slot and one cycle";
  }
  if (out.entry->flags.zero_idiom) return "zero idiom";
  if (out.entry->flags.eliminated) return "eliminated at rename";
  if (out.entry->flags.dependency_breaking) return "dependency-breaking";
  if (out.entry->flags.microcoded) return "microcoded";
  return "";
}

InstructionAnalysis instruction_analysis(const Region& region, std::size_t i) {
  InstructionAnalysis out;
  out.lookup = region.lookups[i];
  out.entry = region.entry(i);
  out.nearest = region.nearest[i];
  out.fused_uops = fused_uops(region.items[i]);
  out.fused_second = region.seconds[i];
  out.fused_first = i + 1 < region.seconds.size() && region.seconds[i + 1];
  if (out.entry != nullptr && out.entry->latency_known) {
    out.latency_cycles = largest_latency(*out.entry).value_or(0);
    if (out.entry->flags.eliminated && *out.latency_cycles >= 1) out.latency_cycles = 0;
  }
  out.note = note_of(out, *out.lookup);
  return out;
}

std::string plural(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void add_warnings(const Region& region, std::span<const Instruction* const> instructions, Analysis& out) {
  std::size_t unknown = 0;
  std::size_t portless = 0;
  for (const InstructionAnalysis& instruction : out.instructions) {
    if (instruction.lookup->status == LookupStatus::unknown)
      ++unknown;
    else if (!instruction.entry->ports_known)
      ++portless;
  }
  if (unknown > 0) out.warnings.push_back(plural(unknown, "instruction") + " of unknown cost");
  if (portless > 0)
    out.warnings.push_back("ports unknown for " + plural(portless, "instruction") + ": the port bound leaves them out");
  if (region.graph.unknown_latencies > unknown)
    out.warnings.push_back("latency unknown for " + plural(region.graph.unknown_latencies - unknown, "instruction") +
                           ": counted as 1 cycle");
  for (const std::uint32_t load : region.graph.unforwarded)
    out.warnings.push_back("line " + std::to_string(instructions[load]->line) + ": " + instructions[load]->text +
                           " reads more than the store before it wrote: forwarding fails, the real chain is slower");
}

} // namespace

Analysis analyze(const Machine& machine, std::span<const Instruction* const> instructions,
                 const AnalyzeOptions& options) {
  Region region(machine, instructions, options);
  Analysis out;
  for (std::size_t i = 0; i < instructions.size(); ++i)
    out.instructions.push_back(instruction_analysis(region, i));
  const std::size_t ports = machine.resources().size();
  out.balanced = distribute_balanced(region.demands, instructions.size(), ports);
  out.uniform = distribute_uniform(region.demands, instructions.size(), ports);
  out.critical_path = critical_path(region.graph);
  out.loop_carried = loop_carried_chains(region.graph);
  add_warnings(region, instructions, out);
  const double port_bound = options.uniform_ports ? out.uniform.bound : out.balanced.bound;
  const double dependency = out.loop_carried.empty() ? 0 : out.loop_carried.front().cycles;
  out.bounds = bounds_of(port_bound, dependency, region.frontend.bound, region.throughput_bound());
  const Bound& binding = largest(out.bounds);
  out.cycles_per_iteration = binding.cycles;
  out.bottleneck = binding.name;
  out.frontend = std::move(region.frontend);
  out.graph = std::move(region.graph);
  return out;
}

Prediction predict(const Machine& machine, std::span<const Instruction* const> instructions,
                   const AnalyzeOptions& options) {
  const Region region(machine, instructions, options);
  Prediction out;
  for (const Lookup* lookup : region.lookups) {
    if (lookup->status == LookupStatus::known)
      ++out.known;
    else if (lookup->status == LookupStatus::derived)
      ++out.derived;
    else
      ++out.unknown;
  }
  const double ports = options.uniform_ports
                           ? distribute_uniform(region.demands, instructions.size(), machine.resources().size()).bound
                           : balanced_bound(region.demands);
  const std::pair<const char*, double> bounds[] = {{"ports", ports},
                                                   {"dependency", loop_carried_bound(region.graph)},
                                                   {"frontend", region.frontend.bound},
                                                   {"throughput", region.throughput_bound()}};
  for (const auto& [name, cycles] : bounds)
    if (cycles > out.cycles_per_iteration + 1e-9) {
      out.cycles_per_iteration = cycles;
      out.bottleneck = name;
    }
  return out;
}

} // namespace corecast
