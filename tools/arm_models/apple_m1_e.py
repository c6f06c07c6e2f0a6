"""Apple M1, efficiency core (Icestorm): which pipes the measured throughputs tell."""

from __future__ import annotations

import re

from . import apple, common
from .apple import ACCURACY_CYCLES, ATOMIC_ACCESS, BRANCH, CPU, PORTS, TO_INTEGER, Ports, whole

__all__ = ["CPU", "PORTS", "rows"]


def rows() -> common.Rows:
    """All rows of the model."""
    return apple.rows(apple.Core("icestorm", _pipes, 4, PORTS, {}, {}, None))


def _pipes(form: str, cycles: float) -> Ports | None:
    if "[x" in form:
        return _memory(form, cycles)
    if common.is_vector(form):
        if any(operand in ("x", "w") for operand in common.operands_of(form)):
            return _crossing(form, cycles)
        if cycles < 1 - ACCURACY_CYCLES or re.match(r"tb[lx] ", form):
            return whole(cycles, 2, "V")
        return ((float(round(cycles)), "V1"),)
    if BRANCH.match(form):
        return ((1.0, "B"),)
    if common.mnemonic_of(form) in ("nop", "yield") or cycles < 1 / 3 - ACCURACY_CYCLES:
        return ()
    if common.DIVIDING.fullmatch(common.mnemonic_of(form)):
        return ((cycles, "I1"),)
    if cycles >= 1 - ACCURACY_CYCLES:
        return ((float(round(cycles)), "I2"),)
    if abs(cycles - 0.5) <= ACCURACY_CYCLES:  # a result and flags
        return ((1.0, "F"),)
    return whole(cycles, 3, "I")


def _crossing(form: str, cycles: float) -> Ports:
    """Results for integer registers leave from one vector pipe; others enter by two integer pipes."""
    if TO_INTEGER.match(form):
        return ((float(max(1, round(cycles))), "V1"),)
    return ((1.0, "F"),) if form.startswith("fmov") else ((1.0, "F"), (1.0, "V"))


def _memory(form: str, cycles: float) -> Ports | None:
    if common.plain_form(form) or ATOMIC_ACCESS.match(form):
        return None  # write-back is added to the plain access; what atomics occupy is not known
    if form.startswith("st"):
        return ((float(max(1, int(cycles + 0.1))), "S"),)
    return ((float(max(1, int(cycles * 2 + 0.1))), "L"),)
