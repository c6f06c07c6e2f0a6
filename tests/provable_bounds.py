"""What no simulation may undercut."""

from __future__ import annotations

from collections.abc import Sequence

from corecast import _core
from corecast.machine import Machine

WINDOW = 0.01  # cycles, or as a share: a window's ends are whole cycles, and windows that settle early are short


def provable_bound(machine: Machine, instructions: Sequence[_core.Instruction], mode: str) -> float:
    """The largest bound that no order of events undercuts: Intel's front ends are bounded on average only."""
    analysis = _core.analyze(machine.core, instructions, mode)
    bounds = dict(analysis.bounds)
    frontend = analysis.frontend.components
    if machine.pipeline.get("vendor") == "intel":
        bounds["frontend"] = max(frontend.get(name, 0.0) for name in ("rename", "retire"))
    return float(max(bounds.values()))


def least_cycles(found: _core.Simulation, bound: float) -> float:
    """What the simulation must show at least, given how exactly its figure is known."""
    return bound - (1e-6 if found.periodic else max(WINDOW, WINDOW * bound))
