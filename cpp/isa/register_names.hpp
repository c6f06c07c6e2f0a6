// Names of register locations, lent to the core by whoever decodes instructions.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace corecast {

/// Both functions must be callable from any thread.
struct RegisterNames {
  std::function<RegisterId(std::string_view)> id; // 0 where there is no such location
  std::function<std::string(RegisterId)> name;    // "" where there is none

  RegisterId id_of(std::string_view text) const { return id ? id(text) : RegisterId{0}; }
  std::string name_of(RegisterId reg) const { return name ? name(reg) : std::string{}; }
};

} // namespace corecast
