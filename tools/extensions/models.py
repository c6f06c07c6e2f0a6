"""Form tables without rows of instructions that a core lacks, by [extensions] of its pipeline.toml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from corecast.machine import Machine, load_machine
from enumerated import forms

ABSENT = "absent.tsv"


def executable(machine: Machine, form: str) -> bool:
    """Whether some encoding of a form needs nothing that the core lacks."""
    needs = _requirements(machine.isa).get(form.partition(" @")[0])
    return needs is None or machine.core.has_one_of(needs)


def drop_rows(folder: Path) -> int:
    """Drop the rows of a model that no encoding of the form makes executable; the number of these."""
    machine = load_machine(folder)
    dropped = 0
    for table in machine.tables:
        if table.parent.parent != folder:
            continue
        lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
        if table.name == ABSENT:  # rows of a sibling that do not hold here, where that one has them still
            others = {line.partition("\t")[0] for each in machine.tables if each != table for line in _lines(each)}
            kept = [line for line in lines if line.startswith(("#", "form\t")) or line.partition("\t")[0] in others]
        else:
            kept = [line for line in lines if executable(machine, line.partition("\t")[0])]
        if len(kept) < len(lines):
            table.write_text("".join(kept), encoding="utf-8")
            dropped += len(lines) - len(kept)
    return dropped


def _lines(table: Path) -> list[str]:
    return table.read_text(encoding="utf-8").splitlines()


@cache
def _requirements(isa: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for form in forms(isa):
        found.setdefault(form.form.partition(" @")[0], []).extend(form.requirements)
    return found
