"""Subnormal operands of x86's floating-point vectors: some cores take them a second way round, or by microcode.

Chains stay subnormal by themselves where they can, as what decays does in real code: x * 1 and x / 1 are what they
were, and so is x * x + x of the least number. Else operands are given their values anew.
"""

from __future__ import annotations

import struct

from corecast.measure.isa.forms import Form
from corecast.pattern import lazy_pattern

_LAST_IS_1 = lazy_pattern(r"v?(?P<operation>mul|div)[ps](?P<element>[sd])$")
_ROOT = lazy_pattern(r"v?sqrt[ps](?P<element>[sd])$")
_SUM = lazy_pattern(r"v?(?:add|sub|addsub)[ps](?P<element>[sd])$")
_FUSED = lazy_pattern(r"vfn?m(?:add|sub|addsub|subadd)(?:132|213|231)[ps](?P<element>[sd])$")
_CONVERSION = lazy_pattern(r"v?cvt(?P<conversion>ps2pd|ss2sd|pd2ps|sd2ss|ph2ps|ps2ph)$")
_LEAST = {"s": 0x0000_0001_0000_0001, "d": 1, "h": 0x0001_0001_0001_0001}
"""Two singles, a double, four halves."""
_ONE = {"s": 0x3F80_0000_3F80_0000, "d": 0x3FF0_0000_0000_0000}


def _of_doubles(value: float) -> int:
    return int.from_bytes(struct.pack("<d", value), "little")


def _of_singles(value: float) -> int:
    return int.from_bytes(struct.pack("<f", value) * 2, "little")


_CONVERTED = {
    **dict.fromkeys(("ps2pd", "ss2sd"), _LEAST["s"]),
    "ph2ps": _LEAST["h"],
    **dict.fromkeys(("pd2ps", "sd2ss"), _of_doubles(1e-40)),
    "ps2ph": _of_singles(1e-6),
}
"""Subnormal, or what becomes subnormal."""


def is_affected(form: Form) -> bool:
    """Whether the form's time may depend on it. What other arithmetic takes than products, divisions and roots, a form
    without masks, memory and roundings tells for all of its mnemonic."""
    if _LAST_IS_1.match(form.mnemonic) or _ROOT.match(form.mnemonic):
        return True
    others = any(each.match(form.mnemonic) for each in (_SUM, _FUSED, _CONVERSION))
    return others and "{" not in form.key and not form.example.memory


def stays_subnormal(form: Form, source: str) -> bool:
    """Whether results of a chain through this operand are subnormal operands again."""
    if _ROOT.match(form.mnemonic) or _CONVERSION.match(form.mnemonic):
        return source != _last(form)  # what is only merged stays
    in_place = len(form.operands) == 2 or _FUSED.match(form.mnemonic)
    return source == "1" or not in_place


def numbers(form: Form, source: str) -> tuple[int, int] | None:
    """Of a chain through one of its operands, or of independent instances."""
    if conversion := _CONVERSION.match(form.mnemonic):
        value = _CONVERTED[conversion["conversion"]]
        return value, value
    if product := _LAST_IS_1.match(form.mnemonic):
        least, one = _LEAST[product["element"]], _ONE[product["element"]]
        if source != _last(form):
            return least, one
        return (one if product["operation"] == "mul" else least), least
    match = _ROOT.match(form.mnemonic) or _SUM.match(form.mnemonic) or _FUSED.match(form.mnemonic)
    return None if match is None else (_LEAST[match["element"]], _LEAST[match["element"]])


def _last(form: Form) -> str:
    """The name of the last operand with elements."""
    return "mem" if form.example.memory else max(slot.name for slot in form.slots if slot.name.isdigit())
