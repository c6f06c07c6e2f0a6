"""The RISC-V models: vector costs by element width and register group, measured figures over documented ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corecast import _core
from corecast.machine import Machine, load_machine
from corecast.machine.spelling import instructions_of

LOOPS = Path(__file__).parent.parent / "data" / "machine"
EARLY_VECTORS = ("xuantie_c910", "xuantie_c920")
"""Cores with version 0.7.1 of the vectors, and without what compilers add to RV64GC by default."""
VECTOR = ("sifive_p670", "sifive_x280", "spacemit_x60", "xuantie_c910", "xuantie_c920")
NAMES = (*VECTOR, "sifive_p550")


def entry(machine: Machine, text: str, vtype: str = "") -> dict[str, Any]:
    before = f"vsetvli t0, t1, {vtype}, ta, ma\n" if vtype else ""
    status, found, _ = machine.core.lookup(_core.assemble("riscv64", f"{before}{text}\n").instructions[-1])
    assert status != "unknown", text
    assert found is not None
    return found


def cycles(machine: Machine, text: str, vtype: str = "") -> float:
    return sum(count for count, _ in entry(machine, text, vtype)["ports"])


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_well_formed(name: str) -> None:
    assert load_machine(name).core.check() == []


@pytest.mark.parametrize(
    ("name", "file"),
    [*((name, "loops_rv64gc.s") for name in NAMES), *((name, "loops_rv64gcv.s") for name in VECTOR)],
)
def test_compiled_loops_are_covered(name: str, file: str) -> None:
    machine = load_machine(name)
    listing = _core.assemble("riscv64", (LOOPS / file).read_text())
    assert listing.problems == []
    executed = [i for i in listing.instructions if not machine.core.lacks(i)]
    assert [i.form for i in executed if machine.core.lookup(i)[0] == "unknown"] == []
    refused = {machine.core.lacks(i) for i in listing.instructions} - {""}
    allowed = ("Zba", "Zbb", "V 1.0 or Zve") if name in EARLY_VECTORS else ()
    assert all(missing.startswith(allowed) for missing in refused)


@pytest.mark.parametrize("name", VECTOR)
def test_every_vector_type_in_a_key_is_one_that_the_instruction_can_have(name: str) -> None:
    """A load of 64-bit elements has groups of its own: a row of it for another width would never be found."""
    keys = [key for key in load_machine(name).keys() if " @" in key]  # noqa: SIM118
    assert len(keys) > (4000 if name in EARLY_VECTORS else 5000)
    assert set(keys) - instructions_of("riscv64", keys).keys() == set()


@pytest.mark.parametrize("name", VECTOR)
def test_larger_register_groups_cost_more(name: str) -> None:
    machine = load_machine(name)
    for text in ("vadd.vv v8, v16, v24", "vfmacc.vf v8, fa0, v24", "vle64.v v8, (a0)", "vse64.v v8, (a0)"):
        small, large = cycles(machine, text, "e64, m1"), cycles(machine, text, "e64, m8")
        assert 4 * small < large <= 16 * small, text


@pytest.mark.parametrize("name", VECTOR)
def test_loads_cost_what_their_own_width_makes_of_the_group(name: str) -> None:
    machine = load_machine(name)
    assert cycles(machine, "vle8.v v8, (a0)", "e64, m8") < cycles(machine, "vle64.v v8, (a0)", "e64, m8")


def test_indexed_accesses_of_p670_cost_by_elements_not_by_the_worst_group() -> None:
    machine = load_machine("sifive_p670")
    one, two = (cycles(machine, "vluxei64.v v8, (a0), v16", f"e64, {group}") for group in ("m1", "m2"))
    assert (one, two) == (2, 4)


def test_dividers_of_p670_are_not_pipelined() -> None:
    assert entry(load_machine("sifive_p670"), "fdiv.d fa0, fa1, fa2")["blocking"] == ((11, ("FDIV",)),)


@pytest.mark.parametrize(
    ("text", "vtype", "expected"),
    [
        ("vadd.vv v8, v16, v24", "e32, m1", 1),  # LLVM says 2
        ("vadd.vv v8, v16, v24, v0.t", "e32, m1", 2),
        ("vmul.vv v8, v16, v24", "e64, m1", 4),  # LLVM says 1
        ("vmul.vv v8, v16, v24", "e32, m1", 1),
        ("vrgather.vv v8, v16, v24", "e32, m4", 64),
        ("vlse64.v v8, (a0), a1", "e64, m2", 8),
    ],
)
def test_x60_vector_throughputs_are_the_measured_ones(text: str, vtype: str, expected: float) -> None:
    found = entry(load_machine("spacemit_x60"), text, vtype)
    assert found["rthroughput"] == pytest.approx(expected, rel=0.05)
    assert found["confidence"] == "measured"
    assert cycles(load_machine("spacemit_x60"), text, vtype) == pytest.approx(expected, rel=0.05)


def test_x60_vector_division_is_not_taken_from_easy_operands() -> None:
    assert cycles(load_machine("spacemit_x60"), "vfdiv.vf v8, v16, fa0", "e64, m1") == 40


def test_x60_latencies_per_operand_pair() -> None:
    pairs = entry(load_machine("spacemit_x60"), "sh2add a0, a1, a2")["latency"]
    found = {(source, destination): time for source, destination, time in pairs}
    assert found[("2", "1")] == 2  # the operand that is shifted
    assert found[("3", "1")] == 1


def test_x60_multiplies_every_third_cycle() -> None:
    assert entry(load_machine("spacemit_x60"), "mul a0, a1, a2")["blocking"] == ((3, ("MUL",)),)


def test_x60_is_in_order() -> None:
    assert load_machine("spacemit_x60").pipeline["in_order"] is True


def test_p550_has_no_vectors() -> None:
    machine = load_machine("sifive_p550")
    (instruction,) = _core.assemble("riscv64", "vadd.vv v8, v16, v24\n").instructions
    assert machine.core.lookup(instruction)[0] == "unknown"
    assert entry(machine, "fmadd.d fa0, fa1, fa2, fa3")["latency"] == (("*", "1", 4),)


def test_x280_figures_are_without_the_harness_loop() -> None:
    """rvv-bench measured 2.14 and 16.14 cycles; its own loop is the 0.14."""
    machine = load_machine("sifive_x280")
    assert cycles(machine, "vadd.vv v8, v16, v24", "e32, m1") == pytest.approx(2, abs=0.01)
    assert cycles(machine, "vadd.vv v8, v16, v24", "e32, m8") == pytest.approx(16, abs=0.01)


def test_x280_chains_of_additions_run_at_one_a_cycle() -> None:
    pairs = entry(load_machine("sifive_x280"), "add a0, a1, a2")["latency"]
    assert {time for _, destination, time in pairs if destination == "1"} == {1}


@pytest.mark.parametrize("name", ["xuantie_c910", "xuantie_c920"])
def test_xuantie_says_what_is_measured_and_what_is_a_relatives(name: str) -> None:
    machine = load_machine(name)
    measured = entry(machine, "vadd.vv v8, v16, v24", "e32, m1")
    assert (measured["confidence"], measured["rthroughput"]) == ("measured", 0.5)
    scalar = entry(machine, "ld a0, 8(a1)")
    assert scalar["confidence"] == "assumed"
    assert scalar["source"].startswith("family:spacemit_x60:")
    assert cycles(machine, "sd a0, 8(a1)") == 2  # address and data have a pipe each
