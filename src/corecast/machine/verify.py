"""The verifier of machine models. Its invariants:

1. Every row can be read: ports, units, operands and registers that it names exist (`unreadable`).
2. A latency is positive; only an eliminated move may have none (`latency`).
3. The measured reciprocal throughput is not below what the ports and the units of the row allow (`throughput`).
4. Every form can be resolved: an instruction exists that has the key (`unresolved`).
5. Siblings are consistent: in a family, the forms of one mnemonic that differ in the width of registers and memory
   only, none has a latency or a number of micro-ops far from the others' (`outlier`). Dividers, microcode and rows of
   other confidence than the others' are left out: they differ for a reason.

1 to 4 are errors. An outlier may be true; it is a place to look at.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

from corecast.machine.resolve import unresolved
from corecast.machine.types import FormRow, Machine

Kind = Literal["unreadable", "latency", "throughput", "unresolved", "outlier"]
ROUNDING = 0.05
"""A measured figure may be below the bound by this share: it was measured."""
FAMILY = 4
"""Members that a family needs before one of them can stand out."""
FACTOR, CYCLES, UOPS = 2.0, 3.0, 3.0
"""Far from the others: more than twice (or less than half) their median, and by more than 3 cycles or 3 micro-ops."""
_WIDTH = re.compile(r"\b(r(8|16|32|64)|m(8|16|32|64|128|256|512)|[xyz]mm|[xw]|[bhsdq]|i(8|16|32|64))\b")
_ARRANGEMENT = re.compile(r"\.(\d*)[bhsdq]\b")


@dataclass(frozen=True)
class Finding:
    """A row that breaks an invariant."""

    kind: Kind
    form: str
    message: str
    file: str
    line: int

    @property
    def is_error(self) -> bool:
        return self.kind != "outlier"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.form}: {self.message} ({self.kind})"


def verify(machine: Machine, *, resolve: bool = True) -> list[Finding]:
    """Every row that breaks an invariant, in the order of the tables.

    Args:
        resolve: whether to look for an instruction of every form, which takes some seconds.
    """
    broken = list(_unreadable(machine))
    bad = {finding.form for finding in broken}
    rows: dict[str, tuple[dict[str, Any], FormRow]] = {}
    keys = machine.keys()
    for form in keys:
        row = machine.row(form)
        if form not in bad and row is not None:
            entry = machine.core.find(form)
            assert entry is not None
            rows[form] = (entry, row)
    found = [*broken]
    for form, (entry, row) in rows.items():
        found += [Finding(kind, form, text, row.file, row.line) for kind, text in _of_row(machine, entry)]
    if resolve:
        for form in unresolved(machine.isa, rows):
            row = rows[form][1]
            found.append(Finding("unresolved", form, "no instruction has this key", row.file, row.line))
    found += _outliers(rows)
    order = {form: number for number, form in enumerate(keys)}
    return sorted(found, key=lambda finding: order.get(finding.form, -1))


def _unreadable(machine: Machine) -> Iterator[Finding]:
    problems = machine.core.check()
    keys = machine.keys() if problems else []
    places = {f"{row.file}:{row.line}": key for key in keys if (row := machine.row(key)) is not None}
    for problem in problems:
        place, _, message = problem.partition(": ")
        file, _, line = place.rpartition(":")
        yield Finding("unreadable", places.get(place, ""), message, file, int(line))


def _of_row(machine: Machine, entry: dict[str, Any]) -> Iterator[tuple[Kind, str]]:
    if "eliminated" not in entry["flags"]:
        for source, destination, cycles in entry["latency"] or ():
            if cycles <= 0:
                yield "latency", f"latency {source}->{destination} is {cycles:g}"
    measured, bound = entry["rthroughput"], least_throughput(machine, entry)
    if measured is not None and bound is not None and measured < bound * (1 - ROUNDING) - 0.01:
        yield "throughput", f"reciprocal throughput {measured:g} is below the {bound:.3g} that its ports allow"


def least_throughput(machine: Machine, entry: dict[str, Any]) -> float | None:
    """Cycles from one instance of the form to the next that its ports and units allow at best; None: not known."""
    if entry["ports"] is None:
        return None
    uses = [(float(count), frozenset(ports)) for count, ports in entry["ports"]]
    cycles = [float(busy) for busy, _ in entry["blocking"]]
    for size in range(1, len(uses) + 1 if len(uses) <= 8 else 2):
        for chosen in itertools.combinations(uses, size):
            cycles.append(sum(count for count, _ in chosen) / len(frozenset().union(*(ports for _, ports in chosen))))
    return max(cycles, default=0.0)


# --- families --------------------------------------------------------------------------------------------------------


def family_of(form: str) -> str:
    """The form with its widths left out: `vaddpd ymm, ymm, m256` and `vaddpd xmm, xmm, m128` are one family."""
    mnemonic, _, operands = form.partition(" ")
    shape = _ARRANGEMENT.sub(".*", operands)
    return f"{mnemonic} {_WIDTH.sub(lambda match: match[0].rstrip('0123456789')[:1], shape)}".replace("y", "x")


def _outliers(rows: dict[str, tuple[dict[str, Any], FormRow]]) -> Iterator[Finding]:
    families: dict[tuple[str, str], list[str]] = defaultdict(list)
    for form, (entry, row) in rows.items():
        if not entry["blocking"] and "microcoded" not in entry["flags"] and "@" not in form:
            families[family_of(form), row.confidence].append(form)
    for members in families.values():
        if len(members) < FAMILY:
            continue
        for what, limit, figures in (
            ("latency", CYCLES, {form: _longest(rows[form][0]) for form in members}),
            ("micro-ops", UOPS, {form: _uops(rows[form][0]) for form in members}),
        ):
            for form, value, usual in _far_off(figures, limit):
                row = rows[form][1]
                text = f"{what} {value:g}, of its siblings {usual:g}"
                yield Finding("outlier", form, text, row.file, row.line)


def _far_off(figures: dict[str, float | None], limit: float) -> Iterator[tuple[str, float, float]]:
    known = {form: value for form, value in figures.items() if value is not None}
    if len(known) < FAMILY:
        return
    usual = median(known.values())
    for form, value in known.items():
        low, high = sorted((value, usual))
        if high - low > limit and high > FACTOR * low:
            yield form, value, usual


def _longest(entry: dict[str, Any]) -> float | None:
    cycles = [each for source, _, each in entry["latency"] or () if source not in ("addr", "index")]
    return max(cycles, default=None)


def _uops(entry: dict[str, Any]) -> float | None:
    return None if entry["uops"] is None else float(entry["uops"][1])


def errors_of(findings: Iterable[Finding]) -> Sequence[Finding]:
    return [finding for finding in findings if finding.is_error]
