"""Asking every predictor, and computing its errors."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from corecast.dataclass import dataclass, replace
from corecast.evaluate.cases import Answers, Cases
from corecast.evaluate.metrics import compute, compute_weighted
from corecast.evaluate.predictors import DEFAULT_PREDICTORS, Setting, find_predictor
from corecast.evaluate.results import Evaluation, Result
from corecast.evaluate.traits import FACETS
from corecast.evaluate.work import Work

_SMALLEST_GROUP = 20

Places = Sequence[int]
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Divisions:
    """The cases' places by group and by facet."""

    groups: dict[str, Places]
    facets: dict[str, dict[str, Places]]

    @classmethod
    def of(cls, cases: Cases, work: Work) -> Divisions:
        groups = cases.by_group(1 if cases.are_kernels else _SMALLEST_GROUP)
        if cases.are_kernels:
            return cls(groups, {})
        traits = work.traits(cases)
        return cls(groups, {facet: dict(traits.by(facet)) for facet in FACETS})


def evaluate(
    cases: Cases,
    setting: Setting,
    predictors: Sequence[str] | Mapping[str, str] = DEFAULT_PREDICTORS,
    progress: Progress | None = None,
    work: Work | None = None,
) -> Evaluation:
    """Holds predictors against measurements.

    Args:
        cases: from read_blocks() or read_kernels().
        setting: core, mode and threads.
        predictors: names as in docs/evaluate.md; a mapping says what each adds as a step (ablations.steps).
        progress: called with the name of each predictor before it starts.
        work: how it is done: on a cluster, with a journal; None: here, without.

    Raises:
        InputError: no such predictor, or one that cannot answer for these cases.
        CorecastError: a cluster failed.
    """
    work = work or Work(setting)
    asked = {name: find_predictor(name, setting) for name in predictors}
    steps = predictors if isinstance(predictors, Mapping) else {}
    divisions = Divisions.of(cases, work)
    results = []
    for name, predictor in asked.items():
        if progress is not None:
            progress(predictor.name)
        start = time.perf_counter()
        answers = work.answers(name, predictor, cases)
        seconds = time.perf_counter() - start
        found = scored(cases, (predictor.name, predictor.description), answers, seconds, divisions)
        results.append(replace(found, step=steps.get(name, "")))
    results += [
        scored(cases, (name, "published with the measurements"), said, 0, divisions)
        for name, said in cases.published.items()
    ]
    return Evaluation(cases, setting, tuple(results))


def scored(cases: Cases, who: tuple[str, str], answers: Answers, seconds: float, divisions: Divisions) -> Result:
    """`who`: name and description."""
    measured, groups = cases.measured, divisions.groups
    weighted = {}
    if cases.weights is not None:
        weighted[""] = compute_weighted(measured, answers, cases.weights)
        if len(groups) > 1:
            weighted |= {
                group: compute_weighted(measured, answers, cases.weights, places) for group, places in groups.items()
            }
    return Result(
        *who,
        answers=answers,
        metrics=compute(measured, answers, intervals=True),
        by_group={group: compute(measured, answers, places) for group, places in groups.items()}
        if len(groups) > 1
        else {},
        seconds=seconds,
        by_facet={
            facet: {label: compute(measured, answers, places) for label, places in labels.items()}
            for facet, labels in divisions.facets.items()
        },
        weighted=weighted,
    )
