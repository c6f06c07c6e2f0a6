// What is remembered of blocks is what simulating each by itself gives; where nothing repeats, the figure is that of
// long runs all the same.
#include "cpp/predict/simulated_programs.hpp"
#include "cpp/sim/simulator.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace corecast {
namespace {

using toy::Builder;
using toy::Code;

const std::string rows = toy::basic_rows + toy::row("div r64", "1*p0", "*->*:14", "1", "", "DIV:4") +
                         toy::row("vadd xmm, xmm", "1*p015", "*->*:4");

RegisterId any_register(std::mt19937& random) {
  return static_cast<RegisterId>(toy::rax + random() % 6);
}

/// Of few forms and registers, so that blocks come again, and again with other registers.
Code random_code(std::mt19937& random, unsigned most) {
  std::vector<Instruction> out;
  for (unsigned left = 1 + random() % most; left > 0; --left) {
    const RegisterId to = any_register(random);
    switch (random() % 4) {
    case 0:
      out.push_back(Builder("imul r64, r64").operands({toy::inout(to), toy::in(any_register(random))}));
      break;
    case 1:
      out.push_back(Builder("div r64").operands({toy::inout(to)}));
      break;
    case 2:
      out.push_back(Builder("vadd xmm, xmm")
                        .operands({toy::inout(static_cast<RegisterId>(toy::xmm0 + random() % 3)),
                                   toy::in(static_cast<RegisterId>(toy::xmm0 + random() % 3))}));
      break;
    default:
      out.push_back(Builder("mov r64, m64")
                        .operands({toy::out(to)})
                        .memory(any_register(random), 8 * (random() % 3), 8, true, false));
    }
  }
  return Code(std::move(out));
}

/// Random code as a loop or unrolled, at one of two places in a block of 16 bytes.
struct RandomBlock {
  RandomBlock(std::mt19937& random, unsigned most) : code(random_code(random, most)) {
    options.aligned = true;
    options.mode = random() % 2 == 0 ? LoopMode::loop : LoopMode::unroll;
    options.start_offset = random() % 2 * 8;
  }

  sim::Program expand(SimulatedPrograms& programs, const Machine& machine) const {
    const std::vector<Costing> costings = find_costings(machine, code.pointers, options.unknown, options.mode);
    const Recycled<const FormEntry*> entries = entries_of(costings);
    return programs.expand(machine, Region(machine, code.pointers, entries, lower_options(options)));
  }

  Code code;
  AnalyzeOptions options;
};

TEST_CASE("a remembered block has the figure of the block itself") {
  const auto machine = toy::machine(rows);
  std::mt19937 random(5);
  SimulatedPrograms programs;
  for (int round = 0; round < 3000; ++round) {
    const RandomBlock block(random, 4);
    const sim::Program program = block.expand(programs, *machine);
    const SimulatedPrograms::Result& found = programs.find(*machine, program, programs.expect(program));
    sim::SimulateOptions alone;
    alone.mode = block.options.mode;
    alone.start = block.options.start_offset;
    const sim::Simulation expected = sim::simulate(*machine, block.code.pointers, alone);
    REQUIRE(found.cycles == expected.cycles_per_iteration);
    REQUIRE(found.bottleneck == expected.bottleneck);
  }
}

TEST_CASE("programs have the same digest only where they are the same") {
  const auto machine = toy::machine(rows);
  std::mt19937 random(11);
  SimulatedPrograms expanding;
  std::vector<sim::Program> programs;
  for (int round = 0; round < 300; ++round) {
    programs.push_back(RandomBlock(random, 3).expand(expanding, *machine));
  }
  int same = 0;
  for (std::size_t i = 0; i < programs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      REQUIRE((sim::digest_of(programs[i]) == sim::digest_of(programs[j])) == (programs[i] == programs[j]));
      same += programs[i] == programs[j] ? 1 : 0;
    }
  CHECK(same > 100); // else this tests little
}

TEST_CASE("whatever changes in a program changes its digest") {
  const auto machine = toy::machine(rows);
  std::mt19937 random(13);
  const Code code = random_code(random, 3);
  const std::vector<Costing> costings = find_costings(*machine, code.pointers, UnknownPolicy::bound, LoopMode::loop);
  SimulatedPrograms expanding;
  const Recycled<const FormEntry*> entries = entries_of(costings);
  const sim::Program program = expanding.expand(*machine, Region(*machine, code.pointers, entries, {}));
  const auto differs = [&](const auto& change) {
    sim::Program changed = program;
    change(changed);
    return !(sim::digest_of(changed) == sim::digest_of(program));
  };
  CHECK(differs([](sim::Program& p) { p.uops.front().port_cycles += 1; }));
  CHECK(differs([](sim::Program& p) { p.uops.front().result_waits = !p.uops.front().result_waits; }));
  CHECK(differs([](sim::Program& p) { p.uops.front().banked = 0; }));
  CHECK(differs([](sim::Program& p) { p.uops.front().completion_cycles = -1; }));
  CHECK(differs([](sim::Program& p) { p.uops.pop_back(); }));
  CHECK(differs([](sim::Program& p) { p.decoded.front().simple_beside = 1; }));
  CHECK(differs([](sim::Program& p) { p.decoded.front().slots += 1; }));
  CHECK(differs([](sim::Program& p) { p.laminated.front().stack_step = 8; }));
  CHECK(differs([](sim::Program& p) { p.fused.front().choice ^= 1; }));
  CHECK(differs([](sim::Program& p) { p.waiting.sixteenths.push_back(16); }));
  CHECK(differs([](sim::Program& p) { p.delays.push_back({{{5, 3}}}); }));
  CHECK(differs([](sim::Program& p) { p.slots_before = 0; }));
  CHECK(differs([](sim::Program& p) { p.start += 1; }));
  CHECK(differs([](sim::Program& p) { p.units += 1; }));
}

TEST_CASE("without a period the figure is close to that of a long run") {
  const auto machine = toy::machine(rows);
  std::mt19937 random(7);
  int settled = 0;
  int close = 0;
  for (int round = 0; round < 400; ++round) {
    const Code code = random_code(random, 12);
    const sim::Simulation found = sim::simulate(*machine, code.pointers, {});
    if (found.periodic) continue;
    sim::SimulateOptions options;
    options.span = {4000, 24000};
    const double expected = sim::simulate(*machine, code.pointers, options).cycles_per_iteration;
    const double error = std::abs(found.cycles_per_iteration - expected) / expected;
    ++settled;
    if (error < 0.01) ++close;
    CHECK(error < 0.06);
  }
  CHECK(settled > 100); // else this tests nothing
  CHECK(close >= settled * 0.97);
}

} // namespace
} // namespace corecast
