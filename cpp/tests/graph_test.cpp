#include "cpp/lower/graph.hpp"

#include "cpp/bounds/cycles.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

using namespace corecast;
using namespace corecast::toy;

namespace {

DependencyGraph build(const Machine& machine, const Code& code) {
  std::vector<const FormEntry*> entries;
  for (const Instruction* instruction : code.pointers)
    entries.push_back(machine.lookup(*instruction).entry);
  return build_graph(machine, code.pointers, entries);
}

double carried(const Machine& machine, const Code& code) {
  return loop_carried_bound(build(machine, code));
}

Instruction multiply(RegisterId to, RegisterId from) {
  return Builder("imul r64, r64").operands({inout(to), in(from)}).flags(false, true);
}

} // namespace

TEST_CASE("a register chain through two instructions") {
  const auto toy = machine(basic_rows);
  CHECK(carried(*toy, {multiply(rax, rbx), add_immediate(rax, 1)}) == 4.0);
}

TEST_CASE("latency belongs to the operand pair: late forwarding of an accumulator") {
  const auto toy = machine(row("fma x, x, x", "1*p01", "2->1:4;3->1:4;1->1:2"));
  const Instruction accumulate = Builder("fma x, x, x").operands({inout(xmm0), in(xmm1), in(xmm2)});
  const Instruction through_factor = Builder("fma x, x, x").operands({inout(xmm1), in(xmm0), in(xmm2)});
  CHECK(carried(*toy, {accumulate}) == 2.0);
  CHECK(carried(*toy, {accumulate, through_factor}) == 8.0); // both ways through a factor: no forwarding
}

TEST_CASE("a zero idiom cuts the chain") {
  const auto toy = machine(basic_rows);
  const Instruction zero = Builder("xor r32, r32").operands({inout(rax, Part::low32), in(rax, Part::low32)}).same();
  CHECK(carried(*toy, {multiply(rax, rbx)}) == 3.0);
  CHECK(carried(*toy, {zero, multiply(rax, rbx)}) == 0.0);
}

TEST_CASE("an eliminated move costs nothing in a chain") {
  const auto toy = machine(basic_rows);
  const Instruction copy = Builder("mov r64, r64").operands({out(rbx), in(rax)});
  CHECK(carried(*toy, {copy, multiply(rbx, rcx), Builder("mov r64, r64").operands({out(rax), in(rbx)})}) == 3.0);
}

TEST_CASE("store to load: the core's forwarding latency, over as many iterations as the addresses say") {
  const auto toy = machine(basic_rows);
  // x[i] = x[i - d] + 1: forward 4, add 1.
  for (const std::int64_t distance : {1, 2, 4}) {
    const Code code{load(rax, rsi, -8 * distance), add_immediate(rax, 1), store(rsi, rax), add_immediate(rsi, 8)};
    CHECK(carried(*toy, code) == doctest::Approx(std::max(1.0, 5.0 / static_cast<double>(distance))));
  }
}

TEST_CASE("a read-modify-write of memory chains through the store buffer") {
  const auto toy =
      machine(basic_rows + row("add m64, r64", "1*p23+1*ALU+1*p237+1*p4", "mem->mem:6;addr->mem:6;2->mem:5", "2/4/2"));
  const Instruction update =
      Builder("add m64, r64").memory(rsi, 0, 8, true, true).operands({in(rax)}).flags(false, true);
  CHECK(carried(*toy, {update}) == 5.0); // forward 4, add 1
}

TEST_CASE("a load that its store covers in part only is reported") {
  const auto toy = machine(basic_rows + row("mov m32, r32", "1*p237+1*p4", "2->mem:4", "1/2/1"));
  const Instruction narrow = Builder("mov m32, r32").memory(rsi, 0, 4, false, true).operands({in(rax)});
  CHECK(build(*toy, {narrow, load(rbx, rsi)}).unforwarded == std::vector<std::uint32_t>{1});
}

TEST_CASE("a pointer chase: faster where the core says so") {
  PipelineParameters parameters = pipeline();
  const auto plain = machine(basic_rows, parameters);
  parameters.memory.fast_pointer_chasing = true;
  parameters.memory.fast_pointer_chasing_latency_cycles = 4;
  const auto fast = machine(basic_rows, parameters);
  CHECK(carried(*plain, {load(rax, rax)}) == 5.0);
  CHECK(carried(*fast, {load(rax, rax)}) == 4.0);
  CHECK(carried(*fast, {load(rax, rax, 2048)}) == 5.0);
  CHECK(carried(*fast, {load(rax, rax), add_immediate(rax, 8)}) == 6.0); // the base comes from an addition
}

TEST_CASE("a pointer chase with an index: faster where an idiom made the index 0") {
  PipelineParameters parameters = pipeline();
  parameters.memory.fast_pointer_chasing = true;
  parameters.memory.fast_pointer_chasing_latency_cycles = 4;
  const auto without = machine(basic_rows, parameters);
  parameters.memory.fast_pointer_chasing_with_index = true;
  const auto with = machine(basic_rows, parameters);
  const Instruction indexed = Builder("mov r64, m64").operands({out(rax)}).memory(rax, 0, 8, true, false).index(rcx, 1);
  const Instruction zero = Builder("xor r32, r32").operands({out(rcx), in(rcx)}).same();
  const Instruction added = Builder("add r64, r64").operands({inout(rcx), in(rbx)});
  CHECK(carried(*with, {zero, indexed}) == 4.0);
  CHECK(carried(*with, {indexed, zero}) == 4.0); // of the iteration before
  CHECK(carried(*with, {indexed}) == 5.0);       // set by code before the loop, which seldom makes it 0
  CHECK(carried(*with, {added, indexed}) == 5.0);
  CHECK(carried(*without, {zero, indexed}) == 5.0);
}

TEST_CASE("a pointer chase beyond the first-level cache takes the latency of its loads on every core") {
  PipelineParameters parameters = pipeline();
  parameters.memory.fast_pointer_chasing = true;
  parameters.memory.fast_pointer_chasing_latency_cycles = 4;
  const auto chase = [&](const MemoryParameters& memory) {
    parameters.memory = memory;
    return carried(*machine(basic_rows, parameters), {load(rax, rax)});
  };
  MemoryParameters all = parameters.memory, some = parameters.memory, named = parameters.memory;
  all.extra_load_latency_cycles = 95;
  CHECK(chase(all) == 100);
  some.late_loads = {{"", 0.5, 0}, {"", 0.5, 95}};
  CHECK(chase(some) == 52); // 4 where the data are near, 100 where they are not
  named.late_loads = {{"rsi", 1, 95}};
  CHECK(chase(named) == 4);
  named.late_loads = {{"rsi", 1, 10}, {"rax", 1, 95}};
  CHECK(chase(named) == 100);
}

TEST_CASE("8-bit writes keep the rest of the register") {
  const auto toy = machine(basic_rows);
  const Instruction byte = Builder("mov r8, r8").operands({out(rax, Part::low8), in(rbx, Part::low8)});
  CHECK(carried(*toy, {byte, multiply(rax, rcx)}) == 4.0);
  const Instruction word = Builder("mov r64, m64").operands({out(rax, Part::low32)}).memory(rsi, 0, 4, true, false);
  CHECK(carried(*toy, {word, multiply(rax, rcx)}) == 0.0); // 32-bit writes clear the upper half
}

TEST_CASE("high bytes: renamed apart on some cores, merged on others") {
  PipelineParameters parameters = pipeline();
  parameters.rename.high8_merge_ports = {"1", "5"};
  const Instruction low = Builder("mov r8, r8").operands({out(rax, Part::low8), in(rbx, Part::low8)});
  const Instruction high = Builder("mov r8, r8").operands({out(rax, Part::high8), in(rax, Part::high8)});
  const auto merged = machine(basic_rows, parameters);
  CHECK(carried(*merged, {low, high}) == 2.0);
  parameters.rename.high8_renamed_separately = true;
  const auto apart = machine(basic_rows, parameters);
  CHECK(carried(*apart, {low, high}) == 1.0);
  // Reading the whole register needs a merge uop.
  const auto graph = build(*apart, {high, multiply(rbx, rax)});
  REQUIRE(graph.extra_uops.size() == 1);
  CHECK(graph.extra_uops[0].ports == 0b100010);
}

TEST_CASE("the stack engine: pushes do not wait for each other, explicit reads of rsp pay for it") {
  PipelineParameters parameters = pipeline();
  parameters.back_end.integer_alu_ports = {"0", "1", "5", "6"};
  const Instruction push = Builder("push r64")
                               .operands({in(rax)})
                               .implicit(inout(rsp))
                               .memory(0, -8, 8, false, true)
                               .affine(rsp, -8, {{rsp, 1}});
  const Instruction read = Builder("add r64, r64").operands({inout(rbx), in(rsp)}).flags(false, true);
  const auto plain = machine(basic_rows, parameters);
  CHECK(carried(*plain, {push}) == 1.0);
  parameters.front_end.stack_engine = true;
  const auto engine = machine(basic_rows, parameters);
  CHECK(carried(*engine, {push}) == 0.0);
  CHECK(build(*engine, {push, read}).extra_uops.size() == 1);
  // Cores whose addresses add the offset: other uses of rsp need the uop, which takes no port where there is no offset.
  parameters.front_end.stack_offset_in_addresses = true;
  const auto adding = machine(basic_rows, parameters);
  const Instruction load = Builder("mov r64, m64").operands({out(rbx)}).memory(rsp, 8, 8, true, false);
  CHECK(build(*adding, {push, load}).extra_uops.empty());
  REQUIRE(build(*adding, {push, read}).extra_uops.size() == 1);
  CHECK(build(*adding, {push, read}).extra_uops[0].ports == 0b100010 + 0b1000001);
  REQUIRE(build(*adding, {read}).extra_uops.size() == 1);
  CHECK(build(*adding, {read}).extra_uops[0].ports == 0);
  // Neither what writes rsp nor steps that cancel do away with it.
  const Instruction back_up = Builder("pop r64")
                                  .operands({out(rbx)})
                                  .implicit(inout(rsp))
                                  .memory(0, 0, 8, true, false)
                                  .affine(rsp, 8, {{rsp, 1}});
  CHECK(build(*adding, {push, back_up, read}).extra_uops[0].ports == 0b100010 + 0b1000001);
  parameters.stack_synchronisation_ports = {"0", "6"};
  const auto apart = build(*machine(basic_rows, parameters), {push, read}).extra_uops;
  REQUIRE(apart.size() == 1);
  CHECK(apart[0].ports == 0b1000001);
  CHECK(apart[0].joins_operation);
  parameters.stack_synchronisation_ports = {};
  CHECK(build(*engine, {push, load}).extra_uops.size() == 1);
  CHECK(build(*engine, {read}).extra_uops.empty());
  parameters.front_end.stack_offset_in_addresses = false;
  // Two pushes an iteration: the offset of 8 bits is full after 16, one in eight iterations.
  const auto overflowing = build(*engine, {push, push}).extra_uops;
  REQUIRE(overflowing.size() == 2);
  CHECK(overflowing[0].per_iteration + overflowing[1].per_iteration == doctest::Approx(1.0 / 8));
  CHECK(overflowing[1].stack_step_bytes == -8);
  // What brings the pointer back in every iteration keeps the offset small.
  const Instruction back = Builder("pop r64")
                               .operands({out(rbx)})
                               .implicit(inout(rsp))
                               .memory(0, 0, 8, true, false)
                               .affine(rsp, 8, {{rsp, 1}});
  CHECK(
      build(*machine(basic_rows + row("pop r64", "1*p23", "addr->1:5"), parameters), {push, back}).extra_uops.empty());
  // A pop still waits for the instruction that set rsp: 5 for the load, 1 for the addition.
  const Instruction pop = Builder("pop r64")
                              .operands({out(rbx)})
                              .implicit(inout(rsp))
                              .memory(0, 0, 8, true, false)
                              .affine(rsp, 8, {{rsp, 1}});
  const Instruction set = Builder("add r64, r64").operands({inout(rsp), in(rbx)}).flags(false, true);
  CHECK(carried(*machine(basic_rows + row("pop r64", "1*p23", "addr->1:5"), parameters), {set, pop}) == 6.0);
}

TEST_CASE("an unknown latency counts as one cycle, an unknown instruction has none") {
  const auto toy = machine(basic_rows + row("odd r64, r64", "?", "?"));
  const Instruction odd = Builder("odd r64, r64").operands({inout(rax), in(rbx)});
  const Instruction missing = Builder("strange r64, r64").operands({inout(rax), in(rbx)});
  CHECK(carried(*toy, {odd}) == 1.0);
  CHECK(carried(*toy, {missing}) == 0.0);
  CHECK(build(*toy, {odd, missing}).unknown_latencies == 1);
}

TEST_CASE("text that cannot be read may write anything: no chain leads through it") {
  const auto toy = machine(basic_rows);
  const Instruction multiply = Builder("imul r64, r64").operands({inout(rax), in(rbx)}).flags(false, true);
  Instruction unread = Builder("frobnicate");
  unread.unknown = true;
  CHECK(carried(*toy, {multiply, multiply}) == 6.0);
  CHECK(carried(*toy, {multiply, unread, multiply}) == 0.0);
  CHECK(critical_path(build(*toy, {multiply, unread, multiply})).cycles == 3.0);
}

TEST_CASE("a row may list a dependency on a register that is only written") {
  const Instruction count = Builder("popcnt r64, r64").operands({out(rax), in(rbx)});
  CHECK(carried(*machine(row("popcnt r64, r64", "1*p1", "2->1:3;1->1:3")), {count}) == 3.0);
  CHECK(carried(*machine(row("popcnt r64, r64", "1*p1", "2->1:3")), {count}) == 0.0);
}

TEST_CASE("critical path of load, add, store ends with the store's latency") {
  const auto toy = machine(basic_rows);
  const auto path = critical_path(build(*toy, {load(rax, rsi), add_immediate(rax, 1), store(rdi, rax)}));
  CHECK(path.cycles == 10.0);
  CHECK(path.instructions == std::vector<std::uint32_t>{0, 1, 2});
}
