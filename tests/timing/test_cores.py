"""Which cores are chosen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corecast.errors import InputError
from corecast.machine.recognize.seen import caches_of_sysfs
from corecast.timing.cores import choose_cores, data_ways, independent


def test_cores_that_share_their_units_are_not_used_together() -> None:
    """Cores 0 and 1 share one; 2 is alone. Who runs beside a busy sibling takes twice as long."""
    running: list[int] = []

    def speed(core: int) -> float:
        running.append(core)
        import time

        time.sleep(0.05)  # until all have begun
        busy = {each for each in running if each != core}
        time.sleep(0.05)
        running.remove(core)
        return 2.0 if (core ^ 1) in busy and core < 2 else 1.0

    assert independent([0, 1, 2], speed) == [0, 2]
    assert independent([2, 1], speed) == [2, 1]


def test_cores_that_are_named() -> None:
    some = min(os.sched_getaffinity(0))
    assert choose_cores([some, some]) == [some]
    with pytest.raises(InputError, match="no core 9999"):
        choose_cores([9999])


def test_some_core_is_always_found() -> None:
    assert set(choose_cores(None)) <= os.sched_getaffinity(0)
    assert choose_cores(None)


@pytest.mark.parametrize(
    ("ways", "size", "found"),
    [("12", "48K", 12), ("8", "32K", 8), ("4", "64K", 8), ("16", "32K", 8), ("", "48K", 8), ("12", "x", 8)],
)
def test_ways_of_the_first_data_cache(ways: str, size: str, found: int, tmp_path: Path) -> None:
    files = {
        "index0/level": "1",
        "index0/type": "Instruction",
        "index1/level": "1\n",
        "index1/type": "Data\n",
        "index1/ways_of_associativity": f"{ways}\n",
        "index1/size": f"{size}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert data_ways(caches_of_sysfs(tmp_path)) == found
    assert data_ways(()) == 8
