// Parameters of a core's pipeline, typed. An empty optional is "unknown": the analyses that need it are left out.
#pragma once

#include "cpp/core/form_entry.hpp"
#include "cpp/core/repeat_cost.hpp"
#include "cpp/core/value.hpp"
#include "cpp/core/vector_length.hpp"

#include <cstdint>

#include <optional>
#include <string>
#include <vector>

namespace corecast {

enum class Architecture : std::uint8_t { x86, aarch64, riscv64 };

/// Instructions that the front end joins into one: mnemonics ("j*"), or whole keys where there is a blank, as globs.
struct FusionRule {
  std::vector<std::string> first;
  std::vector<std::string> second;
  bool first_memory = true;            // the first may have a memory source
  bool first_immediate_memory = false; // ... together with an immediate
  bool rip_relative = false;           // ... addressed relative to the instruction pointer
  bool into_copy = false; // the second, of one uop, changes the register that the first has copied something to
};

/// Copies of a loop body that the loop buffer holds, by body size.
struct UnrollRange {
  double from_uops;
  double to_uops;
  double copies;
};

/// Immediates, displacements and targets in an entry of a uop cache that holds up to so many uops.
struct UopCacheEntryLimit {
  double uops = 0;
  double constants = 0;
  double wide_constants = 0; // of more than a byte
};

struct FrontEndParameters {
  std::optional<double> predecode_block_bytes;
  std::optional<double> predecode_width; // instructions per cycle
  std::optional<double> lcp_stall_cycles;
  std::optional<double> decoders; // instructions per cycle
  std::optional<double> complex_decoders;
  std::optional<double> uop_cache_width; // per cycle: uops (Intel DSB), macro-ops (AMD op cache, Arm MOP cache)
  std::optional<double> uop_cache_block_bytes;
  std::optional<double> fetch_bytes;              // per cycle, of one aligned block
  // Fetch of cores whose decoders are not told apart; read by the simulator alone.
  std::optional<double> fetch_instructions;       // per cycle
  std::optional<double> fetch_queue_entries;      // instructions
  std::optional<double> uop_cache_entry_uops;     // AMD: an entry holds so many, of one line of code
  std::optional<double> uop_cache_entry_bytes;    // the line
  bool uop_cache_entry_crosses_lines = false;     // an entry goes on in the next line; still one line is looked up at a time
  std::vector<UopCacheEntryLimit> uop_cache_entry_limits; // by uops, ascending
  std::optional<double> uop_cache_entries_per_cycle;
  bool taken_branch_ends_decode_group = false;
  std::optional<double> idq_entries;
  std::optional<double> microcode_width;
  std::optional<double> taken_branches_per_cycle;
  std::optional<double> fusion_blocked_branch_offset_mod_64;
  bool macro_fusible_may_use_last_decoder = true;
  bool jcc_erratum = false; // a branch that crosses or ends at a 32-byte boundary keeps its block out of the uop cache
  bool macro_fusion = true;
  bool ideal = false; // rename never waits for code: what the rest of the core could do
  bool loop_buffer = false;
  bool loop_buffer_with_stack = false; // loops that change the stack pointer are held, too
  bool loop_buffer_copies_known = false; // else nothing is known of where a fill of the buffer ends
  std::vector<UnrollRange> loop_buffer_copies;
  bool stack_engine = false;
  double stack_engine_offset_bits = 8; // signed offset of the stack pointer that the renamer keeps: [-reach, reach)
  // Addresses, lea and moves add the offset themselves; what else names the stack pointer always needs the uop.
  bool stack_offset_in_addresses = false;
  bool stack_synchronisation = true; // false: the renamer adds its offset wherever it is needed, there is no such uop
  std::int64_t stack_engine_reach_bytes() const {
    return std::int64_t{1} << (static_cast<int>(stack_engine_offset_bits) - 1);
  }
  // Read by the simulator alone.
  double instruction_queue_entries = 20;
  double predecode_to_decode_cycles = 3;
  bool pop5c_complex = false;    // pop with opcode byte 5C (rsp, r12) needs the complex decoder
  bool pop5c_ends_group = false; // ... and nothing else decodes in its cycle
  double decoders_to_microcode_cycles = 1;
  double microcode_to_decoders_cycles = 1;
  double uop_cache_to_microcode_cycles = 2;
  double microcode_to_uop_cache_cycles = 0;
  double uop_cache_line_slots = 6;
  double uop_cache_lines_per_block = 3;
  double uop_cache_extra_slot_immediate_bits = 32;        // a wider immediate takes a second slot
  double uop_cache_extra_slot_memory_immediate_bits = 16; // ... beside a memory operand
  bool uop_cache_needs_both_halves = false; // a 64-byte line is cached only where both its 32-byte halves can be
};

/// At most `uops` of the uops that can run on no other ports are dispatched per cycle.
struct DispatchLimit {
  std::uint64_t ports = 0;
  double uops = 0;
};

/// When the slot of an eliminated move between general registers is given back (pipeline facts IN-98): when all names of
/// its value are overwritten, or all but one; with `one_left_without_move` only in a cycle that eliminates none.
enum class MoveSlotFreed : std::uint8_t { all_overwritten, one_left, one_left_without_move };

/// Results that wait for longer where the flags come from such an instruction: mnemonics as globs.
struct SlowFlags {
  std::vector<std::string> from, to;
  double cycles = 0; // more, from any other input
};

/// Mnemonics, as globs, that cannot take a register with the constant that the renamer has added to it.
struct LateConstants {
  std::vector<std::string> to;
  double cycles = 0; // more, from such a register
};

struct RenameParameters {
  LateConstants late_constants;
  std::optional<double> width; // fused uops or macro-ops per cycle
  SlowFlags slow_flags;
  std::vector<DispatchLimit> dispatch_limits;
  std::optional<double> constants_per_cycle; // immediates and displacements
  bool high8_renamed_separately = false;
  double high8_clean_read_extra_cycles = 0;
  std::vector<std::string> high8_merge_ports;
  bool one_uop_per_slot = false; // nothing is micro-fused, whatever the rows say
  // Moves eliminated at a time; nothing: no limit.
  std::optional<double> move_elimination_gpr_slots;
  std::optional<double> move_elimination_simd_slots;
  double move_elimination_pipeline_cycles = 2;
  MoveSlotFreed move_elimination_gpr_slot_freed = MoveSlotFreed::all_overwritten;
};

/// How a uop's port is chosen: when it is renamed (pipeline facts IN-105), or when it leaves its scheduler.
enum class PortAssignment : std::uint8_t { least_loaded, six_port, eight_port, ten_port, in_turn, at_dispatch };

/// One of several schedulers: the uops that wait for its ports, and what it takes and starts per cycle.
struct SchedulerParameters {
  std::uint64_t ports = 0;
  double entries = 0;
  std::optional<double> dispatches_per_cycle;
  std::optional<double> issues_per_cycle;
};

struct BackEndParameters {
  std::optional<double> retire_width;
  std::optional<double> reorder_buffer_entries;
  std::vector<std::string> integer_alu_ports;
  std::vector<std::string> taken_branch_ports; // ports of taken branches, where forms list those of untaken ones too
  std::string zmm_closes_port;                 // port lost to vector uops while 512-bit uops are in flight
  std::vector<std::string> shared_result_ports; // packed integers: results leave a port one a cycle, whatever their latency
  std::vector<std::string> vector_ports;        // of the units for vectors, one a unit
  bool in_order = false;
  std::optional<double> scheduler_entries; // uops that wait for a port; nothing: only the reorder buffer limits
  std::vector<SchedulerParameters> schedulers; // where there are several
  double issue_to_dispatch_cycles = 0;
  PortAssignment port_assignment = PortAssignment::least_loaded;
  bool last_slot_sees_group = false; // its choice of a port counts those of the slots before it in the same cycle
  double late_arrival_window_cycles = 2; // values that arrive so soon after a uop became visible delay it by one more
  // Physical registers, those included that hold the architectural state; nothing: no limit.
  std::optional<double> integer_registers, vector_registers;
  std::optional<double> integer_registers_architectural, vector_registers_architectural; // nothing: by instruction set
};

/// Loads whose data come later than from the first-level cache.
struct LateLoads {
  std::string base; // register that their addresses begin with; "": loads of which nothing else is said
  double share = 0; // of those loads
  double cycles = 0; // later
};

/// Which loads a core that renames memory renames.
enum class Mirroring : std::uint8_t {
  full,  // all whose address registers, displacement and width are the store's
  stack, // on the stack; not modelled
  moves, // as Zen 4: see LatencyModel::mirrors_moves
  alone  // as Redwood Cove: as full, and narrower loads, but neither words, nor indexed addresses, nor those that an operation with another register is joined with
};

struct MemoryParameters {
  std::optional<double> load_latency_cycles;
  std::optional<double> vector_load_latency_cycles;
  std::optional<double> vector_operand_load_latency_cycles; // to the operation of the same instruction
  double complex_address_cycles = 0; // more where the address has three parts or a scaled index
  std::optional<double> store_forward_latency_cycles; // store data ready -> load result ready
  std::optional<double> vector_store_forward_latency_cycles;
  double extra_load_latency_cycles = 0; // data that lie beyond the first-level cache; added to rows and latencies above
  std::vector<LateLoads> late_loads;    // the simulator draws for each load: what is no share comes in time
  std::optional<double> mirrored_forward_latency_cycles; // same base register and displacement, renamed to a register
  Mirroring mirroring = Mirroring::full;
  std::vector<std::string> mirroring_except; // mnemonics, or keys, whose loads are not renamed
  // In loops of so many forwarded loads renaming knows the store, whatever registers the addresses are in; in longer
  // ones their values must be unchanged. 0: the registers' names decide.
  double mirrored_loads_predicted = 0;
  double store_latency_cycles = 4; // what a form's latency to memory holds beside its computation
  double writeback_latency_cycles = 1;
  bool store_to_load_dependencies = true;
  bool fast_pointer_chasing = false;
  bool fast_pointer_chasing_with_index = false;
  std::optional<double> fast_pointer_chasing_latency_cycles;
  double fast_pointer_chasing_max_displacement = 2047;
  double store_address_cycles = 1; // dispatch of a store's parts to when a load can take its data
  double store_data_cycles = 1;
  double store_forward_extra_cycles = 4; // the later of both to the load's result
  std::int64_t paired_stores_line_bytes = 0; // two stores leave in one cycle only to one line of so many bytes; 0: any two
  bool paired_stores_bases_aligned = false; // registers start with multiples of that; else lines begin anywhere
  std::int64_t line_bytes = 0;           // of the first-level cache; 0: unknown, crossings of lines cost nothing
  double line_crossing_cycles = 0;       // that an access beyond its line keeps its address port longer
  bool slow_256_bit_memory = false;      // two loads start together only without a 256-bit one; such a store takes two cycles
  std::optional<double> load_queue_entries, store_queue_entries; // nothing: no limit
  std::optional<double> stores_per_cycle; // that leave the store queue after retirement; nothing: no limit
  std::int64_t joined_stores_bytes = 0;   // in place of that number: all that follow each other into one aligned block
  std::optional<std::string> store_write_unit; // the write port of the first-level cache
  /// Aligned blocks that decide which stores leave together; 0: none do.
  std::int64_t store_block_bytes() const {
    if (joined_stores_bytes > 0) return joined_stores_bytes;
    return paired_stores_bases_aligned ? paired_stores_line_bytes : 0;
  }
  // Port usages of a plain access, for derived forms; empty: unknown.
  std::optional<std::string> load_ports, vector_load_ports;
  std::optional<std::string> store_address_ports, store_address_ports_indexed;
  std::optional<std::string> store_data_ports, vector_store_data_ports;
  std::optional<std::string> writeback_ports;
};

/// How much of a pipeline its parameters tell, in ascending order.
enum class PipelineDetail : std::uint8_t {
  widths,  // widths and the reorder buffer only
  partial, // some of front end, schedulers, loads, forwarding
  most,    // something of each of them
  full,    // every part that the simulator has: all of the front end, how ports are chosen, all buffers
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

struct PipelineParameters {
  std::string name;
  std::string file; // its pipeline.toml, for messages
  Architecture architecture = Architecture::x86;
  std::optional<std::vector<std::string>> extensions; // of the instruction set; nothing: not known
  std::vector<std::string> ports;
  std::map<std::string, std::vector<std::string>, std::less<>> port_groups;
  std::map<std::string, std::vector<std::string>, std::less<>> port_spread; // ports that rows name: any of these
  std::vector<std::string> units; // non-pipelined resources, after the ports in the index space
  std::optional<double> table_vector_bits; // vector length that the tables hold for
  std::optional<double> vector_length_bits; // ... and the one that is asked for
  std::vector<FormChange> changes;
  std::vector<RepeatCost> repeats;
  FrontEndParameters front_end;
  RenameParameters rename;
  BackEndParameters back_end;
  MemoryParameters memory;
  std::vector<std::string> mitigations_off; // names of form tables that do not count
  std::vector<FusionRule> fusion;
  std::vector<std::string> register_pair_ports; // of fused pairs whose first instruction writes a register
  std::vector<std::string> fused_nops; // mnemonics that take no slot behind an instruction of general registers
  bool derive_zmm = false;        // zmm forms may be derived from ymm ones
  bool derive_wide_vector = true; // ymm forms may be derived from xmm ones
  bool micro_fusion = true;       // a load or store shares its operation's slot
  bool rmw_shares_slot = false;   // ... and a read-modify-write of memory is one macro-op

  PipelineDetail detail() const;

  /// What a simulation of this core lacks, see SimulationGaps.
  SimulationGaps simulation_gaps() const;

  double vector_bits() const { return vector_length_bits.value_or(table_vector_bits.value_or(default_vector_bits)); }

  /// Reads a pipeline.toml given as a tree; `file` is its name for messages. Throws ModelError.
  static PipelineParameters read(const Value& tree, const std::string& file);

  /// Dotted keys that read() looks for; those of one list are synonyms, the first that is present counts.
  static std::vector<std::vector<std::string>> keys();
};

} // namespace corecast
