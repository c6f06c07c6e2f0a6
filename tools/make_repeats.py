#!/usr/bin/env python3
"""Print the tables `repeats` of a pipeline.toml from cycles that benchmarks/time_repeats.py measured on a Zen 4.

    tools/make_repeats.py [RECORDS.tsv]

A loop of the records holds the instruction and, beside it, four operations of the four ALUs. On Zen 4 the instruction
keeps these from others all the time: an operation more takes a quarter of a cycle more, whatever the count. So the loop
takes a cycle more than the instruction.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

RECORDS = Path(__file__).resolve().parent / "amd_models/zen4_repeats.tsv"
SOURCE = "corecast:zen4"
_LOOP_CYCLES = 1.0
_RELATIVE, _CYCLES = 0.04, 0.7
"""By how much a piece may miss a measured point: the larger one counts."""


@dataclass(frozen=True)
class Piece:
    """From a count on: the cycles of that count, and of each repetition beyond it."""

    start: int
    cycles: float
    each: float = 0.0


def measured(path: Path = RECORDS) -> dict[str, dict[int, float]]:
    """Cycles of the instruction alone, by form and count."""
    found: dict[str, dict[int, float]] = {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    for line in lines[1:]:
        form, count, cycles = line.split("\t")
        found.setdefault(form, {})[int(count)] = float(cycles) - _LOOP_CYCLES
    return found


def pieces(points: Mapping[int, float]) -> list[Piece]:
    """Few lines near all points. They join, but where the microcode takes another way between neighbouring counts."""
    counts = sorted(points)
    found: list[Piece] = []
    first = 0
    while first < len(counts):
        start, last, slope = counts[first], first, 0.0
        steepest, flattest = math.inf, 0.0
        for index in range(first + 1, len(counts)):
            count, cycles = counts[index], points[counts[index]]
            allowed = max(_CYCLES, _RELATIVE * cycles)
            rise, distance = cycles - points[start], count - start
            steepest, flattest = min(steepest, (rise + allowed) / distance), max(flattest, (rise - allowed) / distance)
            if steepest < flattest:
                break
            last, slope = index, max(0.0, min(steepest, max(flattest, rise / distance)))
        found.append(Piece(start, round(points[start], 1), round(slope, 4)))
        if last + 1 == len(counts):
            break
        joins = counts[last + 1] - counts[last] > 1 and last > first
        first = last if joins else last + 1
    return found


def groups(forms: Sequence[str]) -> list[list[str]]:
    """Forms that take the same time, as the campaign shows: reading and comparing go by elements, whatever their width;
    `repe cmpsb` alone compares many at once."""
    found: dict[str, list[str]] = {}
    for form in forms:
        prefix, mnemonic, *_ = form.split()
        by_elements = mnemonic[:4] in ("lods", "scas", "cmps") and (prefix, mnemonic) != ("rep", "cmpsb")
        found.setdefault(mnemonic[:4] if by_elements else form, []).append(form)
    return list(found.values())


def text(path: Path = RECORDS) -> str:
    """The tables `repeats` of pipeline.toml."""
    records = measured(path)
    tables = []
    for forms in groups(list(records)):
        counts = set.intersection(*(set(records[form]) for form in forms))
        points = {count: statistics.median(records[form][count] for form in forms) for count in counts}
        tables.append(_table(forms, pieces(points)))
    return "\n".join(tables)


def _table(forms: Sequence[str], found: Sequence[Piece]) -> str:
    names = [f'  "{form}",' for form in forms]
    lines = [
        f"  {{ from = {piece.start}, cycles = {piece.cycles:g}"
        + (f", cycles_per_repetition = {piece.each:g} }}," if piece.each else " },")
        for piece in found
    ]
    head = ["[[repeats]]", "forms = [", *names, "]", 'ports = ["ALU"]', "pieces = [", *lines, "]"]
    return "\n".join([*head, f'source = "{SOURCE}"', 'confidence = "measured"', ""])


def main() -> int:
    print(text(Path(sys.argv[1]) if len(sys.argv) > 1 else RECORDS), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
