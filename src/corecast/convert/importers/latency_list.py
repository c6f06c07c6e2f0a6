"""Lists of latencies as manuals print them, by class of operation (CSV), as rows of the forms of a model.

A line names forms by patterns and says what they cost. A form takes the first line that fits. A memory operand and a
variant (`@same`) change what an instruction costs, so that only patterns which name them mean such forms.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from corecast import _core
from corecast.errors import InputError, MachineModelError
from corecast.files.reading import open_table
from corecast.files.tables import require_columns
from corecast.hints import get_args
from corecast.machine.making.imported import Imported
from corecast.machine.patterns import is_wild, matching_keys
from corecast.machine.rows import Confidence, Latency, Row, endpoint_name, row_from_line
from corecast.machine.spelling import instructions_of
from corecast.machine.types import Isa, Machine
from corecast.pattern import lazy_pattern

_NEEDED = ("forms", "latency_cycles")
_COLUMNS = (*_NEEDED, "reciprocal_throughput_cycles", "ports", "uops", "confidence", "source")
_MEMORY: Mapping[Isa, str] = {"x86": r"\bm\d*(bcst)?\b|\bvm[xyz]mm\b", "aarch64": r"\[(?!i\])", "riscv64": r"\("}
_ENDPOINT = lazy_pattern(r"\*|[1-9]\d?|mem|addr|index|flags|mask")
_FORMULA = lazy_pattern(r"(?<!\w)\d+[LQT]\b")
_ADDRESS = 65
"""Operand of an address: what loads and stores write back to it does not take as long as the access."""


def import_latency_list(path: Path, machine: Machine) -> Imported:
    """The figures of a list for the forms that a model knows.

    Raises:
        InputError: the file is no such list, or none of its lines fits a form.
    """
    wanted: dict[str, Row] = {}
    unmapped: list[tuple[str, str]] = []
    entries = 0
    for number, line in _lines(path):
        row = _row(line, machine.isa, path, number)
        for pattern in filter(None, map(str.strip, row.form.split(";"))):
            entries += 1
            found = _meant(machine, pattern)
            if not found or wanted.keys() >= set(found):
                reason = "lines before it take all its forms" if found else f"no form of {machine.name} fits"
                unmapped.append((f"line {number}: {pattern}", reason))
            for form in found:
                wanted.setdefault(form, row.with_(form=form))
    if not entries:
        raise InputError("has no line with forms", str(path))
    rows: dict[str, Row] = {}
    instructions = instructions_of(machine.isa, (form for form, row in wanted.items() if _is_plain(row)))
    for form, row in wanted.items():
        if _is_plain(row):
            row = with_results(row, machine.isa, instructions.get(form))
        if _grows(machine, form):
            unmapped.append((form, "the model's figures are for every vector length, those of a list for one"))
        elif row.latency or row.ports is not None or row.uops or row.reciprocal_throughput_cycles is not None:
            rows[form] = row
        else:
            unmapped.append((form, "no result that one latency could be of: pairs of operands say which"))
    if not rows:
        raise InputError(f"no line fits a form of {machine.name}", str(path))
    return Imported(f"the latency list {path.name}", "latency_list.tsv", machine.isa, rows, entries=entries,
                    unmapped=unmapped)  # fmt: skip


def _lines(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Number and cells by column of each line behind the header; comments and empty lines are skipped."""
    number = 0
    names: list[str] = []
    try:
        with open_table(path) as file:
            reader = csv.reader(("\n" if line.startswith("#") else line for line in file), strict=True)
            for read in reader:
                number, cells = reader.line_num, [" ".join(cell.split()) for cell in read]
                if not any(cells):
                    continue
                if not names:
                    names = cells
                    require_columns(names, _NEEDED, str(path), number)
                    if strange := [name for name in names if name not in _COLUMNS]:
                        raise InputError(f"column '{strange[0]}' is none of {', '.join(_COLUMNS)}", str(path), number)
                elif len(cells) > len(names):
                    raise InputError(f"{len(cells)} cells below {len(names)} columns", str(path), number)
                else:
                    yield number, dict(zip(names, cells, strict=False))
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", str(path)) from None
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", str(path), number + 1) from None
    if not names:
        require_columns(names, _NEEDED, str(path))


def _row(line: Mapping[str, str], isa: Isa, path: Path, number: int) -> Row:
    """What a line says, as a row whose form is the line's patterns; a plain latency goes from `*` to `*`."""
    patterns, latency, cycles, ports, uops, confidence, source = (line.get(name, "") for name in _COLUMNS)
    confidence = confidence or "documented"
    if not patterns.strip("; "):
        raise InputError("has no forms", str(path), number)
    if confidence not in get_args(Confidence):
        raise InputError(f"confidence is '{confidence}', not {', '.join(get_args(Confidence))}", str(path), number)
    if not (latency or cycles or ports or uops):
        raise InputError(f"has no figure for {patterns}", str(path), number)
    pairs = latency if "->" in latency or not latency else f"*->*:{latency}"
    cells = (patterns, ports or "?", "", pairs or "?", uops, "", "", cycles, source or path.name, confidence)
    try:
        row = row_from_line("\t".join(cells))
        if wrong := row.impossible():
            raise InputError(f"{patterns} has a {wrong}: no number from 0 on", str(path), number)
        for end in (end for pair in row.latency or () for end in (pair.source, pair.destination)):
            if not _ENDPOINT.fullmatch(end) and not _core.register_number(isa, end):
                raise InputError(
                    f"'{end}' is not an operand: 1, 2, ..., addr, mem, flags or a register", str(path), number
                )
    except MachineModelError as error:
        raise InputError(error.message, str(path), number) from None
    return row


def _meant(machine: Machine, pattern: str) -> list[str]:
    """Forms of the model that a pattern means; words name the mnemonic first, so that `div` is not sdiv."""
    keys: Sequence[str] = machine.keys()
    if "@" not in pattern:
        keys = [key for key in keys if "@" not in key]
    if not _names_memory(machine.isa, pattern):
        keys = [key for key in keys if not _names_memory(machine.isa, key)]
    found = matching_keys([keys], pattern)
    mnemonic = pattern.lower().split()[0]
    return found if is_wild(pattern) else [key for key in found if key.split(" ")[0] == mnemonic]


def _grows(machine: Machine, form: str) -> bool:
    """Whether the model's figures are formulas of the vector length."""
    known = machine.row(form)
    return known is not None and any(map(_FORMULA.search, (known.ports, known.latency, known.uops, known.blocking)))


def _names_memory(isa: Isa, form: str) -> bool:
    return re.search(_MEMORY[isa], form.lower().partition("@")[0]) is not None


def _is_plain(row: Row) -> bool:
    return any(pair.destination == "*" for pair in row.latency or ())


def with_results(row: Row, isa: Isa, instruction: _core.Instruction | None) -> Row:
    """A latency from any source to any result, as one per register that the instruction writes."""
    operands = instruction.operands if instruction is not None else ()
    written = [each.id for each in operands if each.write and each.kind == "reg" and each.id != _ADDRESS]
    pairs = [
        Latency(pair.source, endpoint_name(isa, each), pair.cycles) for pair in row.latency or () for each in written
    ]
    return row.with_(latency=tuple(pairs) or None)
