"""Programs beside the package (fuzzers, tools, benchmarks): what they import from it, in functions too, is there."""

from __future__ import annotations

import ast
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
