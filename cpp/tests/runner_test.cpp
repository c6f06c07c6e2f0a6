// Code that is timed may do anything: the runner survives it and says what happened.
#include "cpp/runner/data_places.hpp"
#include "cpp/runner/trace.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace corecast::runner;

namespace {

using Code = std::vector<std::uint8_t>;

/// Whether this host can run the x86 code below; one that cannot must say so.
bool x86_here() {
  if (std::string(host_isa()) == "x86" && host_obstacle().empty()) return true;
  TimedKernel kernel;
  kernel.code = {0x90};
  CHECK_FALSE(measure(kernel, {}).outcome.message.empty());
  return false;
}

/// The middle of several measurements, which must all be done: one may meet a neighbour on the same core.
double middle_cycles(const TimedKernel& kernel) {
  std::array<double, 5> cycles{};
  for (double& each : cycles) {
    const Measurement m = measure(kernel, {});
    REQUIRE(m.outcome.end == End::done);
    each = m.estimate.cycles;
  }
  std::sort(cycles.begin(), cycles.end());
  return cycles[2];
}

TimedKernel counted(Code code) {
  TimedKernel kernel;
  kernel.code = std::move(code);
  kernel.counter = 15;
  return kernel;
}

Measurement run(Code code, double timeout_seconds = 5) {
  MeasureOptions options;
  options.sandbox.timeout_seconds = timeout_seconds;
  return measure(counted(std::move(code)), options);
}

struct Fatal {
  const char* what;
  Code code;
  int signal;
  std::int64_t offset;
};

} // namespace

TEST_CASE("timed code has nothing open that its parent has") {
  if (!x86_here()) return;
  struct Seen {
    bool inherited = true, own = false;
  };
  const int file = open("/dev/zero", O_RDWR);
  REQUIRE(file >= 0);
  void* shared = mmap(nullptr, sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(shared != MAP_FAILED);
  Seen& seen = *new (shared) Seen();
  const SandboxOptions options;
  const Outcome outcome = run_in_child(options, 0, {}, [&](const Child&) {
    seen.inherited = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0) != MAP_FAILED;
    seen.own = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
  });
  CHECK(outcome.end == End::done);
  CHECK(seen.own);
  CHECK_FALSE(seen.inherited);
  munmap(shared, sizeof(Seen));
  close(file);
}

TEST_CASE("faults are reported with their signal and instruction") {
  if (!x86_here()) return;
  const Fatal cases[] = {
      {"ud2", {0x90, 0x0F, 0x0B}, SIGILL, 1},
      {"div by zero", {0x31, 0xC0, 0xF7, 0xF0}, SIGFPE, 2},
      {"load from address 16", {0x48, 0x8B, 0x04, 0x25, 0x10, 0, 0, 0}, SIGSEGV, 0},
      {"push to a stack at 0", {0x31, 0xE4, 0x50}, SIGSEGV, 2},
      {"int3 (told behind it)", {0xCC, 0x90}, SIGTRAP, 1},
      {"hlt, privileged", {0xF4}, SIGSEGV, 0},
  };
  for (const Fatal& fatal : cases) {
    CAPTURE(fatal.what);
    const Measurement m = run(fatal.code);
    CHECK(m.outcome.end == End::signal);
    CHECK(signal_name(m.outcome.signal) == signal_name(fatal.signal));
    CHECK(m.fault_offset == fatal.offset);
    CHECK(m.estimate.kept == 0);
  }
  const Measurement load = run({0x48, 0x8B, 0x04, 0x25, 0x10, 0, 0, 0});
  CHECK(load.outcome.address == 16);
}

TEST_CASE("code that never ends is killed") {
  if (!x86_here()) return;
  const Measurement m = run({0xEB, 0xFE}, 0.3);
  CHECK(m.outcome.end == End::timeout);
  CHECK(m.estimate.kept == 0);
}

TEST_CASE("system calls do not leave the child") {
  if (!x86_here()) return;
  const Measurement m = run({0x31, 0xFF, 0xB8, 231, 0, 0, 0, 0x0F, 0x05}); // exit_group(0)
  CHECK(m.outcome.end == End::signal);
  const Measurement kill = run({0xB8, 62, 0, 0, 0, 0x0F, 0x05}); // kill(...)
  if (kill.outcome.confined) CHECK(kill.outcome.signal == SIGSYS);
}

TEST_CASE("code that overwrites every register and wild memory is timed like any other") {
  if (!x86_here()) return;
  Code code;
  for (std::uint8_t reg = 0; reg < 8; ++reg) // xor r32, r32: the stack pointer too, all but the counter r15
    code.insert(code.end(), {0x31, static_cast<std::uint8_t>(0xC0 | reg * 9)});
  for (std::uint8_t reg = 0; reg < 7; ++reg)
    code.insert(code.end(), {0x45, 0x31, static_cast<std::uint8_t>(0xC0 | reg * 9)});
  code.insert(code.end(), {0xC7, 0x83, 0, 0, 0, 0x40, 1, 0, 0, 0}); // mov dword [rbx+0x40000000], 1
  code.insert(code.end(), {0xFD, 0xF9, 0xDB, 0xE3, 0xD9, 0xE8});    // std, stc, fninit, fld1
  const Measurement m = run(code);
  CHECK(m.outcome.end == End::done);
  CHECK(m.estimate.kept > 0);
  CHECK(m.estimate.cycles > 1);
}

TEST_CASE("memory that code walks through is there, and is one page of the cache") {
  if (!x86_here()) return;
  // mov rax, [rbx]; add rbx, 4096
  const Measurement m = run({0x48, 0x8B, 0x03, 0x48, 0x81, 0xC3, 0, 0x10, 0, 0});
  CHECK((m.outcome.end == End::done || m.outcome.signal == SIGSEGV)); // the pages that may be mapped run out
  const Measurement near = run({0x48, 0x8B, 0x83, 0, 0x10, 0, 0});    // mov rax, [rbx+4096]
  CHECK(near.outcome.end == End::done);
  CHECK(near.estimate.kept > 0);
}

TEST_CASE("pages of addresses are as many pages of memory as asked for, in turn") {
  if (!x86_here()) return;
  TimedKernel kernel;
  // mov [rbx], rcx; mov rax, [rbx+4096]; mov rdx, [rbx+8192]; nop
  kernel.code = {0x48, 0x89, 0x0B, 0x48, 0x8B, 0x83, 0, 0x10, 0, 0, 0x48, 0x8B, 0x93, 0, 0x20, 0, 0, 0x90};
  kernel.values.general[1] = 7;
  const auto loaded = [&kernel](unsigned pages) {
    kernel.data_pages = pages;
    kernel.values.stack = kernel.values.general[3] + 64; // in the first page
    const Trace t = trace(kernel, 1, 100, {});
    REQUIRE(t.steps.size() == 4);
    return std::pair(t.steps[3].general[0], t.steps[3].general[2]);
  };
  CHECK(loaded(1) == std::pair<std::uint64_t, std::uint64_t>(7, 7));
  CHECK(loaded(2) == std::pair<std::uint64_t, std::uint64_t>(number_pattern, 7));
  CHECK(loaded(32) == std::pair(number_pattern, number_pattern));
}

TEST_CASE("short runs that end when their stores are written") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.code = {0x48, 0x01, 0xF0, 0x48, 0x01, 0xF0,
                 0x48, 0x01, 0xF0, 0x48, 0x89, 0x13}; // three add rax, rsi; mov [rbx], rdx
  kernel.counter = 15;
  kernel.is_loop = kernel.drains = true;
  kernel.most_iterations = 32;
  const Measurement m = measure(kernel, {});
  REQUIRE(m.outcome.end == End::done);
  CHECK(m.iterations == 32);
  CHECK(middle_cycles(kernel) == doctest::Approx(3).epsilon(0.1));
}

TEST_CASE("a chain of three additions takes three times as long as one") {
  if (!x86_here()) return;
  // Loose bounds: the machine may be busy, but both are measured against the same reference.
  const Measurement one = run({0x48, 0x01, 0xF0}); // add rax, rsi
  REQUIRE(one.outcome.end == End::done);
  CHECK(middle_cycles(counted({0x48, 0x01, 0xF0})) == doctest::Approx(1).epsilon(0.1));
  CHECK(middle_cycles(counted({0x48, 0x01, 0xF0, 0x48, 0x01, 0xF0, 0x48, 0x01, 0xF0})) ==
        doctest::Approx(3).epsilon(0.1));
  CHECK(one.long_copies == 2 * one.short_copies);
}

TEST_CASE("a kernel that leaves no register free counts in memory") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.code = {0x49, 0x01, 0xFF}; // add r15, rdi
  CHECK(middle_cycles(kernel) == doctest::Approx(1).epsilon(0.1));
}

TEST_CASE("registers start with the values that are asked for") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.counter = 15;
  kernel.values.general[8] = 0;
  kernel.code = {0x48, 0x31, 0xD2, 0x49, 0xF7, 0xF0}; // xor rdx, rdx; div r8
  CHECK(measure(kernel, {}).outcome.signal == SIGFPE);
  kernel.values.general[8] = 3;
  CHECK(measure(kernel, {}).outcome.end == End::done);
  // vmovq rax, xmm3; cmp rax, r9; je over ud2: vectors and masks get theirs
  kernel.values.vector[3] = 0x1234;
  kernel.values.general[9] = 0x1234;
  kernel.code = {0x66, 0x48, 0x0F, 0x7E, 0xD8, 0x4C, 0x39, 0xC8, 0x74, 0x02, 0x0F, 0x0B};
  CHECK(measure(kernel, {}).outcome.end == End::done);
  kernel.values.vector[3] = 0x1235;
  CHECK(measure(kernel, {}).outcome.signal == SIGILL);
}

TEST_CASE("an empty kernel is refused") {
  const Measurement m = measure({}, {});
  CHECK(m.outcome.end == End::failed);
  CHECK_FALSE(m.outcome.message.empty());
}

TEST_CASE("data lie beside the heap") {
  const DataPlaces usual = places_beside({});
  const Heap before{0x0200'0000, 0x0A00'0000}, among{0x1500'0000, 0x2000'0000}, behind{0x3F00'0000, 0x4800'0000};
  CHECK(places_beside(before) == usual);
  CHECK(places_beside(behind) == usual);
  const DataPlaces below = places_beside(among);
  CHECK(below.registers + 32 * below.step < below.stack);
  CHECK(below.stack < below.pages);
  CHECK(below.pages < first_data_address);
  CHECK(usual.registers % 4096 == below.registers % 4096);
}

TEST_CASE("a heap that has grown over data is an obstacle") {
  const Heap before{0x0200'0000, 0x0A00'0000}, among{0x1500'0000, 0x2000'0000}, behind{0x3F00'0000, 0x4800'0000};
  CHECK(heap_obstacle({}, 0).empty());
  CHECK(heap_obstacle(before, first_data_address).empty());
  CHECK_FALSE(heap_obstacle(before, first_data_address + 1).empty());
  CHECK(heap_obstacle(among, 0x5000'0000).empty());
  CHECK_FALSE(heap_obstacle(among, data_address + 1).empty());
  CHECK(heap_obstacle(behind, 0x5000'0000).empty());
  CHECK_FALSE(heap_obstacle(behind, data_address + 1).empty());
}

TEST_CASE("a trace holds the registers before every instruction") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.code = {0x48, 0xFF, 0xC3, 0x48, 0x8B, 0x03}; // inc rbx; mov rax, [rbx]
  kernel.values.general[3] = 0x1234'5600;
  const Trace t = trace(kernel, 3, 100, {});
  REQUIRE(t.outcome.end == End::done);
  CHECK(t.complete);
  REQUIRE(t.steps.size() == 6);
  for (std::size_t i = 0; i < t.steps.size(); ++i) {
    CHECK(t.steps[i].offset == 3 * i);
    CHECK(t.steps[i].general[3] == 0x1234'5600 + (i + 1) / 2);
  }
  CHECK(trace(kernel, 3, 4, {}).steps.size() == 4);
  CHECK_FALSE(trace(kernel, 3, 4, {}).complete);
}

TEST_CASE("a trace ends where the code faults") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.code = {0x90, 0x31, 0xC0, 0xF7, 0xF0}; // nop; xor eax, eax; div eax
  const Trace t = trace(kernel, 2, 100, {});
  CHECK(t.outcome.end == End::signal);
  CHECK(t.outcome.signal == SIGFPE);
  CHECK(t.steps.size() == 3);
}

TEST_CASE("relative addresses lead to one place from every copy") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.code = {0x48, 0x8D, 0x05, 0, 0, 0, 0, 0x90}; // lea rax, [rip + 0]; nop
  kernel.relocations = {{3, 7, 0x2000'1238}};
  const Trace t = trace(kernel, 3, 100, {});
  REQUIRE(t.steps.size() == 6);
  for (const std::size_t behind : {1U, 3U, 5U})
    CHECK(t.steps[behind].general[0] == 0x2000'1238);
}

TEST_CASE("code that is decoded anew takes its decoders' time") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.counter = 15;
  kernel.code = {0x48, 0x01, 0xF0}; // add rax, rsi: a chain of one cycle each, however it is supplied
  kernel.decoded = true;
  const Measurement m = measure(kernel, {});
  REQUIRE(m.outcome.end == End::done);
  CHECK(middle_cycles(kernel) == doctest::Approx(1).epsilon(0.1));
  CHECK(m.iterations == 1);
  CHECK(m.long_copies == 2 * m.short_copies);
  CHECK(m.short_copies == decoded_bytes() / kernel.code.size());
}

TEST_CASE("moved code finds its data, and the same code at every place") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.counter = 15;
  kernel.code = {0x48, 0x8B, 0x05, 0, 0, 0, 0}; // mov rax, [rip + 0]
  kernel.relocations = {{3, 7, 0x3000'1238}};
  kernel.decoded = true;
  kernel.data_pages = 32;
  const Measurement m = measure(kernel, {});
  REQUIRE(m.outcome.end == End::done);
  CHECK(m.estimate.cycles < 2);
}

TEST_CASE("what x87 code met is reported") {
  if (!x86_here()) return;
  TimedKernel kernel;
  kernel.counter = 15;
  kernel.code = {0xD9, 0xE8}; // fld1: the stack overflows
  CHECK((measure(kernel, {}).x87_status & 1 << 6) != 0);
  kernel.code = {0xD9, 0xE8, 0xDD, 0xD8}; // fld1; fstp st(0)
  CHECK((measure(kernel, {}).x87_status & 1 << 6) == 0);
}
