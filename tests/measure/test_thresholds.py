"""One table of thresholds: what is generated of it is current, and no module of measuring has numbers beside it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MEASURE = ROOT / "src" / "corecast" / "measure"

NO_THRESHOLDS = {
    "judge/forms/links.py": {
        "_REGISTER",
        "_SCRATCH, _STORED_AT, _LOADED_AT, _ROOT, _MASK",
        "_GROUPS, _OTHER_TARGETS",
    },
    "judge/forms/x87.py": {"_FULL", "_ADDRESS", "_CONTROL, _INTEGER, _EXTENDED, _DECIMAL"},
    "plan/forms/chain_builder.py": {"FILLING"},
    "plan/forms/form_kernel.py": {"_ONES, _INDEX"},
    "plan/pipeline/probes.py": {"_ROTATING"},
    "questions/roles.py": {"_ALL", "_FIRST_IMPLICIT"},
    "run/entries.py": {"_DIGITS"},
    "run/host.py": {"_X87_STACK, _X87_SUBNORMAL", "SIMD_SUBNORMAL"},
}
"""Numbers of registers, bits and formats, which nobody could choose otherwise."""


@pytest.fixture(scope="module", autouse=True)
def _tools() -> Iterator[None]:
    sys.path.insert(0, str(ROOT / "tools"))
    yield
    sys.path.remove(str(ROOT / "tools"))


def test_what_is_generated_is_what_is_committed() -> None:
    from generate_thresholds import generated

    for path, text in generated().items():
        assert path.read_text(encoding="utf-8") == text, f"run tools/generate_thresholds.py: {path.name} is out of date"


def test_every_threshold_is_used() -> None:
    from generate_thresholds import thresholds

    code = "".join(path.read_text(encoding="utf-8") for path in MEASURE.rglob("*.py") if path.stem != "thresholds")
    assert [row.key for row in thresholds() if row.name not in code] == []


def numeric_constants(tree: ast.Module) -> Iterator[str]:
    """Names at module level of numbers, and of tuples of numbers."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if _is_numeric(statement.value):
                yield ast.unparse(target).strip("()")


def _is_numeric(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple):
        return bool(value.elts) and all(map(_is_numeric, value.elts))
    if isinstance(value, ast.BinOp):
        return _is_numeric(value.left) and _is_numeric(value.right)
    if isinstance(value, ast.UnaryOp):
        return _is_numeric(value.operand)
    return (
        isinstance(value, ast.Constant) and isinstance(value.value, int | float) and not isinstance(value.value, bool)
    )


def test_modules_of_measuring_have_no_numbers_of_their_own() -> None:
    found = {}
    for path in sorted(MEASURE.rglob("*.py")):
        name = path.relative_to(MEASURE).as_posix()
        names = set(numeric_constants(ast.parse(path.read_text(encoding="utf-8"))))
        if names and name != "thresholds.py" and not name.startswith("isa/"):
            found[name] = names
    assert found == NO_THRESHOLDS, "a threshold belongs into measure/thresholds.tsv"


@pytest.mark.parametrize("code", ["SAME = 0.02", "A, B = 1, 2.5", "N = 30 * 1024", "N: int = -1", "MORE = (0, 2, 5)"])
def test_numbers_are_found(code: str) -> None:
    assert list(numeric_constants(ast.parse(code)))


@pytest.mark.parametrize("code", ["SCHEMA = 'a/1'", "ON = True", "NAMES = ('a', 'b')", "def f():\n    x = 1"])
def test_other_constants_are_no_numbers(code: str) -> None:
    assert not list(numeric_constants(ast.parse(code)))
