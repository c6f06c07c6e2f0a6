// Accesses through different registers: what is assumed of them, and what it costs if they meet.
#include "cpp/bounds/analyze.hpp"
#include "cpp/bounds/worst_meeting.hpp"
#include "cpp/lower/aliasing.hpp"
#include "cpp/sim/simulator.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

namespace corecast {
namespace {

using toy::Builder;
using toy::Code;
using toy::load;
using toy::rax;
using toy::rbx;
using toy::rcx;
using toy::rdi;
using toy::rsi;
using toy::rsp;
using toy::store;

Instruction multiply(RegisterId to, RegisterId from) {
  return Builder("imul r64, r64").operands({toy::inout(to), toy::in(from)});
}
Instruction step(RegisterId reg, std::int64_t bytes) {
  return Builder("add r64, i8").operands({toy::inout(reg)}).affine(reg, bytes, {{reg, 1}});
}

std::unique_ptr<Machine> toy_machine() {
  return toy::machine(toy::basic_rows);
}

std::optional<Meeting> worst(const Code& code) {
  const auto machine = toy_machine();
  return worst_meeting(*machine, code.pointers, entries_of(*machine, code));
}

double dependency(const Code& code, std::string_view aliasing) {
  const auto machine = toy_machine();
  AnalyzeOptions options;
  options.aliasing = parse_aliasing(*machine, aliasing);
  CHECK(alias_conflict(*machine, code.pointers, options.aliasing).empty());
  const Analysis found = analyze(*machine, code.pointers, options);
  return found.loop_carried.empty() ? 0 : found.loop_carried.front().cycles;
}

double simulated(const Code& code, std::string_view aliasing) {
  const auto machine = toy_machine();
  sim::SimulateOptions options;
  options.aliasing = parse_aliasing(*machine, aliasing);
  return sim::simulate(*machine, code.pointers, options).cycles_per_iteration;
}

const Code fixed{load(rax, rsi), multiply(rax, rbx), store(rdi, rax)};
// Forwarding of 4 cycles, a multiplication of 3.
constexpr double through_memory = 7;

TEST_CASE("two pointers that stay: the store may feed the next iteration's load") {
  const auto found = worst(fixed);
  REQUIRE(found);
  CHECK(found->feed.store == 2);
  CHECK(found->feed.load == 0);
  CHECK(found->feed.distance == 1);
  CHECK(found->dependency_cycles == through_memory);
}

TEST_CASE("what registers are said to hold decides whether accesses meet, in bounds and simulation alike") {
  CHECK(dependency(fixed, "none") == 0);
  CHECK(simulated(fixed, "none") < 3);
  for (const char* aliasing : {"same", "rdi=rsi", "rsi=rdi", "rdi=rcx, rsi=rcx", "rcx=rdi,rcx=rsi"}) {
    CHECK(dependency(fixed, aliasing) == through_memory);
    CHECK(simulated(fixed, aliasing) == doctest::Approx(through_memory).epsilon(0.01));
  }
  CHECK(dependency(fixed, "rdi=rsi+8") == 0);
  CHECK(dependency(fixed, "rbx=rcx") == 0);
  const Code apart{load(rax, rsi, 8), multiply(rax, rbx), store(rdi, rax)};
  CHECK(dependency(apart, "same") == 0);
  CHECK(dependency(apart, "rdi=rsi+8") == through_memory);
  CHECK(dependency(apart, "rsi=rdi-8") == through_memory);
}

TEST_CASE("pointers that advance alike meet where one lies a step behind the other") {
  const Code stream{load(rax, rsi), multiply(rax, rbx), store(rdi, rax), step(rsi, 8), step(rdi, 8)};
  const auto found = worst(stream);
  REQUIRE(found);
  CHECK(found->dependency_cycles == through_memory);
  CHECK(dependency(stream, "same") == 1); // each iteration has its own place
  CHECK(dependency(stream, "rdi=rsi+8") == through_memory);
}

TEST_CASE("one placement of two arrays decides for all accesses to them") {
  // Of two elements per iteration, the first feeds the second, and the second the next iteration's first.
  const Code unrolled{load(rax, rsi),     multiply(rax, rbx), store(rdi, rax), load(rcx, rsi, 8),
                      multiply(rcx, rbx), store(rdi, rcx, 8), step(rsi, 16),   step(rdi, 16)};
  const auto found = worst(unrolled);
  REQUIRE(found);
  CHECK(found->dependency_cycles == 2 * through_memory);
}

TEST_CASE("nothing is left open") {
  CHECK_FALSE(worst({load(rax, rsi), multiply(rax, rbx)}));                     // without a store
  CHECK_FALSE(worst({load(rax, rsi), store(rsi, rax, 8)}));                     // of one base
  CHECK_FALSE(worst({load(rax, rsp, 8), multiply(rax, rbx), store(rdi, rax)})); // a frame's own place
  CHECK_FALSE(worst({load(rax, rsi), store(rdi, rax), step(rdi, 8)}));          // at most once
}

TEST_CASE("the same place may come again where an index is loaded") {
  const Instruction index = load(rcx, rdi);
  Instruction count = Builder("mov r64, m64").operands({toy::out(rax)}).memory(rsi, 0, 8, true, false).index(rcx, 8);
  Instruction back = Builder("mov m64, r64").memory(rsi, 0, 8, false, true).index(rcx, 8).operands({toy::in(rax)});
  const auto found = worst({index, step(rdi, 8), count, multiply(rax, rbx), back});
  REQUIRE(found);
  CHECK(found->feed.store == 4);
  CHECK(found->feed.load == 2);
  CHECK(found->feed.distance == 1);
  CHECK(found->dependency_cycles == through_memory);
}

TEST_CASE("registers that cannot stay equal, and texts that say nothing") {
  const auto machine = toy_machine();
  const Code walk{load(rax, rsi), store(rdi, rax), step(rsi, 8)};
  CHECK_FALSE(alias_conflict(*machine, walk.pointers, parse_aliasing(*machine, "rdi=rsi")).empty());
  for (const char* text : {"", "rdi", "rdi=", "=rsi", "rdi=nothing", "rdi=rsi+", "rdi=rsi+x", "rdi=rsi+-8", "rdi=rsi,",
                           "all", "rdi=rsi,rdi=rsi+8"})
    CHECK_THROWS_AS(parse_aliasing(*machine, text), AliasError);
  CHECK(parse_aliasing(*machine, " rdi = rsi - 16 ").equal.front().offset_bytes == -16);
}

} // namespace
} // namespace corecast
