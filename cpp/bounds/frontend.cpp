#include "cpp/bounds/frontend.hpp"

#include "cpp/bounds/legacy_decode.hpp"
#include "cpp/lower/encoded_constants.hpp"
#include "cpp/machine/machine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace corecast {
namespace {

class Frontend {
public:
  Frontend(const Machine& machine, const Region& region)
      : machine_(machine), pipeline_(machine.pipeline()), parameters_(pipeline_.front_end), region_(region),
        supply_(Supply::of(region.body(), parameters_, FrontEndSizes::of(pipeline_, region.is_loop()))) {}

  FrontendResult run() {
    if (region_.instructions.empty()) return {};
    out_.components.reserve(most_components);
    add_slots();
    if (!parameters_.ideal) {
      add_supply();
      add_taken_branches();
    }
    for (const auto& [name, cycles] : out_.components)
      if (cycles > out_.bound) {
        out_.bound = cycles;
        out_.limiting = name;
      }
    return std::move(out_);
  }

private:
  static constexpr std::size_t most_components = 8;

  void estimate(const char* name, std::optional<double> cycles) {
    if (cycles) out_.components.emplace_back(name, *cycles);
  }

  void prove(const char* name, double cycles) {
    out_.components.emplace_back(name, cycles);
    out_.proven = std::max(out_.proven, cycles);
  }

  /// What rename and retirement take, and the microcode sequencer.
  void add_slots() {
    double constants = 0;
    double results = 0;
    double retired = 0;
    double microcode = 0;
    const auto of_offset = static_cast<unsigned>(pipeline_.front_end.stack_synchronisation_constants);
    for (const ExtraUop& extra : region_.graph.extra_uops) {
      added_ += extra.per_iteration;
      constants +=
          offset_constants(extra, *region_.instructions[extra.instruction], machine_.stack_pointer(), of_offset);
    }
    for (std::size_t i = 0; i < region_.instructions.size(); ++i) {
      const FormEntry* entry = region_.entries[i];
      constants += renamed_constants(*region_.instructions[i], machine_.stack_pointer());
      const double own = fused_uops(region_, i);
      out_.fused_uops += own;
      if (machine_.writes_register(*region_.instructions[i])) results += own;
      retired += own > 0 && entry != nullptr && entry->uops ? std::max(1.0, entry->uops->retired) : own;
      if (!region_.fused_seconds[i]) microcode += region_.decoded[i].microcode_uops;
    }
    if (pipeline_.rename.microcoded_per_cycle) add_microcoded_groups(*pipeline_.rename.microcoded_per_cycle);
    out_.fused_uops += added_;
    prove("rename", out_.fused_uops / *pipeline_.rename.width);
    if (pipeline_.rename.constants_per_cycle)
      prove("rename_constants", constants / *pipeline_.rename.constants_per_cycle);
    if (pipeline_.rename.results_per_cycle) prove("rename_results", results / *pipeline_.rename.results_per_cycle);
    if (pipeline_.back_end.retire_width) prove("retire", (retired + added_) / *pipeline_.back_end.retire_width);
    if (parameters_.microcode_width && microcode > 0) prove("microcode", microcode / *parameters_.microcode_width);
  }

  /// Microcoded instructions are renamed alone: whole cycles for each, and for what lies between them.
  void add_microcoded_groups(double per_cycle) {
    double cycles = 0;
    double run = 0;
    double before_first = 0;
    bool any = false;
    for (std::size_t i = 0; i < region_.instructions.size(); ++i) {
      const double own = fused_uops(region_, i);
      const FormEntry* entry = region_.entries[i];
      if (entry == nullptr || !entry->flags.microcoded || own == 0) {
        run += own;
        continue;
      }
      (any ? cycles : before_first) += any ? groups_of(run) : run;
      any = true;
      run = 0;
      cycles += std::ceil(own / per_cycle - 1e-9);
    }
    if (any) prove("microcoded", cycles + groups_of(run + before_first));
  }

  double groups_of(double uops) const { return std::ceil(uops / *pipeline_.rename.width - 1e-9); }

  /// The bounds of who delivers the uops.
  void add_supply() {
    switch (supply_.deliverer) {
    case Deliverer::loop_buffer:
      out_.supplier = "loop_buffer";
      return prove("loop_buffer", with_costs(loop_buffer_cycles()));
    case Deliverer::uop_cache:
      out_.supplier = "uop_cache";
      return add_uop_cache();
    case Deliverer::decoders:
      return add_decoders();
    }
  }

  /// What an iteration costs beside its delivery: rename stands still so long.
  double with_costs(double cycles) const {
    if (supply_.extra_cycles == 0) return cycles;
    return std::max(cycles, out_.fused_uops / *pipeline_.rename.width + supply_.extra_cycles);
  }

  double loop_buffer_cycles() const {
    if (!parameters_.loop_buffer_copies_known) return out_.fused_uops / *pipeline_.rename.width;
    const double copies = supply_.loop_buffer_copies;
    // The first uop of a fill cannot be renamed in the cycle of the last uop of the fill before.
    return std::ceil(out_.fused_uops * copies / *pipeline_.rename.width - 1e-9) / copies;
  }

  double delivered_uops() const {
    double sum = 0;
    for (const DecodedInstruction& instruction : region_.decoded)
      if (!instruction.fused_second) sum += instruction.decoded_uops + instruction.microcode_uops;
    return sum;
  }

  void add_uop_cache() {
    const double cycles = delivered_uops() / *parameters_.uop_cache_width;
    if (!supply_.ends_entry.empty())
      return estimate("uop_cache",
                      with_costs(region_.layout.alignment_known ? std::max(cycles, entry_cycles()) : cycles));
    prove("uop_cache", with_costs(supply_.begins_anew ? std::ceil(cycles - 1e-9) : cycles));
  }

  /// Reads that a loop's body takes, or entries, one after the other; where these go on from line to line, its lines if
  /// they are more.
  double entry_cycles() const {
    if (!supply_.read_cycles.empty())
      return std::accumulate(supply_.read_cycles.begin(), supply_.read_cycles.end(), 0.0);
    const auto entries = std::count(supply_.ends_entry.begin(), supply_.ends_entry.end(), true);
    const auto lines = std::count(supply_.ends_line.begin(), supply_.ends_line.end(), true);
    const double cycles = static_cast<double>(entries) / parameters_.uop_cache_entries_per_cycle.value_or(1);
    return parameters_.uop_cache_entry_crosses_lines ? std::max(cycles, static_cast<double>(lines)) : cycles;
  }

  /// Where some of a loop comes from the uop cache, both deliver in turn.
  void add_decoders() {
    if (!region_.is_loop() && pipeline_.architecture == Architecture::x86) estimate("fetch", fetch_cycles());
    estimate("predecode", predecode_cycles(parameters_, region_));
    std::optional<double> decoded = decode_cycles(parameters_, region_, supply_);
    if (decoded) decoded = with_costs(*decoded);
    estimate("decode", decoded);
    if (parameters_.decoders) out_.supplier = "decoders";
  }

  /// Straight-line code, on cores whose fetch width is known in bytes.
  std::optional<double> fetch_cycles() const {
    if (parameters_.predecode_block_bytes || !parameters_.decoders || !parameters_.fetch_bytes) return std::nullopt;
    return static_cast<double>(region_.layout.length_bytes) / *parameters_.fetch_bytes;
  }

  /// Taken branches that fetch has to follow. One a cycle is the rule; cores that follow more say so. What a loop
  /// buffer replays is not fetched: only the jump back to its start counts.
  void add_taken_branches() {
    const bool replays = out_.supplier == "loop_buffer";
    const auto all = std::count(region_.jumps.begin(), region_.jumps.end(), true);
    const auto taken = replays ? static_cast<std::ptrdiff_t>(region_.jumps.back()) : all;
    if (taken == 0) return;
    const double cycles = static_cast<double>(taken) / parameters_.taken_branches_per_cycle.value_or(1);
    // A cache that is read line by line may go on behind a branch now and then.
    if (supply_.deliverer == Deliverer::uop_cache && supply_.ends_entry.empty())
      estimate("taken_branch", cycles);
    else
      prove("taken_branch", cycles);
  }

  const Machine& machine_;
  const PipelineParameters& pipeline_;
  const FrontEndParameters& parameters_;
  const Region& region_;
  Supply supply_;
  double added_ = 0; // uops of the renamer's
  FrontendResult out_;
};

} // namespace

double fused_uops(const Region& region, std::size_t i) {
  if (region.fused_seconds[i]) return 0;
  const FormEntry* entry = region.entries[i];
  return std::max(1.0, entry != nullptr && entry->uops ? entry->uops->fused : 1.0);
}

FrontendResult frontend_bounds(const Machine& machine, const Region& region) {
  return Frontend(machine, region).run();
}

} // namespace corecast
