"""`make accuracy`: the accuracy on measured sets against the committed table."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from guard_accuracy import named  # noqa: E402


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    (tmp_path / "skylake_x.unroll.csv").write_text("hex,cycles\n4801c3,1\n480fafc0,3\n4801d8,1.25\n488b06,0.5\n")
    return tmp_path


def guard(sets: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "guard_accuracy.py"), "--sets", str(sets), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def simulated(folder: Path, *names: str) -> list[str]:
    """Lines of the simulation's errors on sets of these names, which hold the same."""
    for name in names:
        (folder / f"{name}.csv").write_text("hex,cycles\n480fafc0,4\n")
    return [line for line in guard(folder).stdout.splitlines() if "`simulate`" in line]


def test_what_was_accepted_passes_and_what_got_worse_fails(sets: Path) -> None:
    assert "not in the table yet: skylake_x.unroll, bounds" in guard(sets).stderr
    assert guard(sets, "--update").returncode == 0
    same = guard(sets)
    assert same.returncode == 0
    assert "| skylake_x.unroll | `simulate` | 4 | 100.00 % | 5.00 % | " in same.stdout
    table = sets / "table.csv"
    table.write_text(table.read_text().replace("0.050000", "0.040000"))
    worse = guard(sets)
    assert worse.returncode == 1
    assert "5.00 % (+1.00)" in worse.stdout
    assert "worse: skylake_x.unroll, simulate: mape" in worse.stderr
    table.write_text(table.read_text().replace("0.040000", "0.060000"))
    better = guard(sets)
    assert better.returncode == 0
    assert "5.00 % (-1.00)" in better.stdout


def test_no_set_is_a_message(tmp_path: Path) -> None:
    done = guard(tmp_path)
    assert done.returncode == 2
    assert "no measured sets" in done.stderr


def test_compiled_loops_are_predicted_as_loops(tmp_path: Path) -> None:
    lines = simulated(tmp_path, "skylake_x.loop", "skylake_x.compiled")
    assert [line.replace("compiled", "loop") for line in lines] == [lines[1]] * 2
    assert "skylake_x.compiled" in lines[0]


def test_an_unknown_kind_is_a_message(tmp_path: Path) -> None:
    (tmp_path / "skylake_x.csv").write_text("hex,cycles\n480fafc0,3\n")
    done = guard(tmp_path)
    assert done.returncode == 2
    assert "not a name CORE.KIND.csv or CORE.others.KIND.csv with a KIND of loop, unroll, compiled" in done.stderr


def test_code_of_other_programs_is_a_set_of_its_own(tmp_path: Path) -> None:
    lines = simulated(tmp_path, "skylake_x.loop", "skylake_x.others.loop")
    assert [line.replace(".others", "") for line in lines] == [lines[0]] * 2


def test_compiled_loops_of_other_functions_are_a_set_of_their_own(tmp_path: Path) -> None:
    lines = simulated(tmp_path, "skylake_x.compiled", "skylake_x.others.compiled")
    assert [line.replace(".others", "") for line in lines] == [lines[0]] * 2
    assert named("skylake_x.others.compiled") == ("skylake_x", "compiled", "compiled loops of other functions")


def test_the_committed_sets_are_small_and_all_in_the_table() -> None:
    folder = ROOT / "benchmarks" / "accuracy"
    files = [path for path in folder.glob("*.csv") if path.name != "table.csv"]
    assert files
    sizes: Counter[str] = Counter()
    for path in files:
        sizes[path.name.partition(".")[0]] += path.stat().st_size
    assert max(sizes.values()) < 1_700_000, sizes
    table = (folder / "table.csv").read_text()
    assert all(
        f"{path.stem},{predictor}," in table for path in files for predictor in ("simulate", "bounds", "baseline")
    )
