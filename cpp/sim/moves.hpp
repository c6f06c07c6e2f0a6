// Moves that renaming may do.
#pragma once

#include "cpp/lower/register_slots.hpp"
#include "cpp/sim/dataflow.hpp"

namespace corecast::sim {

inline constexpr std::uint32_t most_names = 64; // registers whose aliases are followed

/// Whether the core may eliminate this move, and what it needs to know to do so.
bool mark_move(const ExpansionContext& context, std::uint32_t i, RegisterSlots& names, const Program& program,
               SimInstruction& about);

/// The uop of a move that is not eliminated: that of the form with one register for both.
void add_move(const ExpansionContext& context, std::uint32_t i, Program& program);

/// What such a move hands on to the operation that shares its slot.
void add_copy(const ExpansionContext& context, std::uint32_t i, Program& program);

/// Eliminated, but its row lists a port: nobody waits for its passing there.
void add_pass(PortMask ports, std::uint32_t i, Program& program);

/// Only names that some move reads or writes matter to move elimination: what overwrites others is not followed.
void keep_names_of_moves(Program& program);

} // namespace corecast::sim
