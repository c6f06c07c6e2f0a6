// Timed code for x86-64: rdtsc around a loop, registers set by XRSTOR and moves.
#include "harness.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include "emitter.hpp"
#include "tiles.hpp"

#include <cpuid.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace corecast::runner {
namespace {

enum Component : unsigned { sse = 1, avx = 2, opmask = 5, zmm_high = 6, zmm_16_31 = 7 }; // XSAVE's state components
constexpr std::uint64_t our_components = 0b1110'0111;                                    // and x87, bit 0
constexpr std::size_t legacy_bytes = 512, header_bytes = 64;
constexpr std::size_t x87_offset = 32, xmm_offset = 160, mxcsr_offset = 24;
constexpr unsigned x87_registers = 8;
// Slightly above 1, so that products and quotients stay in range for billions of steps; with digits all over.
constexpr std::uint64_t x87_significand = 0x8000'0000'5321'ABCD;
constexpr std::uint16_t x87_exponent = 0x3FFF;
constexpr std::uint32_t mxcsr = 0x1F80;      // all exceptions masked, round to nearest, subnormals as they are
constexpr std::uint32_t flush_bits = 0x8040; // flush to zero, denormals are zero
constexpr std::uint16_t x87_control = 0x037F;
constexpr std::uint32_t start_flags = 0x202; // all condition flags and the direction flag clear
constexpr std::uint32_t trap_flag = 0x100;
constexpr std::uint8_t rax = 0, rcx = 1, rdx = 2, rsp = 4;

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Registers cpuid(unsigned leaf, unsigned sub = 0) {
  Registers r;
  __get_cpuid_count(leaf, sub, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

std::uint64_t enabled_components() {
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32 | low) & our_components;
}

bool has(std::uint64_t components, Component component) {
  return (components >> component & 1) != 0;
}

/// Appends instructions; addresses of Control's fields are relative to the instruction.
class Emitter : public CodeEmitter {
public:
  using CodeEmitter::CodeEmitter;

  void bytes(std::initializer_list<std::uint8_t> list) { append({list.begin(), list.size()}); }

  void move(std::uint8_t reg, std::uint64_t value) { // mov reg, imm64
    bytes({static_cast<std::uint8_t>(0x48 | reg >> 3), static_cast<std::uint8_t>(0xB8 | (reg & 7))});
    number(value, 8);
  }

  /// `opcode` (prefixes included) with ModRM.reg and a memory operand in the control page.
  void with_control(std::initializer_list<std::uint8_t> opcode, std::uint8_t reg, std::size_t offset) {
    bytes(opcode);
    bytes({static_cast<std::uint8_t>(0x05 | (reg & 7) << 3)});
    number(control() + offset - (address() + 4), 4);
  }

  void align(std::size_t boundary) {
    while (address() % boundary != 0)
      bytes({0x90});
  }
};

void save_caller(Emitter& e) {
  e.bytes({0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57, 0x9C}); // push rbx, rbp, r12-r15, flags
  e.with_control({0x48, 0x89}, rsp, offsetof(Control, saved_stack));           // mov [saved_stack], rsp
  e.with_control({0x0F, 0xAE}, 3, offsetof(Control, saved_control));           // stmxcsr
}

void restore_caller(Emitter& e, bool tiles) {
  e.with_control({0x48, 0x8B}, rsp, offsetof(Control, saved_stack));
  e.with_control({0x0F, 0xAE}, 3, offsetof(Control, simd_status));   // stmxcsr
  e.with_control({0x0F, 0xAE}, 2, offsetof(Control, saved_control)); // ldmxcsr
  e.with_control({0xDD}, 7, offsetof(Control, x87_status));          // fnstsw
  e.bytes({0xDB, 0xE3});                                             // fninit: MMX code left the x87 stack full
  if (has(enabled_components(), avx)) e.bytes({0xC5, 0xF8, 0x77});   // vzeroupper
  if (tiles) e.append(tile_release());
  e.bytes({0x9D, 0x41, 0x5F, 0x41, 0x5E, 0x41, 0x5D, 0x41, 0x5C, 0x5D, 0x5B, 0xC3});
}

/// Loads of one register each, which repeat 64 bits of memory over its width; rcx is the address that `offset` counts
/// from.
class VectorLoads {
public:
  VectorLoads(Emitter& e, unsigned bytes) : e_(e), bytes_(bytes) {}

  /// xmm0 to ymm15, as AVX has them: vmovddup, vbroadcastsd.
  void vex(std::uint8_t reg, std::size_t offset) {
    const auto high = static_cast<std::uint8_t>(reg < 8 ? 0x80 : 0);
    if (bytes_ <= 16)
      e_.bytes({0xC5, static_cast<std::uint8_t>(0x7B | high), 0x12});
    else
      e_.bytes({0xC4, static_cast<std::uint8_t>(0x62 | high), 0x7D, 0x19});
    address(reg, offset);
  }
  /// The 32 registers of AVX-512.
  void evex(std::uint8_t reg, std::size_t offset) {
    const auto high = static_cast<std::uint8_t>(0x60 | ((reg & 8) != 0 ? 0 : 0x80) | ((reg & 16) != 0 ? 0 : 0x10));
    if (bytes_ <= 16)
      e_.bytes({0x62, static_cast<std::uint8_t>(high | 1), 0xFF, 0x08, 0x12});
    else
      e_.bytes({0x62, static_cast<std::uint8_t>(high | 2), 0xFD, static_cast<std::uint8_t>(bytes_ <= 32 ? 0x28 : 0x48),
                0x19});
    address(reg, offset);
  }

private:
  void address(std::uint8_t reg, std::size_t offset) {
    e_.bytes({static_cast<std::uint8_t>(0x81 | (reg & 7) << 3)}); // [rcx + disp32]
    e_.number(offset, 4);
  }

  Emitter& e_;
  unsigned bytes_;
};

/// What XRSTOR wrote is written again by loads. Some cores put registers that it restores together from pieces, and
/// each floating-point instruction that reads one takes a cycle longer (Redwood Cove, 256 bits), for as long as it
/// stands.
void load_vectors(Emitter& e, unsigned bytes) {
  const std::uint64_t enabled = enabled_components();
  if (!has(enabled, avx)) return;
  const bool any_width = (cpuid(7).ebx >> 31 & 1) != 0; // AVX512VL
  VectorLoads loads(e, bytes);
  for (std::uint8_t reg = 0; reg < 16; ++reg)
    if (bytes <= 32)
      loads.vex(reg, xmm_offset + std::size_t{16} * reg);
    else if (has(enabled, zmm_high))
      loads.evex(reg, xmm_offset + std::size_t{16} * reg);
  if (!has(enabled, zmm_16_31) || (bytes <= 32 && !any_width)) return;
  const std::size_t at = cpuid(0xD, zmm_16_31).ebx;
  for (std::uint8_t reg = 16; reg < 32; ++reg)
    loads.evex(reg, at + std::size_t{64} * (reg - 16));
}

/// movq mm0 to mm7, [rcx + ...]: as `load_vectors`, instructions that read one XRSTOR wrote take eight cycles longer.
void load_mmx(Emitter& e) {
  for (std::uint8_t reg = 0; reg < 8; ++reg) {
    e.bytes({0x0F, 0x6F, static_cast<std::uint8_t>(0x81 | reg << 3)});
    e.number(xmm_offset + std::size_t{16} * reg, 4);
  }
}

/// fld tbyte [rcx + ...], so often: x87's stack was empty.
void load_x87(Emitter& e, unsigned depth) {
  for (unsigned i = 0; i < std::min(depth, x87_registers); ++i) {
    e.bytes({0xDB, 0xA9});
    e.number(x87_offset, 4);
  }
}

/// Where the tile image starts behind XSAVE's.
std::size_t tile_image_at() {
  constexpr std::size_t line = 64;
  return (cpuid(0xD).ebx + line - 1) / line * line;
}

/// Sets all registers. `tiles_at` and `tiles_end` get where the code is that configures tiles.
void set_state(Emitter& e, const LoopCode& loop, const StartValues& values, const void* state, TimedCode& code) {
  e.move(rcx, reinterpret_cast<std::uint64_t>(state));
  e.move(rax, enabled_components());
  e.bytes({0x31, 0xD2, 0x48, 0x0F, 0xAE, 0x29}); // xor edx, edx; xrstor64 [rcx]
  if (values.tiles) {
    code.tiles_at = e.size();
    e.append(tile_setup(static_cast<std::uint32_t>(tile_image_at())));
    code.tiles_end = e.size();
  }
  load_vectors(e, values.vector_bytes);
  if (values.mmx) load_mmx(e);
  load_x87(e, values.x87_depth);
  e.append(loop.setting);
  for (std::uint8_t reg = 0; reg < 16; ++reg)
    if (reg != rax && reg != rcx && reg != rdx) e.move(reg, reg == rsp ? values.stack : values.general[reg]);
  e.bytes({0x68});
  e.number(loop.step_by_step ? start_flags | trap_flag : start_flags, 4);
  e.bytes({0x9D}); // push flags; popf. What follows up to the loop leaves them alone.
}

/// mov al, [data] of each: moved code finds its data at other addresses, which no translation buffer holds yet.
void touch(Emitter& e, std::span<const Relocation> relocations) {
  for (const Relocation& each : relocations) {
    e.bytes({0x8A, 0x05});
    e.number(each.target - (e.address() + 4), 4);
  }
}

void wait_for_stores(Emitter& e) {
  e.bytes({0x0F, 0xAE, 0xF0});
} // mfence

/// lfence; mov ecx, counter; rdpmc
void read_counter(Emitter& e) {
  e.bytes({0x0F, 0xAE, 0xE8});
  e.with_control({0x8B}, rcx, offsetof(Control, counter));
  e.bytes({0x0F, 0x33});
}

/// What was read into edx:eax, before anything behind starts.
void store_clock(Emitter& e, std::size_t to) {
  e.bytes({0x0F, 0xAE, 0xE8}); // lfence
  e.with_control({0x89}, rax, to);
  e.with_control({0x89}, rdx, to + 4);
}

/// A jump back to `start`, of the shortest kind, as an assembler would write it.
void jump_back(Emitter& e, std::uint8_t short_opcode, std::initializer_list<std::uint8_t> long_opcode,
               std::size_t start) {
  constexpr std::size_t reach = 128, short_jump = 2;
  if (const std::size_t back = e.size() - start; back + short_jump <= reach) {
    e.bytes({short_opcode, static_cast<std::uint8_t>(0 - (back + short_jump))});
  } else {
    e.bytes(long_opcode);
    e.number(start - (e.size() + 4), 4);
  }
}

/// dec; jnz. The carry flag is left alone: chains through it are not cut.
void close(Emitter& e, int counter, std::size_t start) {
  const auto reg = static_cast<std::uint8_t>(counter);
  if (counter >= 0)
    e.bytes({static_cast<std::uint8_t>(0x48 | reg >> 3), 0xFF, static_cast<std::uint8_t>(0xC8 | (reg & 7))});
  else
    e.with_control({0x48, 0xFF}, 1, offsetof(Control, countdown));
  jump_back(e, 0x75, {0x0F, 0x85}, start);
}

/// lea rcx, [rcx - 1]; jrcxz; jmp. Only rcx can be tested without flags; a counter elsewhere changes places with it.
void close_keeping_flags(Emitter& e, std::uint8_t counter, std::size_t start) {
  const auto exchange = [&e, counter] { // xchg rcx, counter
    if (counter != rcx)
      e.bytes({static_cast<std::uint8_t>(0x48 | counter >> 3), 0x87, static_cast<std::uint8_t>(0xC8 | (counter & 7))});
  };
  exchange();
  e.bytes({0x48, 0x8D, 0x49, 0xFF, 0xE3, 0});
  const std::size_t skipped = e.size();
  exchange();
  jump_back(e, 0xEB, {0xE9}, start);
  e.patch(skipped - 1, static_cast<std::uint8_t>(e.size() - skipped));
}

} // namespace

std::string host_obstacle() {
  if ((cpuid(1).ecx >> 27 & 1) == 0) return "this host cannot be measured: its system does not enable XSAVE";
  if ((cpuid(0x8000'0001).edx >> 27 & 1) == 0) return "this host cannot be measured: it has no RDTSCP";
  return "";
}

const char* host_isa() {
  return "x86";
}
const char* clock_name(Clock clock) {
  return clock == Clock::counter ? "perf rdpmc" : "rdtsc";
}
bool reads_counter(std::uint32_t) {
  return true;
}
bool counts_in_memory() {
  return true;
}

std::vector<std::uint8_t> state_image(const StartValues& values) {
  const std::uint64_t enabled = enabled_components();
  std::vector<std::uint8_t> image(cpuid(0xD).ebx, 0);
  std::uint64_t present = 0b11; // x87 and SSE; a component that is absent is set to its initial, clean state
  const auto put = [&](std::size_t offset, std::uint64_t pattern, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += 8)
      std::memcpy(&image.at(offset + i), &pattern, 8);
  };
  std::memcpy(image.data(), &x87_control, sizeof x87_control);
  const std::uint32_t control = values.flush_subnormals ? mxcsr | flush_bits : mxcsr;
  std::memcpy(image.data() + mxcsr_offset, &control, sizeof control);
  if (values.x87_depth > 0) { // as the first register, which stays empty
    std::memcpy(image.data() + x87_offset, &x87_significand, sizeof x87_significand);
    std::memcpy(image.data() + x87_offset + sizeof x87_significand, &x87_exponent, sizeof x87_exponent);
  }
  for (std::size_t i = 0; i < 16; ++i)
    put(xmm_offset + 16 * i, values.vector[i], 16);
  const auto part = [&](Component component, auto fill) {
    if (!has(enabled, component)) return;
    fill(cpuid(0xD, component).ebx);
    present |= std::uint64_t{1} << component;
  };
  if (values.vector_bytes >= 32)
    part(avx, [&](std::size_t at) {
      for (std::size_t i = 0; i < 16; ++i)
        put(at + 16 * i, values.vector[i], 16);
    });
  part(opmask, [&](std::size_t at) {
    for (std::size_t i = 0; i < 8; ++i)
      put(at + 8 * i, values.mask[i], 8);
  });
  if (values.vector_bytes >= 64)
    part(zmm_high, [&](std::size_t at) {
      for (std::size_t i = 0; i < 16; ++i)
        put(at + 32 * i, values.vector[i], 32);
    });
  part(zmm_16_31, [&](std::size_t at) {
    for (std::size_t i = 0; i < 16; ++i)
      put(at + 64 * i, values.vector[16 + i], values.vector_bytes);
  });
  put(legacy_bytes, present, 8); // XSTATE_BV, the header's first field
  if (values.tiles) {
    const std::vector<std::uint8_t> tiles = tile_image(values);
    image.resize(tile_image_at());
    image.insert(image.end(), tiles.begin(), tiles.end());
  }
  return image;
}

TimedCode timed_function(const LoopCode& loop, const StartValues& values, std::uint64_t at, const Control* control,
                         const void* state) {
  Emitter e(at, control);
  TimedCode code;
  save_caller(e);
  set_state(e, loop, values, state, code);
  const auto counter = static_cast<std::uint8_t>(loop.counter);
  if (loop.counter < 0) {
    e.with_control({0x48, 0x8B}, rax, offsetof(Control, iterations));
    e.with_control({0x48, 0x89}, rax, offsetof(Control, countdown));
  }
  if (loop.touches) touch(e, loop.relocations);
  wait_for_stores(e);
  if (loop.clock == Clock::counter)
    read_counter(e);
  else
    e.bytes({0x0F, 0xAE, 0xE8, 0x0F, 0x31}); // lfence; rdtsc
  store_clock(e, offsetof(Control, begin));
  for (const std::uint8_t reg : {rax, rcx, rdx})
    e.move(reg, values.general[reg]);
  if (loop.counter >= 0)
    e.with_control({static_cast<std::uint8_t>(0x48 | (counter >> 3) << 2), 0x8B}, counter,
                   offsetof(Control, iterations));
  e.align(64);
  for (unsigned i = 0; i < loop.offset; ++i)
    e.bytes({0x90});
  const std::size_t start = code.body_at = e.copies(loop);
  if (loop.keeps_flags && loop.counter >= 0)
    close_keeping_flags(e, counter, start);
  else
    close(e, loop.counter, start);
  if (loop.drains) wait_for_stores(e);
  if (loop.clock == Clock::counter)
    read_counter(e);
  else
    e.bytes({0x0F, 0x01, 0xF9}); // rdtscp
  store_clock(e, offsetof(Control, end));
  restore_caller(e, values.tiles);
  code.bytes = e.take();
  return code;
}

std::span<const std::uint8_t> reference_link() {
  // add rbx, rsi. Not an immediate: some cores add those while they rename.
  static constexpr std::array<std::uint8_t, 3> code{0x48, 0x01, 0xF3};
  return code;
}

int reference_counter() {
  return 15;
}

bool can_step() {
  return true;
}

std::size_t return_bytes() {
  return 1;
}

double timer_hz() {
  return 0; // some 2 GHz
}

void see_written_code() {} // it is seen at once

void pass_trap(void*) {} // the core's own lead on

std::span<const std::uint8_t> witness_nop() {
  static constexpr std::array<std::uint8_t, 4> code{0x0F, 0x1F, 0x40,
                                                    0x00}; // nop dword [rax]: some cores fuse those of one byte
  return code;
}

std::uint64_t interrupted_at(const void* context) {
  return static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

std::array<std::uint64_t, general_registers> registers_at(const void* context) {
  constexpr auto places = std::to_array<int>({REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                              REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15});
  std::array<std::uint64_t, general_registers> values{};
  for (std::size_t i = 0; i < places.size(); ++i)
    values[i] = static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[places[i]]);
  return values;
}

void end_steps(void* context) {
  auto& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  flags &= ~static_cast<greg_t>(trap_flag);
}

} // namespace corecast::runner

#endif
