"""Our own campaigns' figures of cores: kept as tables beside the generators, and merged into rows of other origins.

    corecast measure machine -> records -> save() -> NAME_measured.tsv -> load() -> measured_rows()

A line is a form: its reciprocal throughput and its latencies in cycles. `0.25..0.4` is an interval; `?` follows what
was not stable, which is an upper limit: others on the machine only slow code down.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from corecast.files.atomic import write_whole
from corecast.machine.rows import Latency, Row, number_text
from corecast.machine.types import Machine
from corecast.measure.export.model import row_of
from corecast.measure.judge.forms.results import FormResult, PairResult, Results
from corecast.measure.questions.keys import parse_form
from corecast.measure.record.interval import Interval

COLUMNS = ("ports", "latency", "uops")
"""What a source that names no columns gives."""
_PART = re.compile(r"([^+(]+)(?:\(([^)]*)\))?")
_CPU = "# Measured on "
_HEADER = "form\trthroughput\tlatency"


def parts(source: str) -> list[tuple[str, str]]:
    """Each origin of a row's source with the columns it names."""
    return _PART.findall(source)


def without_columns(source: str, superseded: Collection[str]) -> list[str]:
    """What is left of each origin once others give these columns."""
    left: list[str] = []
    for name, listed in parts(source):
        whole = not listed and (name.startswith("rule:") or not superseded)
        columns = [column for column in (listed.split(",") if listed else COLUMNS) if column not in superseded]
        if whole or columns:
            left.append(name if whole else f"{name}({','.join(columns)})")
    return left


def kind_of(form: str) -> str:
    """The form's key without the widths of operands, masks, and the letter of VEX and EVEX."""
    mnemonic, _, operands = form.partition(" ")
    plain = re.sub(r"\{[^}]*\}", "", operands)
    return f"{mnemonic.removeprefix('v')} {re.sub(r'[xyz]?mm(?!0)|m[0-9]+(bcst)?', 'v', plain)}"


def save(results: Results, path: Path, date: str, generator: str) -> int:
    """Writes what was measured; the number of forms.

    Args:
        generator: path of the program that keeps the file.
    """
    versions = sorted({result.record["version"] for result in results.forms.values()})
    lines = [
        f"{form}\t{_throughput_text(result)}\t{';'.join(map(_pair_text, result.latencies))}"
        for form, result in sorted(results.forms.items())
        if result.throughput is not None or result.latencies
    ]
    head = [
        f"{_CPU}{results.cpu}",
        f"# by `corecast measure machine`, version {', '.join(versions)}, {date}.",
        f"# Kept by {generator} --records.",
        _HEADER,
    ]
    write_whole(path, "".join(f"{line}\n" for line in (*head, *lines)))
    return len(lines)


def load(path: Path, replaced: Mapping[str, float] | None = None) -> Results:
    """What `save` wrote.

    Args:
        replaced: throughputs of forms that were measured otherwise, in cycles; the campaign need not have them.
    """
    cpu, forms = "", {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(_CPU):
            cpu = line.removeprefix(_CPU)
        if not line.startswith("#") and line != _HEADER:
            form, throughput, latencies = line.split("\t")
            cycles, stable = _interval(throughput) if throughput else (None, True)
            if replaced is not None and form in replaced:
                cycles, stable = Interval(replaced[form], replaced[form]), True
            forms[form] = FormResult(form, cycles, stable, tuple(_pairs(latencies)))
    for form, value in (replaced or {}).items():
        forms.setdefault(form, FormResult(form, Interval(value, value), True, ()))
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


def measured_rows(rows: Mapping[str, Row], own: Results, base: Machine, origin: str) -> dict[str, Row]:
    """What we measured, on the ports of the rows that other origins give.

    Args:
        base: the model that these rows make.
        origin: name of the campaign in sources.
    """
    found: dict[str, Row] = {}
    for measured, result in own.forms.items():
        form = served(measured, rows)
        row = row_of(replace(result, form=form), base, assume_ports=False)
        if row is not None:
            row = _without_other_indices(row, result)
            found[form] = row.with_(source=_source(row, result, rows.get(form), origin))
    return found


def _without_other_indices(row: Row, result: FormResult) -> Row:
    """What we measured from an address holds for an index, too: another origin's figure of the index gives way (Zen 3's
    35 cycles from an index to the flags of a shift, 5 from the base)."""
    ours = {(pair.source, pair.target) for pair in result.latencies}

    def superseded(pair: Latency) -> bool:
        return pair.source == "index" and ("addr", pair.destination) in ours and ("index", pair.destination) not in ours

    return row.with_(latency=tuple(pair for pair in row.latency or () if not superseded(pair)) or row.latency)


def served(form: str, rows: Collection[str]) -> str:
    """The key of the row that serves the instructions that were timed: where there is one for indices, the others are
    not what was timed with one."""
    indexed = f"{form} @indexed"
    if indexed not in rows:
        return form
    return form if parse_form(form).slot("index") is None else indexed


def _source(row: Row, result: FormResult, known: Row | None, origin: str) -> str:
    """Our columns first, then what is left of each other origin's."""
    measured = {(pair.source, pair.target) for pair in result.latencies}
    ours = [pair for pair in row.latency or () if (pair.source, pair.destination) in measured]
    columns = {"latency": None} if ours else {}
    if row.reciprocal_throughput_cycles is not None or "occupancy" in row.source:
        columns["throughput"] = None
    others: list[str] = []
    if known is not None:
        for name, listed in parts(known.source):
            columns |= dict.fromkeys(listed.split(",")) if name == origin else {}
        superseded = {"latency"} if ours and len(ours) == len(row.latency or ()) else set()
        others = [part for part in without_columns(known.source, superseded) if not part.startswith(origin)]
    elif row.ports is not None:
        others.append("rule:derived(ports,uops)")
    if "occupancy" in row.source:
        columns["rule:occupancy"] = None
    return "+".join((f"{origin}({','.join(columns)})", *others))
