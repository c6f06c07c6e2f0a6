// What a core does in one of several ways. The enumerators are the names in pipeline.toml.
#pragma once

#include <cstdint>

namespace corecast {

/// When the slot of an eliminated move between general registers is given back (pipeline facts IN-98): when all names
/// of its value are overwritten, or all but one; with `one_left_in_idle_cycle` only in a cycle that eliminates none.
enum class MoveSlotFreed : std::uint8_t { all_overwritten, one_left, one_left_in_idle_cycle };

/// How a uop's port is chosen: when it is renamed (pipeline facts IN-105), or when it leaves its scheduler.
enum class PortAssignment : std::uint8_t {
  least_loaded,
  rotating,
  paired_slots,
  ranked,
  in_turn,
  after_last,
  at_issue
};

/// What a rule does with the instructions that its patterns fit.
enum class Effect : std::uint8_t { fuse, absorb, delay, rename_memory, supply_cost };

/// What one instruction hands to another, where a rule looks at it.
enum class Through : std::uint8_t { registers, flags, address, any };

/// What such a rule makes later: what is handed over, what is made of the consumer's other inputs, or its result, which
/// is made of all.
enum class Delays : std::uint8_t { input, other_inputs, result };

/// How sure a value is.
enum class Confidence : std::uint8_t { measured, documented, derived, assumed };

/// Who must deliver a body for a supply cost to count, and what it is a cost of.
enum class Supplied : std::uint8_t { any, decoders, uop_cache, loop_buffer };
enum class CostOf : std::uint8_t { line, taken_branch };

/// How an instruction uses memory.
enum class AccessKind : std::uint8_t { any, none, load, store, update };

} // namespace corecast
