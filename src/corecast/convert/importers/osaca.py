"""OSACA's machine files (YAML) as rows of form tables: x86 figures.

An entry names operand classes in AT&T order; it is rendered to Intel text for every operand size that assembles, and
given the form that comes out. OSACA knows one latency per instruction, none per operand pair.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from corecast import _core
from corecast.convert.importers import x86_text
from corecast.convert.importers.x86_text import ExampleRegisters, assemble_each
from corecast.convert.importers.yaml_text import load_yaml
from corecast.dataclass import dataclass, field
from corecast.errors import MachineModelError
from corecast.hints import Any
from corecast.machine.rows import Latency, Row, endpoint_name, figure

GENERAL_CLASSES = ("r64", "r32", "r16", "r8")
PortName = Callable[[tuple[str, ...]], str]
"""Ports of one uop as OSACA lists them -> our port set; "unit:NAME" for blocking, "" to leave them out."""


@dataclass
class ImportedFile:
    """Rows by form key, and the entries that gave none."""

    rows: dict[str, Row] = field(default_factory=dict)
    entries: int = 0
    unmapped: list[str] = field(default_factory=list)


def rows_from_osaca(path: Path, source: str, ports: PortName) -> ImportedFile:
    """Every entry of a machine file that assembles as x86; of several entries for one form the first stands.

    Args:
        source: name for the source column ("osaca0.7.1:skx").

    Raises:
        InputError: the file is not YAML, or PyYAML, needed for importing only, is not installed.
        MachineModelError: the file has no list `instruction_forms`.
    """
    return rows_from_document(read_document(path), source, ports)


def read_document(path: Path) -> Mapping[str, Any]:
    """A machine file as it stands.

    Raises:
        InputError: it is not YAML, or PyYAML, needed for importing only, is not installed.
        MachineModelError: it has no list `instruction_forms`.
    """
    document = load_yaml(path)
    if not isinstance(document, Mapping) or not isinstance(document.get("instruction_forms"), list):
        raise MachineModelError("no list instruction_forms", str(path))
    return document


def rows_from_document(document: Mapping[str, Any], source: str, ports: PortName) -> ImportedFile:
    """As `rows_from_osaca`, from what the file holds."""
    result = ImportedFile()
    candidates: list[tuple[Mapping[str, Any], str]] = []
    for entry in document["instruction_forms"]:
        result.entries += 1
        candidates.extend((entry, text) for text in render(entry))
    used: set[int] = set()
    texts = [text for _, text in candidates]
    for (entry, _), instruction in zip(candidates, assemble_each(texts), strict=True):
        if instruction is None or not _same_count(entry, instruction):
            continue
        used.add(id(entry))
        row = row_from_entry(entry, instruction, source, ports)
        result.rows.setdefault(row.form, row)
    result.unmapped = [title_of(entry) for entry in document["instruction_forms"] if id(entry) not in used]
    return result


def title_of(entry: Mapping[str, Any]) -> str:
    """An entry as messages name it: "vaddpd (xmm, xmm, xmm)"."""
    operands = (str(operand.get("name", operand["class"])) for operand in entry["operands"])
    return f"{names_of(entry)[0]} ({', '.join(operands)})"


def names_of(entry: Mapping[str, Any]) -> list[str]:
    """The mnemonics of an entry, in lower case."""
    names = entry["name"] if isinstance(entry["name"], list) else [entry["name"]]
    return [str(name).lower() for name in names]


def render(entry: Mapping[str, Any]) -> Iterator[str]:
    """Example texts of an entry: one per mnemonic and per size of general registers."""
    operands = list(reversed(entry["operands"]))
    sized = any(operand["class"] == "register" and operand.get("name") == "gpr" for operand in operands)
    for name, general in itertools.product(names_of(entry), GENERAL_CLASSES if sized else GENERAL_CLASSES[:1]):
        try:
            registers = ExampleRegisters(frozenset({x86_text.BASE, x86_text.INDEX}))
            texts = [_operand_text(operand, general, registers) for operand in operands]
        except ValueError:
            continue
        yield f"{name} {', '.join(texts)}".strip()


def _operand_text(operand: Mapping[str, Any], general: str, registers: ExampleRegisters) -> str:
    kind = operand["class"]
    if kind == "register":
        name = str(operand.get("name", "")).rstrip("0123456789")
        return registers.take(general if name == "gpr" else name)
    if kind == "memory":
        parts = [x86_text.BASE] if operand.get("base") not in (None, "*") else []
        if operand.get("index") == "gpr":
            parts.append(f"4*{x86_text.INDEX}")
        if operand.get("offset") not in (None, "*"):
            parts.append("0x12")
        return f"[{' + '.join(parts or [x86_text.BASE])}]"
    if kind == "immediate":
        return x86_text.immediate_text(8)
    if kind == "identifier":
        return "1f"
    raise ValueError(f"operand class {kind} has no example")


def _same_count(entry: Mapping[str, Any], instruction: _core.Instruction) -> bool:
    operands = instruction.form.partition(" ")[2]
    return len(entry["operands"]) == (len(operands.split(", ")) if operands else 0)


def row_from_entry(entry: Mapping[str, Any], instruction: _core.Instruction, source: str, ports: PortName) -> Row:
    """The row of one entry for one of its forms."""
    usage: dict[str, float] = {}
    blocking: list[tuple[str, float]] = []
    for count, names in entry.get("port_pressure") or []:
        place = ports(tuple(names))
        if place.startswith("unit:"):
            blocking.append((place.removeprefix("unit:"), figure(count)))
        elif place:
            usage[place] = usage.get(place, 0) + figure(count)
    known = entry.get("port_pressure") is not None
    uops = None if entry.get("uops") is None else figure(entry["uops"])
    indexed = " @indexed" if instruction.indexed else ""
    return Row(
        form=instruction.form + indexed,
        ports=tuple((count, name) for name, count in usage.items()) if known else None,
        blocking=tuple(blocking),
        latency=latencies_of(entry.get("latency"), instruction.operands),
        uops=None if uops is None else (uops, uops, uops),
        reciprocal_throughput_cycles=None if entry.get("throughput") is None else figure(entry["throughput"]),
        source=source,
        confidence="documented",
    )


def latencies_of(cycles: float | None, operands: Sequence[_core.Operand]) -> tuple[Latency, ...] | None:
    """One latency from every source to every register or flag that the instruction writes; None where unknown."""
    if cycles is None:
        return None
    written = [operand for operand in operands if operand.write and operand.kind == "reg"]
    return tuple(Latency("*", endpoint_name("x86", operand.id), figure(cycles)) for operand in written)
