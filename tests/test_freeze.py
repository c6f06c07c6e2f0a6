"""Predictions change only where somebody says so: benchmarks/freeze holds them, its changes.md the reasons."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corecast.machine import list_machines, load_machine

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import freeze  # noqa: E402

CORES = [machine.name for machine in list_machines()]


@pytest.mark.parametrize("cpu", CORES)
def test_predictions_are_as_committed(cpu: str) -> None:
    blocks = freeze.read_blocks(load_machine(cpu).isa)
    changes = list(freeze.changes(blocks, freeze.committed(cpu), freeze.predicted(cpu, blocks)))
    assert not changes, f"{len(changes)} changes, such as {changes[0]}; see tools/freeze.py"


def test_every_frozen_core_is_a_model() -> None:
    frozen = {path.stem for path in freeze.FOLDER.glob("*.csv") if not path.name.startswith("blocks.")}
    assert frozen == set(CORES)


def test_the_last_line_of_the_changes_names_what_is_frozen() -> None:
    last = (freeze.FOLDER / freeze.CHANGES).read_text().splitlines()[-1]
    assert last.rstrip(" |").endswith(freeze.digest()), "update with tools/freeze.py --update REASON"


def test_a_changed_figure_is_found(tmp_path: Path) -> None:
    for name in ("blocks.riscv64.csv", "sifive_p550.csv"):
        shutil.copy(freeze.FOLDER / name, tmp_path)
    blocks = freeze.read_blocks("riscv64", tmp_path)
    rows = freeze.committed("sifive_p550", tmp_path)
    changed = [list(row) for row in rows]
    changed[3][0] = repr(float(changed[3][0]) * 2)
    found = list(freeze.changes(blocks, rows, changed))
    assert [(change.method, change.share) for change in found] == [("bounds", 1.0)]
    before = freeze.digest(tmp_path)
    (tmp_path / "sifive_p550.csv").write_text("")
    assert freeze.digest(tmp_path) != before


def test_the_command_says_what_it_does() -> None:
    command = [sys.executable, str(ROOT / "tools" / "freeze.py"), "sifive_p550"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "cores: 1, changed: 0\n")
