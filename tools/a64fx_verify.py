"""Random forms of the A64FX model against their sources: the manual's list as transcribed, LLVM's latencies.

The comparison goes another way than the generator: the row that an analysis finds for an instruction is compared with
the text of the list's line. Compared are micro-ops, pipes, and latencies that the line gives in plain numbers (`9`,
`6 / [1]9`), as the time from the sources to the result.
"""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arm_models.examples import Example
from corecast import _core
from corecast.convert.importers.a64fx_forms import Form
from corecast.convert.importers.a64fx_lookup import Manual
from corecast.convert.importers.a64fx_manual import read_manual
from corecast.convert.importers.a64fx_rows import SOURCE
from corecast.machine import load_machine

SEED = 24
PIPES = {"EX*": "EX", "EAG*": "EAG", "FL*": "FL", "PRX": "PR"}
BOOKED_BESIDE = {"LS0|LS1", "LS0", "LS1"}
"""Accesses of the cache, which the list's pipes do not name."""
Figure = tuple[str, object, object]


def verify(path: Path, folder: Path, examples: Mapping[str, Example], count: int) -> int:
    """Compares `count` forms and reports; the number of figures that differ."""
    manual = Manual(read_manual(path))
    with path.open(encoding="utf-8", newline="") as file:
        lines = dict(enumerate(csv.reader(file), 1))  # no cell holds a line break
    machine = load_machine(folder).core
    schedule = _core.Schedule("aarch64", "a64fx")
    forms = sorted(key for key in examples if machine.find(key) is not None)
    compared = differing = 0
    for key in random.Random(SEED).sample(forms, min(count, len(forms))):
        instruction = _core.disassemble("aarch64", examples[key].code).instructions[0]
        row = machine.find(key)
        assert row is not None
        figures: list[Figure] = []
        if row["source"] == SOURCE:
            spellings = (key, *instruction.alternative_forms)
            entry = next(found for spelling in spellings if (found := manual.find(Form(spelling))) is not None)
            figures = list(_of_the_list(row, lines[entry.line]))
        elif str(row["source"]).startswith("llvm"):
            figures = list(_of_llvm(row, schedule.entry(examples[key].code)))
        for what, ours, theirs in figures:
            compared += 1
            if ours != theirs:
                differing += 1
                print(f"a64fx: {key}: {what} {ours}, its source {theirs}")
    print(f"a64fx: {min(count, len(forms))} forms, {compared} figures compared with their source, {differing} differ")
    return differing


def _of_the_list(row: Mapping[str, Any], line: list[str]) -> Iterator[Figure]:
    """(what, in the row, in the list) of each figure that a line gives plainly."""
    _, _, _, count, _, blocking, latency, pipeline = (cell.strip() for cell in line)
    yield "micro-ops", row["uops"][1], float(count)
    if not re.search(r"[|;x]|Pipe", pipeline):
        named = {PIPES.get(name, name) for name in re.findall(r"[A-Z]+\*?", pipeline)} - {"NULL"}
        yield "pipes", _groups(row) - BOOKED_BESIDE, frozenset(named)
    longest = _longest(row)
    times = re.fullmatch(r"(\d+)((?: / \[1\]\d+)*)", latency)
    if times and longest is not None and blocking != "E":
        yield "latency", longest, float(sum(map(int, re.findall(r"(?<!\[)\d+(?!\])", latency))))


def _of_llvm(row: Mapping[str, Any], entry: _core.ScheduleEntry) -> Iterator[Figure]:
    longest = _longest(row)
    if longest is not None and entry.latencies:
        yield "latency", longest, max(float(each.cycles) for each in entry.latencies)


def _groups(row: Mapping[str, Any]) -> frozenset[str]:
    """Ports and groups of the row, by the names of the list."""
    sets = {frozenset(ports) for _, ports in row["ports"]}
    names = {frozenset({"EXA", "EXB"}): "EX", frozenset({"EAGA", "EAGB"}): "EAG", frozenset({"FLA", "FLB"}): "FL"}
    return frozenset(names.get(ports, "|".join(sorted(ports))) for ports in sets)


def _longest(row: Mapping[str, Any]) -> float | None:
    cycles = [each for _, target, each in row["latency"] or () if target not in ("addr", "mem")]
    return max(cycles, default=None)
