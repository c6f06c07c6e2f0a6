// The row that each instruction is counted by.
#pragma once

#include "cpp/base/recycled.hpp"
#include "cpp/lower/layout.hpp"
#include "cpp/machine/lookup.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace corecast {

class Machine;

/// What an instruction without data costs. Where no row lends its cost, only what is certain counts: one slot in
/// rename, no port, and results that are ready as soon as its inputs. The figures are then lower bounds.
enum class UnknownPolicy : std::uint8_t {
  bound,   // only what is certain; no figure where too many are unknown
  nearest, // cost like the nearest known form of the same mnemonic, where there is one; else as `bound`
  skip,    // only what is certain, however many are unknown
  error,   // UnknownFormError
};

/// Largest share of a region's instructions that may be unknown before a figure says too little to be given.
inline constexpr double most_unknown_share = 1.0 / 3;

/// Whether `unknown` of `instructions` instructions, of which no row lends a cost, leave no figure to give.
inline bool too_many_unknown(std::size_t unknown, std::size_t instructions) {
  return static_cast<double>(unknown) > most_unknown_share * static_cast<double>(instructions) + 1e-9;
}

/// The row that an instruction is counted by. Predicting many blocks asks once for each encoding.
struct Costing {
  const Lookup* lookup = nullptr;
  const FormEntry* entry = nullptr; // the lookup's, or a nearest form's; nullptr where there is none
};

/// Throws ModelError and, under policy `error`, UnknownFormError.
Costing find_costing(const Machine& machine, const Instruction& instruction, UnknownPolicy policy);
/// The same of the instructions of a region; strings whose count the code says cost what that count does.
std::vector<Costing> find_costings(const Machine& machine, std::span<const Instruction* const> instructions,
                                   UnknownPolicy policy, LoopMode mode);
/// The row that each instruction is counted by, as a Region takes them.
Recycled<const FormEntry*> entries_of(std::span<const Costing> costings);
/// Replaces the rows of string instructions that repeat a known number of times, where the model has their cost.
void cost_repeats(const Machine& machine, std::span<const Instruction* const> instructions, std::span<Costing> costings,
                  LoopMode mode);

/// Replaces the rows of locked instructions that wait for a store, where the model says how long.
void cost_store_waits(const Machine& machine, std::span<const Instruction* const> instructions,
                      std::span<Costing> costings);

/// Known forms that are nearest to one that is not; none where the form says nothing, or the core lacks the
/// instruction.
std::vector<std::string> nearest_of(const Machine& machine, const Instruction& instruction, const Lookup& lookup);

/// Where an instruction that was no text stands, "0x401000".
std::string address_text(const Instruction& instruction);

} // namespace corecast
