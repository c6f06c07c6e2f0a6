"""The result of an evaluation as CSV and JSON; rows for other formats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from math import isnan, nan

from corecast.evaluate.metrics import Metrics
from corecast.evaluate.results import Evaluation, Result
from corecast.files.tables import csv_text
from corecast.hints import Any

SCHEMA = "corecast-evaluation/1"
WORST = 10
_CHUNK = 1 << 16

_SHARES = (
    *("coverage", "mape", "median", "p90", "p99", "tau", "bias", "within_5", "within_10", "within_20"),
    *("interval_coverage", "interval_width"),
)
_WEIGHTED = ("weighted_mape", "total_error")
_INTERVALS = ("mape_interval", "bias_interval", "tau_interval")


def prediction_columns(evaluation: Evaluation) -> list[str]:
    key = "file" if evaluation.cases.are_kernels else "hex"
    said = [column for result in evaluation.results for column in (f"{result.name}_cycles", f"{result.name}_status")]
    counted = ["count"] if evaluation.cases.weights is not None else []
    return [key, "group", "measured_cycles", *counted, *said]


def prediction_rows(evaluation: Evaluation) -> Iterator[list[Any]]:
    """A row a case: what was measured, and each predictor's answer with its status; None: no answer."""
    cases = evaluation.cases
    for place, name in enumerate(cases.names):
        counted = [cases.weights[place]] if cases.weights is not None else []
        said: list[Any] = []
        for result in evaluation.results:
            said += [_number(result.answers.cycles[place]), result.answers.statuses[place]]
        yield [name, cases.groups[place], cases.measured[place], *counted, *said]


def predictions_csv(evaluation: Evaluation) -> Iterator[str]:
    """The rows as text, some at a time."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(prediction_columns(evaluation))
    for row in prediction_rows(evaluation):
        writer.writerow(row)
        if out.tell() > _CHUNK:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def metrics_csv(evaluation: Evaluation) -> str:
    """A row for each predictor over all cases (`by` empty), in each group and facet. Errors are in units of 1."""
    intervals = [f"{name.removesuffix('_interval')}_{end}" for name in _INTERVALS for end in ("low", "high")]
    columns = ["predictor", "by", "group", "cases", "scored", *_SHARES, *intervals, *_WEIGHTED]
    return csv_text(columns, (row for result in evaluation.results for row in _metric_rows(result)))


def _metric_rows(result: Result) -> Iterator[list[object]]:
    for by, group, metrics in _divided(result):
        values = [getattr(metrics, name) for name in _SHARES]
        values += [end for name in _INTERVALS for end in getattr(metrics, name)]
        weighted = result.weighted.get(group) if by in ("", "application") else None
        values += [nan, nan] if weighted is None else [weighted.mape, weighted.total_error]
        cells = ["" if isnan(value) else f"{value:.6f}" for value in values]
        yield [result.name, by, group, metrics.cases, metrics.scored, *cells]


def _divided(result: Result) -> Iterator[tuple[str, str, Metrics]]:
    yield "", "", result.metrics
    for group, metrics in result.by_group.items():
        yield "application", group, metrics
    for facet, labels in result.by_facet.items():
        for label, metrics in labels.items():
            yield facet, label, metrics


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
        "repeated": evaluation.cases.repeated,
        "predictors": [_predictor(evaluation, result) for result in evaluation.results],
        "disagreements": [asdict(each) for each in evaluation.disagreements],
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _predictor(evaluation: Evaluation, result: Result) -> dict[str, Any]:
    return {
        "name": result.name,
        "description": result.description,
        "metrics": _metrics(result.metrics),
        "groups": {group or "none": _metrics(metrics) for group, metrics in result.by_group.items()},
        "facets": {
            facet: {label: _metrics(metrics) for label, metrics in labels.items()}
            for facet, labels in result.by_facet.items()
        },
        "weighted": {
            group or "all": {
                "mape": _number(each.mape),
                "total_error": _number(each.total_error),
                "coverage": _number(each.coverage),
            }
            for group, each in result.weighted.items()
        },
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
