// Rows that grow with the vectors, and what a variant of a core changes about rows.
#include "cpp/base/error.hpp"
#include "cpp/machine/derive/scale_to_length.hpp"
#include "cpp/machine/derive/vector_length.hpp"
#include "cpp/machine/forms/form_change.hpp"
#include "toy.hpp"

#include <doctest/doctest.h>

using namespace corecast;

namespace {

PipelineParameters of_length(double table, double asked) {
  PipelineParameters out = toy::pipeline();
  out.architecture = Architecture::aarch64;
  out.table_vector_bits = table;
  out.vector_length_bits = asked;
  return out;
}

} // namespace

TEST_CASE("lanes follow from the elements of a form") {
  CHECK(length_units("fadda d, p, d, z.d", 512).lanes == 8);
  CHECK(length_units("ld1sw z.d, p/z, [x, z.d]", 256).lanes == 4);
  CHECK(length_units("ld1w {z.s}, p/z, [z.s]", 128).lanes == 4);
  CHECK(length_units("vadd.vv v, v, v @m2,e32", 256).lanes == 16);
  CHECK(length_units("vadd.vv v, v, v @mf2,e32", 256).lanes == 4);
  CHECK(length_units("faddv s, p, z.s", 512).steps == 4);
  CHECK(length_units("fadd d, d, d", 512).lanes == 0);
}

TEST_CASE("counts grow with lanes, granules and steps") {
  const LengthUnits units{8, 4, 3};
  CHECK(growing_count("2L-1", units) == 15);
  CHECK(growing_count("4+15T", units) == 49);
  CHECK(growing_count("37Q+6", units) == 154);
  CHECK(growing_count("0.5L", units) == 4);
  CHECK_FALSE(growing_count("1-L", units));
  CHECK_FALSE(growing_count("L2", units));
  CHECK_FALSE(growing_count("", units));
  CHECK_FALSE(growing_count("2X", units));
  CHECK_FALSE(growing_count("2L", LengthUnits{})); // no vectors: nothing to count
}

TEST_CASE("a row is taken for the machine's vector length") {
  const std::string rows = toy::row("gather z.d, p/z, [x, z.d]", "0.5L*p23", "*->1:3+2L", "1L+1");
  for (const double bits : {128.0, 512.0, 2048.0}) {
    const auto machine = toy::machine(rows, of_length(512, bits));
    const FormEntry* entry = machine->find("gather z.d, p/z, [x, z.d]");
    REQUIRE(entry != nullptr);
    const double lanes = bits / 64;
    CHECK(entry->ports.front().count == lanes / 2);
    CHECK(entry->latency.front().cycles == 3 + 2 * lanes);
    CHECK(entry->uops->fused == lanes + 1);
    CHECK(entry->confidence == "documented"); // the row itself says how it grows
  }
}

TEST_CASE("rows for one length are scaled where lanes are worked one by one") {
  const std::string rows = toy::row("fadda d, p, d, z.d", "7*p01", "*->1:36", "7") +
                           toy::row("faddv d, p, z.d", "3*p01", "*->1:20", "3") +
                           toy::row("ld1d z.d, p/z, [x, z.d]", "4*p23", "*->1:20", "4") +
                           toy::row("fadd z.d, z.d, z.d", "1*p01", "*->1:9", "1");
  const auto machine = toy::machine(rows, of_length(256, 512));
  CHECK(machine->find("fadda d, p, d, z.d")->latency.front().cycles == 72);
  CHECK(machine->find("fadda d, p, d, z.d")->ports.front().count == 14);
  CHECK(machine->find("fadda d, p, d, z.d")->confidence == "derived");
  CHECK(machine->find("faddv d, p, z.d")->latency.front().cycles == 30); // three halvings instead of two
  CHECK(machine->find("ld1d z.d, p/z, [x, z.d]")->latency.front().cycles == 22);
  CHECK(machine->find("fadd z.d, z.d, z.d")->latency.front().cycles == 9);
  CHECK(machine->find("fadd z.d, z.d, z.d")->confidence == "documented");
}

TEST_CASE("a counted expression in a form without vectors is refused") {
  const auto machine = toy::machine(toy::row("add r64, r64", "2L*p01", "*->1:1"));
  CHECK_THROWS_AS(machine->find("add r64, r64"), ModelError);
}

TEST_CASE("changes replace latencies and micro-ops of the forms they mean") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.changes = {{FormChange::What::latency_cycles, "fm*", 9}, {FormChange::What::uops, "gather r64, m64", 6}};
  const auto machine = toy::machine(toy::row("fma r64, r64", "1*p01", "1->1:2;2->1:4") +
                                        toy::row("fma r64, m64", "1*p01+1*p23", "1->1:4;addr->1:9", "1/2/1") +
                                        toy::row("add r64, r64", "1*p01", "1->1:1") +
                                        toy::row("gather r64, m64", "2*p23+1*p0", "addr->1:9", "3"),
                                    pipeline);
  for (const LatencyRule& rule : machine->find("fma r64, r64")->latency)
    CHECK(rule.cycles == 9);
  CHECK(machine->find("fma r64, m64")->latency[0].cycles == 9);
  CHECK(machine->find("fma r64, m64")->latency[1].cycles == 14); // later by as much
  CHECK(machine->find("add r64, r64")->latency.front().cycles == 1);
  CHECK(machine->find("add r64, r64")->confidence == "documented");
  const FormEntry* gather = machine->find("gather r64, m64");
  CHECK(gather->ports[0].count == 4);
  CHECK(gather->ports[1].count == 2);
  CHECK(gather->uops->fused == 6);
  CHECK(gather->confidence == "assumed");
}

TEST_CASE("loads beyond the first-level cache delay what is loaded alone") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.memory.extra_load_latency_cycles = 10;
  const auto machine =
      toy::machine(toy::row("mov r64, m64", "1*p23", "addr->1:5") + toy::row("mov m64, r64", "1*p4", "2->mem:4") +
                       toy::row("fma r64, m64", "1*p01+1*p23", "1->1:4;addr->1:9", "1/2/1") +
                       toy::row("mul r64, r64", "1*p01", "*->1:3"),
                   pipeline);
  CHECK(machine->find("mov r64, m64")->latency.front().cycles == 15);
  CHECK(machine->find("mov m64, r64")->latency.front().cycles == 4);
  CHECK(machine->find("fma r64, m64")->latency[0].cycles == 4);
  CHECK(machine->find("fma r64, m64")->latency[1].cycles == 19);
  CHECK(machine->find("mul r64, r64")->latency.front().cycles == 3);
}

TEST_CASE("a port may stand for several, in rows and groups") {
  PipelineParameters pipeline = toy::pipeline();
  pipeline.ports = {"V0", "V0b", "A"};
  pipeline.port_groups = {{"V", {"V0", "V1"}}};
  pipeline.port_spread = {{"V0", {"V0", "V0b"}}, {"V1", {"V0b"}}};
  pipeline.memory.load_ports = pipeline.memory.store_address_ports = "1*A";
  pipeline.memory.store_data_ports.reset();
  const auto machine = toy::machine(toy::row("one r64", "1*V0", "*->1:1") + toy::row("two r64", "1*V1", "*->1:1") +
                                        toy::row("all r64", "1*V", "*->1:1", "1", "", "V:4"),
                                    pipeline);
  CHECK(machine->find("one r64")->ports.front().mask == 0b011);
  CHECK(machine->find("two r64")->ports.front().mask == 0b010);
  CHECK(machine->find("all r64")->ports.front().mask == 0b011);
  CHECK(machine->find("all r64")->blocking.front().mask == 0b011);
}

TEST_CASE("variants share tables") {
  const auto machine = toy::machine(toy::row("add r64, r64", "1*p01", "1->1:1"));
  PipelineParameters pipeline = machine->pipeline();
  pipeline.changes = {{FormChange::What::latency_cycles, "add", 3}};
  const Machine other(*machine, pipeline);
  CHECK(other.find("add r64, r64")->latency.front().cycles == 3);
  CHECK(machine->find("add r64, r64")->latency.front().cycles == 1);
}
