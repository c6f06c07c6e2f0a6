// Macro-fusion: neighbouring instructions that the front end joins into one uop.
#pragma once

#include "cpp/isa/instruction.hpp"
#include "cpp/machine/forms/form_entry.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace corecast {

class Machine;

/// For each instruction whether it is the second of a fused pair (the first is the one before it).
/// `offsets` are the instructions' addresses; `aligned` tells whether they hold modulo 64. Copies of registers are
/// joined with what follows in loops only, as they come from the loop buffer.
std::vector<bool> find_fused_seconds(const Machine& machine, std::span<const Instruction* const> instructions,
                                     std::span<const FormEntry* const> entries, std::span<const std::uint64_t> offsets,
                                     bool aligned, bool loop);

/// Ports of a fused pair's one uop where they are not its branch's; 0 where they are.
PortMask ports_of_pair(const Machine& machine, const Instruction& first, const Instruction& second);

} // namespace corecast
