"""Asking every predictor, and computing its errors."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import TYPE_CHECKING

from corecast.evaluate.cases import Answers, Cases
from corecast.evaluate.metrics import Metrics, compute
from corecast.evaluate.predictors import DEFAULT_PREDICTORS, Setting, find_predictor

if TYPE_CHECKING:
    from corecast.evaluate.predictors import Predictor

_SMALLEST_GROUP = 20


@dataclass(frozen=True)
class Result:
    """One predictor's answers and errors."""

    name: str
    description: str
    answers: Answers
    metrics: Metrics
    by_group: dict[str, Metrics]
    seconds: float

    def worst(self, measured: Sequence[float], count: int) -> list[int]:
        """Places of the largest relative errors, largest first."""

        def error(place: int) -> float:
            return abs(self.answers.cycles[place] - measured[place]) / measured[place]

        return nlargest(count, filter(self.answers.counts, range(len(measured))), key=error)


@dataclass(frozen=True)
class Evaluation:
    """Everything `corecast evaluate` knows; `summary` and `tables` only format it."""

    cases: Cases
    setting: Setting
    results: tuple[Result, ...] = field(default=())


def evaluate(
    cases: Cases,
    setting: Setting,
    predictors: Sequence[str] = DEFAULT_PREDICTORS,
    progress: Callable[[str], None] | None = None,
) -> Evaluation:
    """Holds predictors against measurements.

    Args:
        cases: from read_blocks() or read_kernels().
        setting: core, mode and threads.
        predictors: names as in docs/evaluate.md.
        progress: called with the name of each predictor before it starts.

    Raises:
        InputError: no such predictor, or one that cannot answer for these cases.
    """
    asked = [find_predictor(name, setting) for name in dict.fromkeys(predictors)]
    results = []
    for predictor in asked:
        if progress is not None:
            progress(predictor.name)
        results.append(_result(cases, predictor))
    results += [
        _scored(cases, name, "published with the measurements", said, 0) for name, said in cases.published.items()
    ]
    return Evaluation(cases, setting, tuple(results))


def _result(cases: Cases, predictor: Predictor) -> Result:
    start = time.perf_counter()
    answers = predictor.kernels(cases) if cases.are_kernels else predictor.blocks(cases)
    return _scored(cases, predictor.name, predictor.description, answers, time.perf_counter() - start)


def _scored(cases: Cases, name: str, description: str, answers: Answers, seconds: float) -> Result:
    groups = cases.by_group(1 if cases.are_kernels else _SMALLEST_GROUP)
    by_group = {group: compute(cases.measured, answers, places) for group, places in groups.items()}
    metrics = compute(cases.measured, answers, intervals=True)
    return Result(name, description, answers, metrics, by_group if len(groups) > 1 else {}, seconds)
