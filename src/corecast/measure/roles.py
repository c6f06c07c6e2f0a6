"""What a form reads and writes, and which registers its instances may have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from corecast import _core
from corecast.errors import InputError
from corecast.measure.forms import Form, Slot
from corecast.measure.x86 import general_locations

EndKind = Literal["general", "vector", "mask", "mm", "flags", "memory", "other"]
_FIRST_IMPLICIT = 128
"""Ids of operands from here on are locations of implicit registers (cpp/core/instruction.hpp)."""
_STACK_POINTER = 4
_COUNTER = 15
"""Counts the loop that times a kernel."""


@dataclass(frozen=True)
class End:
    """One end of a latency: an operand that a form reads or writes."""

    name: str
    """As in latencies of machine models: "1", "flags", "addr", "mem"; implicit registers by their names."""
    kind: EndKind
    slot: Slot | None
    """None: the form fixes it."""
    reads: frozenset[int]
    """Locations, in the form's example."""
    writes: frozenset[int]

    @property
    def carried(self) -> bool:
        """Whether an instance depends on the one before through this operand, whatever the registers."""
        return self.slot is None and bool(self.reads & self.writes)


def ends(form: Form) -> tuple[End, ...]:
    """Every operand that can be an end of a latency."""
    return tuple(_ends(form))


def _ends(form: Form) -> Iterator[End]:
    for operand in form.example.operands:
        reads = frozenset(use.reg for use in operand.registers if use.read)
        writes = frozenset(use.reg for use in operand.registers if use.write)
        name = (
            operand.name if operand.id < _FIRST_IMPLICIT else _core.register_name("x86", operand.id - _FIRST_IMPLICIT)
        )
        slot = form.slot(name)
        if operand.kind == "mem":
            mark = frozenset({0})  # the location that is none
            yield End(
                name, "memory", None, mark if operand.read else frozenset(), mark if operand.write else frozenset()
            )
        elif reads | writes:
            yield End(name, _kind(slot, reads | writes, name), slot, reads, writes)


def _kind(slot: Slot | None, locations: frozenset[int], name: str) -> EndKind:
    if slot is not None:
        return "general" if slot.kind == "high" else slot.kind
    if name == "flags":
        return "flags"
    if locations <= set(general_locations()):
        return "general" if _core.register_number("x86", "rsp") not in locations else "other"
    names = {_core.register_name("x86", location)[:3] for location in locations}
    return "vector" if names == {"zmm"} else "other"


class Registers:
    """Hands out registers that a form does not imply, each once."""

    def __init__(self, form: Form) -> None:
        taken = {
            number
            for end in ends(form)
            if end.slot is None
            for location in end.reads | end.writes
            if (number := general_locations().get(location)) is not None
        }
        implied = {
            _core.register_name("x86", location)
            for end in ends(form)
            if end.slot is None
            for location in end.reads | end.writes
        }
        narrow = any(slot.kind == "high" for slot in form.slots)  # ah to bh do not go with registers that need REX
        general = (0, 1, 2, 3) if narrow else tuple(n for n in range(16) if n not in (_STACK_POINTER, _COUNTER))
        self._free: dict[str, list[int]] = {
            "general": [n for n in general if n not in taken],
            "vector": [n for n in range(16) if f"zmm{n}" not in implied],
            "mask": list(range(1, 8)),
            "mm": list(range(8)),
        }

    def left(self, kind: str) -> int:
        return len(self._free[_pool(kind)])

    def take(self, kind: str) -> int:
        """A register that nobody else has.

        Raises:
            InputError: there is none left.
        """
        free = self._free[_pool(kind)]
        if not free:
            raise InputError("the form leaves too few registers for its kernel")
        return free.pop()


def _pool(kind: str) -> str:
    return "general" if kind == "high" else kind


def general_number(end: End) -> int:
    """Number of the general register that a form fixes."""
    return general_locations()[min(end.reads | end.writes)]


def vector_number(end: End) -> int:
    """Number of the vector register that a form fixes."""
    return int(_core.register_name("x86", min(end.reads | end.writes))[3:])
