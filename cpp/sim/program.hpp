// The code to simulate, once: instructions, the uops that they become, and who waits for whom.
#pragma once

#include "cpp/lower/addresses.hpp"
#include "cpp/lower/decoded.hpp"
#include "cpp/lower/load_banks.hpp"
#include "cpp/lower/supply.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/memory_ports.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace corecast::sim {

inline constexpr std::uint32_t none = 0xFFFFFFFF;
inline constexpr std::uint8_t own_port = 0xFF;
inline constexpr std::int32_t farthest_result = 63; // cycles ahead that a port's way out is kept free
inline constexpr std::int32_t least_completion = 2; // cycles from dispatch to completion (pipeline facts IN-119)

/// A value made `distance` iterations before; it counts as arriving `extra` cycles after it is ready.
struct UopInput {
  std::uint32_t value = 0;
  std::uint32_t distance = 0;
  std::int32_t extra = 0;
  /// Store forwarding: the uop starts without it, but its results wait for it.
  bool late = false;
  std::int32_t sixteenths = 0; // of a cycle, from value ready to result, if late; a fraction is met on average
  bool prompt = false;         // does not wait for what the maker loads: an updated address
  bool in_group = false;       // arrives Uop::group_cycles later where that counts
  /// So many cycles the uop's results are there sooner where it starts just when this value arrives, the last it waits
  /// for: a pointer that a load hands to the next one directly.
  std::uint8_t sooner = 0;
  // Found by link_inputs().
  std::uint32_t maker = 0;  // uop
  std::uint32_t back = 0;   // uops from that one to this
  std::int32_t latency = 0; // of the maker, to this value

  bool operator==(const UopInput&) const = default;
};

struct UopOutput {
  std::uint32_t value = 0;
  std::int32_t latency = 0;
  bool prompt = false; // there in time even if the uop's data are late

  bool operator==(const UopOutput&) const = default;
};

/// How much later than from the first-level cache lines have their data: parts of 2^64, the slowest first; what is left
/// over is in time.
struct LoadDelays {
  struct Part {
    std::uint64_t below = 0; // draws so small, and not smaller than those of the parts before
    std::int32_t cycles = 0;

    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;

  bool operator==(const LoadDelays&) const = default;
};

/// Where a uop runs on one of these ports its results come so much later.
struct LatePorts {
  PortMask ports = 0;
  std::int32_t cycles = 0;
  /// And where this value, made `distance` iterations before, was made on one of these; 0: wherever that was.
  PortMask maker_ports = 0;
  std::uint32_t value = none, distance = 0;
  std::uint32_t back = 0; // uops from its maker to this one, found by link_inputs(); 0: there is none
  bool same_rule = false; // as the one before it, for another input: they count once

  bool operator==(const LatePorts&) const = default;
};

struct Uop {
  PortMask ports = 0; // 0: needs no port
  UopKind kind = UopKind::operation;
  std::uint32_t instruction = 0;
  std::uint32_t fused = 0; // it belongs to
  std::uint32_t first_input = 0, input_end = 0;
  std::uint32_t first_output = 0, output_end = 0;
  std::int32_t completion_cycles =
      least_completion;                       // from dispatch until it is done, where nothing forwarded holds it up
  double port_cycles = 1;                     // how long it keeps its port
  std::uint32_t first_late = 0, late_end = 0; // in Program::late_results
  std::uint32_t unit = none;                  // non-pipelined unit behind the port
  double unit_cycles = 0;
  /// Where it is renamed in one cycle with the maker of this value, made `group_distance` iterations before.
  std::uint32_t group_value = none, group_distance = 0;
  std::uint32_t group_back = 0; // uops from that one to this, found by link_inputs(); 0: there is none
  std::int32_t group_cycles = 0;
  /// A uop so many behind it leaves it nothing to do where both are renamed in one cycle; 0: none does.
  std::uint32_t overwritten = 0;
  bool waits = false; // has inputs or a port: goes through the scheduler
  bool join = false;  // no uop of the core's: a value that is there when the last of its inputs has arrived
  bool leads = false; // the next one that is spread goes to its scheduler
  bool despite_elimination = false; // takes its port although the move itself is done by renaming
  bool wide_load = false;           // shares its start with no other load
  std::uint8_t result_cycles = 0; // after its start, when it needs its port's way out, which others have, too; 0: none
  std::uint8_t result_port = own_port; // whose way out that is
  std::uint8_t second_cycles = 0;      // likewise, when a second result needs other ports' ways out; 0: there is none
  bool result_waits = true;            // it starts later where its result would meet another
  std::uint16_t draws = 0;             // accesses that its data wait for, where they may be late
  std::uint16_t delays = 0;            // in Program::delays
  std::uint32_t load = none;           // where those accesses go, in Program::loads
  std::uint32_t store = none;          // of a store's data: where it goes, in Program::stores
  std::uint32_t banked = none;         // of a load: which banks it reads, in Program::banked_loads

  bool operator==(const Uop&) const = default;
};

/// What takes one slot of rename, reorder buffer and retirement.
struct FusedUop {
  std::uint32_t first_uop = 0, uop_end = 0;
  std::uint64_t held = 0; // entries of load queue, store queue and register files: BufferEntries
  PortMask choice = 0;    // ports that its operation chooses from, or would if rename did not do without it

  bool operator==(const FusedUop&) const = default;
};

enum class LaminatedKind : std::uint8_t {
  decoded,
  microcode,
  added,             // by the stack engine: comes with its instruction, from no decoder
  added_alone,       // by the renamer, in a separate cycle
  added_on_overflow, // by the renamer, where the stack pointer's offset grows too large
};

/// What decoders, uop cache and uop queue handle; holds several fused uops where rename splits it.
struct DecodedUop {
  LaminatedKind kind = LaminatedKind::decoded;
  std::uint32_t instruction = 0;
  std::uint32_t first_fused = 0, fused_end = 0;
  std::uint32_t first_uop = 0, uop_end = 0;
  std::uint32_t slots = 0;     // fused uops
  std::uint64_t held = 0;      // of its fused uops together
  std::uint32_t constants = 0; // that rename passes on
  std::uint32_t results = 0;   // slots of an instruction that writes a register
  std::uint32_t activity = 0;  // hundredths of a cycle of what the whole core can do at once
  bool microcoded = false;     // its instruction is
  bool begins_group = false;   // nothing is renamed before it in its cycle
  bool last = false;           // of its instruction
  bool plain = false;          // nothing about its instruction matters to rename
  bool names = false;          // the last one of an instruction whose names take more than its uops
  std::int32_t stack_step = 0; // added_on_overflow: of the instruction behind it

  bool operator==(const DecodedUop&) const = default;
};

enum class MoveClass : std::uint8_t { none, general, vector };

struct WrittenName {
  std::uint8_t name = 0; // dense number, see Program::names
  MoveClass file = MoveClass::general;

  bool operator==(const WrittenName&) const = default;
};

struct SimInstruction {
  bool serializing = false;
  bool without_row = false; // no data: only its slot counts
  std::uint32_t first_laminated = 0, laminated_end = 0;
  // Move elimination.
  MoveClass move = MoveClass::none;
  std::uint32_t move_source = none; // value
  std::uint32_t move_distance = 0;
  std::uint32_t move_output = none;
  std::uint8_t source_name = 0, destination_name = 0;
  std::uint32_t first_written = 0, written_end = 0;

  bool operator==(const SimInstruction&) const = default;
};

/// How late the data of stores come to the loads that wait for such, links of one chain (pipeline facts IN-129).
struct WaitingLoads {
  std::vector<std::int32_t>
      sixteenths;                  // of a cycle, as of UopInput, by the loads that wait at its port; none: as usual
  std::int32_t in_full_queue = -1; // the same where the load queue is full of others; below 0: no other
  std::uint32_t loads = 0;         // of an iteration
  std::uint32_t links = 1;         // of the chain, that is those loads that wait
  std::uint32_t queue = 0;         // entries of the load queue

  bool operator==(const WaitingLoads&) const = default;
};

struct Program {
  std::vector<DecodedInstruction> decoded; // by instruction
  std::vector<SimInstruction> instructions;
  std::vector<DecodedUop> laminated;
  std::vector<FusedUop> fused;
  std::vector<Uop> uops;
  std::vector<UopInput> inputs;
  std::vector<UopOutput> outputs;
  std::vector<LatePorts> late_results; // of uops: what rules make late
  std::vector<WrittenName> written;    // names that moves read or write
  std::vector<AccessAddress> stores;   // where a store's line matters
  std::vector<BankedLoad> banked_loads;
  LoadBanks banks;
  /// Iterations until stores and banked loads lie in their blocks as before and late inputs have cost whole cycles.
  std::int64_t phases = 1;
  std::vector<LoadDelays> delays;   // of loads that may be late; empty: all are in time
  std::vector<AccessAddress> loads; // that may be late, where their lines are known
  std::int64_t line_bytes = 64;     // of those lines
  std::uint32_t draws = 0;          // of an iteration, at most
  WaitingLoads waiting;
  std::uint32_t values = 0;
  std::uint32_t farthest = 1;                // largest distance of an input
  std::vector<std::uint32_t> lagging_inputs; // those that arrive later than their values
  std::int32_t longest_lag = 0;              // cycles: the largest latency of an output or of a late input
  std::uint32_t length = 0;                  // bytes of the body
  std::uint64_t start = 0;                   // address of the first byte
  bool alignment_known = true;               // false: made up
  std::optional<std::uint32_t> slots_before; // LowerOptions
  bool loop = true;
  bool moves = false;             // some may be eliminated
  std::uint32_t unknown = 0;      // instructions without data
  PortMask late_wakeup = 0;       // ports whose results of a cycle come a cycle later where their makers are old
  PortMask avoided = 0;           // ports at which more count as waiting
  PortMask shared_results = 0;    // ports that results of a kind leave one a cycle; 0: no two may meet there
  PortMask overtaken_results = 0; // of these, where younger uops start before those that would meet a result
  PortMask second_results = 0;    // that a second result needs, too
  std::uint32_t resources = 0;    // ports and units of the machine
  std::uint32_t units = 0;        // ... and those of forms that wait for each other

  Body body() const { return {decoded, start, alignment_known, loop, slots_before}; }

  /// Empty, as a new one, but with its memory.
  void clear();

  bool operator==(const Program&) const = default;
};

} // namespace corecast::sim
