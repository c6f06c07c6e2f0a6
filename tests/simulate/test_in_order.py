"""Cores that issue in order: what keeps a port holds up what needs that port, and nothing else."""

from __future__ import annotations

import pytest

from corecast import _core
from corecast.machine import load_machine

SETTING = "vsetvli x0, x0, e32, m4, ta, ma\n"


def cycles(text: str) -> float:
    listing = _core.assemble("riscv64", SETTING + text, "")
    assert not listing.problems
    found = _core.simulate(load_machine("spacemit_x60").core, listing.instructions[1:], "loop")
    assert found.unknown == 0
    return found.cycles_per_iteration


def test_other_ports_start_meanwhile() -> None:
    """One micro-op that keeps the unit of integer vectors for 8 cycles, beside 12 additions, two a cycle."""
    kept = "vmin.vx v28, v24, x8, v0.t\n"
    adds = "".join(f"addi x{5 + number}, x0, 1\n" for number in range(12))
    assert cycles(kept) == pytest.approx(8)
    assert cycles(kept + adds) == pytest.approx(8, abs=0.6)


def test_a_result_is_there_though_its_port_is_still_kept() -> None:
    """5 cycles to the store, 5 of forwarding, 20 additions, 4 back to the vector."""
    steps = "andi x9, x9, 0\n" * 20
    chain = f"vmin.vx v28, v24, x8, v0.t\nvs1r.v v28, (x6)\nld x9, 0(x6)\n{steps}vmv.s.x v24, x9\n"
    assert cycles(chain) == pytest.approx(5 + 5 + 20 + 4)
