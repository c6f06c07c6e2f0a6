// What is particular to a core, as data: patterns of instructions, and what happens to those that fit them.
#pragma once

#include "cpp/isa/glob.hpp"
#include "cpp/machine/pipeline/policies.hpp"

#include <cstdint>

#include <optional>
#include <string>
#include <vector>

namespace corecast {

/// Which instructions a rule is about. What is empty is not asked.
struct Pattern {
  NameGlobs mnemonics;
  NameGlobs except;
  AccessKind access = AccessKind::any;
  std::vector<double> width_bytes; // of the access, one of these
  std::optional<double> max_uops;
  std::optional<bool> indexed;
  std::optional<bool> pc_relative;
  std::optional<bool> memory_and_immediate;
  std::optional<bool> register_update; // of memory
  std::optional<bool> vector;
  std::optional<bool> sets_flags;
  std::optional<bool> extends; // what it loads
  std::optional<bool> begins_pair;
  std::optional<bool> added_by_renaming;
  std::optional<bool> changes_copy; // made by the instruction before it
};

struct Rule {
  Effect effect = Effect::delay;
  Pattern producer = {}, consumer = {};
  Through through = Through::registers;
  Delays delays = Delays::input;
  double cycles = 0;
  double port_cycles = 0;            // of delays
  std::uint64_t ports = 0;           // of delays of results; 0: all
  std::uint64_t producer_ports = 0;  // the same, of what made the value; 0: all
  Supplied supplier = Supplied::any; // of supply costs: these four
  CostOf per = CostOf::line;
  std::uint32_t line_bytes = 64;
  std::uint32_t free = 0;
  bool loops_only = false; // of pairs and delays
  bool same_group = false; // of delays: both are renamed in one cycle
  bool same_width = false; // of loads and stores
};

} // namespace corecast
