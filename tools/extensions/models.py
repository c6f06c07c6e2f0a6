"""Which forms a core executes, by [extensions] of its pipeline.toml: form tables have no others."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from corecast.machine import Machine
from enumerated import forms
from pipelines import machine_of_rows


def executable(machine: Machine, form: str) -> bool:
    """Whether some encoding of a form needs nothing that the core lacks."""
    needs = _requirements(machine.isa).get(form.partition(" @")[0])
    return needs is None or machine.core.has_one_of(needs)


def executable_on(folder: Path) -> Callable[[str], bool]:
    """The same of the core whose model is in a folder."""
    machine = machine_of_rows(folder, ())
    return lambda form: executable(machine, form)


@cache
def _requirements(isa: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for form in forms(isa):
        found.setdefault(form.form.partition(" @")[0], []).extend(form.requirements)
    return found
