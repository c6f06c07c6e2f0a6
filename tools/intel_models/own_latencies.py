"""Latencies of our own campaign as the rows of other origins have them, without those that measure something else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from corecast.machine.rows import Latency, Row
from corecast.measure.judge.forms.results import FormResult, PairResult, Results
from corecast.measure.record.interval import Interval
from corecast.measure.thresholds import MODEL_LEAST_LATENCY, MODEL_WHOLE_WITHIN

from .avx512 import split
from .osaca_rows import is_wide

GENERAL, VECTOR, MASK = "general", "vector", "mask"
MOVES = {VECTOR: "vmovq xmm, r64", MASK: "kmovq k, r64"}
"""Chains go there and back, so that only the sum of the two ways is certain: these forms have what the rows say, and
all others with the same ends change as much."""
CONTRADICTS = 0.1
"""Relative difference between our latency and that of a record from which on ours counts."""
UPDATE_SLOTS = 3
WIDE_CYCLES = 0.5
MOST_CYCLES = 1000
"""What takes longer leaves for the hypervisor (sldt, str: 3000)."""
_LOGIC = re.compile(r"(and|or|xor|test|andn) ")
_SIXTEEN = frozenset({"ax", "r16", "m16"})
_ASSISTED = re.compile(r"vp?maskmov")


def corrected(own: Results, rows: Mapping[str, Row]) -> Results:
    """The campaign as far as it tells latencies and throughputs of the forms alone."""
    shifts = {file: _shift(form, own, rows) for file, form in MOVES.items()}
    forms = {
        form: replace(
            result,
            throughput=None if _renamed_alone(rows.get(form)) else _possible(form, result.throughput),
            latencies=() if _hidden(form, rows.get(form)) else tuple(_kept(result, shifts)),
        )
        for form, result in own.forms.items()
        if not changes_length(form) and not _leaves(result)
    }
    return replace(own, forms=forms)


def _possible(form: str, throughput: Interval | None) -> Interval | None:
    """No less than the two ports take that work on 512 bits: such code slows the clock down, and where that happened
    between the timing and its reference, a figure came out too small."""
    if throughput is None or not is_wide(form):
        return throughput
    return Interval(max(WIDE_CYCLES, throughput.low), max(WIDE_CYCLES, throughput.high))


def changes_length(form: str) -> bool:
    """Whether its prefix changes the length of an immediate, which the predecoder takes three cycles for."""
    _, operands = split(form)
    return "i16" in operands and not _SIXTEEN.isdisjoint(operands)


def _hidden(form: str, row: Row | None) -> bool:
    """Whether chains show something else than the form's latency: what renaming does takes a cycle a turn of a loop of
    nothing else, amid others none; locked instructions wait for each other, whatever they read."""
    return form.startswith("lock ") or (row is not None and not {"eliminated", "locked"}.isdisjoint(row.flags))


def _renamed_alone(row: Row | None) -> bool:
    """Updates of memory that are renamed as three slots are so one a cycle (`inc m64` 1.00, of two slots 0.50,
    `add m64, i8`): their ports are free meanwhile."""
    if row is None or row.ports is None or row.uops is None or "microcoded" in row.flags:
        return False
    return row.uops[0] == UPDATE_SLOTS and {"p23A", "p78", "p49"} <= {ports for _, ports in row.ports}


def _leaves(result: FormResult) -> bool:
    return result.throughput is not None and result.throughput.low > MOST_CYCLES


def _kept(result: FormResult, shifts: Mapping[str, float]) -> list[PairResult]:
    kept = []
    for pair in result.latencies:
        if pair.target == "flags" and _LOGIC.match(result.form):
            continue  # what reads flags of logic takes a cycle more than of additions: the helper's, not the form's
        if _ASSISTED.match(result.form):
            continue  # another campaign's may be of empty masks, which take an assist; the record's are right
        ends = (register_file(pair.source, result.form), register_file(pair.target, result.form))
        kept.append(replace(pair, cycles=_shifted(pair.cycles, ends, shifts)))
    return kept


def register_file(place: str, form: str) -> str:
    """Where a value lies; "" in memory."""
    _, operands = split(form)
    if place.isdigit():
        operand = operands[int(place) - 1] if int(place) <= len(operands) else ""
        if operand.startswith("m") and operand[1:2].isdigit():
            return ""
        return VECTOR if operand[1:3] == "mm" else MASK if operand.startswith("k") else GENERAL
    if place == "index" and re.search(r"\bvm[xyz]mm", form):
        return VECTOR
    return {"mem": "", "mask": MASK}.get(place, VECTOR if place[1:3] == "mm" else GENERAL)


def _shifted(cycles: Interval, ends: tuple[str, str], shifts: Mapping[str, float]) -> Interval:
    by = 0.0
    if ends[0] == GENERAL:
        by = shifts.get(ends[1], 0.0)
    elif ends[1] == GENERAL:
        by = -shifts.get(ends[0], 0.0)
    return Interval(max(0.0, cycles.low + by), max(0.0, cycles.high + by))


def _shift(form: str, own: Results, rows: Mapping[str, Row]) -> float:
    """Cycles by which the rows' latency of a move to another register file is longer than ours."""
    measured = own.forms.get(form)
    ours = [pair.cycles.middle for pair in measured.latencies if pair.cycles.exact] if measured is not None else []
    theirs = [pair.cycles for pair in rows[form].latency or ()] if form in rows else []
    return theirs[0] - ours[0] if ours and theirs else 0.0


def without_confirmed(result: FormResult, row: Row) -> FormResult:
    """Of a form that has a record: without the latencies that are the record's."""
    known = {(pair.source, pair.destination): pair for pair in row.latency or ()}
    return replace(result, latencies=tuple(pair for pair in result.latencies if contradicts(pair, known)))


def contradictions(result: FormResult, row: Row) -> list[str]:
    """The latencies that a row will have in place of its own, in words."""
    known = {(pair.source, pair.destination): pair.cycles for pair in row.latency or ()}
    return [
        f"{result.form}: {pair.source}->{pair.target}: {pair.cycles.low:.2f}..{pair.cycles.high:.2f}, "
        f"the record {known[pair.source, pair.target]:g}"
        for pair in without_confirmed(result, row).latencies
        if (pair.source, pair.target) in known and "mem" not in (pair.source, pair.target)
        if pair.stable and pair.cycles.exact and pair.cycles.low >= MODEL_LEAST_LATENCY
    ]


def contradicts(pair: PairResult, known: Mapping[tuple[str, str], Latency]) -> bool:
    """Whether the row has another figure, or none."""
    listed = known.get((pair.source, pair.target)) or known.get(("*", pair.target))
    if listed is None:
        return True
    low, high = pair.cycles.low - MODEL_WHOLE_WITHIN, pair.cycles.high + MODEL_WHOLE_WITHIN
    return not low * (1 - CONTRADICTS) <= listed.cycles <= high * (1 + CONTRADICTS)
