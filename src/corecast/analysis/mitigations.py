"""Microcode mitigations that slow down instructions of a region: which ones count, and how to say so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.analysis.results import RegionResult
    from corecast.machine import Machine

KEY = "mitigations."
_TITLES = {"gather_data_sampling": "Gather Data Sampling"}
_LINES = 4
_SAME_CYCLES = 0.005


def slowed(region: RegionResult, machine: Machine) -> dict[str, list[int]]:
    """Lines of the instructions whose rows count because of a mitigation that is on, by its name."""
    on = [name for name, value in machine.pipeline.get("mitigations", {}).items() if value is True]
    found: dict[str, list[int]] = {}
    for instruction in region.instructions if on else ():
        row = machine.core.row(instruction.matched_form) if instruction.matched_form else None
        table = PurePath(row[1]).stem if row is not None else ""
        if table in on:
            found.setdefault(table, []).append(instruction.line)
    return found


def note(name: str, lines: Sequence[int], cycles: float, cycles_without: float) -> str:
    """One sentence about a mitigation: what it slows, what the region takes without it, and the switch."""
    without = f"without it {cycles_without:.2f} cycles"
    if abs(cycles - cycles_without) < _SAME_CYCLES:
        without = "the same cycles without it"
    where = ", ".join(map(str, lines[:_LINES])) + (", ..." if len(lines) > _LINES else "")
    return (
        f"slowed by the microcode mitigation for {_TITLES.get(name, name)}: line{'s' * (len(lines) > 1)} {where}; "
        f"{without} (--set {KEY}{name}=false)"
    )
