#include "cpp/bounds/analyze.hpp"

#include "cpp/base/error.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace corecast;
using namespace corecast::toy;

namespace {

double bound(const Analysis& analysis, const std::string& name) {
  for (const Bound& each : analysis.bounds)
    if (each.name == name) return each.cycles;
  return -1;
}

Instruction jump() {
  return Builder("jne rel").flags(true, false).branch();
}
Instruction compare() {
  return Builder("cmp r64, r64").operands({in(rax), in(rbx)}).flags(false, true);
}

} // namespace

TEST_CASE("a fused pair takes the branch's ports only") {
  PipelineParameters parameters = pipeline();
  const auto apart = machine(basic_rows, parameters);
  parameters.rules.push_back(fusing({"cmp"}, {"j*"}));
  parameters.rules.back().producer.memory_and_immediate = false;
  parameters.rules.back().producer.pc_relative = false;
  const auto fused = machine(basic_rows, parameters);
  const Code code{compare(), jump()};
  const auto sum = [](const Analysis& analysis) {
    double total = 0;
    for (const double cycles : analysis.balanced.totals)
      total += cycles;
    return total;
  };
  CHECK(sum(analyze(*apart, code.pointers, {})) == doctest::Approx(2.0));
  const Analysis result = analyze(*fused, code.pointers, {});
  CHECK(sum(result) == doctest::Approx(1.0));
  CHECK(result.instructions[0].fused_first);
  CHECK(result.instructions[1].fused_uops == 0.0);
}

TEST_CASE("512-bit uops close a port to all vector uops, not to others") {
  PipelineParameters parameters = pipeline();
  parameters.back_end.zmm_closes_port = "1";
  const auto toy = machine(basic_rows + row("vpaddd zmm, zmm, zmm", "1*p015", "*->1:1") +
                               row("vpaddd xmm, xmm, xmm", "1*p015", "*->1:1"),
                           parameters);
  const Instruction wide = Builder("vpaddd zmm, zmm, zmm").operands({out(xmm0), in(xmm1), in(xmm2)});
  const Instruction narrow = Builder("vpaddd xmm, xmm, xmm").operands({out(xmm0), in(xmm1), in(xmm2)});
  const Instruction multiply = Builder("imul r64, r64").operands({inout(rax), in(rbx)}).flags(false, true);
  CHECK(analyze(*toy, Code{wide, narrow, narrow}.pointers, {}).balanced.bound == 1.5);
  CHECK(analyze(*toy, Code{narrow, narrow, narrow}.pointers, {}).balanced.bound == 1.0);
  CHECK(analyze(*toy, Code{wide, multiply}.pointers, {}).balanced.totals[1] == 1.0);
}

TEST_CASE("the prediction is the largest bound and names it") {
  const auto toy = machine(basic_rows);
  const Instruction multiply = Builder("imul r64, r64").operands({inout(rax), in(rbx)}).flags(false, true);
  const Analysis chain = analyze(*toy, Code{multiply}.pointers, {});
  CHECK(chain.cycles_per_iteration == 3.0);
  CHECK(chain.bottleneck == "dependency");
  const Analysis ports = analyze(*toy, Code{load(rax, rsi), load(rbx, rsi, 8), load(rcx, rsi, 16)}.pointers, {});
  CHECK(ports.bottleneck == "ports");
  CHECK(ports.cycles_per_iteration == 1.5);
}

TEST_CASE("unknown forms: a lower bound, a stand-in of the same mnemonic, or an error") {
  const auto toy = machine(basic_rows);
  Instruction odd = Builder("imul r64, r64, r64, r64").operands({inout(rax), in(rbx)});
  odd.line = 7;
  const Code code{odd};
  AnalyzeOptions options;
  Analysis result;
  for (const UnknownPolicy policy : {UnknownPolicy::bound, UnknownPolicy::skip}) {
    options.unknown = policy;
    result = analyze(*toy, code.pointers, options);
    CHECK(result.instructions[0].entry == nullptr);
    CHECK(result.balanced.bound == 0.0);
    CHECK(result.loop_carried.empty());
    CHECK(result.critical_path.instructions.empty());
    CHECK(result.bottleneck == "frontend"); // its slot
  }
  options.unknown = UnknownPolicy::nearest;
  result = analyze(*toy, code.pointers, options);
  CHECK(result.instructions[0].lookup->status == LookupStatus::unknown);
  CHECK(result.instructions[0].entry->key == "imul r64, r64");
  CHECK(result.cycles_per_iteration == 3.0);
  CHECK(result.warnings.empty());
  options.unknown = UnknownPolicy::error;
  CHECK_THROWS_AS(analyze(*toy, code.pointers, options), UnknownFormError);
}

TEST_CASE("a chain through an unknown instruction takes what its known links take, and names them alone") {
  const auto toy = machine(basic_rows);
  const Instruction odd = Builder("odd r64").operands({inout(rax)});
  const Instruction multiply = Builder("imul r64, r64").operands({inout(rax), in(rbx)}).flags(false, true);
  const Analysis result = analyze(*toy, Code{odd, multiply, odd}.pointers, {});
  CHECK(result.cycles_per_iteration == 3.0);
  REQUIRE(result.loop_carried.size() == 1);
  CHECK(result.loop_carried.front().instructions == std::vector<std::uint32_t>{1});
  CHECK(result.critical_path.instructions == std::vector<std::uint32_t>{1});
  CHECK(result.critical_path.cycles == 3.0);
}

TEST_CASE("more than a third of unknown instructions leaves no figure to give") {
  CHECK_FALSE(too_many_unknown(0, 0));
  CHECK_FALSE(too_many_unknown(1, 3));
  CHECK(too_many_unknown(2, 5));
  CHECK(too_many_unknown(1, 1));
}

TEST_CASE("ports unknown but throughput measured: the throughput bounds") {
  const auto toy = machine(row("mystery r64", "?", "*->1:1", "1", "", "", "", "7"));
  const Analysis result = analyze(*toy, Code{Builder("mystery r64"), Builder("mystery r64")}.pointers, {});
  CHECK(bound(result, "throughput") == 14.0);
  CHECK(result.bottleneck == "throughput");
}

TEST_CASE("dividers are separate resources") {
  const auto toy = machine(row("div r64", "1*p0", "*->*:20", "1", "", "DIV:6") + row("op", "1*p0", ""));
  const Analysis result = analyze(*toy, Code{Builder("div r64").operands({in(rax)}), Builder("op")}.pointers, {});
  CHECK(result.balanced.bound == 6.0);
  CHECK(result.balanced.totals[0] == 2.0);
  CHECK(result.balanced.limiting == PortMask{1} << 8);
}

TEST_CASE("the bare prediction agrees with the analysis, and one more instruction never lowers it") {
  const auto toy = machine(basic_rows);
  std::mt19937 random(11);
  const RegisterId registers[] = {rax, rbx, rcx, rdx, rsi, rdi};
  const auto any = [&] { return registers[random() % 6]; };
  for (int round = 0; round < 300; ++round) {
    std::vector<Instruction> list;
    double before = 0;
    for (unsigned i = 1 + random() % 8; i-- > 0;) {
      switch (random() % 5) {
      case 0:
        list.push_back(load(any(), any(), static_cast<std::int64_t>(random() % 4) * 8));
        break;
      case 1:
        list.push_back(store(any(), any(), static_cast<std::int64_t>(random() % 4) * 8));
        break;
      case 2:
        list.push_back(add_immediate(any(), static_cast<std::int64_t>(random() % 3) * 8));
        break;
      case 3:
        list.push_back(Builder("imul r64, r64").operands({inout(any()), in(any())}).flags(false, true));
        break;
      default:
        list.push_back(compare());
        break;
      }
      const Code code(list);
      for (const LoopMode mode : {LoopMode::loop, LoopMode::unroll}) {
        AnalyzeOptions options;
        options.mode = mode;
        const Analysis full = analyze(*toy, code.pointers, options);
        const Prediction bare = predict(*toy, code.pointers, options);
        REQUIRE(bare.cycles_per_iteration == doctest::Approx(full.cycles_per_iteration));
        REQUIRE(full.balanced.bound <= full.uniform.bound + 1e-9);
        REQUIRE(bare.known == list.size());
        REQUIRE(full.critical_path.cycles >= 0);
      }
      const Analysis full = analyze(*toy, code.pointers, {});
      const double throughput = std::max(full.balanced.bound, full.frontend.bound);
      REQUIRE(throughput >= before - 1e-9);
      before = throughput;
    }
  }
}

TEST_CASE("nothing to analyze") {
  const auto toy = machine(basic_rows);
  CHECK(analyze(*toy, {}, {}).cycles_per_iteration == 0.0);
  CHECK(predict(*toy, {}, {}).cycles_per_iteration == 0.0);
}
