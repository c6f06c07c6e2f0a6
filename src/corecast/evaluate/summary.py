"""The result of an evaluation as Markdown: the errors, by group, and the worst cases with their code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from corecast.evaluate.metrics import Interval, Metrics
from corecast.evaluate.run import Evaluation, Result

_WORST = 5
_MOST_LINES = 12


def to_markdown(evaluation: Evaluation, worst: int = _WORST) -> str:
    """`worst`: how many of each predictor's largest errors are shown with their code."""
    return "\n".join(_lines(evaluation, worst)) + "\n"


def metrics_table(results: Sequence[Result]) -> Iterator[str]:
    """A row a predictor."""
    yield from _table(
        ["predictor", "coverage", "MAPE", "median", "p90", "p99", "tau", "bias", "within 5 %", "10 %", "20 %"],
        [
            [
                f"`{result.name}`",
                _percent(result.metrics.coverage, 1),
                _percent(result.metrics.mape) + _interval(result.metrics.mape_interval, 100, 2),
                _percent(result.metrics.median),
                _percent(result.metrics.p90, 1),
                _percent(result.metrics.p99, 1),
                _plain(result.metrics.tau) + _interval(result.metrics.tau_interval, 1, 4),
                _percent(result.metrics.bias),
                *(_percent(share, 1) for share in _within(result.metrics)),
            ]
            for result in results
        ],
    )


def _lines(evaluation: Evaluation, worst: int) -> Iterator[str]:
    cases = evaluation.cases
    machine = evaluation.setting.machine
    what = "kernels" if cases.are_kernels else f"blocks, {evaluation.setting.mode} mode"
    yield f"# {len(cases):,} {what}{f', {machine.title}' if machine else ''}"
    yield ""
    for result in evaluation.results:
        took = f" ({result.seconds:.1f} s)" if result.seconds else ""
        yield f"- `{result.name}`: {result.description}{took}"
    yield ""
    yield "Errors are relative to the measurement, over answers of known instructions only (coverage); in brackets 95 %"
    yield "bootstrap intervals. tau is Kendall's, both sides rounded to 0.01 cycles."
    yield ""
    yield from metrics_table(evaluation.results)
    if any(result.by_group for result in evaluation.results):
        yield from ("", "## By group", "", "MAPE and tau.", "")
        yield from _groups(evaluation)
    for result in evaluation.results:
        yield from _worst_of(evaluation, result, worst)


def _groups(evaluation: Evaluation) -> Iterator[str]:
    names = list(next(result.by_group for result in evaluation.results))
    rows = []
    for name in names:
        cells = [result.by_group[name] for result in evaluation.results]
        said = [f"{_percent(metrics.mape)} {_plain(metrics.tau, 3)}" if metrics.scored else "" for metrics in cells]
        rows.append([name or "(none)", f"{cells[0].cases:,}", *said])
    yield from _table(["group", "cases", *(f"`{result.name}`" for result in evaluation.results)], rows)


def _worst_of(evaluation: Evaluation, result: Result, count: int) -> Iterator[str]:
    cases = evaluation.cases
    places = result.worst(cases.measured, count)
    if not places:
        return
    yield from ("", f"## Largest errors of `{result.name}`")
    for place in places:
        measured = cases.measured[place]
        others = ", ".join(
            f"{each.name} {each.answers.cycles[place]:.4g}"
            for each in evaluation.results
            if not isnan(each.answers.cycles[place])
        )
        error = (result.answers.cycles[place] - measured) / measured
        yield from ("", f"{error:+.1%}: measured {measured:.4g}; {others}", "", "```")
        yield from _code(evaluation, place)
        yield "```"


def _code(evaluation: Evaluation, place: int) -> Iterator[str]:
    cases = evaluation.cases
    yield cases.names[place][:160]
    if cases.are_kernels:
        kernel = cases.kernels[place]
    else:
        from corecast.asm import Kernel

        kernel = Kernel.from_hex(cases.codes[place], evaluation.setting.core().isa)
    instructions = kernel.instructions if kernel is not None else ()
    yield from (each.text for each in instructions[:_MOST_LINES])
    if len(instructions) > _MOST_LINES:
        yield f"... {len(instructions) - _MOST_LINES} more"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _within(metrics: Metrics) -> tuple[float, float, float]:
    return metrics.within_5, metrics.within_10, metrics.within_20


def _percent(share: float, digits: int = 2) -> str:
    return "" if isnan(share) else f"{100 * share:.{digits}f} %"


def _plain(value: float, digits: int = 4) -> str:
    return "" if isnan(value) else f"{value:.{digits}f}"


def _interval(interval: Interval, scale: float, digits: int) -> str:
    low, high = interval
    return "" if isnan(low) else f" [{scale * low:.{digits}f}, {scale * high:.{digits}f}]"
