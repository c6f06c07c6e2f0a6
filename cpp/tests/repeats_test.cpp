// String instructions with a repeat prefix cost what their count does, where the model says it.
#include "cpp/base/error.hpp"
#include "cpp/bounds/analyze.hpp"
#include "cpp/lower/repeat_count.hpp"
#include "cpp/machine/pipeline/pipeline_reader.hpp"
#include "cpp/machine/repeat_cost.hpp"
#include "cpp/sim/simulator.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

using namespace corecast;
using namespace corecast::toy;

namespace {

const std::string rows = basic_rows + row("mov r64, i32", "1*p0156", "") +
                         row("rep movsb m8, m8", "30*p0156+6*p23+3*p4", "?", "40", "microcoded");

Instruction count(std::int64_t value) {
  return Builder("mov r64, i32").operands({out(rcx)}).immediate().affine(rcx, value, {});
}
Instruction copy() {
  return Builder("rep movsb m8, m8").memory(rsi, 0, 1, true, false).memory(rdi, 0, 1, false, true).implicit(inout(rcx));
}

PipelineParameters with_cost() {
  PipelineParameters out = pipeline();
  out.repeats.push_back({{"rep movsb m8, m8"}, 0b1100011, 0, {{0, 10, 0}, {100, 30, 0.5}}, "test", "measured"});
  return out;
}

double simulated(const Machine& machine, const Code& code) {
  return sim::simulate(machine, code.pointers, {}).cycles_per_iteration;
}

PipelineParameters read(const Value& repeats) {
  const auto text = [](const char* value) { return Value{std::string(value)}; };
  const Value ports{Value::Table{{"names", {Value::List{text("0"), text("1")}}}}};
  const Value rename{Value::Table{{"width", {1.0}}}};
  return PipelineParameters::read(
      {Value::Table{
          {"name", text("x")}, {"isa", text("x86")}, {"ports", ports}, {"rename", rename}, {"repeats", repeats}}},
      "pipeline.toml");
}

Value table(Value::List pieces, const char* port = "0") {
  const auto text = [](const char* value) { return Value{std::string(value)}; };
  return {Value::List{{Value::Table{{"forms", {Value::List{text("rep movsb m8, m8")}}},
                                    {"ports", {Value::List{text(port)}}},
                                    {"pieces", {std::move(pieces)}},
                                    {"source", text("s")},
                                    {"confidence", text("measured")}}}}};
}

Value piece(double from, double cycles) {
  return {Value::Table{{"from", {from}}, {"cycles", {cycles}}}};
}

} // namespace

TEST_CASE("cycles of a count are those of its piece") {
  const RepeatCost cost{{"f"}, 1, 0, {{1, 10, 0}, {100, 30, 0.5}}, "s", "measured"};
  CHECK_FALSE(cost.cycles(0));
  CHECK_FALSE(cost.cycles(-1));
  CHECK(cost.cycles(1) == 10.0);
  CHECK(cost.cycles(99) == 10.0);
  CHECK(cost.cycles(100) == 30.0);
  CHECK(cost.cycles(300) == 130.0);
}

TEST_CASE("a known count costs the same in bounds and simulation") {
  const auto toy = machine(rows, with_cost());
  for (const auto& [times, cycles] : {std::pair{64, 10.0}, {100, 30.0}, {300, 130.0}}) {
    const Code code{count(times), copy()};
    // The ALUs are kept all the time; the move waits for one of them.
    CHECK(analyze(*toy, code.pointers, {}).cycles_per_iteration == doctest::Approx(cycles + 0.25));
    CHECK(predict(*toy, code.pointers, {}).cycles_per_iteration == doctest::Approx(cycles + 0.25));
    CHECK(simulated(*toy, code) == doctest::Approx(cycles + 0.25).epsilon(0.05));
  }
}

TEST_CASE("a count may keep a unit in place of ports") {
  PipelineParameters parameters = pipeline();
  parameters.repeats.push_back({{"rep movsb m8, m8"}, 0, 1 << 8, {{0, 10, 0}}, "test", "documented"});
  const auto toy = machine(rows, parameters);
  const Code code{count(64), copy()};
  CHECK(analyze(*toy, code.pointers, {}).cycles_per_iteration == doctest::Approx(10));
  CHECK(simulated(*toy, code) == doctest::Approx(10).epsilon(0.05));
}

TEST_CASE("a known count is no warning, an unknown one is") {
  const auto toy = machine(rows, with_cost());
  const auto told = [&](const Code& code) {
    for (const std::string& warning : analyze(*toy, code.pointers, {}).warnings)
      if (warning.find("repeats") != std::string::npos) return true;
    return false;
  };
  CHECK_FALSE(told({count(64), copy()}));
  CHECK(told({load(rcx, rax), copy()}));
  CHECK(told({count(-1), copy()})); // costs are known from 0 on
}

TEST_CASE("without the model's word on a count the row counts as it stands") {
  const auto silent = machine(rows);
  const Code code{count(64), copy()};
  CHECK(analyze(*silent, code.pointers, {}).cycles_per_iteration ==
        analyze(*silent, Code{count(300), copy()}.pointers, {}).cycles_per_iteration);
  const auto toy = machine(rows, with_cost());
  const Code unknown{load(rcx, rax), copy()};
  CHECK(analyze(*toy, unknown.pointers, {}).cycles_per_iteration ==
        analyze(*silent, unknown.pointers, {}).cycles_per_iteration);
}

TEST_CASE("a count too long to simulate is refused") {
  const auto toy = machine(rows, with_cost());
  CHECK_THROWS_AS(simulated(*toy, {count(1000000), copy()}), SimulationLimitError);
}

TEST_CASE("comparisons may end before their count, and leave what is left of it") {
  const Instruction compare =
      Builder("rep cmpsb m8, m8").memory(rsi, 0, 1, true, false).memory(rdi, 0, 1, true, false).implicit(inout(rcx));
  CHECK(compare.traits.may_end_early);
  CHECK_FALSE(Instruction(copy()).traits.may_end_early);
  CHECK_FALSE(repeat_count(Code{count(8), compare, copy()}.pointers, 2, true));
  CHECK(repeat_count(Code{count(8), copy(), copy()}.pointers, 2, true) == 0);
}

TEST_CASE("repeats of pipeline.toml") {
  const PipelineParameters good = read(table({piece(0, 5), piece(8, 9)}));
  REQUIRE(good.repeats.size() == 1);
  CHECK(good.repeats[0].cycles(8) == 9.0);
  CHECK_THROWS_AS(read(table({piece(8, 5), piece(8, 9)})), ModelError);
  CHECK_THROWS_AS(read(table({piece(0, -5)})), ModelError);
  CHECK_THROWS_AS(read(table({})), ModelError);
  CHECK_THROWS_AS(read(table({piece(0, 5)}, "7")), ModelError);
  CHECK_THROWS_AS(read({Value::List{{1.0}}}), ModelError);
  CHECK_THROWS_AS(read({1.0}), ModelError);
}
