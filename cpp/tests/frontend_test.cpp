#include "cpp/bounds/frontend.hpp"

#include "cpp/bounds/legacy_decode.hpp"
#include "cpp/isa/glob.hpp"
#include "cpp/lower/fusion.hpp"
#include "cpp/lower/taken_branches.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

using namespace corecast;
using namespace corecast::toy;

namespace {

PipelineParameters intel() {
  PipelineParameters out = pipeline();
  FrontEndParameters& front = out.front_end;
  front.predecode_block_bytes = 16;
  front.predecode_width = 5;
  front.lcp_stall_cycles = 3;
  front.decoders = 4;
  front.complex_decoders = 1;
  front.uop_cache_width = 6;
  front.uop_cache_line_change_costs = true;
  front.uop_cache_block_bytes = 32;
  front.uop_queue_entries = 64;
  out.rules.push_back(fusing({"cmp", "test", "dec", "add"}, {"j*"}));
  out.rules.back().producer.memory_and_immediate = false;
  out.rules.back().producer.pc_relative = false;
  return out;
}

Instruction nop(std::uint8_t length) {
  return Builder("nop").length(length);
}
Instruction compare(RegisterId a, RegisterId b) {
  return Builder("cmp r64, r64").operands({in(a), in(b)}).flags(false, true).length(3);
}
Instruction jump() {
  return Builder("jne rel").flags(true, false).branch().length(2);
}

struct Built {
  std::unique_ptr<Machine> toy;
  Code code;
  std::vector<const FormEntry*> entries;
  std::uint64_t start;

  Built(PipelineParameters parameters, std::vector<Instruction> list, std::uint64_t start = 0)
      : toy(machine(basic_rows + row("nop", "", "") + row("slow r64", "4*ALU", "*->*:4", "4", "", "", "4;0;1;0"),
                    parameters)),
        code(std::move(list)), entries(entries_of(*toy, code)), start(start) {}

  Region region(LoopMode mode = LoopMode::loop) const {
    return Region(*toy, code.pointers, entries, {mode, start, true, nullptr});
  }
  bool fuses(std::size_t second) const { return region().fused_seconds[second]; }
  double decode_unrolled() const {
    const Region unrolled = region(LoopMode::unroll);
    const PipelineParameters& parameters = toy->pipeline();
    const Supply supply = Supply::of(unrolled.body(), parameters.front_end, FrontEndSizes::of(parameters, false));
    return *decode_cycles(parameters.front_end, unrolled, supply);
  }
  FrontendResult bounds(LoopMode mode) const { return frontend_bounds(*toy, region(mode)); }
};

double component(const FrontendResult& result, const std::string& name) {
  for (const auto& [key, cycles] : result.components)
    if (key == name) return cycles;
  return -1;
}

} // namespace

TEST_CASE("compare and jump fuse to one uop") {
  const Built built(intel(), {add_immediate(rax, 1), compare(rax, rbx), jump()});
  CHECK(built.fuses(2));
  const auto result = built.bounds(LoopMode::loop);
  CHECK(result.fused_uops == 2.0);
  CHECK(component(result, "rename") == 0.5);
  CHECK(component(result, "taken_branch") == 1.0);
}

TEST_CASE("every taken branch of the path counts, however the core is fetched but for a loop buffer") {
  PipelineParameters parameters = intel();
  parameters.front_end.loop_buffer = false;
  Instruction jmp = Builder("jmp rel").branch().length(2);
  jmp.branch = Branch::unconditional;
  Instruction skipped = jump(), behind = nop(1);
  skipped.address = 100;
  behind.address = 102;
  const auto cycles = [&](PipelineParameters with, std::vector<Instruction> list, LoopMode mode) {
    return component(Built(std::move(with), std::move(list)).bounds(mode), "taken_branch");
  };
  CHECK(cycles(parameters, {jmp, nop(1), jmp, jmp, jump()}, LoopMode::loop) == 4.0);
  CHECK(cycles(parameters, {jmp, nop(1), jmp, nop(1)}, LoopMode::unroll) == 2.0);
  CHECK(cycles(parameters, {skipped, behind, jump()}, LoopMode::loop) == 1.0);
  behind.address = 140;
  CHECK(cycles(parameters, {skipped, behind, jump()}, LoopMode::loop) == 2.0);
  parameters.front_end.taken_branches_per_cycle = 2;
  CHECK(cycles(parameters, {jmp, nop(1), jmp, jmp, jump()}, LoopMode::loop) == 2.0);
  parameters.front_end.loop_buffer = true;
  CHECK(cycles(parameters, {jmp, nop(1), jmp, jmp, jump()}, LoopMode::loop) == 0.5);
}

TEST_CASE("no fusion: other flags between, a jump at a multiple of 64, memory destinations, no rule") {
  CHECK_FALSE(Built(intel(), {compare(rax, rbx), nop(4), jump()}).fuses(2));
  PipelineParameters parameters = intel();
  parameters.front_end.fusion_blocked_branch_offset_mod_64 = 0;
  CHECK_FALSE(Built(parameters, {compare(rax, rbx), jump()}, 61).fuses(1));
  CHECK(Built(parameters, {compare(rax, rbx), jump()}, 60).fuses(1));
  const Instruction stored =
      Builder("add m64, r64").memory(rsi, 0, 8, true, true).operands({in(rax)}).flags(false, true).mnemonic("add");
  CHECK_FALSE(Built(intel(), {stored, jump()}).fuses(1));
  PipelineParameters none = intel();
  none.rules.clear();
  CHECK_FALSE(Built(none, {compare(rax, rbx), jump()}).fuses(1));
}

TEST_CASE("a compare with memory and an immediate does not fuse unless the rule says so") {
  const Instruction memory =
      Builder("cmp m64, i8").memory(rsi, 0, 8, true, false).immediate().flags(false, true).mnemonic("cmp");
  CHECK_FALSE(Built(intel(), {memory, jump()}).fuses(1));
  PipelineParameters parameters = intel();
  parameters.rules[0].producer.memory_and_immediate.reset();
  CHECK(Built(parameters, {memory, jump()}).fuses(1));
}

TEST_CASE("globs") {
  CHECK(matches_glob("j*", "jne"));
  CHECK(matches_glob("b.*", "b.ne"));
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("c*p", "cmp"));
  CHECK_FALSE(matches_glob("j*", "cmp"));
  CHECK_FALSE(matches_glob("cmp", "cmpx"));
}

TEST_CASE("predecoder, unrolled: five instructions a cycle, sixteen bytes a cycle") {
  // Eight 2-byte instructions fill a block: two cycles.
  CHECK(*predecode_cycles(intel().front_end,
                          Built(intel(), std::vector<Instruction>(8, nop(2))).region(LoopMode::unroll)) == 2.0);
  // Four 4-byte instructions fill a block in one.
  CHECK(*predecode_cycles(intel().front_end,
                          Built(intel(), std::vector<Instruction>(4, nop(4))).region(LoopMode::unroll)) == 1.0);
}

TEST_CASE("predecoder: the published example of length-changing prefixes") {
  // 66-prefixed ADD with a 16-bit immediate (4 bytes, opcode at byte 1) and DEC r15 (3 bytes), unrolled: 3.4375.
  Instruction prefixed = nop(4);
  prefixed.length_changing_prefix = true;
  prefixed.opcode_offset_bytes = 1;
  Instruction decrement = nop(3);
  decrement.opcode_offset_bytes = 1;
  const Built built(intel(), {prefixed, decrement});
  CHECK(*predecode_cycles(intel().front_end, built.region(LoopMode::unroll)) == doctest::Approx(3.4375));
}

TEST_CASE("decoders: four simple instructions a cycle, one complex") {
  CHECK(Built(intel(), std::vector<Instruction>(8, nop(1))).decode_unrolled() == 2.0);
  const Instruction slow = Builder("slow r64").operands({inout(rax)});
  CHECK(Built(intel(), {slow, slow}).decode_unrolled() == 2.0);
  CHECK(Built(intel(), {slow, nop(1)}).decode_unrolled() == 2.0); // nothing decodes beside it
}

TEST_CASE("uop cache: a body in one block starts anew in the next cycle only") {
  const Built one_block(intel(), {nop(4), nop(4), nop(4), nop(4), nop(4), nop(4), jump()});
  CHECK(component(one_block.bounds(LoopMode::loop), "uop_cache") == 2.0);
  const Built two_blocks(intel(), std::vector<Instruction>(9, nop(4)));
  CHECK(component(two_blocks.bounds(LoopMode::loop), "uop_cache") == 1.5);
}

TEST_CASE("JCC erratum: a branch at the end of a 32-byte block sends the loop to the decoders") {
  PipelineParameters parameters = intel();
  const std::vector<Instruction> body{nop(9), nop(9), nop(9), compare(rax, rbx), jump()}; // ends at byte 32
  CHECK(Built(parameters, body).bounds(LoopMode::loop).supplier == "uop_cache");
  parameters.front_end.jcc_erratum = true;
  CHECK(Built(parameters, body).bounds(LoopMode::loop).supplier == "decoders");
  CHECK(Built(parameters, body, 8).bounds(LoopMode::loop).supplier == "uop_cache");
}

TEST_CASE("loop buffer: whole groups of issue, unless copies fill them") {
  PipelineParameters parameters = intel();
  parameters.front_end.loop_buffer = true;
  const auto cycles = [&] {
    const Built built(parameters, {nop(4), nop(4), nop(4), nop(4), jump()});
    return component(built.bounds(LoopMode::loop), "loop_buffer");
  };
  CHECK(cycles() == 1.25); // nobody says where a fill ends
  parameters.front_end.loop_buffer_copies_known = true;
  CHECK(cycles() == 2.0);
  parameters.front_end.loop_buffer_copies = {{1, 8, 4}};
  CHECK(cycles() == 1.25);
}

TEST_CASE("unrolled code comes from the decoders") {
  const auto result = Built(intel(), {nop(4), nop(4)}).bounds(LoopMode::unroll);
  CHECK(result.supplier == "decoders");
  CHECK(component(result, "decode") == 0.5);
  CHECK(component(result, "taken_branch") == -1);
}

TEST_CASE("a model without front-end parameters has rename alone") {
  PipelineParameters parameters = pipeline();
  parameters.back_end.retire_width.reset();
  const auto result = Built(parameters, {nop(4), nop(4)}).bounds(LoopMode::loop);
  REQUIRE(result.components.size() == 1);
  CHECK(result.limiting == "rename");
  CHECK(result.supplier.empty());
}
