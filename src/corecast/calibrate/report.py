"""What a calibration found, as one document: errors before and after on code that was held back, and why.

The errors are those of `corecast evaluate` on DIR/measured, which everybody can repeat.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path

from corecast import __version__
from corecast.asm import Kernel
from corecast.calibrate.code import KINDS, TITLES, Block, Kind, Part
from corecast.calibrate.fit import Fit
from corecast.calibrate.properties import Finding
from corecast.calibrate.rows import Tally
from corecast.calibrate.score import Timed
from corecast.calibrate.start import Start
from corecast.dataclass import dataclass
from corecast.evaluate import Cases, Metrics, Setting, read_blocks
from corecast.evaluate.metrics import compute
from corecast.evaluate.predictors import find_predictor
from corecast.evaluate.run import Divisions, scored
from corecast.evaluate.work import Work
from corecast.files.atomic import write_whole
from corecast.hints import Any
from corecast.machine import load_machine
from corecast.machine.types import Machine
from corecast.machine.validation import Validation
from corecast.timing.verdict import Verdict

SCHEMA = "corecast-calibration-report/1"
MEASURED = "measured"
METHOD = "simulate"
FACETS = ("content", "memory", "length")
WORST = 5
"""Residuals that are shown, of each kind."""
_MOST_LINES = 12
_DIGITS = 4


@dataclass(frozen=True)
class Results:
    """All that the report is made of."""

    folder: Path
    start: Start
    start_machine: Machine
    model: Path
    fit: Fit
    verdicts: Mapping[Block, Verdict | None]
    findings: Sequence[Finding]
    measured: Mapping[str, Any]
    """Parameters that experiments gave, and that differ from the start model's."""
    tally: Tally
    identity: str
    date: str
    seconds: float


def measured_file(folder: Path, kind: Kind, part: Part) -> Path:
    return folder / MEASURED / f"{kind}.{part}.csv"


def write_measured(folder: Path, timed: Sequence[Timed]) -> None:
    """What was timed, as `corecast evaluate` reads it."""
    for kind in KINDS:
        for part in ("fit", "held"):
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(("hex", "cycles", "app", "address", "register_step"))
            for each in timed:
                block = each.block
                if block.kind == kind and block.part == part:
                    where = (block.group, block.address, each.register_step or "")
                    writer.writerow((block.hex, f"{each.cycles:.5f}", *where))
            write_whole(measured_file(folder, kind, part), text.getvalue())


def _held(folder: Path, kind: Kind) -> Cases | None:
    """None where nothing that is held back could be timed."""
    file = measured_file(folder, kind, "held")
    return read_blocks(file) if file.read_text(encoding="utf-8").count("\n") > 1 else None


def _mode(kind: Kind) -> Any:
    return "unroll" if kind == "unroll" else "loop"


def validations_of(folder: Path, model: Path, date: str, cpu: str) -> list[Validation]:
    """The model's errors on code that was held back, for its `[[validated]]`."""
    machine = load_machine(model)
    found = []
    words: dict[Kind, str] = {"loop": "loops", "unroll": "unrolled blocks", "compiled": "compiled loops"}
    for kind in KINDS:
        cases = _held(folder, kind)
        if cases is None:
            continue
        setting = Setting(machine, _mode(kind))
        answers = find_predictor(METHOD, setting).blocks(cases)
        metrics = scored(cases, (METHOD, ""), answers, 0.0, Divisions({}, {})).metrics
        if metrics.scored:
            percent = round(100 * metrics.mape, 2)
            found.append(Validation(words[kind], metrics.scored, percent, date, f"corecast calibrate on {cpu}", METHOD))
    return found


def document_of(results: Results) -> dict[str, Any]:
    """The report."""
    after = load_machine(results.model)
    fit = results.fit
    kinds = {kind: _kind(results, kind, after) for kind in KINDS}
    return {
        "schema": SCHEMA,
        "version": __version__,
        "cpu": results.identity,
        "date": results.date,
        "seconds": results.seconds,
        "start": {
            "machine": results.start_machine.name,
            "basis": results.start.basis,
            "distances_percent": dict(results.start.distances),
        },
        "model": str(results.model),
        "kinds": kinds,
        "fit": {
            "blocks": len(fit.final.errors),
            "base": fit.base,
            "candidates": {name: _shares(found.by_kind()) for name, found in fit.candidates.items()},
            "final": _shares(fit.final.by_kind()),
            "finished": fit.finished,
            "chosen": [
                {"name": each.name, "settings": dict(each.settings), "before": _r(each.before), "after": _r(each.after)}
                for each in fit.chosen
            ],
        },
        "forms": {
            "wanted": results.tally.wanted,
            "seen": results.tally.seen,
            "absent": results.tally.absent,
            "unstable": results.tally.unstable,
            "rejected": {reason.word: count for reason, count in results.tally.rejected.items()},
            "used": len(fit.draft.rows),
            "set_aside": list(fit.set_aside),
        },
        "properties": [_property(each) for each in results.findings],
        "parameters": {
            key: {"start": results.start_machine.parameter(key), "model": value, "measured": key in results.measured}
            for key, value in fit.draft.settings.items()
        },
        "not_used": sorted(key for key in results.measured if key not in fit.draft.settings),
    }


def _kind(results: Results, kind: Kind, after: Machine) -> dict[str, Any]:
    verdicts = [(block, verdict) for block, verdict in results.verdicts.items() if block.kind == kind]
    reasons = Counter(verdict.reason for _, verdict in verdicts if verdict is not None and verdict.reason)
    timed = [block for block, verdict in verdicts if verdict is not None and verdict.cycles is not None]
    found: dict[str, Any] = {
        "title": TITLES[kind],
        "shipped": len(verdicts),
        "timed": len(timed),
        "not_reached": sum(verdict is None for _, verdict in verdicts),
        "rejected": dict(reasons.most_common()),
        "file": str(measured_file(results.folder, kind, "held")),
    }
    cases = _held(results.folder, kind)
    if cases is None:
        return found | {"held": 0}
    divisions = Divisions.of(cases, Work(Setting(after, _mode(kind))))
    scores = [_scored(cases, machine, kind, divisions) for machine in (results.start_machine, after)]
    first, second = scores
    classes = [
        {
            "facet": facet,
            "label": label,
            "blocks": metrics.cases,
            "before": _metrics(first.by_facet[facet][label]),
            "after": _metrics(metrics),
        }
        for facet in FACETS
        for label, metrics in second.by_facet.get(facet, {}).items()
    ]
    both = [place for place in range(len(cases)) if first.answers.counts(place) and second.answers.counts(place)]
    return found | {
        "held": len(cases),
        "both": {
            "blocks": len(both),
            "before": _r(compute(cases.measured, first.answers, both).mape),
            "after": _r(compute(cases.measured, second.answers, both).mape),
        },
        "before": _metrics(first.metrics),
        "after": _metrics(second.metrics),
        "classes": classes,
        "worst": [_residual(cases, place, first, second, after) for place in second.worst(cases.measured, WORST)],
    }


def _scored(cases: Cases, machine: Machine, kind: Kind, divisions: Divisions) -> Any:
    answers = find_predictor(METHOD, Setting(machine, _mode(kind))).blocks(cases)
    return scored(cases, (METHOD, ""), answers, 0.0, divisions)


def _residual(cases: Cases, place: int, before: Any, after: Any, machine: Machine) -> dict[str, Any]:
    texts = [each.text for each in Kernel.from_hex(cases.codes[place], machine.isa).instructions]
    more = [f"... {len(texts) - _MOST_LINES} more"] if len(texts) > _MOST_LINES else []
    return {
        "hex": cases.codes[place],
        "group": cases.groups[place],
        "measured": _r(cases.measured[place]),
        "before": _r(before.answers.cycles[place]) if before.answers.counts(place) else None,
        "after": _r(after.answers.cycles[place]),
        "code": [*texts[:_MOST_LINES], *more],
    }


def _property(found: Finding) -> dict[str, Any]:
    return {
        "name": found.name,
        "value": found.value,
        "unit": found.unit,
        "confidence": found.confidence if found.value is not None else "not measured",
        "start_gives": found.expected,
        "reason": found.reason or None,
    }


def _metrics(metrics: Metrics) -> dict[str, Any]:
    names = ("mape", "median", "p90", "tau", "bias", "within_10", "coverage")
    found: dict[str, Any] = {"cases": metrics.cases, "scored": metrics.scored}
    found |= {name: _r(getattr(metrics, name)) for name in names}
    return found | {"mape_interval": [_r(end) for end in metrics.mape_interval]}


def _shares(found: Mapping[Kind, float]) -> dict[str, float | None]:
    return {kind: _r(value) for kind, value in found.items()}


def _r(value: float | None) -> float | None:
    return None if value is None or isnan(value) else round(value, _DIGITS)
