// What Redwood Cove's renamer and front end do beside older cores: copies joined with what follows, flags that arrive
// late, additions that cost nothing, memory that is renamed.
#include "cpp/bounds/cycles.hpp"
#include "cpp/bounds/demands.hpp"
#include "cpp/lower/addresses.hpp"
#include "cpp/lower/region.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace corecast;
using namespace corecast::toy;

namespace {

const std::string rows = basic_rows + row("dec r64", "", "1->1:0;1->flags:1", "1/0/1") +
                         row("mov r32, r32 @same", "", "2->1:1") +
                         row("test r64, r64", "1*p0156", "1->flags:2;2->flags:2") +
                         row("cmov r64, r64", "1*p06", "1->1:1;2->1:1;flags->1:1") +
                         row("add m64, r64", "1*p0156+1*p23+1*p237+1*p4", "mem->mem:6;2->mem:1", "2/4/2") +
                         row("shl r64, i8", "1*p06", "1->1:1") + row("movsx r64, m64", "1*p23", "addr->1:5") +
                         row("cmp r64, m64", "1*p0156+1*p23", "1->flags:1;addr->flags:6") +
                         row("add m64, i8", "1*p0156+1*p23+1*p237+1*p4", "mem->mem:6", "2/4/2");

/// Copies of registers in loops, loads everywhere.
PipelineParameters copying() {
  PipelineParameters out = pipeline();
  for (const char* copy : {"mov r64, r64", "mov r64, m64"}) {
    Rule rule = fusing({copy}, {"add r64, r64"});
    rule.consumer.access = AccessKind::none;
    rule.consumer.max_uops = 1;
    rule.consumer.changes_copy = true;
    rule.loops_only = copy == std::string("mov r64, r64");
    out.rules.push_back(rule);
  }
  return out;
}

PipelineParameters decrementing() {
  PipelineParameters out = pipeline();
  out.rules.push_back(fusing({"dec"}, {"j*"}));
  return out;
}

/// What flags of logic do to conditional moves.
Rule slow_flags() {
  Rule rule;
  rule.producer.mnemonics = {"test"};
  rule.consumer.mnemonics = {"cmov*"};
  rule.through = Through::flags;
  rule.delays = Delays::other_inputs;
  rule.cycles = 1;
  return rule;
}

Rule late_constants() {
  Rule rule;
  rule.producer.added_by_renaming = true;
  rule.consumer.mnemonics = {"shl"};
  rule.cycles = 2;
  return rule;
}

/// Loads that the core renames, but of words, indexed addresses, and those that go with another register.
std::vector<Rule> renamed_loads(const std::vector<std::string>& except) {
  Rule wide;
  wide.effect = Effect::rename_memory;
  wide.producer.indexed = false;
  wide.consumer.indexed = wide.consumer.pc_relative = wide.consumer.register_update = wide.consumer.begins_pair = false;
  wide.consumer.width_bytes = {4, 8};
  wide.consumer.except = except;
  Rule bytes = wide;
  bytes.producer.width_bytes = {1, 4, 8};
  bytes.consumer.width_bytes = {1};
  return {wide, bytes};
}

struct Found {
  Found(const PipelineParameters& parameters, std::initializer_list<Instruction> list)
      : toy(machine(rows, parameters)), code(list), entries(entries_of(*toy, code)),
        region(*toy, code.pointers, entries, {LoopMode::loop, 0, true, nullptr}) {}
  double carried() const { return loop_carried_bound(region.graph); }
  double demand(PortMask ports) const {
    double cycles = 0;
    for (const PortDemand& demand : port_demands(*toy, region))
      if ((demand.mask & ~ports) == 0) cycles += demand.count;
    return cycles;
  }

  std::unique_ptr<Machine> toy;
  Code code;
  std::vector<const FormEntry*> entries;
  Region region;
};

Instruction multiply(RegisterId to, RegisterId from) {
  return Builder("imul r64, r64").operands({inout(to), in(from)}).flags(false, true);
}
Instruction compare(RegisterId a, RegisterId b) {
  return Builder("cmp r64, r64").operands({in(a), in(b)}).flags(false, true);
}
Instruction jump() {
  Instruction out = Builder("jne rel").flags(true, false);
  out.branch = Branch::conditional;
  return out;
}
Instruction copy(RegisterId to, RegisterId from) {
  return Builder("mov r64, r64").operands({out(to), in(from)});
}
Instruction add(RegisterId to, RegisterId from) {
  return Builder("add r64, r64").operands({inout(to), in(from)}).flags(false, true);
}
Instruction decrement(RegisterId reg) {
  return Builder("dec r64").operands({inout(reg)}).flags(false, true);
}

} // namespace

TEST_CASE("a copy is joined with the operation on it") {
  CHECK(Found(copying(), {copy(rax, rbx), add(rax, rcx)}).region.fused_seconds[1]);
  CHECK_FALSE(Found(copying(), {copy(rax, rbx), add(rcx, rax)}).region.fused_seconds[1]);
  CHECK_FALSE(Found(copying(), {copy(rax, rbx), multiply(rax, rcx)}).region.fused_seconds[1]);
  CHECK_FALSE(Found(pipeline(), {copy(rax, rbx), add(rax, rcx)}).region.fused_seconds[1]);
}

TEST_CASE("a load that is joined with an operation still loads") {
  const Found joined(copying(), {load(rax, rsi, 0), add(rax, rcx)});
  CHECK(joined.region.fused_seconds[1]);
  CHECK(joined.demand(0b1100) == 1.0);
}

TEST_CASE("what the renamer does is executed where it is joined with a branch") {
  CHECK(Found(pipeline(), {decrement(rcx), jump()}).carried() == 0.0);
  const PipelineParameters parameters = decrementing();
  CHECK(Found(parameters, {decrement(rcx), jump()}).carried() == 1.0);
}

TEST_CASE("what the renamer does is executed where it is joined with a copy") {
  const auto code = {copy(rax, rcx), decrement(rax), copy(rcx, rax)};
  CHECK(Found(copying(), code).carried() == 0.0);
  PipelineParameters parameters = copying();
  parameters.rules.push_back(fusing({"mov r64, r64"}, {"dec"}));
  parameters.rules.back().consumer.changes_copy = true;
  CHECK(Found(parameters, code).region.fused_seconds[1]);
  CHECK(Found(parameters, code).carried() == 1.0); // its flags are there as soon
}

TEST_CASE("conditional moves take longer where flags come from logic") {
  const Instruction test = Builder("test r64, r64").operands({in(rbx), in(rbx)}).flags(false, true);
  const Instruction move = Builder("cmov r64, r64").operands({inout(rax), in(rcx)}).flags(true, false);
  PipelineParameters parameters = pipeline();
  CHECK(Found(parameters, {test, move}).carried() == 1.0);
  parameters.rules.push_back(slow_flags());
  CHECK(Found(parameters, {test, move}).carried() == 2.0);
  CHECK(Found(parameters, {compare(rbx, rcx), move}).carried() == 1.0);
}

TEST_CASE("what cannot take a register with a constant waits for their sum") {
  const Instruction shift = Builder("shl r64, i8").operands({inout(rcx)});
  const Instruction copied = Builder("shl r64, i8").operands({inout(rax)});
  const Instruction there = Builder("mov r64, r64").operands({out(rax), in(rcx)});
  const Instruction back = Builder("mov r64, r64").operands({out(rcx), in(rax)});
  const Instruction extended = Builder("mov r32, r32").operands({out(rcx), in(rcx)}).same();
  PipelineParameters parameters = pipeline();
  CHECK(Found(parameters, {decrement(rcx), shift}).carried() == 1.0);
  parameters.rules.push_back(late_constants());
  CHECK(Found(parameters, {decrement(rcx), shift}).carried() == 3.0);
  CHECK(Found(parameters, {decrement(rcx), shift, shift}).carried() == 4.0); // the second finds no constant
  CHECK(Found(parameters, {decrement(rcx), multiply(rcx, rax)}).carried() == 3.0);
  CHECK(Found(parameters, {extended, shift}).carried() == 2.0); // executed, on ports that nobody knows
  CHECK(Found(parameters, {decrement(rcx), there, copied, back}).carried() == 3.0);
  CHECK(Found(parameters, {shift, decrement(rcx), jump()}).carried() == 3.0);
  parameters.rules.push_back(fusing({"dec"}, {"j*"}));
  CHECK(Found(parameters, {shift, decrement(rcx), jump()}).carried() == 2.0); // the pair is executed
}

TEST_CASE("what takes a constant that the renamer added keeps its port longer") {
  PipelineParameters parameters = pipeline();
  parameters.rules = {late_constants()};
  const Instruction shift = Builder("shl r64, i8").operands({inout(rcx)}).immediate();
  const double alone = Found(parameters, {decrement(rcx), shift}).demand(~PortMask{0});
  parameters.rules.back().port_cycles = 1;
  CHECK(Found(parameters, {decrement(rcx), shift}).demand(~PortMask{0}) == alone + 1);
  CHECK(Found(parameters, {decrement(rax), shift}).demand(~PortMask{0}) == alone);
  CHECK(Found(parameters, {decrement(rcx), shift, shift}).demand(~PortMask{0}) == 2 * alone + 1);
}

TEST_CASE("a core that predicts loads may rename no others") {
  PipelineParameters parameters = copying();
  parameters.memory.renamed_latency_cycles = 0;
  parameters.memory.renamed_loads_predicted = 2;
  for (const Rule& rule : renamed_loads({}))
    parameters.rules.push_back(rule);
  const Instruction update = Builder("add m64, i8").memory(rsi, 0, 8, true, true).immediate();
  const auto carried = [&](LoopMode mode) {
    const auto toy = machine(rows, parameters);
    const Code code({update});
    const auto entries = entries_of(*toy, code);
    return loop_carried_bound(Region(*toy, code.pointers, entries, {mode, 0, true, nullptr}).graph);
  };
  CHECK(carried(LoopMode::unroll) == 1.0); // the registers' names tell
  parameters.memory.only_predicted_renamed = true;
  CHECK(carried(LoopMode::loop) == 1.0);
  CHECK(carried(LoopMode::unroll) == 5.0);
}

TEST_CASE("memory is renamed where no operation with another register goes with the load") {
  PipelineParameters parameters = copying();
  parameters.memory.renamed_latency_cycles = 0;
  const std::vector<Rule> pairs = parameters.rules;
  const auto rename_but = [&](const std::vector<std::string>& except) {
    parameters.rules = pairs;
    for (const Rule& rule : renamed_loads(except))
      parameters.rules.push_back(rule);
  };
  rename_but({});
  const Instruction by_constant = Builder("add m64, i8").memory(rsi, 0, 8, true, true).immediate();
  const Instruction by_register = Builder("add m64, r64").memory(rsi, 0, 8, true, true).operands({in(rax)});
  CHECK(Found(parameters, {by_constant}).carried() == 1.0);
  CHECK(Found(parameters, {by_register}).carried() == 5.0); // 4 to forward, 1 to add
  CHECK(Found(parameters, {load(rax, rsi, 0), multiply(rax, rcx), store(rsi, rax)}).carried() == 3.0);
  CHECK(Found(parameters, {load(rax, rsi, 0), add(rax, rcx), store(rsi, rax)}).carried() == 5.0);
  const Instruction indexed = Builder("add m64, i8").memory(rsi, 0, 8, true, true).index(rcx, 1).immediate();
  CHECK(Found(parameters, {indexed}).carried() == 5.0);
  const Instruction signed_load = Builder("movsx r64, m64").operands({out(rax)}).memory(rsi, 0, 8, true, false);
  const Instruction compare_with =
      Builder("cmp r64, m64").operands({in(rax)}).memory(rsi, 0, 8, true, false).flags(false, true);
  const Instruction chosen = Builder("cmov r64, r64").operands({inout(rax), in(rcx)}).flags(true, false);
  CHECK(Found(parameters, {store(rsi, rax), signed_load}).carried() == 0.0);
  CHECK(Found(parameters, {store(rsi, rax), compare_with, chosen}).carried() == 2.0);
  rename_but({"movsx", "cmp r*, m*"});
  CHECK(Found(parameters, {store(rsi, rax), signed_load}).carried() == 4.0);
  CHECK(Found(parameters, {store(rsi, rax), compare_with, chosen}).carried() == 6.0);
  const auto narrow = [](std::uint32_t bytes, std::int64_t displacement) {
    return Instruction(Builder("mov r64, m64").operands({out(rax)}).memory(rsi, displacement, bytes, true, false));
  };
  CHECK(Found(parameters, {store(rsi, rax), narrow(4, 0), multiply(rax, rcx)}).carried() == 3.0);
  CHECK(Found(parameters, {store(rsi, rax), narrow(1, 0), multiply(rax, rcx)}).carried() == 3.0);
  CHECK(Found(parameters, {store(rsi, rax), narrow(2, 0), multiply(rax, rcx)}).carried() == 7.0);
  CHECK(Found(parameters, {store(rsi, rax), narrow(4, 4), multiply(rax, rcx)}).carried() == 7.0);
}

TEST_CASE("a renamer that adds its offset everywhere needs no uop for the stack pointer") {
  PipelineParameters parameters = pipeline();
  parameters.front_end.stack_engine = true;
  const Instruction push = Builder("push r64")
                               .operands({in(rax)})
                               .implicit(inout(rsp))
                               .memory(0, 0, 8, false, true)
                               .affine(rsp, -8, {{rsp, 1}});
  const Instruction read = Builder("add r64, r64").operands({inout(rbx), in(rsp)}).flags(false, true);
  CHECK(Found(parameters, {push, read}).region.graph.extra_uops.size() == 1);
  parameters.front_end.stack_synchronisation = false;
  CHECK(Found(parameters, {push, read}).region.graph.extra_uops.empty());
  CHECK(Found(parameters, {push, push}).region.graph.extra_uops.empty());
}

TEST_CASE("two stores leave together to one line, and no more") {
  MemoryParameters memory;
  memory.paired_stores_line_bytes = 64;
  memory.paired_stores_bases_aligned = true;
  const auto writes = [&](std::initializer_list<std::int64_t> displacements) {
    std::vector<Instruction> stores;
    for (const std::int64_t displacement : displacements)
      stores.push_back(store(rsi, rax, displacement));
    const Code code(std::move(stores));
    return find_store_writes(code.pointers, {}, memory);
  };
  CHECK(writes({0, 8}) == std::vector<double>{1, 0});
  CHECK(writes({0, 64}) == std::vector<double>{1, 1});
  CHECK(writes({0, 8, 16, 24}) == std::vector<double>{1, 0, 1, 0});
  CHECK(writes({56, 64, 72, 80}) == std::vector<double>{1, 1, 0, 1});
}
