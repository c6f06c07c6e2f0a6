"""The result of an evaluation as tables of text; Markdown, HTML and Excel only format them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isnan

from corecast.dataclass import dataclass, field
from corecast.evaluate.metrics import Interval, Metrics
from corecast.evaluate.pairs import pairs_of
from corecast.evaluate.traits import FACETS
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.evaluate.results import Evaluation, Result

_REASONS = 6


@dataclass(frozen=True)
class Section:
    """A table with its heading. The first column, and those in `texts`, hold text, the others numbers."""

    title: str
    notes: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    codes: frozenset[int] = field(default_factory=lambda: frozenset({0}))
    """Columns of names and code, shown in their own script."""


def sections(evaluation: Evaluation) -> Iterator[Section]:
    """All but the errors of single cases; a section that would say nothing is left out."""
    yield metrics_section(evaluation.results)
    if any(result.by_group for result in evaluation.tools):
        yield _applications(evaluation)
    if any(result.weighted for result in evaluation.tools):
        yield _executions(evaluation)
    yield from _facets(evaluation)
    steps = [result for result in evaluation.results if result.step]
    if len(steps) > 1:
        yield _ablation(steps)
    if len(evaluation.tools) > 1:
        yield _pairs(evaluation)
    failures = _failures(evaluation.results)
    if failures.rows:
        yield failures


def metrics_section(results: Sequence[Result]) -> Section:
    """A row a predictor; the columns of intervals where some predictor gives them."""
    intervals = any(not isnan(result.metrics.interval_coverage) for result in results)
    return Section(
        "Errors",
        (),
        ("predictor", "coverage", "MAPE", "median", "p90", "p99", "tau", "bias", "within 5 %", "10 %", "20 %")
        + (("in interval", "its width") if intervals else ()),
        tuple(
            (
                result.name,
                percent(result.metrics.coverage, 1),
                percent(result.metrics.mape) + _interval(result.metrics.mape_interval, 100, 2),
                percent(result.metrics.median),
                percent(result.metrics.p90, 1),
                percent(result.metrics.p99, 1),
                plain(result.metrics.tau) + _interval(result.metrics.tau_interval, 1, 4),
                percent(result.metrics.bias),
                *(percent(share, 1) for share in _within(result.metrics)),
                *(
                    (percent(result.metrics.interval_coverage, 1), percent(result.metrics.interval_width))
                    if intervals
                    else ()
                ),
            )
            for result in results
        ),
    )


def _applications(evaluation: Evaluation) -> Section:
    """Applications by tools, as in table 3 of the Kunpeng 920 case study: MAPE in percent and Kendall's tau of each."""
    results = evaluation.tools
    names = list(next(result.by_group for result in results if result.by_group))
    rows = []
    for name in names:
        cells = [result.by_group[name] for result in results]
        rows.append((name or "(none)", f"{cells[0].cases:,}", *_mape_and_tau(cells)))
    rows.append(("Average", "", *_averages([[result.by_group[name] for name in names] for result in results])))
    rows.append(("All", f"{len(evaluation.cases):,}", *_mape_and_tau([result.metrics for result in results])))
    return Section(
        "By application",
        ("MAPE in percent and Kendall's tau; the average is that of the rows above it, as in the tables of papers.",),
        ("application", "cases", *(f"{result.name} {what}" for result in results for what in ("MAPE", "tau"))),
        tuple(rows),
    )


def _executions(evaluation: Evaluation) -> Section:
    results = [result for result in evaluation.tools if result.weighted]
    names = list(results[0].weighted)
    ordered = [name for name in names if name] + ([""] if "" in names else [])
    rows = []
    for name in ordered:
        cells = [result.weighted[name] for result in results]
        label = name or "All"
        rows.append((label, *(text for each in cells for text in (percent(each.total_error), percent(each.mape)))))
    return Section(
        "Weighted by execution counts",
        ("Error of the cycles of all executions together, and MAPE where each case counts as often as it ran.",),
        ("application", *(f"{result.name} {what}" for result in results for what in ("time", "MAPE"))),
        tuple(rows),
    )


def _facets(evaluation: Evaluation) -> Iterator[Section]:
    results = [result for result in evaluation.tools if result.by_facet]
    if not results:
        return
    for facet in FACETS:
        first = results[0].by_facet[facet]
        if len(first) < 2:
            continue
        rows = []
        for label, metrics in first.items():
            cells = [result.by_facet[facet][label] for result in results]
            share = percent(metrics.cases / len(evaluation.cases), 1)
            rows.append((label, f"{metrics.cases:,}", share, *_mape_bias_tau(cells)))
        heads = (f"{result.name} {what}" for result in results for what in ("MAPE", "bias", "tau"))
        yield Section(f"By {facet}", (), (facet, "cases", "share", *heads), tuple(rows))


def _ablation(steps: Sequence[Result]) -> Section:
    """The layout of table 4 of the Kunpeng 920 case study: a baseline, and what each step adds."""
    return Section(
        "Steps of the model",
        ("Each row has one part of the simulated core more than the row before it.",),
        ("step", "MAPE (%)", "Kendall's tau"),
        tuple((each.step, _number(100 * each.metrics.mape), plain(each.metrics.tau)) for each in steps),
    )


def _pairs(evaluation: Evaluation) -> Section:
    rows = tuple(
        (
            f"{pair.first.name} / {pair.second.name}",
            f"{pair.cases:,}",
            percent(pair.mean),
            percent(pair.far, 1),
            percent(pair.first_nearer, 1),
        )
        for pair in pairs_of(evaluation)
    )
    return Section(
        "Pairs of predictors",
        (
            "Difference relative to the mean of both answers, how often it exceeds 50 %, and how often the measurement "
            "is nearer to the first.",
        ),
        ("pair", "cases", "difference", "far apart", "first nearer"),
        rows,
    )


def _failures(results: Sequence[Result]) -> Section:
    rows = []
    for result in results:
        reasons = Counter(status for status in result.answers.statuses if status != "ok")
        for reason, count in reasons.most_common(_REASONS):
            rows.append((result.name, f"{count:,}", reason))
        rest = sum(reasons.values()) - sum(count for _, count in reasons.most_common(_REASONS))
        if rest:
            rows.append((result.name, f"{rest:,}", "other reasons"))
    return Section("What is not covered", (), ("predictor", "cases", "status"), tuple(rows), frozenset({0, 2}))


def _mape_and_tau(cells: Sequence[Metrics]) -> tuple[str, ...]:
    return tuple(text for each in cells for text in (_number(100 * each.mape), plain(each.tau)))


def _mape_bias_tau(cells: Sequence[Metrics]) -> tuple[str, ...]:
    return tuple(text for each in cells for text in (percent(each.mape), percent(each.bias), plain(each.tau, 3)))


def _averages(columns: Sequence[Sequence[Metrics]]) -> Iterator[str]:
    for cells in columns:
        mapes = [each.mape for each in cells if not isnan(each.mape)]
        taus = [each.tau for each in cells if not isnan(each.tau)]
        yield _number(100 * sum(mapes) / len(mapes)) if mapes else ""
        yield plain(sum(taus) / len(taus)) if taus else ""


def _within(metrics: Metrics) -> tuple[float, float, float]:
    return metrics.within_5, metrics.within_10, metrics.within_20


def percent(share: float, digits: int = 2) -> str:
    return "" if isnan(share) else f"{100 * share:.{digits}f} %"


def plain(value: float, digits: int = 4) -> str:
    return "" if isnan(value) else f"{value:.{digits}f}"


def _number(value: float) -> str:
    return plain(value, 2)


def _interval(interval: Interval, scale: float, digits: int) -> str:
    low, high = interval
    return "" if isnan(low) else f" [{scale * low:.{digits}f}, {scale * high:.{digits}f}]"
