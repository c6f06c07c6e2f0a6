"""The instruction set AArch64, as measuring needs it (corecast.measure.isa.instruction_sets)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from corecast import _core
from corecast.measure.isa.aarch64.forms import spellings as spellings
from corecast.measure.isa.aarch64.memory import MEMORY
from corecast.measure.isa.aarch64.memory import address as address
from corecast.measure.isa.aarch64.memory import elements as elements
from corecast.measure.isa.forms import EndKind, Form, Kind, Slot, distinct_of
from corecast.measure.isa.link_table import Link, LinkTable
from corecast.measure.isa.plain_values import keeps_values as keeps_values
from corecast.measure.isa.plain_values import numbers as numbers
from corecast.measure.isa.plain_values import other_values as other_values
from corecast.measure.isa.plain_values import special_values as special_values
from corecast.measure.isa.plain_values import value_dependent as value_dependent
from corecast.measure.rejection import CannotMeasureError, Reason

DISPLACED_STORES = False
INDEX_ALONE = "{}"
LENGTHENER = ""
_PLATFORM_REGISTER = 18
"""Kept by some systems for themselves."""
COUNTERS = (28, 30, 29, *(n for n in range(27, -1, -1) if n != _PLATFORM_REGISTER))
_VALUE = Link("orr", "general", "general", "orr {to}, {to}, {scratch}", in_place=True)


LINKS = LinkTable(
    within={
        "general": (Link("and", "general", "general", "and {to}, {from}, xzr"), _VALUE),
        "vector": (Link("ext", "vector", "vector", "ext v{to}.16b, v{from}.16b, v{from}.16b, #8"),),
        "mask": (Link("rev", "mask", "mask", "rev p{to}.b, p{from}.b"),),
    },
    value=(Link("and", "general", "general", "and {to}, {to}, xzr", in_place=True), _VALUE),
    across=(
        Link("tst", "general", "flags", "tst {from}, {from}"),
        Link("fmov d", "general", "vector", "fmov d{to}, {from}"),
        Link("fmov x", "vector", "general", "fmov {to}, d{from}"),
        Link("whilelo", "general", "mask", "whilelo p{to}.b, xzr, {from}"),
        Link("cntp", "mask", "general", "cntp {to}, p{from}, p{from}.b"),
    ),
    memory=MEMORY,
    vector_address=(
        Link("and z", "vector", "vector", "and z{to}.d, z{from}.d, z{zero}.d"),
        Link("orr z", "vector", "vector", "orr z{to}.d, z{to}.d, z{vector}.d", in_place=True),
    ),
    steps={  # of two cycles or more, as the others are
        "general": Link("mul", "general", "general", "mul {to}, {from}, {from}")
    },
    zero={"vector": Link("ushr", "vector", "vector", "ushr v{to}.2d, v{from}.2d, #64")},
    from_flags={"nzcv": Link("csel", "flags", "general", "csel {to}, {scratch}, {scratch}, ne")},
)
FENCE = "isb"


def register_text(_slot: Slot, number: int) -> str:
    return str(number)  # keys tell the letters


def general_name(number: int) -> str:
    return f"x{number}"


@cache
def locations() -> dict[int, tuple[Kind, int]]:
    """Kinds and numbers of registers by their locations; the stack pointer is none of them."""
    kinds: tuple[tuple[Kind, str, int], ...] = (("general", "x", 31), ("vector", "z", 32), ("mask", "p", 16))
    return {
        _core.register_number("aarch64", f"{letter}{number}"): (kind, number)
        for kind, letter, count in kinds
        for number in range(count)
    }


def pools(_slots: Sequence[Slot]) -> dict[str, list[int]]:
    """Registers by kind that kernels may use, the best first."""
    return {
        "general": [number for number in COUNTERS if number != COUNTERS[0]],
        "vector": list(range(31, -1, -1)),
        "mask": list(range(15, -1, -1)),
    }


def distinct(slots: Sequence[Slot]) -> dict[str, int]:
    """A different register for each slot."""
    return distinct_of(slots, {kind: numbers[::-1] for kind, numbers in pools(slots).items()})


def may_overlap(_form: Form) -> bool:
    return True


def breaker(kind: EndKind, number: int, scratch: int, bits: int = 64) -> str:
    if kind == "flags":
        return f"tst x{scratch}, x{scratch}"
    if kind == "general":
        return f"mov x{number}, x{scratch}"
    if kind == "vector":
        return f"mov z{number}.d, z{scratch}.d" if bits > 128 else f"mov v{number}.16b, v{scratch}.16b"
    if kind == "mask":
        return f"mov p{number}.b, p{scratch}.b"
    raise CannotMeasureError(Reason.NO_BREAKER, kind)


def vector_base(instruction: _core.Instruction) -> int:
    address = _core.measuring_data_address
    return address << 32 | address if re.search(r"\[z\d+\.s", instruction.text) else address


def vector_bytes(_instruction: _core.Instruction) -> int:
    return 16  # writes of narrower registers clear the rest


def writes_flags_only(instruction: _core.Instruction) -> bool:
    """A comparison that serves the branch behind it."""
    return not instruction.memory and [each.name for each in instruction.operands if each.write] == ["flags"]


def counts_down(instruction: _core.Instruction) -> int | None:
    """The number of the general register that the instruction decrements."""
    match = re.fullmatch(r"subs? x(\d+), x\1, #1", instruction.text)
    return int(match[1]) if match else None


def closing(_instructions: object, counter: int, _keeps_flags: bool) -> list[_core.Instruction]:
    """As the runner closes its loops: flags are left alone."""
    if counter < 0:
        return []
    text = f"sub x{counter}, x{counter}, #1\ncbnz x{counter}, .Lstart"
    return list(_core.assemble("aarch64", text).instructions)
