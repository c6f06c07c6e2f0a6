"""The verifier of machine models. Its invariants:

1. Every row can be read: ports, units, operands and registers that it names exist (`unreadable`); it says where its
   figures are from, and how sure they are (`unsourced`).
2. A latency is positive; only what renaming does without a micro-op may have none: eliminated moves, additions of
   constants on some cores (`latency`).
3. The measured reciprocal throughput is not below what the ports and the units of the row allow (`throughput`).
   Nor is a pipelined form busy on its ports for many times its longest latency: only a wrong measurement says so
   (`busy`). What keeps a divider or microcode busy is left out.
4. Every form can be resolved: an instruction exists that has the key (`unresolved`).
5. The core has what a form needs: some encoding of it is within the extensions that the model lists (`extension`).
6. Siblings are consistent: in a family, the forms of one mnemonic that differ in the width of registers and memory
   only, none has a latency or a number of micro-ops far from the others' (`outlier`). Dividers, microcode, rows of
   other confidence than the others', and latencies into or out of memory (those are the core's forwarding, which serves
   some widths better than others) are left out: they differ for a reason.

All others are errors. An outlier may be true; it is a place to look at. A finding whose reason stands in the model's
`explained.tsv` (machine/explained.py) is not an error; an explanation of the model's own that explains nothing is one
(`stale`).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from corecast.dataclass import dataclass, replace
from corecast.hints import Any, Literal
from corecast.machine.explained import Explanation, read_explanations
from corecast.machine.resolve import beyond_extensions, unresolved
from corecast.machine.summary import CONFIDENCES
from corecast.machine.types import FormRow, Machine
from corecast.pattern import lazy_pattern

Kind = Literal[
    "unreadable",
    "unsourced",
    "latency",
    "throughput",
    "busy",
    "unresolved",
    "extension",
    "outlier",
    "stale",
]
EXPLAINABLE = ("latency", "throughput", "busy", "unresolved", "outlier")
ROUNDING = 0.05
"""A measured figure may be below the bound by this share: it was measured."""
BUSY_FACTOR, BUSY_CYCLES = 8.0, 40.0
"""Implausible: ports that a form keeps busy for this multiple of its longest latency and this many cycles; what is
pipelined takes less than its latency, what is not takes as long."""
FAMILY = 4
"""Members that a family needs before one of them can stand out."""
FACTOR, CYCLES, UOPS = 2.0, 3.0, 3.0
"""Far from the others: more than twice (or less than half) their median, and by more than 3 cycles or 3 micro-ops."""
_WIDTH = lazy_pattern(r"\b(r(8|16|32|64)|m(8|16|32|64|128|256|512)|[xyz]mm|[xw]|[bhsdq]|i(8|16|32|64))\b")
_STORE = lazy_pattern(r"^[\w ]*? m\d+\b")
_ARRANGEMENT = lazy_pattern(r"\.(\d*)[bhsdq]\b")


@dataclass(frozen=True)
class Finding:
    """A row that breaks an invariant."""

    kind: Kind
    form: str
    message: str
    file: str
    line: int
    explanation: Explanation | None = None

    @property
    def is_error(self) -> bool:
        return self.kind != "outlier" and self.explanation is None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.form}: {self.message} ({self.kind})"


def verify(machine: Machine, *, resolve: bool = True) -> list[Finding]:
    """Every row that breaks an invariant, in the order of the tables, explained ones with their explanation.

    Args:
        resolve: whether to look for an instruction of every form, which takes some seconds.

    Raises:
        MachineModelError: an `explained.tsv` cannot be read.
    """
    broken = [*_unreadable(machine)]
    bad = {finding.form for finding in broken}
    rows: dict[str, tuple[dict[str, Any], FormRow]] = {}
    keys = machine.keys()
    for form in keys:
        row = machine.row(form) if form not in bad else None
        if row is not None:
            entry = machine.core.find(form)
            assert entry is not None
            rows[form] = (entry, row)
    found = [*broken]
    for form, (entry, row) in rows.items():
        problems = [*_unsourced(row), *_of_row(machine, entry)]
        found += [Finding(kind, form, text, row.file, row.line) for kind, text in problems]
    if resolve:
        for form in unresolved(machine.isa, rows):
            row = rows[form][1]
            found.append(Finding("unresolved", form, "no instruction has this key", row.file, row.line))
        for form in beyond_extensions(machine, rows):
            row = rows[form][1]
            message = f"{machine.name} does not list the extensions that this needs"
            found.append(Finding("extension", form, message, row.file, row.line))
    found += _outliers(rows)
    order = {form: number for number, form in enumerate(keys)}
    found = _explained(found, [table.parent.parent for table in machine.tables])
    return [
        *sorted(found, key=lambda finding: order.get(finding.form, -1)),
        *(_stale(machine, found) if resolve else ()),
    ]


def _explained(found: Iterable[Finding], folders: Iterable[Path]) -> list[Finding]:
    """The findings with the first explanation that lies beside their table."""
    known = {str(folder): read_explanations(folder, EXPLAINABLE) for folder in dict.fromkeys(folders)}
    return [
        replace(finding, explanation=explanation)
        for finding in found
        for beside in (known.get(str(Path(finding.file).parent.parent), []),)
        for explanation in (next((each for each in beside if each.covers(finding.kind, finding.form)), None),)
    ]


def _stale(machine: Machine, found: Sequence[Finding]) -> Iterator[Finding]:
    used = {finding.explanation for finding in found}
    for each in read_explanations(machine.info.folder, EXPLAINABLE):
        if each not in used:
            yield Finding("stale", each.form, f"there is no such finding ({each.kind})", each.file, each.line)


def _unreadable(machine: Machine) -> Iterator[Finding]:
    problems = machine.core.check()
    keys = machine.keys() if problems else []
    places = {f"{found[1]}:{found[2]}": key for key in keys if (found := machine.core.row(key)) is not None}
    for problem in problems:
        place, _, message = problem.partition(": ")
        file, _, line = place.rpartition(":")
        yield Finding("unreadable", places.get(place, ""), message, file, int(line))


def _unsourced(row: FormRow) -> Iterator[tuple[Kind, str]]:
    if not row.source:
        yield "unsourced", "no source is named"
    if row.confidence not in CONFIDENCES:
        yield "unsourced", f"confidence is one of {', '.join(CONFIDENCES)}, not {row.confidence!r}"


def _of_row(machine: Machine, entry: dict[str, Any]) -> Iterator[tuple[Kind, str]]:
    if not _done_by_renaming(entry):
        for source, destination, cycles in entry["latency"] or ():
            if cycles <= 0:
                yield "latency", f"latency {source}->{destination} is {cycles:g}"
    measured, bound = entry["rthroughput"], least_throughput(machine, entry)
    if measured is not None and bound is not None and measured < bound * (1 - ROUNDING) - 0.01:
        yield "throughput", f"reciprocal throughput {measured:g} is below the {bound:.3g} that its ports allow"
    longest = max((cycles for _, _, cycles in entry["latency"] or ()), default=0.0)
    stores = _STORE.search(entry["form"]) is not None  # what takes long there may be on the way to memory
    busy = 0.0 if entry["ports"] is None or entry["blocking"] or stores else _port_bound(entry)
    if longest > 0 and busy >= max(BUSY_CYCLES, BUSY_FACTOR * longest):
        yield "busy", f"its ports are busy for {busy:.4g} cycles, but its longest latency is {longest:g}"


def _done_by_renaming(entry: dict[str, Any]) -> bool:
    return "eliminated" in entry["flags"] or (entry["ports"] is not None and not entry["ports"] and _uops(entry) == 0)


def least_throughput(machine: Machine, entry: dict[str, Any]) -> float | None:
    """Cycles from one instance of the form to the next that its ports and units allow at best; None: not known."""
    if entry["ports"] is None:
        return None
    return max([_port_bound(entry), *(float(busy) for busy, _ in entry["blocking"])])


def _port_bound(entry: dict[str, Any]) -> float:
    return port_cycles([(float(count), frozenset(ports)) for count, ports in entry["ports"]])


def port_cycles(uses: Sequence[tuple[float, frozenset[str]]]) -> float:
    """Cycles that micro-ops for sets of ports take at best: those of the tightest union of sets."""
    cycles = [0.0]
    for size in range(1, len(uses) + 1 if len(uses) <= 8 else 2):
        for chosen in itertools.combinations(uses, size):
            cycles.append(sum(count for count, _ in chosen) / len(frozenset().union(*(ports for _, ports in chosen))))
    return max(cycles)


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
    outside = ("addr", "index", "mem")
    cycles = [
        each for source, target, each in entry["latency"] or () if source not in outside and target not in outside
    ]
    return max(cycles, default=None)


def _uops(entry: dict[str, Any]) -> float | None:
    return None if entry["uops"] is None else float(entry["uops"][1])


def errors_of(findings: Iterable[Finding]) -> Sequence[Finding]:
    return [finding for finding in findings if finding.is_error]
