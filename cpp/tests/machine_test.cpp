#include "cpp/machine/machine.hpp"

#include "cpp/base/error.hpp"
#include "cpp/isa/form_text.hpp"
#include "cpp/tests/toy.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace corecast;
using namespace corecast::toy;

namespace {

/// "file:line: message" of the error that a row causes when it is asked for.
std::string complaint(const std::string& bad_row) {
  const auto toy = machine(row("nop", "", "") + bad_row);
  const auto problems = toy->check();
  return problems.empty() ? "" : problems.front();
}

const FormEntry& entry_of(const Machine& toy, const std::string& form) {
  const FormEntry* entry = toy.find(form);
  REQUIRE(entry != nullptr);
  return *entry;
}

} // namespace

TEST_CASE("a row's columns") {
  const auto toy = machine("div "
                           "r64\t2*p0+1.5*ALU\tDIV:8\trax->1:40;flags->1:2\t10/11/"
                           "9\t4;6;1;0\tmicrocoded,fusible:je|jne\t21.5\tbook:3\tmeasured\n");
  const FormEntry& entry = entry_of(*toy, "div r64");
  REQUIRE(entry.ports.size() == 2);
  CHECK(entry.ports[0].mask == 0b1);
  CHECK(entry.ports[1].count == 1.5);
  CHECK(entry.ports[1].mask == 0b1100011);
  REQUIRE(entry.blocking.size() == 1);
  CHECK(entry.blocking[0].mask == PortMask{1} << 8); // units come after the ports
  CHECK(entry.blocking[0].count == 8.0);
  CHECK(find_latency(entry, operand_id::implicit_register + rax, 1) == 40.0);
  CHECK(entry.uops->unfused == 11.0);
  CHECK(entry.decode->complex_decoder);
  CHECK(entry.flags.microcoded);
  CHECK(entry.fusible == std::vector<std::string>{"je", "jne"});
  CHECK(entry.reciprocal_throughput_cycles == 21.5);
  CHECK(entry.source == "book:3");
  CHECK(entry.line == 2);
}

TEST_CASE("unknown is not empty") {
  const auto toy = machine(row("a", "?", "?", "?") + row("b", "", "", ""));
  CHECK_FALSE(entry_of(*toy, "a").ports_known);
  CHECK_FALSE(entry_of(*toy, "a").latency_known);
  CHECK_FALSE(entry_of(*toy, "a").uops.has_value());
  CHECK(entry_of(*toy, "b").ports_known);
  CHECK(entry_of(*toy, "b").latency_known);
}

TEST_CASE("the most specific latency wins") {
  const auto toy = machine(row("op r64, r64", "", "*->*:9;1->*:3;*->flags:2;1->1:1"));
  const FormEntry& entry = entry_of(*toy, "op r64, r64");
  CHECK(find_latency(entry, 1, 1) == 1.0);
  CHECK(find_latency(entry, 1, 2) == 3.0);
  CHECK(find_latency(entry, 2, operand_id::flags) == 2.0);
  CHECK(find_latency(entry, 2, 1) == 9.0);
}

TEST_CASE("malformed rows are named by file and line") {
  CHECK(complaint(row("op", "1*p9", "")) == "a.tsv:3: ports: unknown port in \"1*p9\"");
  CHECK(complaint(row("op", "x*p0", "")).starts_with("a.tsv:3: ports"));
  CHECK(complaint(row("op", "", "1->1")).starts_with("a.tsv:3: latency"));
  CHECK(complaint(row("op", "", "r99->1:2")).starts_with("a.tsv:3: latency"));
  CHECK(complaint(row("op r64", "", "2->1:2")) == "a.tsv:3: latency: operand 2 of a form that has 1");
  CHECK(complaint(row("op", "", "", "1/2")).starts_with("a.tsv:3: uops"));
  CHECK(complaint(row("op", "", "", "1", "quick")).starts_with("a.tsv:3: flags"));
  CHECK(complaint(row("op", "", "", "1", "", "FOO:3")).starts_with("a.tsv:3: blocking"));
  CHECK(complaint("op\t1*p0\n") == "a.tsv:3: expected ten columns, found 2");
}

TEST_CASE("a table without its header, or with a form twice, is refused") {
  CHECK_THROWS_AS(tables({"nop\t\n"}), ModelError);
  try {
    tables({header + row("nop", "", "") + row("add", "", "") + row("nop", "", "")});
    FAIL("a form twice");
  } catch (const ModelError& error) {
    CHECK(error.line == 4);
    CHECK(std::string(error.what()) == "form \"nop\" occurs twice, first in line 2");
  }
}

TEST_CASE("rows may stand in any order") {
  const auto toy = machine(row("sub", "1*p0", "") + "# between\n" + row("add", "1*p1", "") + row("mul", "1*p5", ""));
  CHECK(entry_of(*toy, "sub").line == 2);
  CHECK(entry_of(*toy, "add").line == 4);
  CHECK(entry_of(*toy, "mul").line == 5);
  CHECK(toy->keys() == std::vector<std::string>{"sub", "add", "mul"});
}

TEST_CASE("the first table that has a key wins") {
  const Machine toy(pipeline(),
                    tables({header + row("op", "1*p0", ""), header + row("op", "1*p1", "") + row("other", "", "")}),
                    registers());
  CHECK(entry_of(toy, "op").file == "a.tsv");
  CHECK(entry_of(toy, "other").file == "b.tsv");
  CHECK(toy.keys() == std::vector<std::string>{"op", "other"});
}

TEST_CASE("an absent form hides the rows of later tables") {
  const std::string later = header + row("op", "1*p1", "") + row("other", "", "");
  const Machine toy(pipeline(), tables({header + "op\tabsent\n" + row("own", "", ""), later}), registers());
  CHECK(toy.find("op") == nullptr);
  CHECK_FALSE(toy.row_text("op").has_value());
  CHECK(toy.keys() == std::vector<std::string>{"own", "other"});
  CHECK(toy.check().empty());
  CHECK(toy.nearest_forms("op", 3) == std::vector<std::string>{});
  CHECK(forms_by_confidence(tables({header + "op\tabsent\n", later})).at("documented") == 1);
}

TEST_CASE("a table with the name of a mitigation that is off does not count") {
  const std::string slow = header + row("op", "1*p0", "") + row("gone", "1*p0", "");
  const std::string fast = header + row("op", "1*p1", "") + row("other", "", "");
  const Machine on(pipeline(), tables({slow, fast}), registers());
  PipelineParameters parameters = pipeline();
  parameters.mitigations_off = {"a"};
  const Machine off(on, parameters);
  CHECK(entry_of(on, "op").file == "a.tsv");
  CHECK(entry_of(off, "op").file == "b.tsv");
  CHECK(off.find("gone") == nullptr);
  CHECK(off.keys() == std::vector<std::string>{"op", "other"});
}

TEST_CASE("variants of a key come first where they apply") {
  const auto toy = machine(row("op r64, r64", "1*p0", "") + row("op r64, r64 @same", "", "") +
                           row("ld r64, m64", "1*p2", "") + row("ld r64, m64 @indexed", "1*p3", ""));
  Builder twice("op r64, r64");
  CHECK(toy->lookup(twice).entry->key == "op r64, r64");
  CHECK(toy->lookup(twice.same()).entry->key == "op r64, r64 @same");
  Builder plain("ld r64, m64");
  plain.operands({out(rax)}).memory(rsi, 0, 8, true, false);
  CHECK(toy->lookup(plain).entry->key == "ld r64, m64");
  CHECK(toy->lookup(plain.index(rcx, 8)).entry->key == "ld r64, m64 @indexed");
}

TEST_CASE("an immediate of zero is a separate variant") {
  const auto toy = machine(row("op r64, i8", "1*p0", "") + row("op r64, i8 @zero", "", "", "1", "zero_idiom"));
  Instruction constant = Builder("op r64, i8").operands({out(rax)});
  CHECK(toy->lookup(constant).entry->key == "op r64, i8");
  constant.traits.zero_immediate = true;
  CHECK(toy->lookup(constant).entry->key == "op r64, i8 @zero");
}

TEST_CASE("a move of a register to itself is a separate variant") {
  const auto toy =
      machine(row("mov r32, r32", "", "2->1:0", "1", "eliminated") + row("mov r32, r32 @same", "1*ALU", "2->1:1"));
  CHECK(toy->lookup(Builder("mov r32, r32").operands({out(rax), in(rbx)})).entry->flags.eliminated);
  CHECK_FALSE(toy->lookup(Builder("mov r32, r32").operands({out(rax), in(rax)})).entry->flags.eliminated);
}

TEST_CASE("another spelling of the same instruction counts as known") {
  const auto toy = machine(row("orr x, x, x", "1*p0", "*->1:1"));
  Instruction move = Builder("mov x, x");
  move.alternative_forms.push_back("orr x, x, x");
  CHECK(toy->lookup(move).status == LookupStatus::known);
}

TEST_CASE("derived: a load and an operation from the register form") {
  const auto toy = machine(row("vaddpd ymm, ymm, ymm", "1*p01", "2->1:4;3->1:4"));
  const Instruction with_memory =
      Builder("vaddpd ymm, ymm, m256").operands({out(xmm0), in(xmm1)}).memory(rsi, 0, 32, true, false);
  const Lookup& found = toy->lookup(with_memory);
  REQUIRE(found.status == LookupStatus::derived);
  CHECK(found.note == "like vaddpd ymm, ymm, ymm, plus a load");
  CHECK(find_latency(*found.entry, operand_id::address, 1) == 9.0);
  CHECK(find_latency(*found.entry, 2, 1) == 4.0);
  CHECK_FALSE(find_latency(*found.entry, 3, 1).has_value());
  CHECK(found.entry->ports.size() == 2);
  CHECK(found.entry->uops->fused == 1.0);
  CHECK(found.entry->uops->unfused == 2.0);
  CHECK(found.entry->confidence == "derived");
}

TEST_CASE("derived: what reads and writes memory loads, works and stores") {
  const auto toy = machine(row("add r64, r64", "1*p0156", "*->1:1;*->flags:1"));
  const Instruction update =
      Builder("add m64, r64").memory(rsi, 0, 8, true, true).operands({in(rax)}).flags(false, true);
  const Lookup& found = toy->lookup(update);
  REQUIRE(found.status == LookupStatus::derived);
  CHECK(found.entry->ports.size() == 4);
  CHECK(found.entry->uops->fused == 2.0);
  CHECK(found.entry->uops->unfused == 4.0);
}

TEST_CASE("derived: where nobody knows ports, the throughput stays") {
  const auto toy = machine(row("vdivpd zmm, zmm, zmm", "?", "2->1:13;3->1:13", "?", "", "", "", "9") +
                           row("vmulpd zmm, zmm, zmm", "1*p05", "2->1:4;3->1:4", "1", "", "", "", "1"));
  const auto throughput = [&](const std::string& form) {
    const Lookup& found = toy->lookup(Builder(form).operands({out(xmm0), in(xmm1), in(xmm2)}));
    REQUIRE(found.status == LookupStatus::derived);
    return found.entry->reciprocal_throughput_cycles;
  };
  CHECK(throughput("vdivpd zmm{k}{z}, zmm, zmm") == 9.0);
  CHECK_FALSE(throughput("vmulpd zmm{k}{z}, zmm, zmm").has_value()); // the ports say it
}

TEST_CASE("derived: masks, broadcasts, widths, conditions, SSE from VEX") {
  const auto toy = machine(
      row("vaddpd ymm, ymm, ymm", "1*p01", "2->1:4;3->1:4") + row("vaddpd zmm, zmm, zmm", "1*p05", "2->1:4;3->1:4") +
      row("cmovne r64, r64", "1*p06", "1->1:1;2->1:1;flags->1:1") + row("bsf r64, r64", "1*p1", "2->1:3"));
  const auto note = [&](const Instruction& instruction) { return toy->lookup(instruction).note; };
  CHECK(note(Builder("vaddpd zmm{k}{z}, zmm, zmm").operands({out(xmm0), in(xmm1), in(xmm2)})) ==
        "like vaddpd zmm, zmm, zmm, masked");
  CHECK(note(Builder("vaddpd zmm, zmm, m512bcst").operands({out(xmm0), in(xmm1)}).memory(rsi, 0, 8, true, false)) ==
        "like vaddpd zmm, zmm, zmm, plus a load");
  CHECK(note(Builder("cmovg r32, r32").operands({inout(rax), in(rbx)})) == "like cmovne r64, r64");
  CHECK(note(Builder("bsf r32, r32").operands({out(rax), in(rbx)})) == "like bsf r64, r64");
  const Lookup& sse = toy->lookup(Builder("addpd xmm, xmm").operands({inout(xmm0), in(xmm1)}));
  REQUIRE(sse.status == LookupStatus::derived);
  CHECK(find_latency(*sse.entry, 1, 1) == 4.0);
  CHECK(find_latency(*sse.entry, 2, 1) == 4.0);
}

TEST_CASE("not derived: divisions of another width, zmm from ymm unless the model permits it") {
  PipelineParameters parameters = pipeline();
  const std::string rows = row("div r32", "1*p0", "*->*:26") + row("vpaddd ymm, ymm, ymm", "1*p015", "*->1:1");
  const Instruction wide = Builder("vpaddd zmm, zmm, zmm").operands({out(xmm0), in(xmm1), in(xmm2)});
  const auto strict = machine(rows, parameters);
  CHECK(strict->lookup(Builder("div r64").operands({in(rax)})).status == LookupStatus::unknown);
  CHECK(strict->lookup(wide).status == LookupStatus::unknown);
  parameters.derive_zmm = true;
  CHECK(machine(rows, parameters)->lookup(wide).status == LookupStatus::derived);
}

TEST_CASE("derived on AArch64: addressing modes, widths, arrangements") {
  PipelineParameters parameters = pipeline();
  parameters.architecture = Architecture::aarch64;
  parameters.memory.writeback_ports = "1*ALU";
  const auto toy = machine(row("ldr q, [x, #i]", "1*p23", "addr->1:6") + row("add x, x, x", "1*ALU", "*->1:1") +
                               row("fmla v.2d, v.2d, v.2d", "1*p01", "2->1:4;3->1:4;1->1:2"),
                           parameters);
  const Lookup& updating =
      toy->lookup(Builder("ldr q, [x, #i]!").operands({out(xmm0)}).memory(rsi, 16, 16, true, false));
  REQUIRE(updating.status == LookupStatus::derived);
  CHECK(updating.note == "like ldr q, [x, #i], plus the update of the base");
  CHECK(find_latency(*updating.entry, operand_id::address, operand_id::address) == 1.0);
  CHECK(updating.entry->uops->fused == 2.0);
  CHECK(toy->lookup(Builder("ldr d, [x, x, lsl #3]").operands({out(xmm0)}).memory(rsi, 0, 8, true, false)).status ==
        LookupStatus::derived);
  CHECK(toy->lookup(Builder("add w, w, w")).note == "like add x, x, x");
  CHECK(toy->lookup(Builder("add x, x, x, lsl #1..4")).note == "like add x, x, x, the shift left out");
  CHECK(toy->lookup(Builder("fmla v.4s, v.4s, v.s[i]")).status == LookupStatus::derived);
}

TEST_CASE("derived on RISC-V: register groups scale, element widths do not") {
  PipelineParameters parameters = pipeline();
  parameters.architecture = Architecture::riscv64;
  const auto toy = machine(row("vfmacc.vv v, v, v @m1,e64", "1*p0", "*->1:5"), parameters);
  const Lookup& narrow = toy->lookup(Builder("vfmacc.vv v, v, v @m1,e32"));
  REQUIRE(narrow.status == LookupStatus::derived);
  CHECK(narrow.entry->ports[0].count == 1.0);
  const Lookup& group = toy->lookup(Builder("vfmacc.vv v, v, v @m4,e64"));
  REQUIRE(group.status == LookupStatus::derived);
  CHECK(group.entry->ports[0].count == 4.0);
}

TEST_CASE("nearest forms: the same mnemonic first") {
  const auto toy = machine(row("vaddpd ymm, ymm, ymm", "", "") + row("vaddps ymm, ymm, ymm", "", "") +
                           row("vaddpd xmm, xmm, xmm", "", "") + row("imul r64, r64", "", ""));
  const auto nearest = toy->nearest_forms("vaddpd ymm, ymm, ymm, i8", 3);
  REQUIRE(nearest.size() == 3);
  CHECK(nearest[0] == "vaddpd ymm, ymm, ymm");
  CHECK(nearest[2] == "vaddps ymm, ymm, ymm");
  CHECK(toy->nearest_forms("zzz", 3).empty());
}

TEST_CASE("nearest forms are of the same operation, similar ones of any") {
  const auto toy = machine(row("sub r64, r64", "", "") + row("sbb r64, r64", "", "") + row("addpd xmm, xmm", "", ""));
  CHECK(toy->nearest_forms("sbc r64, r64", 3).empty());
  CHECK(toy->nearest_forms("vaddps ymm, ymm, ymm", 3) == std::vector<std::string>{"addpd xmm, xmm"});
  CHECK(toy->similar_forms("addpb xmm, xmm", 3).front() == "addpd xmm, xmm");
}

TEST_CASE("form keys come apart and together") {
  for (const char* key : {"lock add m64, r64", "vaddpd zmm{k}{z}, zmm, m512bcst @indexed", "ld2 {v.4s, v.4s}, [x]",
                          "nop", "ldr d, [x, x, lsl #3]", "vfmacc.vv v, v, v @m2,e64", "fmla v.4s, v.4s, v.s[i]"})
    CHECK(FormText::parse(key).str() == key);
  CHECK(FormText::parse("lock add m64, r64").mnemonic == "lock add");
  CHECK(FormText::parse("ld2 {v.4s, v.4s}, [x]").operands.size() == 2);
}

TEST_CASE("lookups from several threads agree") {
  const auto toy = machine(basic_rows);
  std::vector<std::thread> threads;
  std::vector<const Lookup*> found(4);
  for (std::size_t t = 0; t < found.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i)
        found[t] = &toy->lookup(add_immediate(rax, 1));
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const Lookup* lookup : found)
    CHECK(lookup == found[0]);
}
