// Parameters of a core's pipeline, typed. An empty optional is "unknown": the analyses that need it are left out.
// Plain values are members of the generated structs (see src/corecast/machine/parameters.tsv); here are the others.
#pragma once

#include "cpp/machine/derive/vector_length.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/generated/parameters.hpp"
#include "cpp/machine/pipeline/parameter_table.hpp"
#include "cpp/machine/pipeline/rules.hpp"
#include "cpp/machine/pipeline/value.hpp"
#include "cpp/machine/repeat_cost.hpp"

#include <cstdint>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace corecast {

enum class Architecture : std::uint8_t { x86, aarch64, riscv64 };

/// Copies of a loop body that the loop buffer holds, by body size.
struct UnrollRange {
  double from_uops;
  double to_uops;
  double copies;
};

/// Immediates, displacements and targets in an entry of a uop cache, by the most uops that it holds.
struct UopCacheEntryLimit {
  double uops = 0;
  double constants = 0;
  double wide_constants = 0; // of more than a byte
};

struct FrontEndParameters : FrontEndScalars {
  std::vector<Rule> supply_costs;                         // those of the pipeline's rules
  std::vector<UopCacheEntryLimit> uop_cache_entry_limits; // by uops, ascending
  bool loop_buffer_copies_known = false;                  // else nothing is known of where a fill of the buffer ends
  std::vector<UnrollRange> loop_buffer_copies;
  std::int64_t stack_engine_reach_bytes() const {
    return std::int64_t{1} << (static_cast<int>(stack_engine_offset_bits) - 1);
  }
};

/// At most `uops` of the uops that can run on no other ports are dispatched per cycle.
struct DispatchLimit {
  std::uint64_t ports = 0;
  double uops = 0;
};

struct RenameParameters : RenameScalars {
  std::vector<DispatchLimit> dispatch_limits;
};

/// One of several schedulers: the uops that wait for its ports, and what it takes and starts per cycle.
struct SchedulerParameters {
  std::uint64_t ports = 0;
  double entries = 0;
  std::optional<double> dispatches_per_cycle;
  std::optional<double> issues_per_cycle;
};

/// What uops take of all that the core can do in a cycle.
struct ActivityCycles {
  double bits = 0; // of registers or accesses, at most
  Pattern operations;
  double operation = 0, load = 0, store = 0;
};

/// From a set of just these ports: the port of each slot, by the port with the fewest waiting.
struct SlotOrder {
  std::uint64_t ports = 0;
  std::vector<std::pair<std::uint8_t, std::vector<std::uint8_t>>> by_least;
};

/// Of a set of just these ports: the rank of the port that each slot takes.
struct SetRanks {
  std::uint64_t ports = 0;
  std::vector<std::uint8_t> ranks;
};

struct BackEndParameters : BackEndScalars {
  std::vector<SchedulerParameters> schedulers; // where there are several
  std::vector<std::uint64_t> alternating;      // sets of ports that take turns
  SlotOrder slot_order;
  std::vector<std::uint8_t> slot_ranks;
  std::vector<SetRanks> set_ranks;      // in place of slot_ranks
  std::vector<ActivityCycles> activity; // the first that fits
  std::uint64_t spread = 0;             // rename.spread_ports
  std::uint64_t spread_addresses = 0;   // rename.spread_address_ports
  std::uint64_t queued = 0;             // scheduler_queue.ports
  std::vector<std::uint64_t> turns;     // rename.port_turns, a port each
};

/// Loads whose data come later than from the first-level cache.
struct LateLoads {
  std::string base;  // register that their addresses begin with; "": loads of which nothing else is said
  double share = 0;  // of those loads
  double cycles = 0; // later
};

struct MemoryParameters : MemoryScalars {
  std::vector<LateLoads> late_loads; // the simulator draws for each load: what is not a share comes in time
  std::vector<double> forward_latency_by_waiting; // store_forwarding.latency_by_waiting; empty: always the same
  /// Aligned blocks that decide which stores leave together; 0: none do.
  std::int64_t store_block_bytes() const {
    if (joined_stores_bytes > 0) return joined_stores_bytes;
    return paired_stores_bases_aligned ? paired_stores_line_bytes : 0;
  }
  /// Whether a store across two such blocks is written in two, however narrow it is.
  bool writes_crossing_twice() const {
    return crossing_stores_written_twice && joined_stores_bytes <= 0 && store_block_bytes() > 0;
  }
};

/// How much of a pipeline its parameters tell, in ascending order.
enum class PipelineDetail : std::uint8_t {
  widths,  // widths and the reorder buffer only
  partial, // some of front end, schedulers, loads, forwarding
  most,    // something of each of them
  full,    // all that a simulation uses, and how ports are chosen
};

/// What a model does not say that a simulation uses.
struct SimulationGaps {
  std::vector<std::string> required;  // without these, cycles would rest on guesses: only bounds are given
  std::vector<std::string> unlimited; // parts of unknown size: they never hold up the simulated core
};

/// Rows with another figure than their tables give: mnemonics, or whole keys where there is a blank, as globs.
struct FormChange {
  enum class What : std::uint8_t { latency_cycles, uops, ports };
  What what = What::latency_cycles;
  std::string glob;
  double value = 0;
  std::vector<PortUse> uses = {}; // ports
};

struct PipelineParameters : PipelineScalars {
  std::string name;
  std::string file; // its pipeline.toml, for messages
  Architecture architecture = Architecture::x86;
  std::optional<std::vector<std::string>> extensions; // of the instruction set; nothing: not known
  std::vector<std::string> ports;
  std::map<std::string, std::vector<std::string>, std::less<>> port_groups;
  std::map<std::string, std::vector<std::string>, std::less<>> port_spread; // ports that rows name: any of these
  std::vector<std::string> units; // non-pipelined resources, after the ports in the index space
  std::vector<FormChange> changes;
  std::vector<RepeatCost> repeats;
  FrontEndParameters front_end;
  RenameParameters rename;
  BackEndParameters back_end;
  MemoryParameters memory;
  std::vector<std::string> mitigations_off; // names of form tables that do not count
  std::vector<Rule> rules;

  PipelineDetail detail() const;

  /// What a simulation of this core lacks, see SimulationGaps.
  SimulationGaps simulation_gaps() const;

  double vector_bits() const { return vector_length_bits.value_or(table_vector_bits.value_or(default_vector_bits)); }

  /// Reads a pipeline.toml given as a tree; `file` is its name for messages. Throws ModelError.
  static PipelineParameters read(const Value& tree, const std::string& file);

  /// Everything that read() complains of.
  static std::vector<Fault> faults(const Value& tree);
};

} // namespace corecast
