// A simulated core: its units and what they work on. Stages (cpp/sim/stages) move the uops.
#pragma once

#include "cpp/lower/supply.hpp"
#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"
#include "cpp/sim/stages/rename_groups.hpp"
#include "cpp/sim/stalls.hpp"
#include "cpp/sim/units/buffers.hpp"
#include "cpp/sim/units/front_end.hpp"
#include "cpp/sim/units/move_elimination.hpp"
#include "cpp/sim/units/port_binding.hpp"
#include "cpp/sim/units/scheduler.hpp"

#include <cstdint>
#include <vector>

namespace corecast::sim {

/// Fused uops between rename and retirement.
struct ReorderBuffer {
  Cursor head;                  // oldest, in Program::fused
  std::uint64_t head_uop = 0;   // its first uop, counted since the start
  std::uint64_t head_fused = 0; // all of them that came before, counted since the start
  std::uint32_t size = 0;
  std::uint32_t slot = 0; // position in its group of what retired last
};

/// Where rename stands in the stream of uops.
struct Renamer {
  Cursor next;                    // in Program::laminated
  std::uint64_t next_uop = 0;     // counted since the start
  std::int32_t stack_offset = 0;  // of pushes and pops, since the stack pointer was brought up to date
  std::uint64_t first_undone = 0; // all older uops are done
  Stall reason_of_oldest = Stall::none;
  std::int32_t same_reason_until = 0; // before this cycle
  Stall stall = Stall::none;          // in the last cycle, and why
  Full full = Full::nothing;
  /// Hundredths of a cycle that what was renamed takes of the whole core beyond the cycles that have passed.
  std::int32_t activity = 0;
};

/// The store that retired last, in Program::stores.
struct LastStore {
  std::uint32_t store = none;
  std::uint64_t iteration = 0;
};

struct Core {
  const Program* program = nullptr;
  CoreParameters parameters;
  Supply supply;
  FrontEnd front_end;
  Renamer renamer;
  std::vector<PlannedGroup> planned_groups; // by the decoded uop that they begin with; empty: none are planned
  MoveElimination moves;
  PortBinding ports;
  Scheduler scheduler;
  SchedulerEntries entries;
  bool renames_plainly = false;           // planned groups need no more than room
  bool retires_plainly = true;            // stores leave one by one, and no uop is eliminated or left out
  std::vector<BufferEntries> held_before; // by fused uop, and for all: what those before it in an iteration hold
  bool limits_activity = false;           // wide uops may be more than the whole core can do at once
  bool limits_dispatch = false;           // what is dispatched depends on `entries`, too
  ReorderBuffer reorder_buffer;
  Buffers buffers;
  LastStore last_store;
  Stalls stalls;
  std::int32_t now = 0;

  /// `books_ahead`: see SimulateOptions.
  void reset(const Program& program, const PipelineParameters& pipeline, bool books_ahead);
};

} // namespace corecast::sim
