"""What mixing needs to know of a form: which of its registers can be chosen, and what its instances wait for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from corecast.asm.code import Isa
from corecast.dataclass import dataclass
from corecast.measure.isa.forms import Form, Kind, Slot
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.questions.keys import parse_form
from corecast.measure.questions.roles import End, ends
from corecast.measure.rejection import CannotMeasureError, Reason

_MERGED = ("low8", "low16", "high8")
"""Parts of registers whose writing keeps the rest."""


@dataclass(frozen=True)
class Template:
    """A form, of which instances can stand among others."""

    form: Form
    written: tuple[Slot, ...]
    read: tuple[Slot, ...]
    """Only read."""
    fixed: frozenset[tuple[str, int]]
    """Registers that the form implies, by kind and number: nobody else may have them."""
    rewrites: bool
    """Whether it reads a register that can be chosen and that it writes."""
    carried: bool
    """Whether an instance depends on the one before, whatever the registers: through flags, say."""
    writes_fixed: bool
    """Whether it writes a register that it implies, other than flags."""
    reads_fixed: bool
    """Whether it reads flags, or a register that it implies."""
    is_load: bool
    is_store: bool
    access_bytes: int
    """What it reads or writes in memory, 0 where it does not or where that is not known."""

    @property
    def key(self) -> str:
        return self.form.key

    @property
    def isa(self) -> Isa:
        return self.form.isa

    @property
    def depends(self) -> bool:
        """Whether instances wait for each other whatever their registers, through memory, too."""
        return self.carried or (self.is_load and self.is_store)

    @property
    def stored_kind(self) -> str:
        """Of the register that a store stores; general for a constant, too."""
        kinds = {slot.kind for slot in (*self.written, *self.read)}
        return "vector" if kinds & {"vector", "float"} else "general"


@lru_cache(maxsize=8192)
def template(key: str, isa: Isa) -> Template:
    """A form by its key.

    Raises:
        CannotMeasureError: it names no form that can stand among others.
    """
    if key.endswith((" @same", " @indexed", " @zero")):
        raise CannotMeasureError(Reason.VARIANT, key)
    form = parse_form(key, isa)
    example = form.example
    if example.branch != "none":
        raise CannotMeasureError(Reason.BRANCH, key)
    if any(access.symbol or access.pc_relative or access.vector_index for access in example.memory):
        raise CannotMeasureError(Reason.MIXED_MEMORY, key)
    found = ends(form)
    slots = [end for end in found if end.slot is not None]
    fixed = [end for end in found if end.slot is None and end.kind not in ("flags", "memory", "other")]
    other = [end for end in found if end.slot is None and end.kind in ("flags", "other")]
    known = instruction_set(isa).locations()
    if any(
        end.kind == "other" and end.writes and not end.writes & known.keys() and end.name in _STACK for end in found
    ):
        raise CannotMeasureError(Reason.STACK_POINTER, key)
    merged = {
        operand.name
        for operand in example.operands
        if any(use.write and use.part in _MERGED for use in operand.registers)
    }
    return Template(
        form=form,
        written=tuple(end.slot for end in slots if end.slot is not None and end.writes),
        read=tuple(end.slot for end in slots if end.slot is not None and not end.writes),
        fixed=frozenset((end.kind, end.number) for end in fixed) | _behind(other, known),
        rewrites=any(end.writes and (end.reads or end.name in merged) for end in slots),
        carried=any(end.carried for end in (*fixed, *other)) or any(end.writes and end.name in merged for end in other),
        writes_fixed=any(end.writes for end in fixed) or any(end.writes and end.kind == "other" for end in other),
        reads_fixed=any(end.reads for end in fixed) or any(end.reads and end.name not in _SETTINGS for end in other),
        is_load=any(access.read for access in example.memory),
        is_store=any(access.write for access in example.memory),
        access_bytes=max((access.width_bytes for access in example.memory), default=0),
    )


def _behind(other: list[End], known: Mapping[int, tuple[Kind, int]]) -> frozenset[tuple[str, int]]:
    """Registers behind operands that are several, or parts."""
    return frozenset(known[location] for end in other for location in end.reads | end.writes if location in known)


_STACK = ("rsp", "sp")
_SETTINGS = ("vl", "vtype", "mxcsr", "fpcr", "frm", "fpcw")
"""Locations that nearly nobody writes."""
