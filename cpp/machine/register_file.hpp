// Which physical register file holds an architectural register.
#pragma once

#include "cpp/isa/register_names.hpp"
#include "cpp/machine/pipeline/pipeline.hpp"

#include <array>
#include <atomic>

namespace corecast {

enum class RegisterFile : std::uint8_t {
  none,
  integer,
  vector
}; // none: flags, masks, x87 and what else is not counted

/// Told by a register's name; safe to ask from any thread.
class RegisterFiles {
public:
  RegisterFile file_of(RegisterId reg, Architecture architecture, const RegisterNames& names) const;

private:
  static constexpr std::size_t remembered = 1024;
  mutable std::array<std::atomic<std::uint8_t>, remembered> known_{}; // the file + 1, 0: not asked for yet
};

} // namespace corecast
