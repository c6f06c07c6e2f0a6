"""Figures of an evaluation as SVG, drawn here: heat maps of forecasts, histograms and cumulative curves of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log, log2

from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING
from corecast.report.markup import escaped

if TYPE_CHECKING:
    from corecast.evaluate.results import Evaluation, Result

_SIZE = 360
_MARGIN = 48
_CELLS = 72
_LEVELS = 10
_BINS = 40
_CURVE_UP_TO = 0.5
_COLOURS = ("#2563eb", "#c76a00", "#0f766e", "#a3138f", "#b3261e", "#64748b", "#65a30d", "#7c3aed")
_INK = "#64748b"


@dataclass(frozen=True)
class Figure:
    name: str
    """For a file: letters, digits, dashes."""
    title: str
    svg: str


def figures(evaluation: Evaluation) -> Iterator[Figure]:
    """One heat map and histogram a predictor with answers, and all cumulative curves together."""
    told = [result for result in evaluation.tools if result.metrics.scored]
    if told:
        yield Figure("cumulative", "Share of blocks with an error below", _curves(evaluation, told))
    for number, result in enumerate(told, 1):
        name = "".join(c if c.isalnum() else "-" for c in result.name)[:40]
        yield Figure(
            f"heatmap-{number}-{name}", f"{result.name}: forecast against measurement", _heat(evaluation, result)
        )
        yield Figure(f"histogram-{number}-{name}", f"{result.name}: relative errors", _histogram(evaluation, result))


def _scored(evaluation: Evaluation, result: Result) -> Iterator[tuple[float, float]]:
    """Measurements and forecasts that count."""
    for place, measured in enumerate(evaluation.cases.measured):
        if result.answers.counts(place):
            yield measured, result.answers.cycles[place]


def _heat(evaluation: Evaluation, result: Result) -> str:
    """Above the diagonal: too slow. Both axes are logarithmic; darker is more frequent, on a logarithmic scale too."""
    pairs = list(_scored(evaluation, result))
    low = min(min(pair) for pair in pairs)
    high = max(max(pair) for pair in pairs)
    low, high = 2 ** int(log2(low) - 1), 2 ** int(log2(high) + 1)
    scale = _CELLS / max(1e-9, log2(high / low))

    def cell(value: float) -> int:
        return min(_CELLS - 1, max(0, int(log2(value / low) * scale)))

    counts = Counter((cell(measured), cell(said)) for measured, said in pairs)
    most = max(counts.values())
    levels: dict[int, list[tuple[int, int]]] = {}
    for place, count in counts.items():
        levels.setdefault(round((_LEVELS - 1) * log(count) / log(most)) if most > 1 else _LEVELS - 1, []).append(place)
    side = _SIZE / _CELLS
    body = []
    for level, places in sorted(levels.items()):
        path = "".join(
            f"M{_x(column * side):.4g} {_y((row + 1) * side):.4g}h{side:.3g}v{side:.3g}h-{side:.3g}z"
            for column, row in sorted(places)
        )
        body.append(f'<path fill="#2563eb" fill-opacity="{0.15 + 0.85 * level / (_LEVELS - 1):.2f}" d="{path}"/>')
    body.append(_line((0, 0), (_SIZE, _SIZE), ' stroke-dasharray="4 3"'))
    ticks = [2.0**power for power in range(round(log2(low)), round(log2(high)) + 1)]
    marks = [(_SIZE * log2(value / low) / log2(high / low), f"{value:g}") for value in ticks]
    every = max(1, len(marks) // 8)
    return _frame(body, marks[::every], marks[::every], ("measured cycles", "forecast cycles"))


def _histogram(evaluation: Evaluation, result: Result) -> str:
    """Signed errors from -100 to +100 %; what is beyond is in the last bar."""
    errors = [(said - measured) / measured for measured, said in _scored(evaluation, result)]
    counts = Counter(min(_BINS - 1, int((error + 1) * _BINS / 2)) for error in errors)
    most = max(counts.values())
    width = _SIZE / _BINS
    body = [
        f'<rect fill="#2563eb" x="{_x(place * width):.4g}" y="{_y(_SIZE * count / most):.4g}" '
        f'width="{width - 1:.3g}" height="{_SIZE * count / most:.4g}"/>'
        for place, count in sorted(counts.items())
    ]
    across = [(_SIZE * (share + 1) / 2, f"{share:+.0%}" if share else "0") for share in (-1, -0.5, 0, 0.5, 1)]
    up = [(_SIZE * part / 4, f"{most * part / 4 / len(errors):.0%}") for part in range(5)]
    return _frame(body, across, up, ("relative error", "share of blocks"))


def _curves(evaluation: Evaluation, results: Sequence[Result]) -> str:
    """Of all cases, so that a predictor that answers few ends low."""
    body = []
    for number, result in enumerate(results):
        errors = sorted(abs(said - measured) / measured for measured, said in _scored(evaluation, result))
        colour = _COLOURS[number % len(_COLOURS)]
        points = []
        for step in range(_SIZE + 1):
            limit = _CURVE_UP_TO * step / _SIZE
            share = _below(errors, limit) / len(evaluation.cases)
            points.append(f"{_x(step):.4g},{_y(_SIZE * share):.4g}")
        body.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.8" points="{" ".join(points)}"/>')
        y = _y(20 + 15 * (len(results) - number))
        body.append(
            f'<text x="{_x(_SIZE) - 8}" y="{y}" fill="{colour}" text-anchor="end">{escaped(result.name)}</text>'
        )
    across = [(_SIZE * part / 5, f"{_CURVE_UP_TO * part / 5:.0%}") for part in range(6)]
    up = [(_SIZE * part / 5, f"{part / 5:.0%}") for part in range(6)]
    return _frame(body, across, up, ("relative error", "share of blocks"))


def _below(ordered: Sequence[float], limit: float) -> int:
    from bisect import bisect_right

    return bisect_right(ordered, limit)


def _x(value: float) -> float:
    return _MARGIN + value


def _y(value: float) -> float:
    return 8 + _SIZE - value


def _line(start: tuple[float, float], end: tuple[float, float], more: str = "") -> str:
    ends = f'x1="{_x(start[0]):g}" y1="{_y(start[1]):g}" x2="{_x(end[0]):g}" y2="{_y(end[1]):g}"'
    return f'<line {ends} stroke="{_INK}"{more}/>'


Marks = Sequence[tuple[float, str]]


def _frame(body: Sequence[str], across: Marks, up: Marks, names: tuple[str, str]) -> str:
    """Axes with their marks around a drawing."""
    width, height = _SIZE + _MARGIN + 16, _SIZE + 56
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" data-generator="corecast evaluate" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="10" fill="{_INK}">',
        *body,
        _line((0, 0), (_SIZE, 0)),
        _line((0, 0), (0, _SIZE)),
    ]
    for at, text in across:
        lines.append(f'<text x="{_x(at):g}" y="{_y(-14):g}" text-anchor="middle">{escaped(text)}</text>')
    for at, text in up:
        lines.append(f'<text x="{_x(-5):g}" y="{_y(at - 3):g}" text-anchor="end">{escaped(text)}</text>')
    lines.append(f'<text x="{_x(_SIZE / 2):g}" y="{_y(-32):g}" text-anchor="middle">{names[0]}</text>')
    middle = f"{_x(-40):g} {_y(_SIZE / 2):g}"
    lines.append(f'<text transform="translate({middle}) rotate(-90)" text-anchor="middle">{names[1]}</text>')
    return "\n".join([*lines, "</svg>"])
