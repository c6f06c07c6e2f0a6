"""The made-up machine models of tests/data/machines."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from corecast.machine import Machine, load_machine

FOLDER = Path(__file__).parent / "data" / "machines"


@cache
def toy(name: str) -> Machine:
    return load_machine(FOLDER / name)
