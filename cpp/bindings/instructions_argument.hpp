// The argument `instructions` of bound functions.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <nanobind/nanobind.h>

#include <vector>

namespace corecast {

/// Valid as long as Python keeps the sequence.
inline std::vector<const Instruction*> to_pointers(const nanobind::sequence& instructions) {
  std::vector<const Instruction*> out;
  out.reserve(nanobind::len(instructions));
  for (const nanobind::handle item : instructions)
    out.push_back(nanobind::cast<const Instruction*>(item));
  return out;
}

} // namespace corecast
