"""Compiled loops: running values are split where that is legal, and the changed loops are executed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from advice_execution import can_execute, entries, execute
from advice_loops import COMPILERS, Case, Compiler, cases, is_legal, verdicts

_ALWAYS = {
    "x86": {"sum", "dot", "product", "integer_product", "two_sums", "sum_and_difference", "maximum"},
    "aarch64": {"sum", "dot", "product", "integer_product", "two_sums", "sum_and_difference"},
    "riscv64": {"dot", "product", "integer_product", "two_sums"},
}
"""Reductions whose latency binds on all cores, whatever the compiler makes of them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("advice")


@cache
def _cases(compiler: Compiler, folder: Path) -> tuple[Case, ...]:
    return tuple(cases(compiler, folder))


def _of(compiler: Compiler, folder: Path) -> tuple[Case, ...]:
    if not compiler.exists:
        pytest.skip(f"no {compiler.command[0]}")
    own = folder / str(COMPILERS.index(compiler))
    own.mkdir(exist_ok=True)
    return _cases(compiler, own)


def test_the_table_has_every_kind_of_loop() -> None:
    assert len(verdicts()) == 35
    assert set(verdicts().values()) == {"split", "order", "fast"}


@pytest.mark.parametrize("compiler", COMPILERS, ids=str)
def test_only_reductions_are_split(compiler: Compiler, folder: Path) -> None:
    wrong = {(case.function, case.core, case.kernel.name) for case in _of(compiler, folder) if not is_legal(case)}
    assert wrong == set()


@pytest.mark.parametrize("compiler", COMPILERS, ids=str)
def test_reductions_whose_latency_binds_are_found(compiler: Compiler, folder: Path) -> None:
    found = _of(compiler, folder)
    for core in {case.core for case in found}:
        split = {case.function for case in found if case.core == core and case.advice.accumulators is not None}
        assert _ALWAYS[compiler.isa] - split == set(), core


@pytest.mark.parametrize("compiler", COMPILERS, ids=str)
def test_changed_loops_compute_the_same(compiler: Compiler, folder: Path) -> None:
    if not can_execute(compiler.isa):
        pytest.skip(f"{compiler.isa} cannot be executed here")
    found = _of(compiler, folder)
    changes = entries(found)
    said = execute(compiler, folder / str(COMPILERS.index(compiler)) / "loops.s", changes)
    lines = said.splitlines()
    assert [line for line in lines if " runs " not in line] == []
    assert len(lines) == len(changes)
    # Loops for the rest of an unrolled one never have as many iterations as there are copies.
    executed = {line.split()[1] for line in lines if not line.endswith(" 0")}
    assert {change.function for change in changes} - executed <= {"exclusive_or"}
