"""What ibench and asmbench print: latency and reciprocal throughput of forms, named as OSACA's importer knows them.

`vaddpd-x_y_z` is a mnemonic and its operands: on x86 in AT&T order, sources first. `r` is a general register (`r32`,
`r64`: of that width), `x`, `y`, `z` vectors, `k` a mask, `i` an immediate, `m` memory with the letters of what its
address has (b base, o offset, i index, s scale); on AArch64 `w`, `x`, `b` to `q`, `v` with the letter of its lanes. One
latency is that from any source to any result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from corecast.convert.importers.latency_list import with_results
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.files.reading import open_table
from corecast.machine.making.imported import Imported
from corecast.machine.rows import Latency, Row, rounded
from corecast.machine.spelling import instructions_of
from corecast.machine.types import Isa, Machine
from corecast.pattern import lazy_pattern

_IBENCH = lazy_pattern(r"\s*([\w.]+(?:-\w+)?)-(TP|LT)\b[^:]*:\s*(\S+)")
_FIGURE = lazy_pattern(r"(?i)(Latency|Throughput):\s*(\S+)(?:\s+\w+)?")
_NAME = lazy_pattern(r"[A-Za-z][\w.]*(?:-\w+)?")
_MOST_CYCLES = 100_000.0

_X86 = {"r": "r64", "x": "xmm", "y": "ymm", "z": "zmm", "i": r"i\d+", "k": "k"}
_AARCH64 = {"i": "i"}
_INDEXED = " @indexed"


@dataclass
class _Entry:
    line: int
    latency: float | None = None
    throughput: float | None = None


def import_ibench(path: Path, machine: Machine) -> Imported:
    """ibench's output: a line a figure, `vaddpd-x_x_x-TP: 0.500 (clock cycles)`, TP or LT.

    Raises:
        InputError: the file has no such line, or none is of a form that the model knows.
    """
    return _imported("ibench", path, machine, _read(path, _ibench_figures))


def import_asmbench(path: Path, machine: Machine) -> Imported:
    """asmbench's list: a name, below it `Latency: 4.00 cycle` and `Throughput: 0.50 cycle`.

    Raises:
        InputError: as import_ibench; a line that is none of these.
    """
    return _imported("asmbench", path, machine, _read(path, _asmbench_figures))


_Figures = Iterator[tuple[int, str, str, str]]
"""Line, name of the entry, "LT" or "TP", the figure's text."""


def _read(path: Path, figures: Callable[[Iterable[tuple[int, str]], Path], _Figures]) -> dict[str, _Entry]:
    found: dict[str, _Entry] = {}
    try:
        with open_table(path) as file:
            for line, name, kind, text in figures(enumerate(file, 1), path):
                entry = found.setdefault(name, _Entry(line))
                cycles = _cycles(text, path, line)
                if kind == "LT":
                    entry.latency = cycles
                else:
                    entry.throughput = cycles
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", str(path)) from None
    if not found:
        raise InputError("has no figures of instructions", str(path))
    return found


def _ibench_figures(lines: Iterable[tuple[int, str]], _: Path) -> _Figures:
    for number, line in lines:
        if match := _IBENCH.match(line):
            yield number, match[1], match[2], match[3]


def _asmbench_figures(lines: Iterable[tuple[int, str]], path: Path) -> _Figures:
    name = ""
    for number, line in lines:
        text = line.strip()
        if match := _FIGURE.fullmatch(text):
            if not name:
                raise InputError("a figure without an instruction above it", str(path), number)
            yield number, name, "LT" if match[1].lower() == "latency" else "TP", match[2]
        elif text and not _NAME.fullmatch(text):
            raise InputError(f"'{text[:60]}' is not a name of a form, no latency and no throughput", str(path), number)
        else:
            name = text


def _cycles(text: str, path: Path, line: int) -> float:
    try:
        cycles = float(text)
    except ValueError:
        raise InputError(f"'{text[:60]}' is not a number of cycles", str(path), line) from None
    if not 0 <= cycles <= _MOST_CYCLES:
        raise InputError(f"{text[:60]} cycles are none that an instruction takes", str(path), line)
    return cycles


def _imported(tool: str, path: Path, machine: Machine, entries: Mapping[str, _Entry]) -> Imported:
    by_mnemonic: dict[str, list[str]] = {}
    keys: Sequence[str] = machine.keys()
    for key in keys:
        by_mnemonic.setdefault(key.split(" ", 1)[0], []).append(key)
    wanted: dict[str, Row] = {}
    unmapped: list[tuple[str, str]] = []
    for name, entry in entries.items():
        told = f"line {entry.line}: {name}"
        if not entry.latency and not entry.throughput:
            unmapped.append((told, "no cycles: nothing was measured"))
            continue
        forms = _forms(name, by_mnemonic, machine.isa)
        if not forms:
            unmapped.append((told, f"no form of {machine.name} fits"))
        for form in forms:
            wanted[form] = Row(
                form,
                latency=(Latency("*", "*", rounded(entry.latency)),) if entry.latency else None,
                reciprocal_throughput_cycles=rounded(entry.throughput) if entry.throughput else None,
                source=f"{tool}:{path.name}",
                confidence="measured",
            )
    instructions = instructions_of(machine.isa, (form for form, row in wanted.items() if row.latency))
    rows: dict[str, Row] = {}
    for form, row in wanted.items():
        row = with_results(row, machine.isa, instructions.get(form)) if row.latency else row
        if row.latency or row.reciprocal_throughput_cycles is not None:
            rows[form] = row
        else:
            unmapped.append((form, "no result that a latency could be of"))
    if not rows:
        raise InputError(f"no entry is of a form of {machine.name}", str(path))
    return Imported(f"{tool}'s {path.name}", f"{tool}.tsv", machine.isa, rows, entries=len(entries), unmapped=unmapped)


def _forms(name: str, by_mnemonic: Mapping[str, list[str]], isa: Isa) -> list[str]:
    """Keys of the model that a name means; those with an index register where its address has one."""
    mnemonic, _, codes = name.partition("-")
    operands = codes.split("_") if codes else []
    if isa == "x86":
        operands.reverse()
    patterns = [_pattern(code.lower(), isa) for code in operands]
    if None in patterns:
        return []
    whole = re.escape(mnemonic.lower()) + (" " + ", ".join(map(str, patterns)) if patterns else "")
    fits = re.compile(whole).fullmatch
    keys = by_mnemonic.get(mnemonic.lower(), [])
    indexed = any(code.lower().startswith("m") and "i" in code.lower() for code in operands) and isa == "x86"
    if indexed and (found := [key for key in keys if key.endswith(_INDEXED) and fits(key[: -len(_INDEXED)])]):
        return found
    return [key for key in keys if fits(key)]


def _pattern(code: str, isa: Isa) -> str | None:
    """What the operand of a form key has to be; None: no code of an operand."""
    if isa == "x86":
        if re.fullmatch(r"r(8|16|32|64)|[xyz]mm", code):
            return code
        return r"m\d+" if re.fullmatch(r"m[bois]*", code) else _X86.get(code)
    if re.fullmatch(r"[wxbhsdq]", code):
        return code
    if match := re.fullmatch(r"v([bhsd]?)", code):
        return rf"v\.\d+{match[1] or 'd'}"
    return r"\[x.*\].*" if re.fullmatch(r"m[boisrp]*", code) else _AARCH64.get(code)
