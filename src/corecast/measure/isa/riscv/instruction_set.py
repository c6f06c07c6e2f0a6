"""The instruction set RISC-V, as measuring needs it (corecast.measure.isa.instruction_sets)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from corecast import _core
from corecast.measure.isa.forms import EndKind, Form, Kind, Slot, distinct_of
from corecast.measure.isa.link_table import Link, LinkTable
from corecast.measure.isa.plain_values import keeps_values as keeps_values
from corecast.measure.isa.plain_values import numbers as numbers
from corecast.measure.isa.plain_values import other_values as other_values
from corecast.measure.isa.plain_values import special_values as special_values
from corecast.measure.isa.plain_values import value_dependent as value_dependent
from corecast.measure.isa.riscv.forms import spellings as spellings
from corecast.measure.isa.riscv.memory import MEMORY
from corecast.measure.isa.riscv.memory import elements as elements
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.pattern import lazy_pattern

DISPLACED_STORES = False
INDEX_ALONE = "{}"
LENGTHENER = ""
_FIRST_FREE = 5
"""x0 to x4: zero, return address, the system's pointers."""
COUNTERS = tuple(range(31, _FIRST_FREE - 1, -1))
_LETTERS: dict[Kind, str] = {"general": "x", "float": "f", "vector": "v"}
_VALUE = Link("or", "general", "general", "or {to}, {to}, {scratch}", in_place=True)


LINKS = LinkTable(
    within={
        "general": (Link("andi", "general", "general", "andi {to}, {from}, 0"), _VALUE),
        "float": (Link("fneg.d", "float", "float", "fneg.d f{to}, f{from}"),),
        "vector": (Link("vxor.vi", "vector", "vector", "vxor.vi v{to}, v{from}, 3"),),
    },
    value=(Link("andi", "general", "general", "andi {to}, {to}, 0", in_place=True), _VALUE),
    across=(
        Link("fmv.d.x", "general", "float", "fmv.d.x f{to}, {from}"),
        Link("fmv.x.d", "float", "general", "fmv.x.d {to}, f{from}"),
        Link("vmv.s.x", "general", "vector", "vmv.s.x v{to}, {from}"),
        Link("vmv.x.s", "vector", "general", "vmv.x.s {to}, v{from}"),
        Link("vfmv.s.f", "float", "vector", "vfmv.s.f v{to}, f{from}"),
        Link("vfmv.f.s", "vector", "float", "vfmv.f.s f{to}, v{from}"),
    ),
    memory=MEMORY,
    steps={  # of two cycles or more
        "general": Link("mul", "general", "general", "mul {to}, {from}, {from}"),
        "float": Link("fadd.d", "float", "float", "fadd.d f{to}, f{from}, f{from}"),
        "vector": Link("vmul.vv", "vector", "vector", "vmul.vv v{to}, v{from}, v{from}"),
    },
    aside={
        "vector": Link("vs1r.v ld", "vector", "general", "vs1r.v v{from}, ({scratch})\nld {to}, 0({scratch})"),
    },
    fill={"vector": Link("vmv.v.x", "general", "vector", "vmv.v.x v{to}, {from}")},
    zero={"vector": Link("vand.vi", "vector", "vector", "vand.vi v{to}, v{from}, 0")},
)
FENCE = "fence.i"
"""Fetches anew, for which cores wait for everything before it. `fence` orders memory only."""
_APART = lazy_pattern(r"vf?w|vf?n(cvt|srl|sra|clip)|v[sz]ext|vf?slide1?up|vrgather|vcompress|viota|vms[bio]f")
"""Vector forms whose destination must not be, or would rarely be, a source: elements of other widths or elsewhere."""


def register_text(slot: Slot, number: int) -> str:
    return f"{_LETTERS[slot.kind]}{number}"


def general_name(number: int) -> str:
    return f"x{number}"


@cache
def locations() -> dict[int, tuple[Kind, int]]:
    """Kinds and numbers of registers by their locations; zero and the stack pointer are none of them."""
    found: dict[int, tuple[Kind, int]] = {}
    for kind, letter in _LETTERS.items():
        for number in range(32):
            if kind != "general" or number not in (0, 2):
                text = f"{letter}{number}"
                found[_location(text)] = (kind, number)
    return found


def _location(name: str) -> int:
    """Of a register by its number's name: locations have the names of the calling convention."""
    line = {"x": f"addi {name}, {name}, 5", "f": f"fmv.d {name}, {name}", "v": f"vmv1r.v {name}, {name}"}[name[0]]
    (made,) = _core.assemble("riscv64", line).instructions
    return made.operands[0].registers[0].reg


def pools(_slots: Sequence[Slot]) -> dict[str, list[int]]:
    """Registers by kind that kernels may use, the best first; v0, the one that masks are in, where no other is left."""
    return {kind: list(range(31, -1, -1)) for kind in ("float", "vector")} | {"general": list(COUNTERS[1:])}


def distinct(slots: Sequence[Slot]) -> dict[str, int]:
    """A different register for each slot; v0 for none, as it may be the mask."""
    free = {kind: numbers[::-1] for kind, numbers in pools(slots).items()}
    return distinct_of(slots, {**free, "vector": free["vector"][1:]})


def may_overlap(form: Form) -> bool:
    vectors = [slot for slot in form.slots if slot.kind == "vector"]
    if not vectors:
        return True
    return len({slot.span for slot in vectors}) == 1 and not form.example.memory and not _APART.match(form.mnemonic)


def breaker(kind: EndKind, number: int, scratch: int, _bits: int = 64) -> str:
    if kind == "general":
        return f"mv x{number}, x{scratch}"
    if kind == "float":
        return f"fmv.d f{number}, f{scratch}"
    if kind == "vector":
        return f"vmv.v.v v{number}, v{scratch}"
    raise CannotMeasureError(Reason.NO_BREAKER, kind)


def address(_form: Form, target: int, base: int, _index: int) -> str:
    return breaker("general", target, base)


def vector_base(_instruction: _core.Instruction) -> int:
    return _core.measuring_data_address  # there are no vectors of addresses


def vector_bytes(_instruction: _core.Instruction) -> int:
    return 16


def writes_flags_only(_instruction: _core.Instruction) -> bool:
    return False  # there are none


def counts_down(instruction: _core.Instruction) -> int | None:
    """The number of the general register that the instruction decrements."""
    if re.fullmatch(r"addi (\w+), \1, -1", instruction.text) is None:
        return None
    return locations()[instruction.operands[0].registers[0].reg][1]


def closing(_instructions: object, counter: int, _keeps_flags: bool) -> list[_core.Instruction]:
    """As the runner closes its loops."""
    if counter < 0:
        return []
    text = f"addi x{counter}, x{counter}, -1\nbnez x{counter}, .Lstart"
    return list(_core.assemble("riscv64", text).instructions)
