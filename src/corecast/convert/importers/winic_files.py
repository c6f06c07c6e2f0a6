"""WINIC's files of measurements, by LLVM's opcode.

Two layouts are read: CSV (x86: a file of latencies, `llvm,src,dst,min,max`, and one of reciprocal throughputs,
`llvm,min,max`) and YAML (AArch64, RISC-V: one entry an opcode). Both count operands as LLVM's MCInst does; the YAML
files leave the first tied use out of the count, so that their numbers are one lower.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from corecast.dataclass import dataclass, field
from corecast.errors import MachineModelError
from corecast.files.compressed import open_text
from corecast.machine.rows import figure


@dataclass(frozen=True)
class Measurement:
    """What was measured of one opcode. Endpoints: MCInst operand numbers ("1") or registers ("EFLAGS")."""

    opcode: str
    latencies: tuple[tuple[str, str, float, float], ...] = ()
    """(source, destination, least cycles, most cycles)."""
    throughput: tuple[float, float] | None = None
    """Reciprocal throughput in cycles, least and most."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """LLVM's register class of each operand number that occurs."""


def read_csv(latencies: Path, throughputs: Path) -> dict[str, Measurement]:
    """x86: both CSV files, by opcode.

    Raises:
        MachineModelError: a line that does not have the expected fields.
    """
    pairs: dict[str, list[tuple[str, str, float, float]]] = {}
    classes: dict[str, dict[str, str]] = {}
    for number, row in _lines(latencies, 5):
        opcode, *ends, least, most = row
        names: list[str] = []
        for end in ends:
            match = re.fullmatch(r"(\d+)\(Class<(\w+)>\)|impl\(Reg<(\w+)>\)", end)
            if match is None:
                raise MachineModelError(f"operand {end!r} is neither a class nor a register", str(latencies), number)
            position, register_class, register = match.groups()
            if position is not None:
                classes.setdefault(opcode, {})[position] = register_class
            names.append(position if position is not None else register)
        pairs.setdefault(opcode, []).append((names[0], names[1], *_range(least, most, latencies, number)))
    limits = {row[0]: _range(row[1], row[2], throughputs, number) for number, row in _lines(throughputs, 3)}
    return {
        opcode: Measurement(opcode, tuple(pairs.get(opcode, ())), limits.get(opcode), classes.get(opcode, {}))
        for opcode in dict.fromkeys((*pairs, *limits))
    }


def _lines(path: Path, fields: int) -> Iterator[tuple[int, list[str]]]:
    with open_text(path, newline="") as file:
        for number, row in enumerate(csv.reader(file), 1):
            if len(row) != fields:
                raise MachineModelError(f"{len(row)} fields instead of {fields}", str(path), number)
            if number > 1:
                yield number, row


def _range(least: str, most: str, path: Path, number: int) -> tuple[float, float]:
    try:
        return figure(least), figure(most)
    except ValueError as error:
        raise MachineModelError(f"{least!r} to {most!r} is not a range of cycles", str(path), number) from error


def read_yaml(path: Path) -> dict[str, Measurement]:
    """AArch64, RISC-V: the YAML file (plain or compressed), by opcode; unmeasured values are left out.

    Raises:
        MachineModelError: the file does not start with an entry.
    """
    with open_text(path) as file:
        entries = re.split(r"^- llvmName:\s*", file.read(), flags=re.M)
    if len(entries) < 2:
        raise MachineModelError("no entry that begins with llvmName", str(path))
    return {entry.split(None, 1)[0]: _yaml_entry(entry) for entry in entries[1:]}


def _yaml_entry(entry: str) -> Measurement:
    tied = False
    if first := re.search(r"operands:\s*- class:.*\n(?:\s+name:.*\n)?\s+read:\s*(\w+)\s+write:\s*(\w+)", entry):
        tied = first.groups() == ("true", "true")
    pattern = r"sourceOperand:\s*(\S+)\s+targetOperand:\s*(\S+)\s+latencyMin:\s*(\S+)\s+latencyMax:\s*(\S+)"
    latencies: list[tuple[str, str, float, float]] = []
    for source, destination, least, most in re.findall(pattern, entry):
        if "null" in (least, most):
            continue
        source, destination = source.strip("'"), destination.strip("'")
        if tied and source.isdigit():
            source = str(int(source) + 1)
        latencies.append((source, destination, figure(least), figure(most)))
    limits = re.search(r"throughputMin:\s*(\S+)\s+throughputMax:\s*(\S+)", entry)
    throughput = None
    if limits and "null" not in limits.groups():
        throughput = (figure(limits[1]), figure(limits[2]))
    return Measurement(entry.split(None, 1)[0], tuple(latencies), throughput)
