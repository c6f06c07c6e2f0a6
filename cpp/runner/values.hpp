// What registers and memory hold when a kernel starts.
#pragma once

#include <array>
#include <cstdint>

namespace corecast::runner {

/// Where a kernel's data lies: in the child process only. Fits 31 bits, so that an address survives 32-bit arithmetic,
/// and is a multiple of 64 bytes, so that every aligned access is legal.
inline constexpr std::uint64_t data_address = 0x6123'4540;
inline constexpr std::uint64_t stack_address = 0x6223'4540;

/// Two floats (1.5, 1.9375) and one double (1.5000076): normal numbers, neither 0 nor 1 nor NaN.
inline constexpr std::uint64_t number_pattern = 0x3FF8'0000'3FC0'0000;

struct StartValues {
  std::array<std::uint64_t, 32> general{}; // by the ISA's numbers; the stack pointer's is not used
  std::uint64_t stack = stack_address;
  std::array<std::uint64_t, 32> vector{}; // repeated over the register
  std::array<std::uint64_t, 8> mask{};    // x86 k0 to k7
  std::uint64_t memory = number_pattern;  // repeated over memory
  unsigned vector_bytes = 16;             // wider parts of vector registers start clean: 16, 32 or 64
  bool mmx = false;                       // mm0 to mm7 hold the first vectors' numbers: x87's stack is full (x86)
  unsigned x87_depth = 0;                 // numbers on x87's stack, 8 at most, all a little above 1 (x86)
  bool flush_subnormals = false;          // SIMD takes them for 0, and makes them 0 (x86: FTZ, DAZ)
  bool tiles = false; // AMX's tiles are configured; their rows hold the first vectors' numbers (x86)

  StartValues() {
    general.fill(data_address);
    vector.fill(number_pattern);
    mask.fill(0x5555'5555'5555'5555); // some lanes of every width
  }
};

} // namespace corecast::runner
