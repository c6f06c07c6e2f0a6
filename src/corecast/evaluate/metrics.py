"""Errors of predictions against measurements."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import floor, nan

from corecast.dataclass import dataclass
from corecast.evaluate.cases import Answers

Interval = tuple[float, float]
"""Lower and upper end, as shares; NaN where there is none."""
_UNKNOWN: Interval = (nan, nan)


@dataclass(frozen=True)
class Metrics:
    """What one predictor achieves on some cases. Errors are relative to the measurement, as shares; NaN: no answer."""

    cases: int
    """Measured cases."""
    scored: int
    """Answers that count: of known instructions only."""
    mape: float
    """Mean absolute relative error."""
    median: float
    """Median of the absolute relative errors."""
    p90: float
    """Their 90th percentile."""
    p99: float
    """Their 99th percentile."""
    tau: float
    """Kendall's tau-b; both sides are rounded to 0.01 cycles first, so that noise orders nothing."""
    bias: float
    """Mean relative error: below 0 where predictions are too fast."""
    within_5: float
    """Share of the scored answers with an error of at most 5 %."""
    within_10: float
    """The same for 10 %."""
    within_20: float
    """The same for 20 %."""
    mape_interval: Interval = _UNKNOWN
    """95 % bootstrap interval."""
    bias_interval: Interval = _UNKNOWN
    """The same of `bias`."""
    tau_interval: Interval = _UNKNOWN
    """The same of `tau`."""
    interval_coverage: float = nan
    """Share of the measurements that lie within the predictions' intervals, of those that have one."""
    interval_width: float = nan
    """Median width of the intervals, as share of the prediction."""

    @property
    def coverage(self) -> float:
        """Share of the cases with an answer that counts."""
        return self.scored / self.cases if self.cases else nan


@dataclass(frozen=True)
class Weighted:
    """Errors where each case counts as often as it was executed."""

    mape: float
    """Mean absolute relative error, weighted."""
    total_error: float
    """Of the cycles of all executions together: the error of a whole application's time in these blocks."""
    coverage: float
    """Share of the measured cycles of all executions whose cases have an answer that counts."""


def compute_weighted(
    measured: Sequence[float], answers: Answers, weights: Sequence[float], places: Iterable[int] | None = None
) -> Weighted:
    """As compute(), by execution counts; a case of weight 0 counts for nothing."""
    every = told = forecast = errors = executions = 0.0
    for place in range(len(measured)) if places is None else places:
        weight = weights[place]
        every += weight * measured[place]
        if not answers.counts(place):
            continue
        told += weight * measured[place]
        forecast += weight * answers.cycles[place]
        errors += weight * abs(answers.cycles[place] - measured[place]) / measured[place]
        executions += weight
    if not executions:
        return Weighted(nan, nan, 0.0 if every else nan)
    return Weighted(errors / executions, forecast / told - 1, told / every)


def compute(
    measured: Sequence[float], answers: Answers, places: Iterable[int] | None = None, intervals: bool = False
) -> Metrics:
    """The errors of a predictor's answers, over all cases or those at `places`.

    Args:
        measured: cycles, each above 0.
        answers: one for each measurement.
        places: which of them; None: all.
        intervals: also bootstrap intervals (1,000 samples, for tau 200; always the same random numbers).
    """
    from corecast import _core

    chosen = range(len(measured)) if places is None else list(places)
    scored = [place for place in chosen if answers.counts(place)]
    x = array("d", (measured[place] for place in scored))
    y = array("d", (answers.cycles[place] for place in scored))
    if not scored:
        return Metrics(len(chosen), 0, nan, nan, nan, nan, nan, nan, nan, nan, nan)
    signed = [(b - a) / a for a, b in zip(x, y, strict=True)]
    errors = sorted(map(abs, signed))
    rounded_x, rounded_y = _rounded(x), _rounded(y)
    held, width = _intervals(measured, answers, scored)
    bounds = _core.bootstrap_intervals(x, y, rounded_x, rounded_y) if intervals else (_UNKNOWN,) * 3
    return Metrics(
        cases=len(chosen),
        scored=len(scored),
        mape=sum(errors) / len(errors),
        median=percentile(errors, 50),
        p90=percentile(errors, 90),
        p99=percentile(errors, 99),
        tau=_core.kendall_tau(rounded_x, rounded_y),
        bias=sum(signed) / len(signed),
        within_5=_share(errors, 0.05),
        within_10=_share(errors, 0.10),
        within_20=_share(errors, 0.20),
        mape_interval=bounds[0],
        bias_interval=bounds[1],
        tau_interval=bounds[2],
        interval_coverage=held,
        interval_width=width,
    )


def _intervals(measured: Sequence[float], answers: Answers, places: Iterable[int]) -> tuple[float, float]:
    """Share of the measurements within their intervals, and the intervals' median width; NaN where there are none."""
    found = [(place, ends) for place in places if (ends := answers.interval(place)) is not None]
    if not found:
        return _UNKNOWN
    widths = sorted((high - low) / answers.cycles[place] for place, (low, high) in found)
    return sum(low <= measured[place] <= high for place, (low, high) in found) / len(found), percentile(widths, 50)


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Of values in ascending order, interpolated between neighbours."""
    position = (len(ordered) - 1) * percent / 100
    low = floor(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def _rounded(values: Iterable[float]) -> array[float]:
    return array("d", (round(value * 100) / 100 for value in values))


def _share(errors: Sequence[float], limit: float) -> float:
    return sum(error < limit for error in errors) / len(errors)
