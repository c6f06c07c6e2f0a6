// Code as a core works on it: what every method of prediction starts from. All decisions that are the same in each
// iteration are made here, once; what depends on history is the simulator's.
#pragma once

#include "cpp/lower/graph.hpp"
#include "cpp/lower/layout.hpp"
#include "cpp/lower/planned_uops.hpp"
#include "cpp/lower/start_places.hpp"
#include "cpp/lower/supply.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace corecast {

class Machine;
struct Aliasing;

struct LowerOptions {
  LoopMode mode = LoopMode::loop;
  std::uint64_t start = 0;                        // address of the first instruction
  bool alignment_known = false;                   // whether it holds modulo 64
  const Aliasing* aliasing = nullptr;             // of accesses through different registers; none: they never meet
  std::optional<std::int64_t> register_step = {}; // StartPlaces
  /// Of the uop cache's lines that go on with the region (code_before.hpp); nothing: guessed.
  std::optional<std::uint32_t> slots_before = {};
  bool edges = true; // of the dependency graph, that bounds are made of; a simulation needs none
};

struct Region {
  /// `entries[i]` is the row used for instruction i, nullptr where unknown. `room` is a graph that nobody needs any
  /// more.
  Region(const Machine& machine, std::span<const Instruction* const> instructions,
         std::span<const FormEntry* const> entries, const LowerOptions& options, DependencyGraph room = {});

  bool is_loop() const { return mode == LoopMode::loop; }
  /// Whether an instruction is the first of a fused pair.
  bool is_fused_first(std::size_t i) const { return i + 1 < fused_seconds.size() && fused_seconds[i + 1]; }
  bool is_fused_second(std::size_t i) const { return i < fused_seconds.size() && fused_seconds[i]; }

  LoopMode mode;
  std::span<const Instruction* const> instructions;
  std::span<const FormEntry* const> entries;
  Layout layout;
  std::optional<std::uint32_t> slots_before; // LowerOptions
  StartPlaces places;
  std::vector<bool> fused_seconds; // by instruction: whether it is the second of a fused pair
  std::vector<bool> jumps;         // ... whether it is a branch that is taken
  PlannedUops uops;
  DependencyGraph graph;
  bool stores_apart = false; // each is written to the cache on its own
  Recycled<DecodedInstruction> decoded;

  Body body() const { return {decoded, layout.start, layout.alignment_known, is_loop(), slots_before}; }

private:
  void decode_all(const Machine& machine);
};

} // namespace corecast
