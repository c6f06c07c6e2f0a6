"""x87 of x86, whose registers are a stack: which forms are of it, and what they push and pop."""

from __future__ import annotations

from corecast.pattern import lazy_pattern

_TURNING = ("fincstp", "fdecstp", "ffree")
_PUSHING = lazy_pattern(r"fld(?!cw|env)\w*|fild|fbld|fptan|fsincos|fxtract")
_POPPING = lazy_pattern(r"f\w+p|f\w+pi|fpatan|fyl2x|fyl2xp1")
_NOT_POPPING = ("fnop",)
_NOT_X87 = ("fxsave", "fxsave64", "fxrstor", "fxrstor64", "femms")


def is_x87(key: str) -> bool:
    """Whether a form's key is of x87."""
    mnemonic = key.split(" ")[0]
    return mnemonic[0] == "f" and mnemonic not in _NOT_X87


def stack_effect(mnemonic: str) -> int:
    """Registers that an instruction pushes; below 0: pops."""
    if mnemonic in _TURNING or mnemonic in _NOT_POPPING:
        return 0
    if _PUSHING.fullmatch(mnemonic):
        return 1
    if mnemonic.endswith("pp"):
        return -2
    return -1 if _POPPING.fullmatch(mnemonic) else 0
