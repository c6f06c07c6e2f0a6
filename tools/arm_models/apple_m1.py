"""Apple M1, performance core (Firestorm): which pipes the measured throughputs tell."""

from __future__ import annotations

import re

import facts

from . import apple, common, insn_bench_rows
from .apple import ACCURACY_CYCLES, ATOMIC_ACCESS, BRANCH, CPU, FLAGS, PORTS, TO_INTEGER, Ports, whole

__all__ = ["CPU", "PORTS", "rows"]

OSACA_PORTS = {
    ("8", "9", "10", "11", "12", "13"): "I", ("8", "9", "10"): "F", ("8", "9"): "B", ("12", "13"): "M", ("13",): "I5",
    ("12",): "I4", ("0", "1", "2", "3"): "V", ("2", "3"): "V23", ("3",): "V3", ("4", "6", "7"): "L", ("4", "5"): "S",
}  # fmt: skip


def rows() -> common.Rows:
    """All rows of the model."""
    bench = insn_bench_rows.read("apple_m1_firestorm", "insn_bench:m1_firestorm")
    listed = facts.osaca_figures("m1")
    return apple.rows(apple.Core("firestorm", _pipes, 8, PORTS, listed, OSACA_PORTS, bench))


def _pipes(form: str, cycles: float) -> Ports | None:
    if "[x" in form:
        return _memory(form, cycles)
    operands = common.operands_of(form)
    general = any(operand in ("x", "w") for operand in operands)
    if common.is_vector(form):
        if general:
            return _crossing(form, cycles)
        if common.mnemonic_of(form) == "fcsel":
            return ((1.0, "V23"),)
        if cycles < 1 - ACCURACY_CYCLES or re.match(r"tb[lx] ", form):
            return whole(cycles, 4, "V")
        return ((float(round(cycles)), "V3"),)
    if BRANCH.match(form):
        return ((1.0, "B"),)
    if common.mnemonic_of(form) in ("nop", "yield"):
        return ()
    if common.DIVIDING.fullmatch(common.mnemonic_of(form)):
        return ((cycles, "I4"),)
    if cycles >= 1 - ACCURACY_CYCLES:
        return ((float(round(cycles)), "I5"),)
    if re.match(r"(adr|adrp) ", form):
        return ((1.0, "B"),)
    if abs(cycles - 0.5) <= ACCURACY_CYCLES:
        return ((1.0, "M"),)
    return whole(cycles, 3, "F") if FLAGS.match(form) else whole(cycles, 6, "I")


def _crossing(form: str, cycles: float) -> Ports:
    """Between the register files: results for integer registers leave from two vector pipes, others enter by three."""
    if TO_INTEGER.match(form):
        return ((1.0, "V23"),) if cycles < 1 - ACCURACY_CYCLES else ((1.0, "V3"),)
    return ((1.0, "F"),) if form.startswith("fmov") else ((1.0, "F"), (1.0, "V"))


def _memory(form: str, cycles: float) -> Ports | None:
    if common.plain_form(form) or ATOMIC_ACCESS.match(form):
        return None  # write-back is added to the plain access; what atomics occupy is not known
    if form.startswith("st"):
        return ((float(max(1, int(cycles * 2 + 0.1))), "S"),)
    vector = ((1.0, "V"),) if re.match(r"ld[1-4](r | \\{?v\\.[bhsd][^\\[]*\\[i\\])|ld[2-4] ", form) else ()
    return ((float(max(1, int(cycles * 3 + 0.1))), "L"), *vector)
