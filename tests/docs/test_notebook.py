"""The example notebook shows what its cells give."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from docs.pages import ROOT

pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/refresh_notebooks.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_outputs_are_those_of_today() -> None:
    done = run("--check")
    assert done.returncode == 0, f"{done.stdout[-3000:]}{done.stderr[-2000:]}\nrun tools/refresh_notebooks.py"


def test_every_cell_was_executed_without_an_error() -> None:
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} <= {"execute_result", "display_data"}
    assert sum("text/html" in output["data"] for output in outputs) >= 4


def test_an_old_output_is_found(tmp_path: Path) -> None:
    cell = {
        "cell_type": "code",
        "execution_count": 1,
        "id": "one",
        "metadata": {},
        "outputs": [
            {"data": {"text/plain": "3"}, "execution_count": 1, "metadata": {}, "output_type": "execute_result"}
        ],
        "source": "1 + 1",
    }
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    file = tmp_path / "old.ipynb"
    file.write_text(json.dumps(notebook), encoding="utf-8")
    done = run("--check", file)
    assert done.returncode == 1, done.stderr
    assert "-[text/plain] 3\n+[text/plain] 2" in done.stdout
    assert run(file).returncode == 0
    assert run("--check", file).returncode == 0
