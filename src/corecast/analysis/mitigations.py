"""Microcode mitigations that slow down instructions of a region: which ones count, and how to say so."""

from __future__ import annotations

import os

from corecast.hints import TYPE_CHECKING, Sequence
from corecast.machine.mitigations import switched_on

if TYPE_CHECKING:
    from corecast.analysis.results import RegionResult
    from corecast.machine import Machine

KEY = "mitigations."
_TITLES = {"gather_data_sampling": "Gather Data Sampling"}
_LINES = 4
_SAME_CYCLES = 0.005


def slowed(region: RegionResult, machine: Machine) -> dict[str, list[int]]:
    """Lines of the instructions whose rows count because of a mitigation that is on, by its name."""
    on = switched_on(machine)
    found: dict[str, list[int]] = {}
    tables: dict[str, str] = {}  # by form: long regions have few
    for instruction in region.instructions if on else ():
        form = instruction.matched_form
        table = tables.get(form)
        if table is None:
            table = tables[form] = _table_of(form, machine)
        if table in on:
            found.setdefault(table, []).append(instruction.line)
    return found


def _table_of(form: str, machine: Machine) -> str:
    """The name of the table that a form's row stands in; "" where it has none."""
    row = machine.core.row(form) if form else None
    return os.path.splitext(os.path.basename(row[1]))[0] if row is not None else ""


def note(name: str, lines: Sequence[int], cycles: float, cycles_without: float) -> str:
    """One sentence about a mitigation: what it slows, what the region takes without it, and the switch."""
    without = f"without it {cycles_without:.2f} cycles"
    if abs(cycles - cycles_without) < _SAME_CYCLES:
        without = "the same cycles without it"
    return f"{_cause(name)}: {_lines(lines)}; {without} ({_switch(name)})"


def short_note(name: str, lines: Sequence[int]) -> str:
    """The same where the cycles without it are not known."""
    return f"{_cause(name)}: {_lines(lines)} ({_switch(name)})"


def blocks_note(names: Sequence[str], blocks: str) -> str:
    """About blocks of which some instructions are slowed by one of some mitigations, at least one."""
    return f"{blocks} {'; or '.join(map(_cause, names))} ({' '.join(map(_switch, names))})"


def _cause(name: str) -> str:
    return f"slowed by the microcode mitigation for {_TITLES.get(name, name)}"


def _switch(name: str) -> str:
    return f"--set {KEY}{name}=false"


def _lines(lines: Sequence[int]) -> str:
    where = ", ".join(map(str, lines[:_LINES])) + (", ..." if len(lines) > _LINES else "")
    return f"line{'s' * (len(lines) > 1)} {where}"
