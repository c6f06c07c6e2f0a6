// The whole static analysis of one region: lookup, ports, front end, dependencies, and the prediction that follows.
#pragma once

#include "cpp/bounds/cycles.hpp"
#include "cpp/bounds/frontend.hpp"
#include "cpp/bounds/ports.hpp"
#include "cpp/lower/aliasing.hpp"
#include "cpp/lower/costing.hpp"
#include "cpp/lower/graph.hpp"
#include "cpp/machine/lookup.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace corecast {

class Machine;
struct LowerOptions;
struct Region;

struct AnalyzeOptions {
  LoopMode mode = LoopMode::loop;
  UnknownPolicy unknown = UnknownPolicy::bound;
  bool aligned = false;                      // the instructions' addresses hold modulo 64: effects of alignment count
  std::uint64_t start_offset = 0;            // aligned: address of the first instruction
  bool uniform_ports = false;                // the prediction uses equal shares rather than the optimum
  Aliasing aliasing;                         // of accesses through different registers
  std::optional<std::int64_t> register_step; // StartPlaces
  std::optional<std::uint32_t> slots_before; // LowerOptions
};

/// What of these options counts where code is lowered; refers to their aliasing.
LowerOptions lower_options(const AnalyzeOptions& options);

struct InstructionAnalysis {
  const Lookup* lookup = nullptr;
  const FormEntry* entry = nullptr; // the row used: the lookup's, or a nearest form's, nullptr where there is none
  std::vector<std::string> nearest; // unknown forms: the nearest known ones
  double fused_uops = 0;
  std::optional<double> latency_cycles;               // the largest of the row, nothing where unknown
  std::optional<double> reciprocal_throughput_cycles; // alone: measured, else by its ports; nothing where unknown
  bool fused_second = false;
  bool fused_first = false;
  std::string note;
};

/// proven: no order of events undercuts it, and so no simulation does. estimate: right on average.
enum class BoundKind : std::uint8_t { proven, estimate };

struct Bound {
  std::string name; // ports, frontend, dependency, throughput, load_banks, activity
  double cycles = 0;
  BoundKind kind = BoundKind::proven;
};

struct Analysis {
  std::vector<InstructionAnalysis> instructions;
  PortDistribution balanced;
  PortDistribution uniform;
  bool uniform_ports = false;              // equal shares are what the ports' bound is made of
  std::optional<PortDistribution> ordered; // as the core takes ports in program order, where it does: so is the bound
  FrontendResult frontend;
  DependencyGraph graph;
  DependencyChain critical_path;
  std::vector<DependencyChain> loop_carried;
  std::vector<Bound> bounds;
  double proven_throughput_cycles = 0; // the largest of what is proven of ports and front end
  double proven_cycles = 0;            // ... and of dependencies
  double cycles_per_iteration = 0;
  std::string bottleneck; // name of the largest bound
  std::vector<std::string> warnings;
};

/// Throws UnknownFormError (policy error) and ModelError (a malformed row is needed).
Analysis analyze(const Machine& machine, std::span<const Instruction* const> instructions,
                 const AnalyzeOptions& options);

/// The prediction alone, for many blocks: no per-port matrix, no chains, no warnings.
struct Prediction {
  static constexpr std::array<const char*, 6> bound_names = {"ports",      "dependency", "frontend",
                                                             "throughput", "load_banks", "activity"};

  double cycles_per_iteration = 0;
  const char* bottleneck = "";
  std::array<double, bound_names.size()> bounds{}; // cycles, in the order of their names; 0 where one does not apply
  std::uint32_t known = 0;
  std::uint32_t derived = 0;
  std::uint32_t unknown = 0;
};
Prediction predict(const Machine& machine, std::span<const Instruction* const> instructions,
                   const AnalyzeOptions& options);
/// The same of lowered code, with what find_costing() said of each instruction. `region` was made with lower_options().
Prediction predict(const Machine& machine, const Region& region, std::span<const Costing> costings,
                   const AnalyzeOptions& options);

} // namespace corecast
