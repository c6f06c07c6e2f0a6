"""Rows of forms on the longest vectors that there was no time to measure: those on half as long ones, and what the
core's measured pairs of both say of the difference.

A core may do twice the length at once, in two halves, or in two only where memory is read: of each class of forms the
median of the measured pairs counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from statistics import median

from corecast.machine.making.folder import known_rows
from corecast.machine.rows import Row
from corecast.machine.types import Machine
from corecast.measure.export.model import known_row
from corecast.measure.questions.selection import all_forms

FEWEST_PAIRS = 4
"""That must have been measured of a class."""
SOURCE = "corecast:measured(rule:wider)"
_WHOLE = 0.1
"""By how much a factor may be off the whole number that it is taken for."""


def wider_rows(rows: Iterable[Row], base: Machine) -> list[Row]:
    """Rows that are neither measured nor in the base model.

    Args:
        rows: the measured ones.
        base: the model that they are for.
    """
    if base.isa != "x86":
        return []
    measured = {row.form: row for row in rows}
    factors = _factors(measured)
    forms = [form for form in _wide_forms() if form not in measured] if factors else []
    known = known_rows(base, forms)
    made = []
    for form in forms:
        factor = factors.get(_class(form))
        narrow = None if form in known or factor is None else _narrow_row(form, measured, base)
        if factor is None or narrow is None or narrow.ports is None:
            continue
        made.append(
            narrow.with_(
                form=form,
                ports=tuple((round(count * factor, 3), group) for count, group in narrow.ports),
                blocking=tuple((unit, round(cycles * factor, 2)) for unit, cycles in narrow.blocking),
                reciprocal_throughput_cycles=None,
                source=SOURCE,
                confidence="derived",
            )
        )
    return made


@lru_cache(maxsize=1)
def _wide_forms() -> tuple[str, ...]:
    """All that there are: enumerating them takes seconds."""
    return tuple(form for form in all_forms("x86") if _is_wide(form))


def _is_wide(form: str) -> bool:
    """Whether a form works on 512 bits; masked ones and broadcasts are derived from those without."""
    return ("zmm" in form or "m512" in form) and "{" not in form and "bcst" not in form


def _narrower(form: str) -> str:
    """The same on 256 bits. Of conversions the other operand is half as long, too."""
    halves = {"zmm": "ymm", "ymm": "xmm", "m512": "m256", "m256": "m128"}
    mnemonic, _, operands = form.partition(" ")
    return f"{mnemonic} {', '.join(halves.get(operand, operand) for operand in operands.split(', '))}"


def _narrow_row(form: str, measured: Mapping[str, Row], base: Machine) -> Row | None:
    """Of the same on 256 bits, or else on 128, which as a rule takes as much."""
    half = _narrower(form)
    return measured.get(half) or measured.get(_narrower(half)) or known_row(half, base)


def _class(form: str) -> str:
    operands = form.partition(" ")[2].split(", ")
    if operands[0].startswith("m"):
        return "store"
    return "load" if any(operand.startswith("m512") for operand in operands) else "registers"


def _factors(measured: Mapping[str, Row]) -> dict[str, float]:
    """By how much longer ports are held, of each class."""
    found: dict[str, list[float]] = {}
    for form, row in measured.items():
        narrow = measured.get(_narrower(form)) if _is_wide(form) else None
        cycles = row.reciprocal_throughput_cycles
        before = None if narrow is None else narrow.reciprocal_throughput_cycles
        if cycles and before:
            found.setdefault(_class(form), []).append(cycles / before)
    medians = {name: median(factors) for name, factors in found.items() if len(factors) >= FEWEST_PAIRS}
    return {name: round(each) if abs(each - round(each)) <= _WHOLE else each for name, each in medians.items()}
