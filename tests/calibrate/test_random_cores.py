"""Eight simulated cores with random pipelines and port maps are recovered from their times.

benchmarks/recovery.csv has all figures of them; this test repeats a part.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from random_cores import (
    COLUMNS,
    QUICK,
    SEEDS,
    random_core,
    recovered_forms,
    recovered_pipeline,
    recovered_ports,
    table,
)

TABLE = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "recovery.csv"
SAMPLE = ("popcnt r64, r64", "vfmadd231pd ymm, ymm, ymm", "pdep r64, r64, r64")
PORTS_OF = (4, 5)
"""Cores whose ports are found anew here: one of each base."""


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return TABLE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_says_what_is_recovered(seed: int, lines: list[str], tmp_path: Path) -> None:
    """`tools/recover_cores.py -o benchmarks/recovery.csv` writes it anew."""
    core = random_core(seed, tmp_path)
    found = [*recovered_pipeline(core, QUICK), *recovered_forms(core, SAMPLE)]
    if seed in PORTS_OF:
        found += recovered_ports(core, SAMPLE)
    assert set(table(found).splitlines()) <= set(lines)


def test_cores_differ() -> None:
    cores = [random_core(seed, Path()) for seed in SEEDS]
    assert len({repr(sorted(core.settings.items(), key=str)) for core in cores}) == len(SEEDS)
    assert len({repr(core.rows) for core in cores}) == len(SEEDS)
    assert {core.base.name for core in cores} == {"skylake_x", "zen3", "emerald_rapids"}


def test_nearly_all_is_recovered(lines: list[str]) -> None:
    rows = list(csv.DictReader(lines))
    assert tuple(rows[0]) == COLUMNS
    assert {row["core"] for row in rows} == set(map(str, SEEDS))
    missed = Counter(row["kind"] for row in rows if row["status"] == "missed")
    every = Counter(row["kind"] for row in rows)
    assert missed["latency"] == 0
    for kind, count in every.items():
        assert missed[kind] <= 0.15 * count, kind
