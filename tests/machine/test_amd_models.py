"""The AMD models: what makes these cores what they are, as their files say it."""

from __future__ import annotations

import re
from typing import Any

import pytest

import corecast
from corecast import _core
from corecast.analysis import AnalyzeOptions, analyze_kernel
from corecast.asm import Kernel, RegionOptions
from corecast.machine import load_machine
from corecast.measure.plan.pipeline.fusion import FUSION_PAIRS, Pair

CORES = ("zen1", "zen2", "zen3", "zen4", "zen5")


def entry(cpu: str, text: str) -> dict[str, Any]:
    """The row of an instruction: its own, not one adapted from a related form."""
    instruction = _core.assemble("x86", text, "intel").instructions[0]
    _, found, _ = load_machine(cpu).core.lookup(instruction)
    assert found is not None
    assert re.sub(r" @(same|indexed|rip)$", "", found["form"]) == instruction.form, (cpu, text)
    assert found["line"] > 0
    return found


def latency(cpu: str, text: str, source: str, destination: str) -> float | None:
    pairs = {(start, end): cycles for start, end, cycles in entry(cpu, text)["latency"]}
    return pairs.get((source, destination), pairs.get(("*", destination)))


def cycles_by_group(cpu: str, text: str) -> dict[str, float]:
    return {"|".join(ports): count for count, ports in entry(cpu, text)["ports"]}


@pytest.mark.parametrize("cpu", CORES)
def test_every_row_can_be_read(cpu: str) -> None:
    assert load_machine(cpu).core.check() == []


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("zen", "zen1"),
        ("znver1", "zen1"),
        ("zenplus", "zen1"),
        ("ZEN1", "zen1"),
        ("znver2", "zen2"),
        ("znver3", "zen3"),
        ("znver4", "zen4"),
        ("turin", "zen5"),
    ],
)
def test_names_of_other_tools_are_aliases(alias: str, name: str) -> None:
    assert load_machine(alias).name == name


def test_zen1_splits_256_bit_operations() -> None:
    assert entry("zen1", "vaddpd ymm1, ymm2, ymm3")["uops"] == (2, 2, 2)
    assert cycles_by_group("zen1", "vaddpd ymm1, ymm2, ymm3") == {"FP2|FP3": 2}
    assert cycles_by_group("zen1", "vmovupd ymm1, [rax]")["AGU0|AGU1"] == 2
    assert entry("zen2", "vaddpd ymm1, ymm2, ymm3")["uops"] == (1, 1, 1)


@pytest.mark.parametrize("pair", FUSION_PAIRS["x86"], ids=lambda pair: pair.name)
def test_zen4_fuses_the_pairs_that_the_machine_fuses(pair: Pair) -> None:
    """All that read registers only, as measured on an EPYC 9004."""
    text = "\n".join([".intel_syntax noprefix", ".Lnext:", "add r9, r10", *pair.lines])
    kernel = Kernel.from_text(text, RegionOptions(isa="x86"))
    fuses = "[" not in pair.first
    assert analyze_kernel(kernel, load_machine("zen4")).frontend.macro_fused_pairs == (((1, 2),) if fuses else ())


def test_zen4_holds_a_pipe_twice_for_512_bits() -> None:
    assert cycles_by_group("zen4", "vaddpd zmm1, zmm2, zmm3") == {"FP2|FP3": 2}
    assert entry("zen4", "vaddpd zmm1, zmm2, zmm3")["uops"][0] == 1
    assert cycles_by_group("zen4", "vmovupd zmm1, [rax]") == {"AGU0|AGU1": 2}
    assert cycles_by_group("zen4", "vmovupd [rax], zmm1")["ST0"] == 2


@pytest.mark.parametrize(("cpu", "cycles"), [("zen1", 5), ("zen2", 5), ("zen4", 4)])
def test_fma_takes_the_same_time_from_every_operand(cpu: str, cycles: float) -> None:
    for source in "123":
        assert latency(cpu, "vfmadd213pd ymm1, ymm2, ymm3", source, "1") == cycles


@pytest.mark.parametrize("cpu", CORES)
def test_loads_take_four_and_seven_cycles(cpu: str) -> None:
    """Six where moves from vectors were found to take three, on Zen 4 and Zen 5."""
    vector = 6 if cpu in ("zen4", "zen5") else 7
    assert latency(cpu, "mov rax, [rbx]", "addr", "1") == 4
    assert latency(cpu, "movsd xmm1, [rbx]", "addr", "1") == vector
    assert latency(cpu, "addsd xmm1, [rbx]", "addr", "1") == vector + 3


@pytest.mark.parametrize("cpu", CORES)
def test_a_memory_operand_costs_no_macro_op(cpu: str) -> None:
    assert entry(cpu, "add rax, [rbx]")["uops"][0] == 1
    assert entry(cpu, "add [rbx], rax")["uops"][0] == 1
    assert entry(cpu, "addpd xmm1, [rbx]")["uops"][0] == 1


@pytest.mark.parametrize("cpu", CORES)
def test_moves_are_eliminated_where_the_width_allows(cpu: str) -> None:
    assert entry(cpu, "mov rax, rbx")["ports"] == ()
    assert latency(cpu, "mov eax, ebx", "2", "1") == 0
    assert latency(cpu, "mov ax, bx", "2", "1") == 1
    assert latency(cpu, "movaps xmm1, xmm2", "2", "1") == 0


def test_idioms() -> None:
    for cpu in CORES:
        assert entry(cpu, "xor eax, eax")["ports"] == ()
        assert "zero_idiom" in entry(cpu, "xor eax, eax")["flags"]
        assert entry(cpu, "xor eax, eax")["latency"] == ()
        assert "dep_breaking" in entry(cpu, "pcmpeqd xmm1, xmm1")["flags"]
    assert cycles_by_group("zen2", "vpxor xmm1, xmm1, xmm1") == {"FP0|FP1|FP2|FP3": 1}
    assert entry("zen4", "vpxor xmm1, xmm1, xmm1")["ports"] == ()
    assert cycles_by_group("zen4", "pxor xmm1, xmm1") == {"FP0|FP1|FP2|FP3": 1}


def test_zen4_ports_follow_measured_throughput() -> None:
    assert cycles_by_group("zen4", "adc rax, rbx") == {"ALU0|ALU1|ALU2|ALU3": 1}
    assert cycles_by_group("zen4", "vpandq zmm1{k1}, zmm2, zmm3") == pytest.approx({"FP0|FP1|FP2|FP3": 2}, rel=0.1)


def test_three_operands_of_lea_take_two_steps_but_not_relative_to_the_instruction_pointer() -> None:
    assert cycles_by_group("zen4", "lea rax, [rbx + rcx + 1]") == {"ALU0|ALU1|ALU2|ALU3": 2}
    assert latency("zen4", "lea rax, [rbx + rcx + 1]", "addr", "1") == 2
    assert latency("zen4", "lea rax, [rbx + rcx + 1]", "index", "1") == 1
    for cpu in CORES:
        assert entry(cpu, "lea rax, [rip + 100]")["uops"] == (1, 1, 1)
        assert entry(cpu, "lea rax, [rip + 100]")["latency"] == ()


def test_zen4_holds_what_was_measured_on_the_core() -> None:
    row = entry("zen4", "adc rax, rbx")
    assert row["source"].startswith("corecast:zen4(latency,throughput")
    assert row["confidence"] == "measured"
    assert latency("zen4", "vextractf128 xmm1, ymm2, 1", "2", "1") == 3  # LLVM: 1
    assert latency("zen4", "add [rbx], rax", "2", "flags") == 1  # its chain also takes what forwarding takes


def test_zen4_has_the_pipes_that_conflicts_showed() -> None:
    """Zen 3 shifts in FP12 and multiplies integers in FP03; here they wait for additions and multiplications."""
    assert cycles_by_group("zen4", "vpsllw ymm1, ymm2, 3") == {"FP2|FP3": 1}
    assert cycles_by_group("zen4", "vpsllw zmm1, zmm2, 3") == {"FP2|FP3": 2}
    assert cycles_by_group("zen4", "vpmulhrsw ymm1, ymm2, [rax]") == {"FP0|FP1": 1, "AGU0|AGU1": 1}
    assert "corecast:zen4(latency,throughput,ports)" in entry("zen4", "vpmulhrsw xmm1, xmm2, xmm3")["source"]


def test_microcode_takes_its_sequencer() -> None:
    assert entry("zen1", "bsf rax, rbx")["blocking"] == ((3.0, ("MS",)),)
    assert "microcoded" in entry("zen1", "bsf rax, rbx")["flags"]


def test_a_core_has_no_forms_beyond_its_features() -> None:
    forms = {cpu: load_machine(cpu).core.keys() for cpu in ("zen2", "zen4")}
    assert not [form for form in forms["zen2"] if "zmm" in form or "{k}" in form]
    assert not [form for form in forms["zen4"] if "tmm" in form]


@pytest.mark.parametrize(
    ("cpu", "text", "ports", "cycles"),
    [
        ("zen3", "vaddpd ymm1, ymm2, ymm3", {"FP2|FP3": 1}, 3),
        ("zen3", "vfmadd213pd ymm1, ymm2, ymm3", {"FP0|FP1": 1}, 4),
        ("zen3", "imul rax, rbx", {"ALU1": 1}, 3),
        ("zen5", "add rax, rbx", {"ALU0|ALU1|ALU2|ALU3|ALU4|ALU5": 1}, 1),
        ("zen5", "imul rax, rbx", {"ALU0|ALU1|ALU2": 1}, 3),
        ("zen5", "vfmadd213pd zmm1, zmm2, zmm3", {"FP0|FP2": 1}, 4),
        ("zen5", "vaddpd ymm1, ymm2, ymm3", {"FP1|FP3": 1}, 2),
    ],
)
def test_known_costs_of_later_cores(cpu: str, text: str, ports: dict[str, float], cycles: float) -> None:
    assert cycles_by_group(cpu, text) == ports
    assert latency(cpu, text, "2", "1") == cycles


def test_512_bit_operations_hold_a_pipe_once_on_zen5() -> None:
    assert cycles_by_group("zen4", "vpaddd zmm1, zmm2, zmm3") == {"FP0|FP1|FP2|FP3": 2}
    assert cycles_by_group("zen5", "vpaddd zmm1, zmm2, zmm3") == {"FP0|FP1|FP2|FP3": 1}


@pytest.mark.parametrize(
    ("cpu", "form", "least"), [("zen1", "mfence", 77), ("zen2", "pause", 65), ("zen3", "mfence", 60)]
)
def test_fences_and_pause_take_as_long_as_measured(cpu: str, form: str, least: float) -> None:
    """A rule of macro-ops gives three cycles."""
    found = corecast.analyze(Kernel.from_text(form, isa="x86"), cpu, AnalyzeOptions(mode="unroll"))
    assert found.regions[0].prediction.cycles_per_iteration == least


def test_locked_instructions_of_zen_5_wait_for_each_other_as_measured() -> None:
    for form in ("lock xadd m64, r64", "xchg m64, r64", "lock add m32, r32"):
        row = load_machine("zen5").row(form)
        assert row is not None
        assert float(row.rthroughput) == pytest.approx(20, abs=0.5)
        assert "zen5(" in row.source


@pytest.mark.parametrize(
    "line", ["fadd %st(1), %st", "fmul %st(1), %st", "fadds (%rsi)", "fmull (%rsi)", "fsubl (%rsi)"]
)
def test_zen_4_takes_seven_cycles_for_x87_sums_and_products(line: str) -> None:
    """Timed: 7.0 cycles a turn of each. LLVM has 3 from registers and 10 beside a load."""
    kernel = Kernel.from_text(f".L: {line}\n decq %rcx\n jne .L\n", isa="x86")
    found = corecast.analyze(kernel, "zen4").regions[0].prediction
    assert (found.cycles_per_iteration, found.bottleneck) == (7, "dependency")
