"""Reading measurements: blocks in one CSV or Parquet file, or kernels in separate files that a table names."""

from __future__ import annotations

from array import array
from math import isfinite
from pathlib import Path
from sys import intern

from corecast.dataclass import dataclass
from corecast.errors import CorecastError, InputError
from corecast.evaluate.cases import Answers, Cases
from corecast.evaluate.rows import open_rows
from corecast.files.tables import require_columns
from corecast.hints import TYPE_CHECKING
from corecast.isa.spelling import spellings
from corecast.prediction.records import read_step

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.machine import Machine

PUBLISHED = "predicted_"
_WEIGHTS = ("count", "weight")


@dataclass(frozen=True)
class BlockColumns:
    """Columns of measured blocks whose names may be chosen."""

    group: str = "app"
    """Column that names the application."""
    weight: str | None = None
    """None: `count` or `weight`, where there is one."""
    isa: str | None = None
    """Of the core: rows whose column `isa` names another one are left out. None: no row is."""


_USUAL = BlockColumns()


def read_blocks(file: str | Path, columns: BlockColumns | str = _USUAL) -> Cases:
    """Blocks of a table with the columns `hex` and `cycles`, optionally `address`, `code_before`, `register_step`, a
    group and how often they ran.

    Rows whose measurement failed (no cycles) are left out, and so are rows that repeat the code, start and group of
    one before (`Cases.repeated` counts these) or are code of another instruction set (`Cases.foreign`).

    Args:
        file: CSV, or Parquet where its name ends so.
        columns: names of columns; a string is the column of groups.

    Raises:
        InputError: no such file or columns, a number that is none, no row at all.
    """
    asked = BlockColumns(columns) if isinstance(columns, str) else columns
    cases = Cases(file=str(file))
    addresses: list[str] = []
    steps: list[int] = []
    before: list[str] = []
    weights = array("d")
    seen: set[int] = set()
    with open_rows(file) as (names, rows):
        require_columns(names, ("hex", "cycles"), str(file))
        weight = _weight_column(asked.weight, names, str(file))
        own = None if asked.isa is None else spellings(asked.isa)
        for line, row in rows:
            cycles = _number(row["cycles"], "cycles", str(file), line)
            if cycles is None:
                continue
            if own is not None and row.get("isa", "").strip().lower() not in own:
                cases.foreign += 1
                continue
            code, group, address = row["hex"] or "", row.get(asked.group) or "", row.get("address") or "0"
            try:
                step = read_step(row.get("register_step") or "")
            except ValueError as error:
                raise InputError(str(error), str(file), line) from None
            code_before = row.get("code_before") or ""
            key = hash((code, group, address, step, code_before))
            if key in seen:
                cases.repeated += 1
                continue
            seen.add(key)
            cases.measured.append(cycles)
            cases.codes.append(code)
            cases.groups.append(intern(group))
            addresses.append(intern(address))
            steps.append(step)
            before.append(code_before)
            if weight:
                weights.append(_weight(row[weight], weight, str(file), line))
        if "address" in names:
            cases.addresses = addresses
        if "register_step" in names:
            cases.register_steps = steps
        if any(before):
            cases.codes_before = before
        if weight:
            cases.weights = weights
    cases.names = cases.codes
    return _filled(cases)


def read_kernels(file: str | Path, machine: Machine | None = None) -> Cases:
    """Kernels of a table with the columns `file`, `cycles` and `cpu` (needless where `machine` is given).

    `file` is assembly or an object, beside the table; the region is the one that its markers or its innermost loop
    show, or what the column `lines` (`10-24`) says. Columns `predicted_TOOL` hold published predictions.

    Raises:
        InputError: no such file or columns, a number that is none, no row at all.
        UnknownCpuError: no such core.
    """
    from corecast.machine import load_machine

    cases = Cases(file=str(file))
    known: dict[str, Machine] = {}
    with open_rows(file) as (columns, rows):
        require_columns(columns, ("file", "cycles") if machine else ("file", "cycles", "cpu"), str(file))
        tools = [name.removeprefix(PUBLISHED) for name in columns if name.startswith(PUBLISHED)]
        cases.published = {tool: Answers() for tool in tools}
        for line, row in rows:
            cycles = _number(row["cycles"], "cycles", str(file), line)
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
                said = _number(row.get(PUBLISHED + tool), PUBLISHED + tool, str(file), line)
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


def _weight_column(asked: str | None, names: list[str], file: str) -> str | None:
    if asked is None:
        return next((name for name in _WEIGHTS if name in names), None)
    require_columns(names, (asked,), file)
    return asked


def _number(text: str | None, what: str, file: str, line: int) -> float | None:
    if not text or not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not isfinite(value) or value <= 0:
        raise InputError(f"{what} must be a number above 0, not '{text[:40]}'", file, line)
    return value


def _weight(text: str | None, what: str, file: str, line: int) -> float:
    """Nothing: never executed, as far as known."""
    try:
        value = float(text or "0")
    except ValueError:
        value = -1.0
    if not isfinite(value) or value < 0:
        raise InputError(f"{what} must be a number, not '{(text or '')[:40]}'", file, line)
    return value


def _filled(cases: Cases) -> Cases:
    if not len(cases):
        foreign = f" but {cases.foreign:,} of another instruction set than the core's" if cases.foreign else ""
        raise InputError(f"holds no measurement{foreign}", cases.file)
    return cases
