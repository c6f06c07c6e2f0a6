#include "cpp/predict/closing.hpp"

#include "cpp/llvm/listing.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace corecast {
namespace {

struct Counter {
  const char* name;
  std::array<std::uint8_t, 3> decrement; // dec r64
};

// In the order in which measurements choose the register.
constexpr std::array<Counter, 15> counters = {{
    {"r15", {0x49, 0xff, 0xcf}},
    {"r14", {0x49, 0xff, 0xce}},
    {"r13", {0x49, 0xff, 0xcd}},
    {"r12", {0x49, 0xff, 0xcc}},
    {"r11", {0x49, 0xff, 0xcb}},
    {"r10", {0x49, 0xff, 0xca}},
    {"r9", {0x49, 0xff, 0xc9}},
    {"r8", {0x49, 0xff, 0xc8}},
    {"rbx", {0x48, 0xff, 0xcb}},
    {"rcx", {0x48, 0xff, 0xc9}},
    {"rdx", {0x48, 0xff, 0xca}},
    {"rax", {0x48, 0xff, 0xc8}},
    {"rsi", {0x48, 0xff, 0xce}},
    {"rdi", {0x48, 0xff, 0xcf}},
    {"rbp", {0x48, 0xff, 0xcd}},
}};
constexpr Counters all_counters = (1U << counters.size()) - 1;
constexpr std::uint64_t short_reach = 128;
constexpr std::uint64_t short_jump_bytes = 2;
constexpr std::uint64_t near_jump_bytes = 6;

/// By register: the bit of the counter, 0 for others.
const std::vector<Counters>& counter_bits() {
  static const std::vector<Counters> bits = [] {
    std::vector<Counters> out;
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const RegisterId reg = register_number(Isa::x86, counters[i].name);
      if (reg >= out.size()) out.resize(reg + 1U);
      out[reg] = static_cast<Counters>(1U << i);
    }
    return out;
  }();
  return bits;
}

} // namespace

ClosingBranch closing_branch(std::span<const Instruction* const> block) {
  Counters used = 0;
  for (const Instruction* instruction : block)
    used |= counters_of(*instruction);
  return closing_branch(block, used);
}

Counters counters_of(const Instruction& instruction) {
  const std::vector<Counters>& bits = counter_bits();
  Counters used = 0;
  for (const Operand& operand : instruction.operands)
    for (const RegisterUse& use : operand.registers)
      if (use.reg < bits.size()) used |= bits[use.reg];
  return used;
}

ClosingBranch closing_branch(std::span<const Instruction* const> block, Counters used) {
  ClosingBranch out;
  if (block.empty() || used == all_counters) return out;
  const Counter& counter = counters[static_cast<std::size_t>(std::countr_one(used))];
  std::copy(counter.decrement.begin(), counter.decrement.end(), out.bytes.begin());
  out.size = counter.decrement.size();
  out.address = block.back()->address + block.back()->length_bytes;
  const std::uint64_t back = out.address + out.size - block.front()->address; // modulo 2^64, as addresses are
  if (back + short_jump_bytes <= short_reach) {
    out.bytes[out.size++] = 0x75;
    out.bytes[out.size++] = static_cast<std::uint8_t>(0 - (back + short_jump_bytes));
    return out;
  }
  out.bytes[out.size++] = 0x0f;
  out.bytes[out.size++] = 0x85;
  const std::uint64_t displacement = 0 - (back + near_jump_bytes);
  for (unsigned shift = 0; shift < 32; shift += 8)
    out.bytes[out.size++] = static_cast<std::uint8_t>(displacement >> shift);
  return out;
}

} // namespace corecast
