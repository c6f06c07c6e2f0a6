// Which instructions the patterns of a core's rules fit.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/machine/forms/form_entry.hpp"
#include "cpp/machine/pipeline/rules.hpp"

namespace corecast {

/// An instruction as a pattern sees it.
struct Candidate {
  const Instruction* instruction = nullptr;
  const FormEntry* entry = nullptr;
  const MemoryAccess* access = nullptr; // the one that counts; nullptr: all of the instruction's
  bool begins_pair = false;
  bool added_by_renaming = false;
  bool changes_copy = false;
};

bool fits(const Pattern& pattern, const Candidate& candidate);

/// Whether an instruction's name is one that a pattern asks for: quick, and false for most.
bool fits_name(const Pattern& pattern, const Instruction& instruction);

/// Whether the second changes in place the register that the first has copied something to.
bool changes_copy(const Instruction& first, const Instruction& second);

} // namespace corecast
