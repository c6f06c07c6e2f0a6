"""A chain takes what the row says of its pair of operands, whatever it says of others."""

from __future__ import annotations

import pytest

from corecast import load_machine
from corecast.machine import Machine
from corecast.measure import FormMeter, SimulatedCore, parse_form

CASES = [
    ("neoverse_v2", "cmphi p.h, p/z, z.h, z.h"),  # 3 and 4 cycles to the predicate, 4 to the flags
    ("alder_lake_p", "shld r64, r64, cl"),  # not as other shifts by cl
    ("alder_lake_p", "div r64"),
    ("alder_lake_p", "rcr r8, i8"),
    ("skylake_x", "xchg r32, r32"),
    ("skylake_x", "cmpxchg m8, r8"),
]


def row_of(machine: Machine, key: str) -> dict[tuple[str, str], float]:
    return {(source, target): cycles for source, target, cycles in machine.core.find(key)["latency"]}


@pytest.mark.parametrize(("core", "key"), CASES)
def test_a_chain_takes_what_the_row_says(core: str, key: str) -> None:
    machine = load_machine(core)
    row = row_of(machine, key)
    measured = FormMeter(SimulatedCore(machine)).measure(parse_form(key, machine.isa), rare=False)
    held = 0
    for each in measured.latencies:
        if "mem" in (each.source, each.target) or (each.source, each.target) not in row:
            continue
        assert each.cycles is not None
        # Ports that something else has delay a chain a little.
        assert each.cycles.high == pytest.approx(row[each.source, each.target], abs=0.25), (each.source, each.target)
        held += 1
    assert held > 0
