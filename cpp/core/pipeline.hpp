// Parameters of a core's pipeline, typed. An empty optional is "unknown": the analyses that need it are left out.
#pragma once

#include "cpp/core/value.hpp"

#include <cstdint>

#include <optional>
#include <string>
#include <vector>

namespace corecast {

enum class Architecture : std::uint8_t { x86, aarch64, riscv64 };

/// Instructions that the front end joins into one: mnemonics as globs ("j*").
struct FusionRule {
  std::vector<std::string> first;
  std::vector<std::string> second;
  bool first_memory = true;            // the first may have a memory source
  bool first_immediate_memory = false; // ... together with an immediate
  bool rip_relative = false;           // ... addressed relative to the instruction pointer
};

/// Copies of a loop body that the loop buffer holds, by body size.
struct UnrollRange {
  double from_uops;
  double to_uops;
  double copies;
};

struct FrontEndParameters {
  std::optional<double> predecode_block_bytes;
  std::optional<double> predecode_width; // instructions per cycle
  std::optional<double> lcp_stall_cycles;
  std::optional<double> decoders; // instructions per cycle
  std::optional<double> complex_decoders;
  std::optional<double> uop_cache_width; // per cycle: uops (Intel DSB), macro-ops (AMD op cache, Arm MOP cache)
  std::optional<double> uop_cache_block_bytes;
  std::optional<double> idq_entries;
  std::optional<double> microcode_width;
  std::optional<double> taken_branches_per_cycle;
  std::optional<double> fusion_blocked_branch_offset_mod_64;
  bool macro_fusible_may_use_last_decoder = true;
  bool jcc_erratum = false; // a branch that crosses or ends at a 32-byte boundary keeps its block out of the uop cache
  bool loop_buffer = false;
  std::vector<UnrollRange> loop_buffer_copies;
  bool stack_engine = false;
  double stack_engine_sync_above_bytes = 192;
};

struct RenameParameters {
  std::optional<double> width; // fused uops or macro-ops per cycle
  bool high8_renamed_separately = false;
  double high8_clean_read_extra_cycles = 0;
  std::vector<std::string> high8_merge_ports;
};

struct BackEndParameters {
  std::optional<double> retire_width;
  std::optional<double> reorder_buffer_entries;
  std::vector<std::string> integer_alu_ports;
  std::vector<std::string> taken_branch_ports; // ports of taken branches, where forms list those of untaken ones too
  std::string zmm_closes_port;                 // port lost to vector uops while 512-bit uops are in flight
  bool in_order = false;
};

struct MemoryParameters {
  std::optional<double> load_latency_cycles;
  std::optional<double> vector_load_latency_cycles;
  std::optional<double> store_forward_latency_cycles; // store data ready -> load result ready
  std::optional<double> vector_store_forward_latency_cycles;
  std::optional<double> mirrored_forward_latency_cycles; // same base register and displacement, renamed to a register
  bool mirrors_stack_only = false;
  double store_latency_cycles = 4; // what a form's latency to memory holds beside its computation
  double writeback_latency_cycles = 1;
  bool fast_pointer_chasing = false;
  bool fast_pointer_chasing_with_index = false;
  std::optional<double> fast_pointer_chasing_latency_cycles;
  double fast_pointer_chasing_max_displacement = 2047;
  // Port usages of a plain access, for derived forms; empty: unknown.
  std::optional<std::string> load_ports, vector_load_ports;
  std::optional<std::string> store_address_ports, store_address_ports_indexed;
  std::optional<std::string> store_data_ports, vector_store_data_ports;
  std::optional<std::string> writeback_ports;
};

struct PipelineParameters {
  std::string name;
  Architecture architecture = Architecture::x86;
  std::vector<std::string> ports;
  std::map<std::string, std::vector<std::string>, std::less<>> port_groups;
  std::vector<std::string> units; // non-pipelined resources, after the ports in the index space
  FrontEndParameters front_end;
  RenameParameters rename;
  BackEndParameters back_end;
  MemoryParameters memory;
  std::vector<FusionRule> fusion;
  bool derive_zmm = false;        // zmm forms may be derived from ymm ones
  bool derive_wide_vector = true; // ymm forms may be derived from xmm ones
  bool micro_fusion = true;       // a load or store shares its operation's slot
  bool rmw_shares_slot = false;   // ... and a read-modify-write of memory is one macro-op

  /// Reads a pipeline.toml given as a tree; `file` is its name for messages. Throws ModelError.
  static PipelineParameters read(const Value& tree, const std::string& file);
};

} // namespace corecast
