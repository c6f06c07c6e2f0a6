// Accesses through different registers: what is assumed of them, and what it would cost if they met.
#pragma once

#include "cpp/lower/address_tracker.hpp"
#include "cpp/lower/addresses.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace corecast {

class Machine;
struct FormEntry;

/// At the start of every iteration `left` holds `right` + `offset_bytes`.
struct EqualRegisters {
  RegisterId left = 0;
  RegisterId right = 0;
  std::int64_t offset_bytes = 0;
};

/// Registers through which a function reaches its own frame.
struct FrameRegisters {
  RegisterId stack_pointer = 0;
  RegisterId frame_pointer = 0;

  static FrameRegisters of(const Machine& machine);
};

/// Which accesses through different registers meet; by default none.
struct Aliasing {
  /// All accesses that advance by the same step and through no frame, symbol or segment: pointers to the same place.
  bool same = false;
  std::vector<EqualRegisters> equal;
  /// Every other access through the store's registers lies as that meeting places it.
  std::optional<MemoryDependency> feed;
  FrameRegisters frame;

  /// nullptr where nothing meets.
  const Aliasing* or_none() const { return same || !equal.empty() || feed ? this : nullptr; }
};

/// Rewrites addresses as the assumptions say.
void assume(const Aliasing& aliasing, std::span<TrackedAccess> accesses);

/// "none", "same", or pairs as "rdi=rsi,rbx=rax+8". Throws AliasError.
Aliasing parse_aliasing(const Machine& machine, std::string_view text);

struct AliasError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Why a pair of registers cannot stay equal in a region, "" where they can: their steps per iteration differ.
std::string alias_conflict(const Machine& machine, std::span<const Instruction* const> instructions,
                           const Aliasing& aliasing);

/// The meetings of a store with a later load through other registers that the code leaves open. The load lies within
/// the stored bytes.
std::vector<MemoryDependency> possible_meetings(const Machine& machine,
                                                std::span<const Instruction* const> instructions);

} // namespace corecast
