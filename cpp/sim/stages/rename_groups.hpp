// How many decoded uops are renamed together: what fits into one group, and groups that are known beforehand.
#pragma once

#include "cpp/sim/parameters.hpp"
#include "cpp/sim/program.hpp"
#include "cpp/sim/stalls.hpp"
#include "cpp/sim/units/buffers.hpp"

#include <cstdint>
#include <vector>

namespace corecast::sim {

/// Decoded uops that are renamed in one cycle.
struct RenameGroup {
  std::uint32_t taken = 0;
  std::uint32_t slots = 0;
  std::uint32_t uops = 0;
  std::uint32_t constants = 0;
  std::uint32_t results = 0;
  std::uint32_t activity = 0;
  std::uint32_t rounds = 0; // iterations that end in it
  bool begun = false;       // by an instruction that begins its group: its two micro-ops count as one entry
  bool microcoded = false;
  bool closed = false;    // behind the last of a microcoded instruction
  BufferEntries held = 0; // without those of eliminated moves

  void add(const DecodedUop& each) {
    ++taken;
    uops += each.uop_end - each.first_uop;
    constants += each.constants;
    results += each.results;
    activity += each.activity;
    begun = begun || each.begins_group;
    microcoded = each.microcoded;
    closed = each.microcoded && each.last;
  }

  /// Whether what rename passes on and has new registers for in one cycle is enough for another one, and whether that
  /// may still take two slots. A microcoded instruction has separate cycles, where the core has it so; others are the
  /// first of theirs.
  bool fits(const DecodedUop& each, const CoreParameters& core) const {
    if (constants + each.constants > core.constants_per_cycle || results + each.results > core.results_per_cycle)
      return false;
    if (each.begins_group || (each.slots > 1 && taken - (begun ? 1U : 0U) >= core.unlaminated_entries)) return false;
    if (core.microcoded_per_cycle == 0) return true;
    if (!each.microcoded) return !microcoded;
    return microcoded && !closed && slots + each.slots <= core.microcoded_per_cycle;
  }
};

/// A group that is the same whenever it begins at one decoded uop, all are there that it may take, and buffers have
/// room.
struct PlannedGroup {
  RenameGroup group; // taken 0: there is none
  Stall stall = Stall::none;
  std::uint32_t first_uop = 0; // that it begins with
  std::uint32_t next = 0;      // decoded uop behind it
};

/// Adds one for each decoded uop that it may begin with. None begins or ends where more than the decoded uop itself
/// decides.
void plan_groups(const Program& program, const CoreParameters& core, std::vector<PlannedGroup>& out);

} // namespace corecast::sim
