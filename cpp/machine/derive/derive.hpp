// Making a row for a form that no table has, out of rows of related forms. Every result says how it was made.
#pragma once

#include "cpp/isa/form_text.hpp"
#include "cpp/isa/instruction.hpp"
#include "cpp/machine/forms/form_entry.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace corecast {

class Machine;

struct Derived {
  FormEntry entry;
  std::string note; // "like vaddpd ymm, ymm, ymm, plus a load"
};

/// What a rule may look at besides the form's text.
struct DeriveContext {
  const Machine& machine;
  const Instruction& instruction;
};

/// Turns the entry of a related form into that of the wanted one; false where the machine lacks what is needed.
using Adapt = std::function<bool(const DeriveContext&, FormEntry&)>;

/// A related form that stands in for another. Without `adapt` its entry is taken as it is.
struct Sibling {
  FormText form;
  std::string note; // what `adapt` adds: ", plus a load"; "" where nothing
  Adapt adapt;
};

using DeriveRule = void (*)(const DeriveContext&, const FormText&, std::vector<Sibling>&);

/// The rules of one architecture, the most trustworthy first.
std::span<const DeriveRule> x86_rules();
std::span<const DeriveRule> aarch64_rules();
std::span<const DeriveRule> riscv_rules();

std::optional<Derived> derive(const Machine& machine, const Instruction& instruction);

// Building blocks that rules share.

/// An entry that does not come from a related form: a plain load or store. Rules give it as a sibling without mnemonic.
FormEntry plain_load(const DeriveContext& context, bool vector, OperandId destination, bool& possible);
FormEntry plain_store(const DeriveContext& context, bool vector, OperandId data, bool& possible);

/// The operand at `position` (from 1) becomes a memory operand that is loaded (and stored where `also_stored`).
Adapt add_memory_access(OperandId position, bool vector, bool also_stored);

/// Appends `base` with the operand at `position` (from 0) replaced.
void add_with_operand(std::vector<Sibling>& out, const FormText& base, std::size_t position, std::string operand);

/// Appends a sibling for every other mnemonic of the families that the form's mnemonic belongs to.
void add_family(std::vector<Sibling>& out, const FormText& form,
                std::span<const std::span<const std::string_view>> families);

} // namespace corecast
