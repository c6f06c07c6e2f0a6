// Reasons of stalls: every cycle has one, and it is the right one where a loop has one bottleneck.
#include "cpp/sim/simulator.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

namespace corecast {
namespace {

using sim::Full;
using sim::Stall;
using toy::Builder;
using toy::Code;

const std::string rows = toy::basic_rows + toy::row("div r64", "1*p0", "*->*:14", "1", "", "DIV:4") +
                         toy::row("nop", "", "", "1") + toy::row("slow r64", "1*p0", "*->*:40") +
                         toy::row("vadd xmm, xmm", "1*p1", "*->*:20");

Instruction imul(RegisterId to, RegisterId from) {
  return Builder("imul r64, r64").operands({toy::inout(to), toy::in(from)});
}
Instruction write(const char* form, RegisterId to) {
  return Builder(form).operands({toy::out(to)});
}

sim::Observation observe(const Code& code, const PipelineParameters& pipeline, std::uint32_t timeline = 0) {
  const auto machine = toy::machine(rows, pipeline);
  sim::ObserveOptions options;
  options.timeline_iterations = timeline;
  const sim::Observation out = sim::observe(*machine, code.pointers, options);
  const sim::Simulation alone = sim::simulate(*machine, code.pointers, options.simulate);
  CHECK(out.simulation.cycles_per_iteration == alone.cycles_per_iteration); // watching changes nothing
  return out;
}

/// Cycles per iteration by cause and full buffer.
double cycles(const sim::Observation& seen, Stall cause, Full full) {
  double sum = 0;
  for (const sim::StallShare& share : seen.stalls)
    if (share.cause == cause && share.full == full) sum += share.cycles;
  return sum;
}

double counter(const sim::Observation& seen, const std::string& name) {
  for (const auto& [key, value] : seen.simulation.counters)
    if (key == name) return value;
  FAIL("no counter ", name);
  return 0;
}

/// The largest share that is not a full group.
sim::StallShare worst(const sim::Observation& seen) {
  for (const sim::StallShare& share : seen.stalls)
    if (share.cause != Stall::none) return share;
  return {};
}

TEST_CASE("shares and rename states add up to the cycles") {
  PipelineParameters small = toy::pipeline();
  small.back_end.reorder_buffer_entries = 24;
  small.memory.load_queue_entries = 5;
  small.memory.store_queue_entries = 3;
  small.memory.stores_per_cycle = 1;
  small.back_end.integer_registers = 30;
  const Code loops[] = {
      Code{imul(toy::rax, toy::rbx)},
      Code{toy::load(toy::rax, toy::rsi), imul(toy::rax, toy::rbx), toy::store(toy::rdi, toy::rax)},
      Code{write("div r64", toy::rax), toy::add_immediate(toy::rsi, 8), toy::load(toy::rcx, toy::rsi)}};
  for (const PipelineParameters& pipeline : {toy::pipeline(), small})
    for (const Code& code : loops) {
      const sim::Observation seen = observe(code, pipeline);
      double sum = 0;
      for (const sim::StallShare& share : seen.stalls)
        sum += share.cycles;
      const double total = seen.simulation.cycles_per_iteration;
      CHECK(sum == doctest::Approx(total).epsilon(1e-12));
      double by_cause = 0;
      for (const auto& stall : seen.simulation.stalls)
        by_cause += stall.second;
      CHECK(by_cause == doctest::Approx(total).epsilon(1e-12));
      CHECK(counter(seen, "rename.idleCycles") + counter(seen, "rename.blockedCycles") +
                counter(seen, "rename.runCycles") + counter(seen, "rename.unblockCycles") ==
            doctest::Approx(total).epsilon(1e-12));
      CHECK(counter(seen, "numCycles") == doctest::Approx(total).epsilon(1e-12));
    }
}

TEST_CASE("a chain that the reorder buffer cannot look past is the producer's latency") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.back_end.reorder_buffer_entries = 16;
  const Code code{write("nop", toy::rcx), imul(toy::rax, toy::rbx), imul(toy::rax, toy::rbx)};
  const sim::Observation seen = observe(code, pipeline);
  CHECK(seen.simulation.cycles_per_iteration == 6);
  CHECK(cycles(seen, Stall::operand_latency, Full::reorder_buffer) > 4);
  CHECK(cycles(seen, Stall::port_busy, Full::reorder_buffer) == 0);
  CHECK((worst(seen).instruction == 1 || worst(seen).instruction == 2));
  CHECK(seen.simulation.bottleneck == "dependency");
}

TEST_CASE("independent work of long latency is bound by the reorder buffer alone") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.back_end.reorder_buffer_entries = 8;
  const Code code{write("slow r64", toy::rax), write("nop", toy::rbx), write("nop", toy::rcx), write("nop", toy::rdx)};
  const sim::Observation seen = observe(code, pipeline);
  CHECK(seen.simulation.cycles_per_iteration > 15);
  CHECK(worst(seen).full == Full::reorder_buffer);
  CHECK(worst(seen).cause == Stall::operand_latency);
  CHECK(worst(seen).instruction == 0);
  CHECK(counter(seen, "rename.ROBFullEvents") > 15);
}

TEST_CASE("a port that is never free is blamed, whatever the buffer") {
  const Code code{write("imul r64, r64", toy::rax), write("imul r64, r64", toy::rbx), write("imul r64, r64", toy::rcx)};
  for (const bool small_scheduler : {false, true}) {
    PipelineParameters pipeline = toy::pipeline();
    pipeline.back_end.reorder_buffer_entries = 60;
    if (small_scheduler) pipeline.back_end.scheduler_entries = 20;
    const sim::Observation seen = observe(code, pipeline);
    CHECK(seen.simulation.cycles_per_iteration == 3);
    const Full full = small_scheduler ? Full::scheduler : Full::reorder_buffer;
    CHECK(cycles(seen, Stall::port_busy, full) > 1.9);
    CHECK(worst(seen).resource == 1);
    CHECK(cycles(seen, Stall::operand_latency, full) == 0);
    CHECK(counter(seen, "statFuBusy::p1") > 3);
    CHECK(seen.simulation.bottleneck == "ports");
  }
}

TEST_CASE("a port behind loads and a chain that has time is still the port's") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.back_end.reorder_buffer_entries = 64;
  // Three values a turn from a load through a multiplication: port 1 is taken all the time.
  std::vector<Instruction> list;
  for (const RegisterId reg : {toy::rax, toy::rcx, toy::rdx}) {
    list.push_back(toy::load(reg, toy::rsi));
    list.push_back(imul(reg, toy::rbx));
  }
  list.push_back(toy::add_immediate(toy::rsi, 8));
  const sim::Observation seen = observe(Code(list), pipeline);
  CHECK(seen.simulation.cycles_per_iteration == 3);
  CHECK(worst(seen).cause == Stall::port_busy);
  CHECK(worst(seen).resource == 1);
}

TEST_CASE("a divider is blamed as a unit") {
  const sim::Observation seen = observe(Code{write("div r64", toy::rax), write("nop", toy::rbx)}, toy::pipeline());
  CHECK(seen.simulation.cycles_per_iteration == 4);
  CHECK(worst(seen).cause == Stall::unit_busy);
  CHECK(worst(seen).resource == 8); // behind the eight ports
  CHECK(worst(seen).instruction == 0);
  CHECK(counter(seen, "statFuBusy::DIV") > 3);
  CHECK(seen.simulation.bottleneck == "unit");
}

TEST_CASE("a full load queue holds back what the reorder buffer would take") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.memory.load_queue_entries = 4;
  const Code code{toy::load(toy::rax, toy::rsi), toy::load(toy::rbx, toy::rsi, 64)};
  CHECK(observe(code, toy::pipeline()).simulation.cycles_per_iteration == 1);
  const sim::Observation seen = observe(code, pipeline);
  CHECK(seen.simulation.cycles_per_iteration > 2);
  CHECK(worst(seen).full == Full::load_queue);
  CHECK(worst(seen).cause == Stall::operand_latency); // their own five cycles
  CHECK(counter(seen, "rename.LQFullEvents") > 1);
}

TEST_CASE("stores keep their entries until they are written, one a cycle") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.memory.store_data_ports = "1*p4";
  pipeline.memory.store_queue_entries = 24;
  const auto machine_rows = toy::row("mov m64, r64", "1*p237+1*p45", "2->mem:4;addr->mem:4", "1/2/1");
  const auto machine = toy::machine(machine_rows, pipeline);
  const Code code{toy::store(toy::rsi, toy::rax), toy::store(toy::rdi, toy::rbx, 64)};
  const double unlimited = sim::observe(*machine, code.pointers, {}).simulation.cycles_per_iteration;
  pipeline.memory.stores_per_cycle = 1;
  const auto limited = toy::machine(machine_rows, pipeline);
  const sim::Observation seen = sim::observe(*limited, code.pointers, {});
  CHECK(unlimited < 2);
  CHECK(seen.simulation.cycles_per_iteration == 2);
  CHECK(worst(seen).full == Full::store_queue);
  CHECK(worst(seen).cause == Stall::store_commit);
}

TEST_CASE("written registers come back when what overwrites them retires") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.back_end.reorder_buffer_entries = 200;
  const Code code{imul(toy::rax, toy::rbx), write("nop", toy::rcx), write("nop", toy::rdx), write("nop", toy::rsi)};
  CHECK(observe(code, pipeline).simulation.cycles_per_iteration == 3);
  CHECK(counter(observe(code, pipeline), "rename.fullRegistersEvents") == 0);
  pipeline.back_end.integer_registers = 60;
  const sim::Observation seen = observe(code, pipeline);
  CHECK(seen.simulation.cycles_per_iteration == 3);
  CHECK(worst(seen).full == Full::integer_registers);
  CHECK(worst(seen).instruction == 0);
  pipeline.back_end.integer_registers.reset();
  pipeline.back_end.vector_registers = 24;
  const Code vectors{Builder("vadd xmm, xmm").operands({toy::out(toy::xmm0), toy::in(toy::xmm1)})};
  CHECK(worst(observe(vectors, pipeline)).full == Full::vector_registers);
  CHECK(counter(observe(code, pipeline), "rename.fullRegistersEvents") == 0); // the other file
}

TEST_CASE("an eliminated move takes no register") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.back_end.integer_registers = 26;
  pipeline.back_end.reorder_buffer_entries = 100;
  const Instruction move = Builder("mov r64, r64").operands({toy::out(toy::rcx), toy::in(toy::rbx)});
  const Code moves{imul(toy::rax, toy::rbx), move, move, move};
  const sim::Observation seen = observe(moves, pipeline);
  // Ten registers, one taken an iteration: the window holds ten multiplications.
  const sim::Observation writes = observe(
      Code{imul(toy::rax, toy::rbx), write("nop", toy::rcx), write("nop", toy::rdx), write("nop", toy::rsi)}, pipeline);
  CHECK(worst(writes).full == Full::integer_registers);
  CHECK(counter(seen, "eliminated_moves") == 3);
  CHECK(seen.simulation.cycles_per_iteration == 3);
}

TEST_CASE("an instruction that needs more entries than there are runs alone") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.memory.load_queue_entries = 1;
  const auto machine = toy::machine(toy::row("gather r64, m64", "4*p23", "addr->1:9", "4"), pipeline);
  const Code code{Builder("gather r64, m64").operands({toy::out(toy::rax)}).memory(toy::rsi, 0, 8, true, false)};
  const sim::Observation seen = sim::observe(*machine, code.pointers, {});
  CHECK(seen.simulation.cycles_per_iteration > 2);
  CHECK(seen.simulation.cycles_per_iteration < 60);
}

TEST_CASE("a starved rename blames the part of the front end and who did not come") {
  PipelineParameters pipeline = toy::pipeline();
  FrontEndParameters& front_end = pipeline.front_end;
  front_end.predecode_block_bytes = 16;
  front_end.predecode_width = 5;
  front_end.decoders = 4;
  front_end.complex_decoders = 1;
  front_end.microcode_width = 4;
  front_end.uop_cache_width = 6;
  front_end.uop_cache_block_bytes = 32;
  front_end.uop_queue_entries = 64;
  const Code code{Builder("nop").length(15), Builder("nop").length(15)};
  const auto machine = toy::machine(rows, pipeline);
  sim::ObserveOptions options;
  options.simulate.mode = LoopMode::unroll; // never from the uop cache
  const sim::Observation seen = sim::observe(*machine, code.pointers, options);
  CHECK(seen.simulation.cycles_per_iteration == doctest::Approx(1.875).epsilon(0.01)); // 30 bytes, 16 a cycle
  CHECK(worst(seen).cause == Stall::predecode);
  CHECK(worst(seen).full == Full::nothing);
  CHECK(worst(seen).waiting == sim::none);
  CHECK(seen.simulation.bottleneck == "frontend");
}

TEST_CASE("a timeline tells each uop's stages in order, and what it waited for") {
  const Code code{toy::load(toy::rax, toy::rsi), imul(toy::rcx, toy::rax),
                  Builder("mov r64, r64").operands({toy::out(toy::rdx), toy::in(toy::rcx)}), imul(toy::rbx, toy::rdx)};
  const sim::Observation seen = observe(code, toy::pipeline(), 3);
  const sim::Timeline& timeline = seen.timeline;
  REQUIRE(timeline.uops.size() == 12);
  CHECK_FALSE(timeline.cut);
  for (const sim::TimelineUop& uop : timeline.uops) {
    CHECK(uop.delivered < uop.renamed);
    CHECK(uop.dispatched <= uop.completed);
    CHECK(uop.completed < uop.retired);
    CHECK(uop.retired < timeline.first_cycle + static_cast<std::int32_t>(timeline.cycles.size()));
    if (uop.eliminated) continue;
    CHECK(uop.renamed < uop.ready);
    CHECK(uop.ready <= uop.dispatched);
  }
  const sim::TimelineUop& last =
      timeline.uops[3]; // its operand passes through the eliminated move, or it is late itself
  CHECK(timeline.uops[2].eliminated);
  CHECK(last.waited == sim::WaitKind::operand);
  CHECK((last.from_instruction == 1 || last.from_instruction == 3));
  for (std::size_t u = 4; u < timeline.uops.size(); ++u)
    CHECK(timeline.uops[u].renamed >= timeline.uops[u - 4].renamed);
}

TEST_CASE("a value carried from iteration to iteration names its producer") {
  const sim::Observation seen = observe(Code{imul(toy::rax, toy::rbx)}, toy::pipeline(), 2);
  REQUIRE(seen.timeline.uops.size() == 2);
  const sim::TimelineUop& uop = seen.timeline.uops[1];
  CHECK(uop.waited == sim::WaitKind::operand);
  CHECK(uop.from_instruction == 0);
  CHECK(uop.from_iteration == uop.iteration - 1);
}

TEST_CASE("a timeline may begin with the first iteration") {
  const auto machine = toy::machine(rows);
  sim::ObserveOptions options;
  options.timeline_iterations = 1;
  options.timeline_from = 0;
  const Code code{imul(toy::rax, toy::rbx)};
  const sim::Observation seen = sim::observe(*machine, code.pointers, options);
  REQUIRE(seen.timeline.uops.size() == 1);
  CHECK(seen.timeline.uops[0].iteration == 0);
  CHECK(seen.timeline.uops[0].renamed <= 4); // fetch, decode
}

TEST_CASE("a timeline has the entries that are taken and the ports that start a uop in each cycle") {
  const auto machine = toy::machine(rows);
  sim::ObserveOptions options;
  options.timeline_iterations = 6;
  options.timeline_from = 0;
  const Code code{imul(toy::rax, toy::rbx), toy::load(toy::rcx, toy::rsi)};
  const sim::Timeline timeline = sim::observe(*machine, code.pointers, options).timeline;
  REQUIRE(timeline.uops.size() == 12);
  const std::int32_t complete = timeline.uops.back().delivered; // nothing later is in the core before
  for (std::int32_t now = timeline.first_cycle; now < complete; ++now) {
    const sim::TimelineCycle& cycle = timeline.cycles[static_cast<std::size_t>(now - timeline.first_cycle)];
    sim::Occupancy expected;
    PortMask started = 0;
    for (const sim::TimelineUop& uop : timeline.uops) {
      expected.uop_queue += uop.delivered <= now && now < uop.renamed;
      expected.scheduler += uop.renamed <= now && now < uop.dispatched;
      expected.reorder_buffer += uop.renamed <= now && now < uop.retired;
      if (uop.dispatched == now) started |= PortMask{1} << uop.port;
    }
    CAPTURE(now);
    CHECK(cycle.occupancy.uop_queue == expected.uop_queue);
    CHECK(cycle.occupancy.scheduler == expected.scheduler);
    CHECK(cycle.occupancy.reorder_buffer == expected.reorder_buffer);
    CHECK(cycle.started == started);
  }
}

TEST_CASE("an unknown instruction takes a slot, adds no latency and is never blamed") {
  const Instruction odd = Builder("odd r64, r64").operands({toy::inout(toy::rax), toy::in(toy::rbx)});
  const Instruction multiply = imul(toy::rax, toy::rbx);
  const sim::Observation chain = observe(Code{multiply, odd}, toy::pipeline());
  CHECK(chain.simulation.cycles_per_iteration == 3.0); // the multiplication's
  CHECK(chain.simulation.unknown == 1);
  const sim::Observation slots = observe(Code{odd, odd, odd, odd}, toy::pipeline());
  CHECK(slots.simulation.cycles_per_iteration == 1.0);
  for (const double uops : slots.simulation.port_uops)
    CHECK(uops == 0);
  for (const sim::Observation* seen : {&chain, &slots})
    for (const sim::StallShare& share : seen->stalls) {
      CHECK((share.instruction == sim::none || (seen == &chain && share.instruction == 0)));
      CHECK((share.waiting == sim::none || (seen == &chain && share.waiting == 0)));
    }
}

TEST_CASE("a value passes through memory and an unknown load without added latency") {
  const Instruction store = Builder("mov m64, r64").memory(toy::rsi, 0, 8, false, true).operands({toy::in(toy::rax)});
  const Instruction odd = Builder("odd r64, m64").operands({toy::out(toy::rax)}).memory(toy::rsi, 0, 8, true, false);
  const sim::Observation seen = observe(Code{imul(toy::rax, toy::rbx), store, odd}, toy::pipeline());
  CHECK(seen.simulation.cycles_per_iteration >= 3.0);
  CHECK(seen.simulation.cycles_per_iteration <= 4.0);
}

} // namespace
} // namespace corecast
