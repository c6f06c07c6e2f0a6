"""What a form reads and writes, and which registers its instances may have."""

from __future__ import annotations

from collections.abc import Iterator

from corecast import _core
from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.measure.isa.forms import EndKind, Form, Slot, take_run
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.isa.link_table import Width

_ALL = 32
"""Registers, at most, of every kind."""
_PARTS = ("low16", "low8", "high8")
"""Of registers, that instructions write alone; what writes the lower half clears the upper."""
_FIRST_IMPLICIT = 128
"""Ids of operands from here on are locations of implicit registers (cpp/isa/instruction.hpp)."""


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
    number: int = 0
    """Of the register, where the form fixes one."""
    merges: bool = False
    """Whether it writes a part of a register, and the rest stays: cores may wait for it."""

    @property
    def carried(self) -> bool:
        """Whether an instance depends on the one before through this operand, whatever the registers."""
        return self.slot is None and (self.merges or bool(self.reads & self.writes))


def ends(form: Form) -> tuple[End, ...]:
    """Every operand that can be an end of a latency."""
    return tuple(_ends(form))


def _ends(form: Form) -> Iterator[End]:
    for operand in form.example.operands:
        reads = frozenset(use.reg for use in operand.registers if use.read)
        writes = frozenset(use.reg for use in operand.registers if use.write)
        name = operand.name
        if operand.id >= _FIRST_IMPLICIT:
            name = _core.register_name(form.isa, operand.id - _FIRST_IMPLICIT)
        slot = form.slot(name)
        if operand.kind == "mem":
            mark = frozenset({0})  # the location that is none
            yield End(
                name, "memory", None, mark if operand.read else frozenset(), mark if operand.write else frozenset()
            )
        elif reads | writes:
            kind, number = _fixed(form, reads | writes, name)
            if slot is not None:
                kind, number = "general" if slot.kind == "high" else slot.kind, 0
            merges = any(use.write and use.part in _PARTS for use in operand.registers)
            yield End(name, kind, slot, reads, writes, number, merges)


def _fixed(form: Form, locations: frozenset[int], name: str) -> tuple[EndKind, int]:
    """Kind and number of the register that an operand is."""
    if name == "flags":
        return "flags", 0
    known = instruction_set(form.isa).locations()
    if not locations <= set(known):
        return "other", 0
    found = [known[location] for location in sorted(locations)]
    kind, number = found[0]
    return ("other", 0) if kind == "high" or {each for each, _ in found} != {kind} else (kind, number)


def memory_width(form: Form) -> Width:
    """Of the form's access to memory.

    Raises:
        InputError: it is not known.
    """
    bits = max((access.width_bytes for access in form.example.memory), default=0) * 8
    return bits or instruction_set(form.isa).elements(form)


class Registers:
    """Hands out registers that a form does not imply, each once."""

    def __init__(self, form: Form, *, whole_groups: bool = False) -> None:
        """whole_groups: vector operands get as many registers as helpers read and write, be they narrower or not."""
        implied = {(end.kind, end.number) for end in ends(form) if end.slot is None}
        self._free = {
            kind: [number for number in numbers if (kind, number) not in implied]
            for kind, numbers in instruction_set(form.isa).pools(form.slots).items()
        }
        self._group = form.spelling.group
        self._least = self._group if whole_groups else 1

    def left(self, kind: str, slot: Slot | None = None) -> int:
        """Operands of that kind that registers are left for."""
        free = list(self._free[_pool(kind)])
        shape = self._shape(kind, slot)
        count = 0
        while True:
            try:
                take_run(free, *shape)
            except InputError:
                return count
            count += 1

    def take(self, kind: str, slot: Slot | None = None) -> int:
        """A register, or the first of so many, that nobody else has.

        Raises:
            InputError: there is none left.
        """
        return take_run(self._free[_pool(kind)], *self._shape(kind, slot))

    def _shape(self, kind: str, slot: Slot | None) -> tuple[int, int, int]:
        if slot is not None:
            least = self._least if slot.kind == "vector" else 1
            return max(least, slot.span), max(least, slot.alignment), slot.limit
        return (self._group, self._group, _ALL) if kind == "vector" else (1, 1, _ALL)


def _pool(kind: str) -> str:
    return "general" if kind == "high" else kind
