"""Pairs of predictors: how far apart their answers are, and where."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from itertools import combinations
from math import nan

from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.evaluate.results import Evaluation, Result

FAR = 0.5
"""Answers this far apart, relative to their mean, contradict each other."""


@dataclass(frozen=True)
class Pair:
    """Two predictors over the cases that both answer."""

    first: Result
    second: Result
    cases: int
    mean: float
    """Mean difference, relative to the mean of both answers."""
    far: float
    """Share of cases further apart than FAR."""
    first_nearer: float
    """Share of cases with a difference whose measurement is nearer to the first."""


def difference(first: float, second: float) -> float:
    """Of two answers, relative to their mean: 0 to 2."""
    return abs(first - second) / ((first + second) / 2)


def pairs_of(evaluation: Evaluation) -> list[Pair]:
    """Every pair, those that disagree most first."""
    pairs = [_pair(evaluation, first, second) for first, second in combinations(evaluation.tools, 2)]
    return sorted((pair for pair in pairs if pair.cases), key=lambda pair: -pair.mean)


def furthest(evaluation: Evaluation, pair: Pair, count: int) -> list[int]:
    """Places of the cases about which two predictors disagree most."""
    return nlargest(
        count,
        _common(evaluation, pair.first, pair.second),
        key=lambda place: difference(pair.first.answers.cycles[place], pair.second.answers.cycles[place]),
    )


def _common(evaluation: Evaluation, first: Result, second: Result) -> Iterator[int]:
    return (
        place for place in range(len(evaluation.cases)) if first.answers.counts(place) and second.answers.counts(place)
    )


def _pair(evaluation: Evaluation, first: Result, second: Result) -> Pair:
    cases = far = differ = nearer = 0
    total = 0.0
    for place in _common(evaluation, first, second):
        one, other = first.answers.cycles[place], second.answers.cycles[place]
        measured = evaluation.cases.measured[place]
        apart_by = difference(one, other)
        cases += 1
        total += apart_by
        far += apart_by > FAR
        error, other_error = abs(one - measured), abs(other - measured)
        differ += error != other_error
        nearer += error < other_error
    return Pair(
        first,
        second,
        cases,
        total / cases if cases else nan,
        far / cases if cases else nan,
        nearer / differ if differ else nan,
    )
