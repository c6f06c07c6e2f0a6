// Timed code for AArch64: the generic timer around a loop, registers loaded from an image of their state.
#include "harness.hpp"

#if defined(__aarch64__) && defined(__linux__)

#include "emitter.hpp"

#include <sys/auxv.h>
#include <ucontext.h>

#include <array>
#include <cstring>

namespace corecast::runner {
namespace {

constexpr std::uint32_t sp = 31;
constexpr std::uint32_t base = 16, temporary = 17; // what the frame around the loop works with
constexpr std::uint32_t registers = 31;
constexpr std::size_t vector_bytes = 16, general_offset = 32 * vector_bytes;
constexpr std::uint32_t frame_bytes = 160; // x19 to x30, d8 to d15

constexpr std::uint32_t isb = 0xD503'3FDF, nop = 0xD503'201F, ret = 0xD65F'03C0;
constexpr std::uint32_t dsb = 0xD503'3F9F, brk = 0xD420'0000, set_ffr = 0x252C'9000;
constexpr std::uint32_t clear_flags = 0xD51B'421F;                           // msr nzcv, xzr
constexpr std::uint32_t read_timer = 0xD53B'E040, read_cycles = 0xD53B'9D00; // mrs Rt, cntvct_el0; pmccntr_el0
constexpr std::uint32_t cycle_counter = 31;
constexpr std::uint32_t read_control = 0xD53B'4400, write_control = 0xD51B'4400; // | Rt
constexpr std::uint32_t load = 0xF940'0000, store = 0xF900'0000;                 // of 64 bits; unsigned offset
constexpr std::uint32_t load_pair = 0xA940'0000, store_pair = 0xA900'0000;
constexpr std::uint32_t load_pair_d = 0x6D40'0000, store_pair_d = 0x6D00'0000;
constexpr std::uint32_t load_pair_q = 0xAD40'0000;

class Emitter : public CodeEmitter {
public:
  using CodeEmitter::CodeEmitter;

  void pair(std::uint32_t opcode, std::uint32_t first, std::uint32_t second, std::uint32_t from, std::uint32_t offset,
            std::uint32_t unit = 8) {
    word(opcode | offset / unit << 15 | second << 10 | from << 5 | first);
  }
  void single(std::uint32_t opcode, std::uint32_t reg, std::uint32_t from, std::size_t offset) {
    word(opcode | static_cast<std::uint32_t>(offset / 8) << 10 | from << 5 | reg);
  }
  void add(std::uint32_t to, std::uint32_t from, std::uint32_t value) {
    word(0x9100'0000 | value << 10 | from << 5 | to);
  }
  void subtract(std::uint32_t to, std::uint32_t from, std::uint32_t value) {
    word(0xD100'0000 | value << 10 | from << 5 | to);
  }
  void move(std::uint32_t reg, std::uint64_t value) { // movz, movk
    for (std::uint32_t part = 0; part < 4; ++part)
      word((part == 0 ? 0xD280'0000 : 0xF280'0000) | part << 21 |
           static_cast<std::uint32_t>(value >> (16 * part) & 0xFFFF) << 5 | reg);
  }
  void control_address(std::uint32_t reg) { move(reg, control()); }
  void align(std::size_t boundary) {
    while (address() % boundary != 0)
      word(nop);
  }
};

bool has_sve() {
  return (getauxval(AT_HWCAP) >> 22 & 1) != 0;
} // HWCAP_SVE

/// Registers that the caller expects back.
void callers(Emitter& e, std::uint32_t general, std::uint32_t vector) {
  for (std::uint32_t i = 0; i < 6; ++i)
    e.pair(general, 19 + 2 * i, 20 + 2 * i, sp, 16 * i);
  for (std::uint32_t i = 0; i < 4; ++i)
    e.pair(vector, 8 + 2 * i, 9 + 2 * i, sp, 96 + 16 * i);
}

constexpr std::uint32_t flush_bits = 1U << 24 | 1U << 19; // of FPCR: subnormals count as 0, those of 16 bits, too

void save_caller(Emitter& e, bool flushes) {
  e.subtract(sp, sp, frame_bytes);
  callers(e, store_pair, store_pair_d);
  e.control_address(base);
  e.add(temporary, sp, 0);
  e.single(store, temporary, base, offsetof(Control, saved_stack));
  e.word(read_control | temporary);
  e.word(0xB900'0000 | static_cast<std::uint32_t>(offsetof(Control, saved_control) / 4) << 10 | base << 5 | temporary);
  e.move(temporary, flushes ? flush_bits : 0); // round to nearest, nothing trapped
  e.word(write_control | temporary);
}

void restore_caller(Emitter& e) {
  e.control_address(base);
  e.single(load, temporary, base, offsetof(Control, saved_stack));
  e.add(sp, temporary, 0);
  e.word(0xB940'0000 | static_cast<std::uint32_t>(offsetof(Control, saved_control) / 4) << 10 | base << 5 | temporary);
  e.word(write_control | temporary);
  callers(e, load_pair, load_pair_d);
  e.add(sp, sp, frame_bytes);
  e.word(ret);
}

void set_state(Emitter& e, const LoopCode& loop, const StartValues& values, const void* state) {
  e.move(base, values.stack);
  e.add(sp, base, 0);
  e.move(base, reinterpret_cast<std::uint64_t>(state));
  for (std::uint32_t i = 0; i < 32; i += 2)
    e.pair(load_pair_q, i, i + 1, base, vector_bytes * i, vector_bytes);
  if (has_sve()) {
    for (std::uint32_t i = 0; i < 32; ++i)
      e.word(0x0530'2000 | i << 5 | i); // mov z.q, z.q[0]
    for (std::uint32_t i = 0; i < 16; ++i)
      e.word(0x2518'E3E0 | i); // ptrue p.b
    e.word(set_ffr);
  }
  e.append(loop.setting);
  e.add(base, base, general_offset);
  for (std::uint32_t i = 0; i < registers; ++i)
    if (i != base && i != temporary) e.single(load, i, base, std::size_t{8} * i);
  e.word(clear_flags);
}

/// Reads once what `adrp` leads to.
void touch(Emitter& e, std::span<const Relocation> relocations) {
  for (const Relocation& each : relocations) {
    e.word(Emitter::with_pages(0x9000'0000 | temporary, e.address(), each.target)); // adrp
    e.word(0x3940'0000 | temporary << 5 | 31);                                      // ldrb wzr
  }
}

void store_clock(Emitter& e, Clock clock, std::size_t offset) {
  e.word(isb);
  e.word((clock == Clock::counter ? read_cycles : read_timer) | temporary);
  e.word(isb);
  e.control_address(base);
  e.single(store, temporary, base, offset);
}

} // namespace

std::string host_obstacle() {
  return "";
}
const char* host_isa() {
  return "aarch64";
}
const char* clock_name(Clock clock) {
  return clock == Clock::counter ? "perf pmccntr_el0" : "cntvct_el0";
}
bool reads_counter(std::uint32_t number) {
  return number == cycle_counter;
}
bool counts_in_memory() {
  return false;
}

double timer_hz() {
  std::uint64_t steps = 0;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(steps));
  return static_cast<double>(steps);
}

void see_written_code() {
  __asm__ volatile("isb" ::: "memory");
}

bool can_step() {
  return true;
}

std::size_t return_bytes() {
  return 4;
}

std::span<const std::uint8_t> witness_nop() {
  static constexpr std::array<std::uint8_t, 4> code{0x1F, 0x20, 0x03, 0xD5};
  return code;
}

std::vector<std::uint8_t> state_image(const StartValues& values) {
  std::vector<std::uint8_t> image(general_offset + 8 * values.general.size());
  for (std::size_t i = 0; i < values.vector.size(); ++i)
    for (std::size_t part = 0; part < vector_bytes; part += 8)
      std::memcpy(&image[vector_bytes * i + part], &values.vector[i], 8);
  std::memcpy(&image[general_offset], values.general.data(), 8 * values.general.size());
  return image;
}

TimedCode timed_function(const LoopCode& loop, const StartValues& values, std::uint64_t at, const Control* control,
                         const void* state) {
  Emitter e(at, control);
  TimedCode code;
  save_caller(e, values.flush_subnormals);
  set_state(e, loop, values, state);
  if (loop.touches) touch(e, loop.relocations);
  if (loop.drains) e.word(dsb);
  store_clock(e, loop.clock, offsetof(Control, begin));
  const auto counter = static_cast<std::uint32_t>(loop.counter);
  for (const std::uint32_t reg : {base, temporary})
    e.move(reg, values.general[reg]);
  if (loop.counter >= 0) {
    e.control_address(counter);
    e.single(load, counter, counter, offsetof(Control, iterations));
  }
  e.align(64);
  for (unsigned i = 0; i < loop.offset / 4; ++i)
    e.word(nop);
  code.body_at = e.size();
  if (loop.step_by_step) {
    code.traps = e.stepped_copies(loop, brk, [](std::uint8_t) { return std::size_t{4}; });
  } else {
    e.copies(loop);
    e.subtract(counter, counter, 1);
    const auto back = static_cast<std::uint32_t>((e.size() - code.body_at) / 4);
    e.word(0xB500'0000 | ((0U - back) & 0x7'FFFF) << 5 | counter); // cbnz counter, start
  }
  if (loop.drains) e.word(dsb);
  store_clock(e, loop.clock, offsetof(Control, end));
  restore_caller(e);
  code.bytes = e.take();
  return code;
}

std::span<const std::uint8_t> reference_link() {
  static constexpr std::array<std::uint8_t, 4> code{0x21, 0x00, 0x02, 0x8B}; // add x1, x1, x2
  return code;
}

int reference_counter() {
  return 28;
}

std::uint64_t interrupted_at(const void* context) {
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
}

std::array<std::uint64_t, general_registers> registers_at(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  std::array<std::uint64_t, general_registers> values{};
  for (std::size_t i = 0; i < registers; ++i)
    values[i] = machine.regs[i];
  values[sp] = machine.sp;
  return values;
}

void pass_trap(void* context) {
  static_cast<ucontext_t*>(context)->uc_mcontext.pc += 4;
}

void end_steps(void*) {}

} // namespace corecast::runner

#endif
