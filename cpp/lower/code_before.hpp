// What lies before a region of code, and fills lines of the uop cache with it.
#pragma once

#include "cpp/isa/instruction.hpp"

#include <cstdint>
#include <span>

namespace corecast {

class Machine;

/// Slots of the uop cache's lines that code takes of the block of code in which `end`, the address behind it, lies:
/// what starts there goes on in the same line. Behind a jump a line is not gone on with, so that all of its slots are
/// taken.
std::uint32_t slots_before(const Machine& machine, std::span<const Instruction* const> code, std::uint64_t end);

} // namespace corecast
