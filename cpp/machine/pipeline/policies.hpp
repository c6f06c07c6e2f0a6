// What a core does in one of several ways. The enumerators are the names in pipeline.toml.
#pragma once

#include <cstdint>

namespace corecast {

/// When the slot of an eliminated move between general registers is given back (pipeline facts IN-98): when all names
/// of its value are overwritten, or all but one; with `one_left_without_move` only in a cycle that eliminates none.
enum class MoveSlotFreed : std::uint8_t { all_overwritten, one_left, one_left_without_move };

/// How a uop's port is chosen: when it is renamed (pipeline facts IN-105), or when it leaves its scheduler.
enum class PortAssignment : std::uint8_t { least_loaded, six_port, eight_port, ten_port, in_turn, at_dispatch };

/// Which loads a core that renames memory renames.
enum class Mirroring : std::uint8_t {
  full,  // all whose address registers, displacement and width are the store's
  stack, // on the stack; not modelled
  moves, // as Zen 4: see LatencyModel::mirrors_moves
  alone  // as Redwood Cove: as full, and narrower loads, but neither words, nor indexed addresses, nor those that an
         // operation with another register is joined with
};

} // namespace corecast
