// The argument `isa` of bound functions.
#pragma once

#include "cpp/llvm/isa.hpp"

#include <nanobind/nanobind.h>

#include <string>

namespace corecast {

inline Isa checked_isa(std::string_view name) {
  if (const auto isa = isa_from_name(name)) return *isa;
  throw nanobind::value_error(("unknown ISA '" + std::string(name) + "' (x86, aarch64, riscv64)").c_str());
}

} // namespace corecast
