"""Divisions and roots of x86: what their operands hold, for their time may depend on it.

fast    quotients of few digits: dividends shorter than the divisor, 1 / 1
slow    quotients of as many digits as there can be

Chains give every operand its value anew, or the values that they run to are such again: a chain of x / 1 stays what it
is, one of x / (1 + epsilon) nearly.

Multiplications take as long whatever their operands are, unless they are subnormal on some cores, or run to infinity:
theirs are 1 + epsilon, too, so that products stay what they are. x * 2^y stays where y is between 0 and 1.
"""

from __future__ import annotations

import struct

from corecast import _core
from corecast.measure.isa.forms import Form
from corecast.pattern import lazy_pattern

_GENERAL = lazy_pattern(r"i?div$")
_VECTOR = lazy_pattern(r"v?(div|sqrt)[ps]([sd])$")
_PRODUCT = lazy_pattern(r"v?(mul|fn?m(?:add|sub|addsub|subadd)(?:132|213|231)?)[ps]([sd])$")
_SCALED = lazy_pattern(r"vscalef[ps]([sd])$")
_SHORT = 0x0834
"""A dividend that the usual divisors go into seldom or not at all; longer ones could overflow the quotient."""
_DIGITS = 0x5555_5555_5555_5555
_DIVIDEND, _NEAR_1 = 1.7654321098765, {"s": 1 + 5 * 2.0**-23, "d": 1 + 0x5555 * 2.0**-52}
"""Of all digits; and one that millions of divisions or multiplications by it leave what it is."""
_FRACTION = 0.75


def is_division(form: Form) -> bool:
    """Of vectors or of general registers; roots, too."""
    return bool(_GENERAL.match(form.mnemonic) or _VECTOR.match(form.mnemonic))


def dividend(form: Form) -> dict[int, int]:
    """Start values of the registers that divisions imply, by the address of data: registers and memory hold that."""
    if not _GENERAL.match(form.mnemonic):
        return {}
    if form.values == "fast":
        return {0: _SHORT, 2: 0}
    slot = form.slot("1")
    bits = max((access.width_bytes * 8 for access in form.example.memory), default=slot.bits if slot else 64)
    high = slot is not None and slot.kind == "high"
    divisor = (_core.measuring_data_address >> (8 if high else 0)) & ((1 << bits) - 1)
    upper = divisor // 4  # the quotient has all bits but two, so that one with a sign fits, too
    if bits == 8:
        return {0: upper << 8 | _DIGITS & 0xFF}
    return {0: _DIGITS & ((1 << bits) - 1), 2: upper}


def numbers(form: Form) -> tuple[int, int] | None:
    """Eight bytes each: what vector registers hold, and what the last operand does. None: the usual ones."""
    if product := _PRODUCT.match(form.mnemonic):
        return _pattern(product[2], _NEAR_1[product[2]]), _pattern(product[2], _NEAR_1[product[2]])
    if scaled := _SCALED.match(form.mnemonic):
        return _pattern(scaled[1], _FRACTION), _pattern(scaled[1], _FRACTION)
    match = _VECTOR.match(form.mnemonic)
    if match is None:
        return None
    if form.values == "fast":
        return _pattern(match[2], 1.0), _pattern(match[2], 1.0)
    dividend = _pattern(match[2], _DIVIDEND)
    return dividend, dividend if match[1] == "sqrt" else _pattern(match[2], _NEAR_1[match[2]])


def _pattern(element: str, value: float) -> int:
    raw = struct.pack("<f", value) * 2 if element == "s" else struct.pack("<d", value)
    return int.from_bytes(raw, "little")
