"""Our own campaign's figures of a core: kept as a table beside this file, and merged into the rows of other origins.

    corecast measure machine -> records -> save() -> zen4_measured.tsv -> load() -> completed(), measured_rows()

A line is a form: its reciprocal throughput and its latencies in cycles. `0.25..0.4` is an interval; `?` follows what
was not stable, which is an upper limit: others on the machine only slow code down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from amd_models.compose import OWN, parts, without_columns
from amd_models.cores import AmdCore
from corecast.files.whole import write_whole
from corecast.machine.importers.rows import Latency, Row, number_text
from corecast.machine.importers.winic import FormMeasurement
from corecast.machine.types import Machine
from corecast.measure.form_keys import parse_form
from corecast.measure.infer import row_of
from corecast.measure.interval import Interval
from corecast.measure.results import FormResult, PairResult, Results

_CPU = "# Measured on "
_ON_PAGES_OF_THEIR_OWN = {
    "push r64": 0.5,
    "push i8": 0.553,
    "push i32": 0.553,
    "push m64": 0.711,
    "pop r64": 0.333,
    "pop m64": 0.711,
}
"""Throughputs of what walks over the stack. The campaign's pages are all one page of memory, and this core predicts the
ways of lines by addresses, so that every new line is missed. `corecast time`, loops of four to nine."""
_LOADS = frozenset({"mov", "movsx", "movsxd", "movzx"})
_HEADER = "form\trthroughput\tlatency"


def save(results: Results, path: Path, date: str) -> int:
    """Writes what was measured; the number of forms."""
    versions = sorted({result.record["version"] for result in results.forms.values()})
    lines = [
        f"{form}\t{_throughput_text(result)}\t{';'.join(map(_pair_text, result.latencies))}"
        for form, result in sorted(results.forms.items())
        if result.throughput is not None or result.latencies
    ]
    head = [
        f"{_CPU}{results.cpu}",
        f"# by `corecast measure machine`, version {', '.join(versions)}, {date}.",
        "# Kept by tools/make_amd_models.py --records.",
        _HEADER,
    ]
    write_whole(path, "".join(f"{line}\n" for line in (*head, *lines)))
    return len(lines)


def load(path: Path) -> Results:
    """What `save` wrote."""
    cpu, forms = "", {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(_CPU):
            cpu = line.removeprefix(_CPU)
        if not line.startswith("#") and line != _HEADER:
            form, throughput, latencies = line.split("\t")
            cycles, stable = _interval(throughput) if throughput else (None, True)
            if form in _ON_PAGES_OF_THEIR_OWN:
                cycles, stable = Interval(_ON_PAGES_OF_THEIR_OWN[form], _ON_PAGES_OF_THEIR_OWN[form]), True
            forms[form] = FormResult(form, cycles, stable, tuple(_pairs(latencies)))
    return Results(cpu, "x86", forms)


def _throughput_text(result: FormResult) -> str:
    return "" if result.throughput is None else _text(result.throughput, result.throughput_stable)


def _pair_text(pair: PairResult) -> str:
    return f"{pair.source}->{pair.target}:{_text(pair.cycles, pair.stable)}"


def _text(cycles: Interval, stable: bool) -> str:
    low, high = number_text(round(cycles.low, 3)), number_text(round(cycles.high, 3))
    return (low if low == high else f"{low}..{high}") + ("" if stable else "?")


def _interval(text: str) -> tuple[Interval, bool]:
    low, _, high = text.removesuffix("?").partition("..")
    return Interval(float(low), float(high or low)), not text.endswith("?")


def _pairs(text: str) -> Iterator[PairResult]:
    for part in text.split(";") if text else ():
        ends, _, value = part.rpartition(":")
        source, _, target = ends.partition("->")
        cycles, stable = _interval(value)
        yield PairResult(source, target, cycles, "", stable)


def completed(others: Mapping[str, FormMeasurement], own: Results, forms: Iterable[str]) -> dict[str, FormMeasurement]:
    """Another origin's measurements, with our throughputs in place of its for these forms."""
    found = dict(others)
    for form in forms:
        result = own.forms.get(form)
        if result is not None and result.throughput is not None:
            least = result.throughput.low if result.throughput_stable else 0.0
            known = found.get(form, FormMeasurement(form, ""))
            found[form] = replace(known, throughput=(least, result.throughput.high))
    return found


def measured_rows(rows: Mapping[str, Row], own: Results, base: Machine) -> dict[str, Row]:
    """What we measured, on the ports of the rows that other origins give.

    Args:
        base: the model that these rows make.
    """
    found: dict[str, Row] = {}
    for measured, result in own.forms.items():
        form = served(measured, rows)
        row = row_of(replace(result, form=form), base)
        if row is not None:
            row = _without_other_indices(row, result)
            found[form] = row.with_(source=_source(row, result, rows.get(form)))
    return found


def _without_other_indices(row: Row, result: FormResult) -> Row:
    """What we measured from an address holds for an index, too: another origin's figure of the index gives way (Zen 3's
    35 cycles from an index to the flags of a shift, 5 from the base)."""
    ours = {(pair.source, pair.target) for pair in result.latencies}

    def superseded(pair: Latency) -> bool:
        return pair.source == "index" and ("addr", pair.destination) in ours and ("index", pair.destination) not in ours

    return row.with_(latency=tuple(pair for pair in row.latency or () if not superseded(pair)) or row.latency)


def through_an_alu(core: AmdCore, row: Row) -> Row:
    """Loads into general registers whose result is there a cycle later than a plain one's: an ALU extends the sign, or
    puts it into what stays of the register (timed: `movsx`, `movsxd`, `mov r8, m8` and `mov r16, m16` take 1.25 cycles
    beside three moves of an immediate and the loop's `dec`, `movzx` and `mov r32, m32` 1.0)."""
    later = any(pair.source == "addr" and pair.cycles == core.load_cycles[0] + 1 for pair in row.latency or ())
    if row.ports != ((1.0, "AGU"),) or row.form.partition(" ")[0] not in _LOADS or not later:
        return row
    source = "+".join(("rule:through an ALU(ports)", *without_columns(row.source, {"ports"})))
    return row.with_(
        ports=((1.0, "ALU"), (1.0, "AGU")),
        uops=row.uops and (row.uops[0], 2.0, row.uops[2]),
        source=source,
        confidence="derived" if row.confidence == "documented" else row.confidence,
    )


def served(form: str, rows: Collection[str]) -> str:
    """The key of the row that serves the instructions that were timed: where there is one for indices, the others are
    not what was timed with one."""
    indexed = f"{form} @indexed"
    if indexed not in rows:
        return form
    return form if parse_form(form).slot("index") is None else indexed


def _source(row: Row, result: FormResult, known: Row | None) -> str:
    """Our columns first, then what is left of each other origin's."""
    measured = {(pair.source, pair.target) for pair in result.latencies}
    ours = [pair for pair in row.latency or () if (pair.source, pair.destination) in measured]
    columns = {"latency": None} if ours else {}
    if row.reciprocal_throughput_cycles is not None or "occupancy" in row.source:
        columns["throughput"] = None
    others: list[str] = []
    if known is not None:
        for name, listed in parts(known.source):
            columns |= dict.fromkeys(listed.split(",")) if name == OWN else {}
        superseded = {"latency"} if ours and len(ours) == len(row.latency or ()) else set()
        others = [part for part in without_columns(known.source, superseded) if not part.startswith(OWN)]
    elif row.ports is not None:
        others.append("rule:derived(ports,uops)")
    if "occupancy" in row.source:
        columns["rule:occupancy"] = None
    return "+".join((f"{OWN}({','.join(columns)})", *others))
