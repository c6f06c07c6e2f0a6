"""Compare-and-select: instructions that together keep the larger, or the smaller, of a running value and another one.

A comparison of the two leaves flags or a mask; a select that takes one of the very two by these flags makes a maximum
or a minimum. By a mask it may take several instructions: each value is kept where the mask wants it, and the two
parts are put together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corecast.analysis.advice.links import word
from corecast.dataclass import dataclass, replace
from corecast.hints import TYPE_CHECKING, Literal
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast import _core
    from corecast.asm.code import Isa

Order = Literal["less", "greater"]


@dataclass(frozen=True)
class Running:
    """The running value after this number of links of an iteration."""

    version: int


@dataclass(frozen=True)
class Other:
    """A value that does not depend on the running one: equal numbers are equal values."""

    number: tuple[object, ...]


@dataclass(frozen=True)
class Comparison:
    """Flags or a mask of a comparison of the running value with another one."""

    running: Running
    other: Other
    running_first: bool
    element: str
    is_float: bool
    order: Order | None = None
    """How the running value relates to the other where a mask is set; None for flags: a condition tells."""


@dataclass(frozen=True)
class Part:
    """One of the two values where the mask is set (or where it is not), and zero elsewhere."""

    mask: Comparison
    where_set: bool
    takes_running: bool


@dataclass(frozen=True)
class Choice:
    """The larger or the smaller of the running value and another one."""

    kind: Literal["min", "max"]
    running: Running
    element: str
    is_float: bool


Value = Running | Other | Comparison | Part | None
"""None: something else that depends on the running value."""

_SIGNED: dict[str, Order] = {
    "l": "less", "le": "less", "lt": "less", "g": "greater", "ge": "greater", "gt": "greater",
}  # fmt: skip
_UNSIGNED: dict[str, Order] = {
    "b": "less", "be": "less", "lo": "less", "ls": "less",
    "a": "greater", "ae": "greater", "hi": "greater", "hs": "greater",
}  # fmt: skip
_AFTER_FCMP: dict[str, Order] = {
    "mi": "less", "ls": "less", "lt": "less", "le": "less", "lo": "less",
    "gt": "greater", "ge": "greater", "hi": "greater", "hs": "greater", "pl": "greater",
}  # fmt: skip
"""Those of one order differ in what they make of NaN."""
_MASKS: tuple[tuple[str, Order], ...] = (
    (r"v?pcmpgt[bwdq]|v?cmp(g[te]|nl[te])(_o[qs]|_u[qs]|q)?p[sd]", "greater"),
    (r"v?cmp(l[te]|ng[te])(_o[qs]|_u[qs]|q)?p[sd]", "less"),
    (r"f?cmg[te]|cmh[is]|fcmg[te]", "greater"),
)
_AND, _AND_NOT, _OR = (lazy_pattern(p) for p in (r"v?(pand|andp[sd])", r"v?(pandn|andnp[sd])", r"v?(por|orp[sd])"))


def compared(instruction: _core.Instruction, values: Sequence[Value], isa: Isa) -> Comparison | None:
    """The comparison that an instruction makes of the running value and another one, from its operands' values."""
    name, tokens = word(instruction), instruction.form.partition(" ")[2].split(", ")
    if name in ("cmp", "fcmp", "fcmpe") and isa != "riscv64" and len(tokens) == 2:
        return _pair(values, tokens[0].replace("m", "r"), name != "cmp", None)
    order = next((order for pattern, order in _MASKS if re.fullmatch(pattern, name)), None)
    if order is None or tokens[0].startswith("k"):
        return None
    is_float = name.startswith(("cmp", "vcmp", "fcm"))
    prefix = "u" if name.startswith("cmh") else "" if is_float else "s"
    suffix = name[-2:] if is_float and isa == "x86" else name[-1] if isa == "x86" else ""
    return _pair(_sources(instruction, values), f"{prefix}{suffix} {tokens[0]}", is_float, order)


def chosen(instruction: _core.Instruction, values: Sequence[Value], flags: Value, isa: Isa) -> Choice | Part | None:
    """What a select, or a part of one, makes of its operands' values and of the flags."""
    name = word(instruction)
    if isa == "x86" and name.startswith("cmov"):
        return _by_condition(flags, name.removeprefix("cmov"), values[1], values[0])
    if name in ("csel", "fcsel"):
        return _by_condition(flags, instruction.text.rpartition(",")[2].strip(), values[1], values[2])
    if re.fullmatch(r"v?p?blendv(p[sd]|b)", name):
        no, yes, mask = values[-3:]
        return _by_mask(mask, yes, no)
    if name in ("bit", "bif", "bsl"):
        old, first, second = values
        return {
            "bit": lambda: _by_mask(second, first, old),
            "bif": lambda: _by_mask(second, old, first),
            "bsl": lambda: _by_mask(old, first, second),
        }[name]()
    sources = _sources(instruction, values)
    if _AND.fullmatch(name):
        return _part(sources[0], sources[1], where_set=True) or _part(sources[1], sources[0], where_set=True)
    if _AND_NOT.fullmatch(name):
        return _part(sources[0], sources[1], where_set=False)
    return _together(sources) if _OR.fullmatch(name) else None


def _sources(instruction: _core.Instruction, values: Sequence[Value]) -> Sequence[Value]:
    """Of the last two operands, whether the first one is replaced or a third is written."""
    return values[-2:] if len(values) >= 2 else (None, None)


def _pair(values: Sequence[Value], element: str, is_float: bool, order: Order | None) -> Comparison | None:
    first, second = values[0], values[1]
    if isinstance(first, Running) and isinstance(second, Other):
        return Comparison(first, second, True, element, is_float, order)
    if isinstance(second, Running) and isinstance(first, Other):
        return Comparison(second, first, False, element, is_float, _reverse(order))
    return None


def _reverse(order: Order | None) -> Order | None:
    return None if order is None else "less" if order == "greater" else "greater"


def _by_condition(flags: Value, condition: str, yes: Value, no: Value) -> Choice | None:
    if not isinstance(flags, Comparison) or flags.order is not None:
        return None
    order = _AFTER_FCMP.get(condition) if flags.is_float else _SIGNED.get(condition) or _UNSIGNED.get(condition)
    if order is None:
        return None
    sign = "" if flags.is_float else "s" if condition in _SIGNED else "u"
    order = order if flags.running_first else _reverse(order)
    return _by_mask(replace(flags, element=f"{sign} {flags.element}", order=order), yes, no)


def _by_mask(mask: Value, yes: Value, no: Value) -> Choice | None:
    if not isinstance(mask, Comparison) or mask.order is None:
        return None
    if (yes, no) not in ((mask.running, mask.other), (mask.other, mask.running)):
        return None
    keeps_larger = (mask.order == "greater") == (yes == mask.running)
    return Choice("max" if keeps_larger else "min", mask.running, mask.element, mask.is_float)


def _part(mask: Value, value: Value, where_set: bool) -> Part | None:
    if not isinstance(mask, Comparison) or value not in (mask.running, mask.other):
        return None
    return Part(mask, where_set, value == mask.running)


def _together(parts: Sequence[Value]) -> Choice | None:
    first, second = parts
    if not isinstance(first, Part) or not isinstance(second, Part) or first.mask != second.mask:
        return None
    if first.where_set == second.where_set or first.takes_running == second.takes_running:
        return None
    of_set = first if first.where_set else second
    mask = first.mask
    return _by_mask(mask, *((mask.running, mask.other) if of_set.takes_running else (mask.other, mask.running)))
