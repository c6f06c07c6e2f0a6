"""Reading measurements: blocks in one CSV file, or kernels in files of their own that a table names."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from corecast.errors import CorecastError, InputError
from corecast.evaluate.cases import Answers, Cases

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.machine import Machine

_PUBLISHED = "predicted_"


def read_blocks(file: str | Path, by: str = "app") -> Cases:
    """Blocks of a CSV file with the columns `hex` and `cycles`, optionally `address` and the column of groups `by`.

    Rows whose measurement failed (no cycles) are left out.

    Raises:
        InputError: no such file or columns, a number that is none, no row at all.
    """
    cases = Cases(file=str(file))
    addresses: list[str] = []
    with _table(file) as (columns, rows):
        _require(columns, ("hex", "cycles"), str(file))
        for line, row in rows:
            cycles = _cycles(row["cycles"], str(file), line)
            if cycles is None:
                continue
            cases.measured.append(cycles)
            cases.codes.append(row["hex"])
            cases.groups.append(row.get(by) or "")
            addresses.append(row.get("address") or "0")
        if "address" in columns:
            cases.addresses = addresses
    cases.names = cases.codes
    return _filled(cases)


def read_kernels(file: str | Path, machine: Machine | None = None) -> Cases:
    """Kernels of a CSV file with the columns `file`, `cycles` and `cpu` (needless where `machine` is given).

    `file` is assembly or an object, beside the table; the region is the one that its markers or its innermost loop
    show, or what the column `lines` (`10-24`) says. Columns `predicted_TOOL` hold published predictions.

    Raises:
        InputError: no such file or columns, a number that is none, no row at all. UnknownCpuError: no such core.
    """
    from corecast.machine import load_machine

    cases = Cases(file=str(file))
    known: dict[str, Machine] = {}
    with _table(file) as (columns, rows):
        _require(columns, ("file", "cycles") if machine else ("file", "cycles", "cpu"), str(file))
        tools = [name.removeprefix(_PUBLISHED) for name in columns if name.startswith(_PUBLISHED)]
        cases.published = {tool: Answers() for tool in tools}
        for line, row in rows:
            cycles = _cycles(row["cycles"], str(file), line)
            if cycles is None:
                continue
            if machine is None and row["cpu"] not in known:
                known[row["cpu"]] = load_machine(row["cpu"])
            core = machine or known[row["cpu"]]
            kernel, problem = _kernel(Path(file).parent / row["file"], row.get("lines") or "", core)
            if problem:
                cases.problems[len(cases)] = problem
            cases.measured.append(cycles)
            cases.names.append(row["file"])
            cases.groups.append(core.name)
            cases.machines.append(core)
            cases.kernels.append(kernel)
            for tool in tools:
                said = _cycles(row.get(_PUBLISHED + tool) or "", str(file), line)
                cases.published[tool].add(said, "ok" if said is not None else "error: none published")
    return _filled(cases)


def _kernel(path: Path, lines: str, machine: Machine) -> tuple[Kernel | None, str]:
    from corecast.asm import RegionOptions, parse_lines, read_regions

    try:
        chosen = parse_lines(lines) if lines else ()
        found = read_regions(str(path), RegionOptions(isa=machine.isa, lines=chosen))
    except CorecastError as error:
        return None, str(error)
    if len(found) != 1:
        return None, f"{path.name} holds {len(found)} loops: name one in the column lines"
    return found[0], ""


@contextmanager
def _table(file: str | Path) -> Iterator[tuple[list[str], Iterator[tuple[int, dict[str, str]]]]]:
    """Column names, and rows with the line that each ends in."""
    try:
        stream = open(file, encoding="utf-8-sig", newline="")  # noqa: SIM115
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", str(file)) from None
    with stream:
        reader = csv.DictReader(stream)
        try:
            columns = [_column(name) for name in reader.fieldnames or ()]
            reader.fieldnames = columns
            yield columns, ((reader.line_num, row) for row in reader)
        except UnicodeDecodeError:
            raise InputError("is not UTF-8 text", str(file)) from None
        except csv.Error as error:
            raise InputError(str(error), str(file), reader.line_num) from None


def _column(name: str) -> str:
    """Case does not matter but in the names of tools."""
    name = name.strip()
    low = name.lower()
    return _PUBLISHED + name[len(_PUBLISHED) :] if low.startswith(_PUBLISHED) else low


def _require(columns: list[str], needed: tuple[str, ...], file: str) -> None:
    missing = [name for name in needed if columns.count(name) != 1]
    if missing:
        shown = ", ".join(columns)[:200]
        raise InputError(f"one column must be called {' and one '.join(missing)}; the columns are: {shown}", file, 1)


def _cycles(text: str | None, file: str, line: int) -> float | None:
    if not text or not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not isfinite(value) or value <= 0:
        raise InputError(f"cycles must be a number above 0, not '{text[:40]}'", file, line)
    return value


def _filled(cases: Cases) -> Cases:
    if not len(cases):
        raise InputError("holds no measurement", cases.file)
    return cases
