"""What operands of x86 hold, where a form's time may depend on it.

fast       the usual: what code computes with most of the time
slow       divisions and roots: quotients of as many digits as there can be (dividers.py)
subnormal  arithmetic of floating-point vectors: operands, or results, below the least normal number (subnormals.py)
count_0    shifts and rotations by cl: a count of 0, which leaves the flags to those before
"""

from __future__ import annotations

from corecast import _core
from corecast.measure.isa.forms import Form, Values
from corecast.measure.isa.x86 import dividers, subnormals
from corecast.pattern import lazy_pattern

_COUNT = "cl"
_MASKED_MOVE = lazy_pattern(r"v?p?maskmov")
_SIGNED = 0xBFF8_8080_BFC0_8080
"""Bytes, floats and doubles with their signs set, which choose the element: accesses of none take an assist, some 300
cycles."""


def other_values(form: Form) -> tuple[Values, ...]:
    if dividers.is_division(form):
        return ("slow", "subnormal") if subnormals.is_affected(form) else ("slow",)
    if subnormals.is_affected(form):
        return ("subnormal",)
    return ("count_0",) if _COUNT in form.operands else ()


def value_dependent(form: Form) -> bool:
    return form.values == "subnormal" or dividers.is_division(form)


def keeps_values(form: Form, source: str) -> bool:
    if form.values == "subnormal":
        return subnormals.stays_subnormal(form, source)
    return form.values != "slow"


def special_values(form: Form) -> dict[int, int]:
    """Start values of registers that the form implies and that mean something there."""
    if _COUNT in form.operands:
        return {1: 0 if form.values == "count_0" else _core.measuring_data_address + 7}
    return dividers.dividend(form)


def numbers(form: Form, source: str = "") -> tuple[int, int] | None:
    """Eight bytes each: what vector registers hold, and what the last operand does. None: the usual ones."""
    if form.values == "subnormal":
        return subnormals.numbers(form, source)
    if _MASKED_MOVE.match(form.mnemonic):
        return _SIGNED, _SIGNED
    return dividers.numbers(form)
