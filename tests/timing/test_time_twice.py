"""`benchmarks/time_twice.py`: when two passes of `corecast time` agree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "time_twice.py"


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(PROGRAM), *arguments], capture_output=True, text=True, check=False)


def compared(folder: Path, first: list[str], second: list[str]) -> subprocess.CompletedProcess[str]:
    """Of rows such as `2.0000,0.0010,` (cycles, spread, reason) of the same blocks."""
    for name, rows in (("first.csv", first), ("second.csv", second)):
        lines = [f"{number:08x},{row},loop\n" for number, row in enumerate(rows)]
        (folder / name).write_text("hex,cycles,spread,rejected,mode\n" + "".join(lines), encoding="utf-8")
    return ran("compare", str(folder / "first.csv"), str(folder / "second.csv"))


@pytest.mark.parametrize(("different", "code"), [(0, 0), (1, 0), (2, 1)])
def test_one_row_in_a_thousand_may_differ(different: int, code: int, tmp_path: Path) -> None:
    first = ["2.0000,0.0010,"] * 1000
    second = ["2.1100,0.0010,"] * different + ["2.0900,0.0010,"] * (1000 - different)
    done = compared(tmp_path, first, second)
    assert done.returncode == code
    assert f"| differ by more than 5 % | {different} ({different}.0 of 1,000) |" in done.stdout
    assert "| differ by more than 2 % | 1000 |" in done.stdout


def test_rows_that_a_pass_rejects_are_not_compared(tmp_path: Path) -> None:
    first = ["2.0000,0.0010,", ",,unstable", ",,aliasing", "1.0000,0.0010,", ",,memory"]
    second = [",,spread", "3.0000,0.0010,", ",,aliasing", "1.0000,0.0010,", "9.0000,0.0010,"]
    done = compared(tmp_path, first, second)
    assert done.returncode == 0
    for row in (
        "| measured in pass 1, in pass 2 | 2, 3 |",
        "| measured in both | 1 |",
        "| rejected for their accesses or code, the same in both passes | 1 |",
        "| the same, in one pass only | 1 |",
        "| rejected as `spread`, pass 1, pass 2 | 0, 1 |",
        "| rejected as `unstable`, pass 1, pass 2 | 1, 0 |",
    ):
        assert row in done.stdout


def test_wrong_input_is_one_message(tmp_path: Path) -> None:
    blocks = tmp_path / "blocks.csv"
    blocks.write_text("hex\n4801d8\n", encoding="utf-8")
    for command, message in (
        (("compare", str(blocks), str(blocks)), f"{blocks}:1: no column 'cycles'"),
        (("compare", str(tmp_path / "none.csv"), str(blocks)), "none.csv"),
    ):
        done = ran(*command)
        assert done.returncode == 2
        assert message in done.stderr.splitlines()[-1]
        assert "Traceback" not in done.stderr
    done = compared(tmp_path, ["1.0000,0.0010,"], ["1.0000,0.0010,", "1.0000,0.0010,"])
    assert done.returncode == 2
    assert "not of the same blocks" in done.stderr


def test_blocks_are_drawn_alike_every_time(tmp_path: Path) -> None:
    blocks = tmp_path / "blocks.csv"
    blocks.write_text("hex\n" + "".join(f"{number:08x}\n" for number in range(100)), encoding="utf-8")
    first = ran("draw", str(blocks), "10").stdout
    assert first == ran("draw", str(blocks), "10").stdout
    assert len(set(first.splitlines())) == 11
    assert first.splitlines()[0] == "hex"
