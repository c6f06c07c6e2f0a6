"""Reciprocal throughputs of vector instructions as rvv-bench measures them, by element width and register group.

The file is a CSV (or `.gz`, `.xz`) with the columns `core,mode,instruction,sew_lmul,cycles_per_insn`; an instruction
is written with registers ("vadd.vv v8,v16,v24,v0.t"), `sew_lmul` as "e32m1", `mode` as "vl=VLMAX ta ma": vector length,
tail and mask policy. Runs at full length are used; the policies are taken together (their median), since they differ by
noise only.
"""

from __future__ import annotations

import csv
import re
import statistics
from collections.abc import Iterator, Mapping
from pathlib import Path

from corecast import _core
from corecast.errors import MachineModelError
from corecast.files.compressed import open_text
from corecast.pattern import lazy_pattern

FULL_LENGTH = ("vl=VLMAX ", "table0", "table1")
"""Modes at full length; older results, of version 0.7.1 of the instructions, have numbered tables for the policies."""
GENERAL_STRIDE = lazy_pattern(r",(x0|t1/\*-1\*/)(?=,|$)")
"""Strides 0 and -1 have separate rows, which no form key tells apart from the general one."""

Shape = tuple[str, int]
"""(register group, element bits): ("m2", 32)."""


def read_measurements(path: Path, core: str) -> dict[str, dict[Shape, float]]:
    """Cycles per instruction of a core, by form key (without variant) and shape.

    Raises:
        MachineModelError: a line does not have the expected fields, or has none of the core.
    """
    samples: dict[str, dict[Shape, list[float]]] = {}
    for number, row in _lines(path):
        if row["core"] != core or not row["mode"].startswith(FULL_LENGTH):
            continue
        shape = re.fullmatch(r"e(\d+)(mf?\d)", row["sew_lmul"])
        if shape is None:
            raise MachineModelError(f"{row['sew_lmul']!r} is not an element width and group", str(path), number)
        try:
            cycles = float(row["cycles_per_insn"])
        except ValueError:
            raise MachineModelError(
                f"{row['cycles_per_insn']!r} is not a number of cycles", str(path), number
            ) from None
        by_shape = samples.setdefault(row["instruction"], {})
        by_shape.setdefault((shape[2], int(shape[1])), []).append(cycles)
    if not samples:
        raise MachineModelError(f"no measurement of {core!r}", str(path))
    return _by_form({name: _medians(shapes) for name, shapes in samples.items()})


def instruction_names(path: Path) -> list[str]:
    """Every vector instruction of the file as it is written there, whatever the core.

    Raises:
        MachineModelError: a line does not have the expected fields.
    """
    names = dict.fromkeys(row["instruction"] for _, row in _lines(path))
    return [name for name in names if name.startswith("v") and not GENERAL_STRIDE.search(name)]


def _lines(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    columns = ["core", "mode", "instruction", "sew_lmul", "cycles_per_insn"]
    with open_text(path) as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != columns:
            raise MachineModelError(f"the columns are not {', '.join(columns)}", str(path), 1)
        for row in reader:
            if None in row.values() or None in row:
                raise MachineModelError("a line of another length than the header", str(path), reader.line_num)
            yield reader.line_num, row


def _medians(shapes: Mapping[Shape, list[float]]) -> dict[Shape, float]:
    return {shape: statistics.median(samples) for shape, samples in shapes.items()}


def _by_form(measured: Mapping[str, dict[Shape, float]]) -> dict[str, dict[Shape, float]]:
    """Keys are what the assembler makes of the instruction; an instruction that it does not know is left out."""
    names = [name for name in measured if not GENERAL_STRIDE.search(name)]
    listing = _core.assemble("riscv64", "".join(f"{name}\n" for name in names))
    by_line = {instruction.line: instruction for instruction in listing.instructions if not instruction.unknown}
    found: dict[str, dict[Shape, float]] = {}
    for line, name in enumerate(names, 1):
        if line in by_line:
            found.setdefault(by_line[line].form.partition(" @")[0], measured[name])
    return found
