"""Forms as templates: a key such as `imul r64, r64`, and instructions with chosen registers made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from corecast import _core
from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field
from corecast.hints import Literal, Protocol
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.pattern import lazy_pattern

Kind = Literal["general", "high", "vector", "float", "mask", "mm", "tile"]
EndKind = Literal["general", "vector", "float", "mask", "mm", "tile", "flags", "memory", "other"]
"""Of what a form reads or writes."""
Registers = Mapping[str, int]
"""Register numbers by slot."""
Values = Literal["fast", "slow", "subnormal", "count_0"]
"""What operands hold: `fast` is the usual, the others are told apart from it."""
RARE: tuple[Values, ...] = ("subnormal", "count_0")
"""In code."""
VALUE_WORDS: Mapping[Values, str] = {
    "slow": "operands that take long",
    "subnormal": "subnormal operands",
    "count_0": "a count of 0",
}

_SLOT = lazy_pattern(r"\{(\w+)\}")
_LEAST_DISPLACEMENT = 16


@dataclass(frozen=True)
class Slot:
    """A register of a form that can be chosen."""

    name: str
    """Number of the explicit operand ("1"), or addr, index, mask."""
    kind: Kind
    bits: int
    """Width of the register as the form names it."""
    span: int = 1
    """Registers in succession that the operand is."""
    alignment: int = 1
    """The number of the first is a multiple of it."""
    limit: int = 32
    """Its number is below."""


@dataclass(frozen=True)
class Spelling:
    """One way to write a key as text."""

    mnemonic: str
    operands: tuple[str, ...]
    """Texts with {slot} for registers, {slot_1} and on for those that follow it, {displacement}."""
    slots: tuple[Slot, ...]
    setting: str = ""
    """An instruction that has to be executed before, once."""
    group: int = 1
    """Vector registers that one operand of such instructions is."""


class RegisterNames(Protocol):
    """How an instruction set writes registers."""

    def register_text(self, slot: Slot, number: int, /) -> str:
        """A register's name, as an operand of that slot."""

    def general_name(self, number: int) -> str:
        """Name of a general register in its full width."""

    def distinct(self, slots: Sequence[Slot], /) -> dict[str, int]:
        """A different register for each slot."""


@dataclass(frozen=True)
class Form:
    """A form that instructions can be made of."""

    key: str
    """The form's key (docs/form-keys.md)."""
    isa: Isa
    """Instruction set."""
    spelling: Spelling
    """How its instructions are written."""
    names: RegisterNames = field(repr=False, compare=False)
    """Names of registers in that instruction set."""
    values: Values = "fast"
    """What the operands hold of a form whose time depends on it."""

    @property
    def operands(self) -> tuple[str, ...]:
        """Texts of the operands, with places for registers."""
        return self.spelling.operands

    @property
    def mnemonic(self) -> str:
        """With its prefixes."""
        return self.spelling.mnemonic

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Registers that are free to choose."""
        return self.spelling.slots

    @property
    def setting(self) -> str:
        """RISC-V vectors: the vsetvli that has to be executed before; else ""."""
        return self.spelling.setting

    def text(self, registers: Registers, displacement: int = 0) -> str:
        """The instruction's text with these registers."""
        fields = {
            "displacement": str(displacement),
            "displacement_not_0": str(displacement or _LEAST_DISPLACEMENT),
        }
        name = self.names.register_text
        for slot in self.slots:
            first = registers[slot.name]
            fields[slot.name] = name(slot, first)
            for offset in range(1, slot.span):
                fields[f"{slot.name}_{offset}"] = name(slot, first + offset)
        # Other braces, as of masks and roundings, stay.
        filled = [_SLOT.sub(lambda match: fields.get(match[1], match[0]), operand) for operand in self.operands]
        return f"{self.mnemonic} {', '.join(filled)}".rstrip()

    def instruction(self, registers: Registers, displacement: int = 0) -> _core.Instruction:
        """The instruction with these registers.

        Raises:
            CannotMeasureError: there is none.
        """
        text = self.text(registers, displacement)
        made = assemble_form(self.isa, self.setting, text)
        if made is None or self.key not in (made.form, *made.alternative_forms):
            raise CannotMeasureError(Reason.OTHER_FORM, f"'{text}' is no {self.key}")
        return made

    @cached_property
    def example(self) -> _core.Instruction:
        """An instruction whose registers all differ: what the form reads and writes."""
        return self.instruction(self.names.distinct(self.slots))

    @property
    def gathers(self) -> bool:
        """Whether a vector of x86 holds addresses: a gather or a scatter, whose mask is cleared as it proceeds."""
        index = self.slot("index")
        return self.isa == "x86" and index is not None and index.kind == "vector"

    def slot(self, name: str) -> Slot | None:
        """The slot of that name; None: the form has none."""
        return next((slot for slot in self.slots if slot.name == name), None)


def distinct_of(slots: Sequence[Slot], free: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """A different register for each slot, of the free ones of its kind.

    Raises:
        CannotMeasureError: there are too few.
    """
    pools = {kind: list(numbers) for kind, numbers in free.items()}
    return {slot.name: take_run(pools.get(slot.kind, []), slot.span, slot.alignment, slot.limit) for slot in slots}


def take_run(free: list[int], span: int = 1, alignment: int = 1, limit: int = 32) -> int:
    """The first of so many successive numbers, which are no longer free; the earlier in the list, the better.

    Raises:
        CannotMeasureError: there is no such run.
    """
    for first in free:
        run = range(first, first + span)
        if first % alignment == 0 and first < limit and all(number in free for number in run):
            for number in run:
                free.remove(number)
            return first
    raise CannotMeasureError(Reason.REGISTERS)


def assemble_form(isa: Isa, setting: str, text: str) -> _core.Instruction | None:
    """One instruction behind `setting`; None where the text is none."""
    listing = _core.assemble(isa, f"{setting}\n{text}", "intel" if isa == "x86" else "")
    wanted = 2 if setting else 1
    if listing.problems or len(listing.instructions) != wanted or listing.instructions[-1].unknown:
        return None
    return listing.instructions[-1]
