"""Instructions that do the same, bit by bit, with the same operands, and may yet run on other ports.

The vendors describe each of them by the same operation (Intel SDM volume 2, AMD APM volumes 4 and 5): bitwise logic,
moves, shuffles and blends whose names tell apart the type of the elements only. Where a core keeps integers and
floating point apart, results that cross over may come a cycle later.
"""

from __future__ import annotations

from functools import lru_cache

_SAME = (
    "vandps vandpd vpand vpandd vpandq",
    "vandnps vandnpd vpandn vpandnd vpandnq",
    "vorps vorpd vpor vpord vporq",
    "vxorps vxorpd vpxor vpxord vpxorq",
    "andps andpd pand",
    "andnps andnpd pandn",
    "orps orpd por",
    "xorps xorpd pxor",
    "movaps movapd movdqa",
    "movups movupd movdqu",
    "vmovaps vmovapd vmovdqa",
    "vmovups vmovupd vmovdqu",
    "unpcklps punpckldq",
    "unpckhps punpckhdq",
    "unpcklpd punpcklqdq",
    "unpckhpd punpckhqdq",
    "vunpcklps vpunpckldq",
    "vunpckhps vpunpckhdq",
    "vunpcklpd vpunpcklqdq",
    "vunpckhpd vpunpckhqdq",
    "vbroadcastss vpbroadcastd",
    "vbroadcastsd vpbroadcastq",
    "vextractf128 vextracti128",
    "vinsertf128 vinserti128",
    "vperm2f128 vperm2i128",
    "vpermps vpermd",
    "vpermpd vpermq",
    "vblendps vpblendd",
    "vpshufd vpermilps",
    "vmaskmovps vpmaskmovd",
    "vmaskmovpd vpmaskmovq",
)
"""One operation a line. vpermilps does what vpshufd does with a number alone: with a register the operands differ."""


@lru_cache(maxsize=1)
def _lines() -> dict[str, tuple[str, ...]]:
    return {name: tuple(line.split()) for line in _SAME for name in line.split()}


def equivalents(mnemonic: str) -> tuple[str, ...]:
    """Other mnemonics for the same operation on the same operands, where there are any."""
    return tuple(name for name in _lines().get(mnemonic, ()) if name != mnemonic)
