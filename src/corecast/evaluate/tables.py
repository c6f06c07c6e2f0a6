"""The result of an evaluation as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from math import isnan
from typing import Any

from corecast.evaluate.metrics import Metrics
from corecast.evaluate.run import Evaluation, Result

SCHEMA = "corecast-evaluation/1"
WORST = 10

_SHARES = ("coverage", "mape", "median", "p90", "p99", "tau", "bias", "within_5", "within_10", "within_20")
_INTERVALS = ("mape_interval", "bias_interval", "tau_interval")


def predictions_csv(evaluation: Evaluation) -> str:
    """A row a case: what was measured, and each predictor's answer with its status."""
    cases = evaluation.cases
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    key = "file" if cases.are_kernels else "hex"
    columns = [column for result in evaluation.results for column in (f"{result.name}_cycles", f"{result.name}_status")]
    writer.writerow([key, "group", "measured_cycles", *columns])
    for place, name in enumerate(cases.names):
        said: list[object] = []
        for result in evaluation.results:
            cycles = result.answers.cycles[place]
            said += ["" if isnan(cycles) else cycles, result.answers.statuses[place]]
        writer.writerow([name, cases.groups[place], cases.measured[place], *said])
    return out.getvalue()


def metrics_csv(evaluation: Evaluation) -> str:
    """A row for each predictor over all cases (group empty) and in each group. Errors and shares are in units of 1."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    intervals = [f"{name.removesuffix('_interval')}_{end}" for name in _INTERVALS for end in ("low", "high")]
    writer.writerow(["predictor", "group", "cases", "scored", *_SHARES, *intervals])
    for result in evaluation.results:
        for group, metrics in (("", result.metrics), *result.by_group.items()):
            values = [getattr(metrics, name) for name in _SHARES]
            ends = [end for name in _INTERVALS for end in getattr(metrics, name)]
            cells = ["" if isnan(value) else f"{value:.6f}" for value in (*values, *ends)]
            writer.writerow([result.name, group, metrics.cases, metrics.scored, *cells])
    return out.getvalue()


def to_json(evaluation: Evaluation, version: str) -> str:
    """The document of schema "corecast-evaluation/1" (docs/evaluate.md)."""
    setting = evaluation.setting
    document = {
        "schema": SCHEMA,
        "version": version,
        "source": evaluation.cases.file,
        "cpu": setting.machine.name if setting.machine is not None else None,
        "mode": None if evaluation.cases.are_kernels else setting.mode,
        "cases": len(evaluation.cases),
        "predictors": [_predictor(evaluation, result) for result in evaluation.results],
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _predictor(evaluation: Evaluation, result: Result) -> dict[str, Any]:
    return {
        "name": result.name,
        "description": result.description,
        "seconds": round(result.seconds, 3),
        "metrics": _metrics(result.metrics),
        "groups": {group or "none": _metrics(metrics) for group, metrics in result.by_group.items()},
        "worst": list(_worst(evaluation, result)),
    }


def _worst(evaluation: Evaluation, result: Result) -> Iterator[dict[str, Any]]:
    cases = evaluation.cases
    for place in result.worst(cases.measured, WORST):
        yield {
            "name": cases.names[place],
            "measured_cycles": cases.measured[place],
            "predicted_cycles": {each.name: _number(each.answers.cycles[place]) for each in evaluation.results},
        }


def _metrics(metrics: Metrics) -> dict[str, Any]:
    document: dict[str, Any] = {"cases": metrics.cases, "scored": metrics.scored}
    document.update((name, _number(getattr(metrics, name))) for name in _SHARES)
    for name in _INTERVALS:
        low, high = getattr(metrics, name)
        document[name] = None if isnan(low) else [low, high]
    return document


def _number(value: float) -> float | None:
    return None if isnan(value) else value
