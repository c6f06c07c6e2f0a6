"""OSACA's figures of AArch64 cores: latency, throughput and port usage by form, from its machine model files (YAML).

An entry names operands by class, with wildcards; every concrete spelling is rendered to assembly and read, and the form
that comes out is the key. Spellings that are not instructions are skipped. Where entries overlap, the first one counts,
as in OSACA's own lookup. Needs PyYAML (development only).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from corecast import _core
from corecast.convert.importers.osaca import read_document
from corecast.dataclass import dataclass
from corecast.errors import MachineModelError
from corecast.hints import Any
from corecast.machine.rows import figure

LANES = {"b": (8, 16), "h": (4, 8), "s": (2, 4), "d": (1, 2)}
GENERAL, SCALAR = ("x", "w"), ("d", "s", "h")
MOST_SPELLINGS = 4000
"""Of one entry: more is a sign of an entry read wrongly."""


@dataclass(frozen=True)
class Figure:
    """One form as OSACA's file of a core knows it. Cycles; None where the file does not say."""

    form: str
    mnemonic: str
    latency_cycles: float | None
    reciprocal_throughput_cycles: float | None
    ports: tuple[tuple[float, tuple[str, ...]], ...]
    """(cycles, names of the ports they are shared among), in the file's own port names."""
    uops: float | None
    example: _core.Instruction
    """An instruction that has the form."""


def figures(path: Path) -> dict[str, Figure]:
    """The figures of one core by form.

    Raises:
        MachineModelError: the file has no instruction forms.
    """
    return figures_of(read_document(path)["instruction_forms"], path)


def figures_of(entries: Sequence[Mapping[str, Any]], path: Path) -> dict[str, Figure]:
    """As `figures`, from the entries of a file that was read."""
    spellings: list[str] = []
    owners: list[tuple[str, Mapping[str, Any]]] = []
    for entry in entries:
        for name in _names(entry):
            for text in _spellings(name, entry.get("operands") or []):
                spellings.append(text)
                owners.append((name, entry))
    listing = _core.assemble("aarch64", "\n".join(spellings) + "\n")
    if len(listing.instructions) != len(owners):
        raise MachineModelError(f"{len(owners)} spellings read as {len(listing.instructions)} instructions", str(path))
    found: dict[str, Figure] = {}
    for (name, entry), instruction in zip(owners, listing.instructions, strict=True):
        if not instruction.unknown:
            found.setdefault(instruction.form, _figure(instruction, name, entry))
    return found


def _names(entry: Mapping[str, Any]) -> list[str]:
    name = entry["name"]
    return [str(part) for part in name] if isinstance(name, list) else [str(name)]


def _figure(instruction: _core.Instruction, name: str, entry: Mapping[str, Any]) -> Figure:
    ports = tuple(
        (figure(cycles), tuple(str(port) for port in names)) for cycles, names in entry.get("port_pressure") or ()
    )
    return Figure(
        form=instruction.form,
        mnemonic=name.lower(),
        latency_cycles=_number(entry.get("latency")),
        reciprocal_throughput_cycles=_number(entry.get("throughput")),
        ports=ports,
        uops=_number(entry.get("uops")),
        example=instruction,
    )


def _number(value: object) -> float | None:
    return figure(value) if isinstance(value, int | float) else None


# --- rendering -------------------------------------------------------------------------------------------------------


def _spellings(name: str, operands: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    choices = [list(_operand(operand, position)) for position, operand in enumerate(operands)]
    for chosen in itertools.islice(itertools.product(*choices), MOST_SPELLINGS):
        yield f"{name} {', '.join(chosen)}"


def _operand(operand: Mapping[str, Any], position: int) -> Iterable[str]:
    kind = operand.get("class")
    if kind == "register":
        return _register(operand, position + 1)
    if kind == "memory":
        return _memory(operand)
    if kind == "immediate":
        return ("#0.0", "#1.0") if operand.get("imd") in ("float", "double") else ("#3",)
    if kind == "identifier":
        return (".",)
    if kind == "condition":
        return ("eq",)
    if kind == "prfop":
        return ("pldl1keep",)
    return ()


def _register(operand: Mapping[str, Any], number: int) -> Iterator[str]:
    prefix, shape = str(operand.get("prefix", "")), operand.get("shape")
    if prefix == "v":
        yield from (f"v{number}.{arrangement}" for arrangement in _arrangements(operand, shape))
    elif prefix == "z":
        elements = "bhsd" if shape in ("*", None) else str(shape)
        yield from (f"z{number}.{element}" for element in elements)
    elif prefix == "p":
        predication = operand.get("predication")
        kinds = ("/m", "/z", "") if predication in ("*", None) else (f"/{predication}",)
        yield from (f"p{number}{kind}" for kind in kinds)
        yield from (f"p{number}.{element}" for element in "bhsd")
    else:
        prefixes = (*GENERAL, *SCALAR, "q", "b") if prefix == "*" else (prefix,)
        yield from (f"{letter}{number}" for letter in prefixes)


def _arrangements(operand: Mapping[str, Any], shape: object) -> Iterator[str]:
    for element in "bhsd" if shape in ("*", None) else str(shape):
        half, full = LANES[element]
        if (lanes := operand.get("lanes")) is not None:
            yield f"{lanes}{element}"
            continue
        width = operand.get("width")
        if width in (128, "*", None):
            yield f"{full}{element}"
        if width in (64, "*", None):
            yield f"{half}{element}"


def _memory(operand: Mapping[str, Any]) -> Iterator[str]:
    offset, index = operand.get("offset"), operand.get("index")
    if operand.get("pre_indexed") and not operand.get("post_indexed"):
        yield "[x29, #16]!"
        return
    if operand.get("post_indexed"):
        yield from ("[x29], #16", "[x29], x28")
        return
    if index == "z":
        yield from (f"[x29, z30.d{extension}]" for extension in ("", ", lsl #3", ", lsl #2", ", lsl #1"))
        return
    if index in (None, "*"):
        yield "[x29]"
        if offset is not None:
            yield "[x29, #16]"
    if index is not None:
        yield from (f"[x29, x28{extension}]" for extension in ("", *(f", lsl #{amount}" for amount in range(1, 5))))
        yield from (f"[x29, w28, {kind}{amount}]" for kind in ("uxtw", "sxtw") for amount in ("", " #2", " #3"))
