"""No simulation is faster than what the static analysis proves: ports, chains, widths of rename and retirement."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from block_strategies import assembled, bodies, looped
from corecast import _core
from corecast.machine import Machine, MachineInfo, list_machines, load_machine
from provable_bounds import WINDOW, least_cycles, provable_bound


def check(machine: Machine, lines: list[str], mode: str) -> None:
    instructions = assembled(machine.isa, lines)
    found = _core.simulate(machine.core, instructions, mode)
    assert found.cycles_per_iteration >= least_cycles(found, provable_bound(machine, instructions, mode)), lines


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_no_loop_and_no_copies_are_faster_than_their_bounds(info: MachineInfo) -> None:
    machine = load_machine(info.name)

    @settings(max_examples=30, deadline=None, derandomize=True)
    @given(bodies(machine.isa))
    def never_below(body: list[str]) -> None:
        check(machine, looped(machine.isa, body), "loop")
        check(machine, body, "unroll")

    never_below()


@pytest.mark.parametrize(("cpu", "text", "cycles"), [("zen4", "pushfq", 4.0), ("zen5", "pushfq", 4.0)])
def test_what_only_stores_waits_for_its_unit_too(cpu: str, text: str, cycles: float) -> None:
    """Zen's microcode sequencer is a unit, 4 cycles for pushfq, which has no micro-op but those of its store."""
    machine = load_machine(cpu)
    found = _core.simulate(machine.core, assembled("x86", [text]), "unroll")
    assert found.cycles_per_iteration == pytest.approx(cycles, rel=WINDOW)
