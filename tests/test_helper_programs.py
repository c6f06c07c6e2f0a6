"""Programs beside the package (fuzzers, tools, benchmarks): what they import from it, in functions too, is there; what
they cannot use they tell in one message."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAMS = sorted(path for folder in ("benchmarks", "fuzz", "tools") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imported_names_exist(program: Path) -> None:
    for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] != "corecast":
            continue
        module = import_module(node.module or "")
        for alias in node.names:
            if not hasattr(module, alias.name):
                import_module(f"{node.module}.{alias.name}")  # a submodule then


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("measure_latencies.py zen99", "no machine model is called 'zen99'"),
        ("measure_ports.py --simulated zen99", "no machine model is called 'zen99'"),
        (
            "measure_ports.py --names zen4 --simulated neoverse_n1",
            "zen4 is a core of x86, simulated neoverse_n1 of aarch64",
        ),
        ("measure_ports.py --simulated zen4 --against zen99", "no machine model is called 'zen99'"),
        ("measure_ports.py --simulated zen4 --against zen3 --port 9=FP7", "not '9=FP7'"),
        ("measure_ports.py --simulated zen4 --source nobody", "no form of one or two uops of zen4 fits"),
    ],
)
def test_what_a_benchmark_cannot_use_is_one_message(command: str, message: str) -> None:
    program, *arguments = command.split()
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / program), *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
