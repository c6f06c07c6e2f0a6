// Timed code for RISC-V: rdcycle, or rdtime where programs may not read it, around a loop.
#include "harness.hpp"

#if defined(__riscv) && __riscv_xlen == 64 && defined(__linux__)

#include "emitter.hpp"

#include <sys/auxv.h>
#include <ucontext.h>

#include <array>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstring>

namespace corecast::runner {
namespace {

constexpr std::uint32_t zero = 0, ra = 1, sp = 2, t0 = 5, t1 = 6;
constexpr std::uint32_t first_free = 5; // x3 and x4 are the system's: kernels leave them alone
constexpr std::size_t float_offset = 0, vector_offset = 32 * 8, general_offset = 2 * vector_offset;
constexpr std::uint32_t frame_bytes = 208; // ra, s0 to s11, fs0 to fs11

constexpr std::uint32_t fence = 0x0FF0'000F, nop = 0x0000'0013, ret = 0x0000'8067;
constexpr std::uint32_t ebreak = 0x0010'0073, clear_rounding = 0x00F0'5073; // csrwi vcsr, 0
constexpr std::uint16_t short_nop = 0x0001;
constexpr std::uint32_t load = 0x3003, load_float = 0x3007;                      // ld, fld
constexpr std::uint32_t store = 0x3023, store_float = 0x3027;                    // sd, fsd
constexpr std::uint32_t read_cycle = 0xC000'2073, read_time = 0xC010'2073;       // | rd << 7
constexpr std::uint32_t read_control = 0x0030'2073, write_control = 0x0030'1073; // frcsr, fscsr
constexpr std::uint32_t all_doubles = 0x0D80'7057;                               // vsetvli zero, zero, e64, m1

bool is_saved(std::uint32_t reg) {
  return reg == 8 || reg == 9 || (reg >= 18 && reg <= 27);
} // s0 to s11, fs0 to fs11

class Emitter : public CodeEmitter {
public:
  using CodeEmitter::CodeEmitter;

  void immediate(std::uint32_t opcode, std::uint32_t to, std::uint32_t from, std::uint32_t offset) {
    word(opcode | to << 7 | from << 15 | offset << 20);
  }
  void add(std::uint32_t to, std::uint32_t from, std::uint32_t value) { immediate(0x13, to, from, value & 0xFFF); }
  void put(std::uint32_t opcode, std::uint32_t reg, std::uint32_t to, std::size_t offset) {
    const auto o = static_cast<std::uint32_t>(offset);
    word(opcode | (o & 0x1F) << 7 | to << 15 | reg << 20 | o >> 5 << 25);
  }
  /// An address near the code.
  void address_of(std::uint32_t reg, std::uint64_t target) {
    const auto distance = static_cast<std::uint32_t>(target - address());
    word(0x17 | reg << 7 | ((distance + 0x800) & 0xFFFF'F000)); // auipc
    add(reg, reg, distance);
  }
  void control_address(std::uint32_t reg) { address_of(reg, control()); }
  void align(std::size_t boundary) {
    if (address() % 4 != 0) half(short_nop);
    while (address() % boundary != 0)
      word(nop);
  }
  /// bnez reg, target; where that is too far, a jump that beqz leaps over.
  void loop_to(std::size_t target, std::uint32_t reg) {
    constexpr std::uint32_t branch_reach = 4096;
    const auto back = static_cast<std::uint32_t>(size() - target);
    if (back < branch_reach) {
      branch(0x1063, reg, 0U - back);
    } else {
      branch(0x0063, reg, 8);
      const std::uint32_t d = 0U - (back + 4);
      word(0x6F | (d >> 12 & 0xFF) << 12 | (d >> 11 & 1) << 20 | (d >> 1 & 0x3FF) << 21 | (d >> 20 & 1) << 31);
    }
  }

private:
  void branch(std::uint32_t opcode, std::uint32_t reg, std::uint32_t d) {
    word(opcode | reg << 15 | (d >> 11 & 1) << 7 | (d >> 1 & 0xF) << 8 | (d >> 5 & 0x3F) << 25 | (d >> 12 & 1) << 31);
  }
};

bool has_vectors() {
  return (getauxval(AT_HWCAP) >> ('V' - 'A') & 1) != 0;
}

sigjmp_buf out_of_probe;
void leave_probe(int) {
  siglongjmp(out_of_probe, 1);
}

/// Whether programs may read the counter of cycles: many systems keep it for themselves.
bool may_read_cycles() {
  static const bool may = [] {
    struct sigaction action{}, before{};
    action.sa_handler = leave_probe;
    sigaction(SIGILL, &action, &before);
    volatile bool read = false;
    if (sigsetjmp(out_of_probe, 1) == 0) {
      std::uint64_t cycles = 0;
      __asm__ volatile("rdcycle %0" : "=r"(cycles));
      read = true;
    }
    sigaction(SIGILL, &before, nullptr);
    return bool{read};
  }();
  return may;
}

/// Registers that the caller expects back.
template <typename General, typename Float> void callers(General general, Float floating) {
  std::uint32_t offset = 0;
  general(ra, offset);
  for (std::uint32_t reg = 0; reg < 32; ++reg)
    if (is_saved(reg)) general(reg, offset += 8);
  for (std::uint32_t reg = 0; reg < 32; ++reg)
    if (is_saved(reg)) floating(reg, offset += 8);
}

void save_caller(Emitter& e) {
  e.add(sp, sp, 0U - frame_bytes);
  callers([&](std::uint32_t reg, std::uint32_t offset) { e.put(store, reg, sp, offset); },
          [&](std::uint32_t reg, std::uint32_t offset) { e.put(store_float, reg, sp, offset); });
  e.control_address(t0);
  e.put(store, sp, t0, offsetof(Control, saved_stack));
  e.word(read_control | t1 << 7);
  e.put(0x2023, t1, t0, offsetof(Control, saved_control)); // sw
  e.word(write_control);                                   // fscsr zero: round to nearest
}

void restore_caller(Emitter& e) {
  e.control_address(t0);
  e.immediate(load, sp, t0, offsetof(Control, saved_stack));
  e.immediate(0x2003, t1, t0, offsetof(Control, saved_control)); // lw
  e.word(write_control | t1 << 15);
  callers([&](std::uint32_t reg, std::uint32_t offset) { e.immediate(load, reg, sp, offset); },
          [&](std::uint32_t reg, std::uint32_t offset) { e.immediate(load_float, reg, sp, offset); });
  e.add(sp, sp, frame_bytes);
  e.word(ret);
}

void set_state(Emitter& e, const LoopCode& loop, const void* state) {
  const auto image = reinterpret_cast<std::uint64_t>(state);
  e.address_of(t0, image);
  for (std::uint32_t i = 0; i < 32; ++i)
    e.immediate(load_float, i, t0, static_cast<std::uint32_t>(float_offset) + 8 * i);
  if (has_vectors()) {
    e.word(clear_rounding);
    e.word(all_doubles | t1 << 7); // vsetvli t1, zero: all that fit
    for (std::uint32_t i = 0; i < 32; ++i) {
      e.immediate(load, t1, t0, static_cast<std::uint32_t>(vector_offset) + 8 * i);
      e.word(0x5E00'4057 | i << 7 | t1 << 15); // vmv.v.x
    }
  }
  e.append(loop.setting);
  e.align(4);
  e.address_of(t0, image + general_offset);
  for (std::uint32_t i = 1; i < 32; ++i)
    if (i == ra || i == sp || (i >= first_free && i != t0 && i != t1)) e.immediate(load, i, t0, 8 * i);
}

void store_clock(Emitter& e, Clock clock, std::size_t offset) {
  e.word(fence);
  e.word((clock == Clock::counter || may_read_cycles() ? read_cycle : read_time) | t1 << 7);
  e.word(fence);
  e.control_address(t0);
  e.put(store, t1, t0, offset);
}

} // namespace

std::string host_obstacle() {
  return "";
}
const char* host_isa() {
  return "riscv64";
}
const char* clock_name(Clock clock) {
  return clock == Clock::counter ? "perf rdcycle" : may_read_cycles() ? "rdcycle" : "rdtime";
}
bool reads_counter(std::uint32_t number) {
  return number == 0;
} // that of cycles
bool counts_in_memory() {
  return false;
}

double timer_hz() {
  if (may_read_cycles()) return 0;
  static const double hz = [] {
    const auto steps = [] {
      std::uint64_t now = 0;
      __asm__ volatile("rdtime %0" : "=r"(now));
      return now;
    };
    using Time = std::chrono::steady_clock;
    constexpr auto look = std::chrono::milliseconds(2);
    const auto begin = Time::now();
    const std::uint64_t first = steps();
    auto end = begin;
    while (end - begin < look)
      end = Time::now();
    return static_cast<double>(steps() - first) / std::chrono::duration<double>(end - begin).count();
  }();
  return hz;
}

void see_written_code() {
  __asm__ volatile("fence.i" ::: "memory");
}

bool can_step() {
  return true;
}

std::size_t return_bytes() {
  return 4;
}

std::span<const std::uint8_t> witness_nop() {
  static constexpr std::array<std::uint8_t, 4> code{0x13, 0x00, 0x00, 0x00};
  return code;
}

std::vector<std::uint8_t> state_image(const StartValues& values) {
  std::vector<std::uint8_t> image(general_offset + 8 * 32);
  for (std::size_t i = 0; i < 32; ++i) {
    const std::uint64_t general = i == sp ? values.stack : values.general[i];
    const std::uint64_t vector = i == 0 ? values.mask[0] : values.vector[i];
    std::memcpy(&image[float_offset + 8 * i], &values.vector[i], 8);
    std::memcpy(&image[vector_offset + 8 * i], &vector, 8); // v0 is the mask
    std::memcpy(&image[general_offset + 8 * i], &general, 8);
  }
  return image;
}

TimedCode timed_function(const LoopCode& loop, const StartValues&, std::uint64_t at, const Control* control,
                         const void* state) {
  Emitter e(at, control);
  TimedCode code;
  save_caller(e);
  set_state(e, loop, state);
  store_clock(e, loop.clock, offsetof(Control, begin));
  const auto counter = static_cast<std::uint32_t>(loop.counter);
  e.address_of(t0, reinterpret_cast<std::uint64_t>(state) + general_offset);
  e.immediate(load, t1, t0, 8 * t1);
  e.immediate(load, t0, t0, 8 * t0);
  if (loop.counter >= 0) {
    e.control_address(counter);
    e.immediate(load, counter, counter, offsetof(Control, iterations));
  }
  e.align(64);
  for (unsigned i = 0; i < loop.offset / 4; ++i)
    e.word(nop);
  if (loop.offset % 4 != 0) e.half(short_nop);
  code.body_at = e.size();
  if (loop.step_by_step) {
    constexpr std::uint8_t whole = 3; // the two bits that instructions of four bytes start with
    code.traps = e.stepped_copies(loop, ebreak,
                                  [](std::uint8_t first) -> std::size_t { return (first & whole) == whole ? 4 : 2; });
  } else {
    e.copies(loop);
    e.add(counter, counter, 0xFFF); // minus 1
    e.loop_to(code.body_at, counter);
  }
  e.align(4);
  store_clock(e, loop.clock, offsetof(Control, end));
  restore_caller(e);
  code.bytes = e.take();
  return code;
}

std::span<const std::uint8_t> reference_link() {
  static constexpr std::array<std::uint8_t, 4> code{0x33, 0x05, 0xB5, 0x00}; // add a0, a0, a1
  return code;
}

int reference_counter() {
  return 31;
}

std::uint64_t interrupted_at(const void* context) {
  return static_cast<const ucontext_t*>(context)->uc_mcontext.__gregs[REG_PC];
}

std::array<std::uint64_t, general_registers> registers_at(const void* context) {
  const auto& saved = static_cast<const ucontext_t*>(context)->uc_mcontext.__gregs;
  std::array<std::uint64_t, general_registers> values{}; // x0 is 0; the program counter lies in its place
  for (std::size_t i = 1; i < values.size(); ++i)
    values[i] = saved[i];
  return values;
}

void pass_trap(void* context) {
  static_cast<ucontext_t*>(context)->uc_mcontext.__gregs[REG_PC] += 4;
}

void end_steps(void*) {}

} // namespace corecast::runner

#endif
