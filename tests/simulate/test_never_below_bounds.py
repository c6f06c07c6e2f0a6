"""No simulation is faster than what the static bounds prove, on any core."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from block_strategies import assembled, bodies, looped
from corecast import _core
from corecast.errors import UnsupportedInstructionError
from corecast.machine import Machine, MachineInfo, list_machines, load_machine
from provable_bounds import WINDOW, least_cycles, provable_bound

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import freeze

STEP = 3
"""Of the frozen blocks every so many are enough for a test that runs often."""


def check(machine: Machine, lines: list[str], mode: str, start: int | None) -> None:
    instructions = assembled(machine.isa, lines)
    found = _core.simulate(machine.core, instructions, mode, start)
    bound = provable_bound(machine, instructions, mode, start)
    assert found.cycles_per_iteration >= least_cycles(found, bound), (start, lines)


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_no_loop_and_no_copies_are_faster_than_their_bounds(info: MachineInfo) -> None:
    """Wherever the code lies, or where its place is not known (None)."""
    machine = load_machine(info.name)

    @settings(max_examples=30, deadline=None, derandomize=True)
    @given(bodies(machine.isa), st.sampled_from((None, 0, 13, 29, 47, 62)))
    def never_below(body: list[str], start: int | None) -> None:
        check(machine, looped(machine.isa, body), "loop", start)
        check(machine, body, "unroll", start)

    never_below()


@pytest.mark.parametrize("info", list_machines(), ids=lambda info: info.name)
def test_no_committed_block_is_faster_than_its_bounds(info: MachineInfo) -> None:
    machine = load_machine(info.name)
    for block in freeze.read_blocks(machine.isa)[::STEP]:
        listing = _core.disassemble(machine.isa, bytes.fromhex(block.hex), block.address)
        try:
            analysis = _core.analyze(machine.core, listing.instructions, block.mode, start=block.address)
        except UnsupportedInstructionError:
            continue
        found = _core.simulate(machine.core, listing.instructions, block.mode, block.address)
        assert found.cycles_per_iteration >= least_cycles(found, analysis.proven_cycles), block


@pytest.mark.parametrize(("cpu", "text", "cycles"), [("zen4", "pushfq", 4.0), ("zen5", "pushfq", 4.0)])
def test_what_only_stores_waits_for_its_unit_too(cpu: str, text: str, cycles: float) -> None:
    """Zen's microcode sequencer is a unit, 4 cycles for pushfq, which has no micro-op but those of its store."""
    machine = load_machine(cpu)
    found = _core.simulate(machine.core, assembled("x86", [text]), "unroll")
    assert found.cycles_per_iteration == pytest.approx(cycles, rel=WINDOW)
