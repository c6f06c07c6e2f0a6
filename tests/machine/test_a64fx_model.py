"""The A64FX model: what the manual says, found again through the loader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corecast import _core
from corecast.machine import Machine, load_machine

LOOPS = Path(__file__).parent.parent / "data" / "machine" / "loops_a64fx.s"


@pytest.fixture(scope="module")
def machine() -> Machine:
    return load_machine("a64fx")


def entry(machine: Machine, text: str) -> dict[str, Any]:
    status, found, _ = machine.core.lookup(_core.assemble("aarch64", text + "\n").instructions[0])
    assert status == "known", text
    assert found is not None
    return found


def latency(machine: Machine, text: str, source: str, destination: str) -> float:
    pairs = {(one, other): cycles for one, other, cycles in entry(machine, text)["latency"]}
    return pairs.get((source, destination), pairs.get(("*", destination), -1.0))


def test_every_row_is_well_formed(machine: Machine) -> None:
    assert machine.core.check() == []
    assert len(machine.core.keys()) > 5000


def test_compiled_loops_are_covered(machine: Machine) -> None:
    listing = _core.assemble("aarch64", LOOPS.read_text())
    assert listing.problems == []
    statuses = [machine.core.lookup(instruction)[0] for instruction in listing.instructions]
    assert statuses.count("unknown") == 0
    assert statuses.count("known") >= 0.99 * len(statuses)


@pytest.mark.parametrize(
    ("text", "source", "destination", "cycles"),
    [
        ("add x1, x2, x3", "2", "1", 1),
        ("add x1, x2, x3, lsl #3", "3", "1", 2),
        ("add x1, x2, x3, lsr #9", "3", "1", 3),
        ("mul x1, x2, x3", "2", "1", 5),
        ("madd x1, x2, x3, x4", "2", "1", 6),
        ("madd x1, x2, x3, x4", "4", "1", 1),
        ("ldr x1, [x2]", "addr", "1", 5),
        ("ldr q1, [x2, #16]!", "addr", "1", 8),
        ("ldr q1, [x2, #16]!", "addr", "addr", 1),
        ("ld1d {z1.d}, p0/z, [x1, x2, lsl #3]", "addr", "1", 11),
        ("ld1d {z1.d}, p0/z, [x1, z2.d, lsl #3]", "addr", "1", 20),
        ("ld1d {z1.d}, p0/z, [x1, z2.d, lsl #3]", "index", "1", 16),
        ("ld1w {z1.s}, p0/z, [x1, z2.s, sxtw #2]", "addr", "1", 23),
        ("fadd d1, d2, d3", "2", "1", 9),
        ("fmla v1.2d, v2.2d, v3.2d", "1", "1", 9),
        ("fmla v1.2d, v2.2d, v3.d[1]", "3", "1", 15),
        ("fmla v1.2d, v2.2d, v3.d[1]", "1", "1", 9),
        ("fmla z1.d, p0/m, z2.d, z3.d", "1", "1", 9),
        ("fmla z1.d, z2.d, z3.d[1]", "3", "1", 15),
        ("add v1.4s, v2.4s, v3.4s", "2", "1", 4),
        ("zip1 v1.4s, v2.4s, v3.4s", "2", "1", 6),
        ("fadda d1, p0, d1, z2.d", "3", "1", 72),
        ("faddv d1, p0, z2.d", "3", "1", 49),
        ("faddv s1, p0, z2.s", "3", "1", 64),
        ("fdiv z1.d, p0/m, z1.d, z2.d", "1", "1", 154),
        ("fdiv d1, d2, d3", "2", "1", 43),
        ("scvtf d1, x2", "2", "1", 13),
        ("fmov x1, d2", "2", "1", 14),
        ("umov w1, v2.b[3]", "2", "1", 25),
        ("whilelo p1.d, x2, x3", "2", "1", 4),
        ("cmp x1, x2", "1", "flags", 1),
    ],
)
def test_latencies_of_the_manual(machine: Machine, text: str, source: str, destination: str, cycles: float) -> None:
    assert latency(machine, text, source, destination) == cycles


def test_loads_and_stores_share_the_cache(machine: Machine) -> None:
    load = {ports: count for count, ports in entry(machine, "ld1d {z1.d}, p0/z, [x1]")["ports"]}
    store = {ports: count for count, ports in entry(machine, "st1d {z1.d}, p0, [x1]")["ports"]}
    assert load[("LS0", "LS1")] == 1
    assert store[("LS0",)] == store[("LS1",)] == 1


def test_streams_take_what_was_measured(machine: Machine) -> None:
    """Contiguous SVE accesses have the cache longer than the manual says; gathers and scalars as it says."""
    text = "ld1d {z1.d}, p0/z, [x1]\nld1d {z2.d}, p0/z, [x1, #1, mul vl]\nst1d {z3.d}, p0, [x2]\n"
    code = _core.assemble("aarch64", text).instructions
    analysis = _core.analyze(machine.core, code, "unroll")
    assert analysis.cycles_per_iteration == pytest.approx(2 * 0.62 + 1.04)
    assert _core.simulate(machine.core, code, "unroll", None).cycles_per_iteration == pytest.approx(2.28, abs=0.02)
    for other in ("ldr x1, [x2]", "ldr q1, [x2]", "ld1d {z1.d}, p0/z, [x1, z2.d, lsl #3]"):
        found = _core.analyze(machine.core, _core.assemble("aarch64", other + "\n").instructions, "unroll")
        assert found.balanced.totals[list(machine.core.resources).index("L1")] == 0


def test_sequential_decode_takes_a_group_per_micro_op(machine: Machine) -> None:
    assert entry(machine, "fadda d1, p0, d1, z2.d")["uops"] == (60, 15, 60)
    assert entry(machine, "fmla z1.d, z2.d, z3.d[1]")["uops"] == (2, 2, 2)


def test_packed_movprfx_costs_nothing_of_its_own(machine: Machine) -> None:
    assert entry(machine, "movprfx z1, z2")["ports"] == ()
    assert latency(machine, "movprfx z1, z2", "2", "1") == 0
    assert latency(machine, "movprfx z1.d, p0/m, z2.d", "3", "1") == 4
