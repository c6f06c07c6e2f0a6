"""From measured code and predictions to the interval of each class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from corecast.machine.intervals import COVERAGE, REST, Key, Row

FEWEST = 100
"""Measurements of a class that has a separate interval."""
FEWEST_OF_KIND = 50
"""The same of all code of one kind together."""
_ENOUGH_TO_CHOOSE = 300
"""Measurements from which on the narrowest of several intervals holds what it promises."""
_STEPS = 10
_DECIMALS = 5


@dataclass(frozen=True)
class Sample:
    """A measurement beside its prediction."""

    key: Key
    """Kind, method, and the other features of its class."""
    ratio: float
    """Measured by predicted cycles."""
    is_held_back: bool


def calibrated(samples: Iterable[Sample]) -> dict[Key, Row]:
    """The rows of a table, from all samples that are not held back.

    A class with too few measurements shares a row with others that differ in the last features only (`*` stands for
    their values); what is too few even of a kind and method together has no row.
    """
    rows: dict[Key, Row] = {}
    for key, ratios in _by_value([each for each in samples if not each.is_held_back], ()):
        for longer, inner in _by_value(ratios, key):
            rest = _calibrate(inner, longer, rows)
            if len(rest) < FEWEST <= len(inner):  # what is left is too few to say more than the whole
                rest = inner
            if len(rest) >= FEWEST_OF_KIND:
                rows[_padded(longer, inner[0].key)] = _row(rest)
    return dict(sorted(rows.items()))


def _calibrate(samples: Sequence[Sample], known: Key, rows: dict[Key, Row]) -> Sequence[Sample]:
    """Adds the rows of classes that begin with `known`; returns the samples that are too few for one."""
    if len(known) == len(samples[0].key):
        if len(samples) < FEWEST:
            return samples
        rows[known] = _row(samples)
        return ()
    rest = [left for longer, inner in _by_value(samples, known) for left in _calibrate(inner, longer, rows)]
    if len(rest) < FEWEST or len(known) <= 2:
        return rest
    rows[_padded(known, rest[0].key)] = _row(rest)
    return ()


def _by_value(samples: Sequence[Sample], known: Key) -> Iterator[tuple[Key, list[Sample]]]:
    groups: dict[str, list[Sample]] = defaultdict(list)
    for each in samples:
        groups[each.key[len(known)]].append(each)
    for value in sorted(groups):
        yield (*known, value), groups[value]


def _padded(known: Key, whole: Key) -> Key:
    return (*known, *(REST,) * (len(whole) - len(known)))


def _row(samples: Sequence[Sample]) -> Row:
    low, high = interval([each.ratio for each in samples])
    scale = 10**_DECIMALS
    return floor(low * scale) / scale, ceil(high * scale) / scale, len(samples)


def interval(ratios: Sequence[float]) -> tuple[float, float]:
    """From one quantile to another COVERAGE above it, and 1, the prediction itself.

    With few measurements as many are below as above; with many it is the narrowest of several such intervals. Ranks are
    of n + 1, as in conformal prediction: the next measurement is as likely to fall into each of the gaps.
    """
    ordered = sorted(ratios)
    gaps = len(ordered) + 1
    held = ceil(gaps * COVERAGE)
    found = []
    steps = range(_STEPS + 1) if len(ordered) >= _ENOUGH_TO_CHOOSE else (_STEPS // 2,)
    for step in steps:
        first = max(1, round(gaps * (1 - COVERAGE) * step / _STEPS))
        last = min(len(ordered), first + held)
        found.append((min(1.0, ordered[first - 1]), max(1.0, ordered[last - 1])))
    return min(found, key=lambda ends: ends[1] - ends[0])
