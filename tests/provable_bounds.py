"""What no simulation may undercut."""

from __future__ import annotations

from collections.abc import Sequence

from corecast import _core
from corecast.machine import Machine

WINDOW = 0.01  # cycles, or as a share: a window's ends are whole cycles, and windows that settle early are short


def provable_bound(
    machine: Machine, instructions: Sequence[_core.Instruction], mode: str, start: int | None = None
) -> float:
    """The largest bound that no order of events undercuts."""
    return _core.analyze(machine.core, instructions, mode, start=start).proven_cycles


def least_cycles(found: _core.Simulation, bound: float) -> float:
    """What the simulation must show at least, given how exactly its figure is known."""
    return bound - (1e-6 if found.periodic else max(WINDOW, WINDOW * bound))
