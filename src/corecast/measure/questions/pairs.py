"""Which pairs of operands of a form have a latency."""

from __future__ import annotations

from corecast.errors import InputError
from corecast.measure.isa.forms import Form
from corecast.measure.questions.roles import End, ends, memory_width

ADDRESSES = ("addr", "index")
"""Names of ends that only say where memory is."""


def pairs(form: Form) -> list[tuple[End, End]]:
    """The operand pairs that have a latency, as far as chains can be made for them."""
    found = ends(form)
    if form.gathers:  # neither a mask that ends empty nor data from many places makes a chain
        found = tuple(end for end in found if end.name in ("1", *ADDRESSES))
    elif any(access.vector_index for access in form.example.memory) or _of_unknown_extent(form):
        found = tuple(end for end in found if end.kind != "memory")
    fixed = _fixed_addresses(form)
    addresses = {*ADDRESSES, *fixed}
    added_later = bool(form.example.memory) and not any(access.index for access in form.example.memory)
    return [
        (source, target)
        for target in found
        if target.writes and target.kind != "other"
        for source in found
        if source.reads and source.kind != "other" and not (target.kind == "memory" and source.name in addresses)
        if target.name != "addr" or source.name in ADDRESSES  # an address that moves on
        if target.name not in fixed or source == target
        if source.name != "index" or target.name == "addr" or not added_later
    ]


def _of_unknown_extent(form: Form) -> bool:
    """Whether the form accesses memory of which nobody knows what is read and written, as where `xsave` keeps the
    core's state: no helper reaches that, and what is read need not be what was written."""
    try:
        return bool(form.example.memory) and not memory_width(form)
    except InputError:
        return True


def _fixed_addresses(form: Form) -> frozenset[str]:
    """Registers that the form fixes, addresses memory by and moves on, as string instructions do rsi and rdi."""
    bases = {access.base for access in form.example.memory}
    return frozenset(
        end.name
        for end in ends(form)
        if end.slot is None and end.kind == "general" and end.carried & bool(end.reads & bases)
    )
