"""What of compiled sources is timed for benchmarks/accuracy/CORE.others.compiled.csv."""

from __future__ import annotations

import csv
import platform
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from time_compiled import DATA, loops, shape  # noqa: E402


def shapes(file: Path) -> list[str]:
    with file.open(encoding="utf-8", newline="") as stream:
        return [shape(bytes.fromhex(row["hex"])) for row in csv.DictReader(stream)]


def test_registers_and_displacements_make_no_other_loop() -> None:
    first, other, wider = (bytes.fromhex(code) for code in ("f20f1006", "f20f104708", "c5fd1006"))
    assert shape(first) == shape(other) != shape(wider)


def test_the_committed_loops_are_others_than_those_that_calibrate_ships() -> None:
    shipped = set(shapes(DATA / "loops.csv"))
    found = shapes(ROOT / "benchmarks" / "accuracy" / "zen4.others.compiled.csv")
    assert len(set(found)) == len(found)
    assert not shipped & set(found)


@pytest.mark.skipif(platform.machine() != "x86_64" or shutil.which("gcc") is None, reason="there is no gcc for x86")
def test_no_loop_of_other_functions_accesses_memory_under_a_mask() -> None:
    found = list(loops([ROOT / "benchmarks" / "kernels" / "others.c"], ["gcc"]))
    assert len(found) > 100
    assert not any(name.startswith("choose_words") and block.group.startswith("avx") for block, name in found)
