// From an instruction to its row in the form tables.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/machine/forms/form_entry.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace corecast {

class Machine;

enum class LookupStatus : std::uint8_t { known, derived, unknown };

struct Lookup {
  LookupStatus status = LookupStatus::unknown;
  const FormEntry* entry = nullptr;       // nullptr exactly where the status is unknown
  std::string note;                       // how a derived form was made
  std::string lacking;                    // "AVX-512F": what the core would need; no data then
  std::unique_ptr<const FormEntry> owned; // the entry, where it was made for this lookup
};

/// Whether the "@same" variant of a form is meant: all its sources are one register (zero idioms), or source and
/// destination are (moves of a register to itself, which are not eliminated).
bool uses_one_register(const Instruction& instruction);

/// Tries the keys of the instruction in order, then derivations from related forms. Not remembered: see
/// Machine::lookup.
Lookup look_up(const Machine& machine, const Instruction& instruction);

/// The row for a form key: "@same", "@zero", "@scaled", "@rip" and "@indexed" variants first where they apply. nullptr
/// where there is none.
const FormEntry* find_variant(const Machine& machine, std::string_view form, const Instruction& instruction);
const FormEntry* find_same_variant(const Machine& machine, std::string_view form);

} // namespace corecast
