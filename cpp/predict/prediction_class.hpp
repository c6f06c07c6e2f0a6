// What is known of a prediction that says how far off it may be. Intervals are calibrated by these classes.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/lower/costing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace corecast {

/// One thing that is known of a prediction, and the values it can have.
struct ClassFeature {
  std::string_view name;
  std::span<const std::string_view> values;
};

/// From the most important on: what too few measured blocks share is told apart by fewer of them.
std::span<const ClassFeature> class_features();

/// How many classes there are.
std::size_t class_count();

/// What an instruction adds to the class of its code.
struct InstructionClass {
  bool known = false;   // there are data for it
  bool vectors = false; // it works on vector registers or the scalars in them
  bool reads = false, writes = false;
  std::uint8_t confidence = 0; // of its row: place of the feature's value
};

InstructionClass class_of(const Instruction& instruction, const Costing& costing);

/// Code that is to be predicted.
struct ClassedCode {
  std::span<const Instruction* const> instructions;
  std::span<const InstructionClass> classes; // of each
  LoopMode mode = LoopMode::loop;
  bool own_branch = false; // the code closes its loop itself
  bool placed = true;      // it is known where the code starts
};

/// What the class of a prediction depends on besides the prediction: places of values of features.
struct CodeClass {
  std::size_t kind = 0;
  bool vectors = false;
  std::size_t confidence = 0; // the weakest
  std::size_t memory = 0;
};

/// Nothing where some instruction has no data: the cycles are a lower bound.
std::optional<CodeClass> class_of(const ClassedCode& code);

/// The number of a prediction's class: the places of its features' values as digits, the first counts most.
std::uint32_t class_number(const CodeClass& code, double cycles, std::string_view bottleneck);

} // namespace corecast
