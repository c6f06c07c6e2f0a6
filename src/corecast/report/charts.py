"""Plots as SVG, drawn here: lines, points with a front, heat maps; the same data always give the same text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from corecast.dataclass import dataclass
from corecast.report.assets import asset
from corecast.report.markup import escaped

WIDTH, HEIGHT = 720, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 190, 44, 58
_COLOURS = ("#2563eb", "#c76a00", "#0f8a5f", "#a3138f", "#b3261e", "#5b6470", "#0891b2", "#7c5a00")
_STYLE = (
    "text{font-family:sans-serif;font-size:12px;fill:var(--ink)}.soft{fill:var(--soft)}.grid{stroke:var(--line)}"
    ".axis{stroke:var(--soft)}.title{font-size:14px}.paper{fill:var(--paper)}"
)


@dataclass(frozen=True)
class Series:
    """Points of one colour; joined by lines where `joined`."""

    name: str
    points: Sequence[tuple[float, float]]
    joined: bool = True


@dataclass(frozen=True)
class Axes:
    title: str
    x: str
    y: str
    x_logarithmic: bool = False
    y_logarithmic: bool = False
    x_names: Sequence[str] = ()
    """Names of the places 0, 1, ... where x counts values that are not numbers."""


@dataclass(frozen=True)
class Chart:
    """Lines and points over two axes, to be drawn as SVG or by matplotlib."""

    axes: Axes
    series: Sequence[Series]


@dataclass(frozen=True)
class HeatMap:
    """A cell for each pair of a column and a row; None where there is no value."""

    axes: Axes
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Sequence[Sequence[float | None]]


def svg_of(plan: Chart | HeatMap) -> str:
    """The chart or map as SVG."""
    if isinstance(plan, HeatMap):
        return heat_map(plan.axes, plan.columns, plan.rows, plan.cells)
    return chart(plan.axes, plan.series)


def chart(axes: Axes, series: Sequence[Series]) -> str:
    """Lines and points over two axes, with a legend."""
    drawn = [each for each in series if each.points]
    across = _Scale(
        [x for each in drawn for x, _ in each.points], _LEFT, WIDTH - _RIGHT, axes.x_logarithmic, bool(axes.x_names)
    )
    up = _Scale([y for each in drawn for _, y in each.points], HEIGHT - _BOTTOM, _TOP, axes.y_logarithmic)
    body = [*_grid(axes, across, up)]
    for number, each in enumerate(drawn):
        body += _series(each, _COLOURS[number % len(_COLOURS)], across, up)
        body.append(_legend(each.name, number))
    return _document(axes.title, body)


def heat_map(axes: Axes, columns: Sequence[str], rows: Sequence[str], cells: Sequence[Sequence[float | None]]) -> str:
    """A cell for each pair, darker where the value is larger; cells without a value stay empty."""
    values = [value for row in cells for value in row if value is not None]
    least, most = min(values, default=0.0), max(values, default=1.0)
    width = (WIDTH - _LEFT - 40) / max(1, len(columns))
    height = (HEIGHT - _TOP - _BOTTOM) / max(1, len(rows))
    body = []
    for down, row in enumerate(cells):
        y = _TOP + down * height
        body.append(_text(_LEFT - 8, y + height / 2 + 4, rows[down], "end"))
        for right, value in enumerate(row):
            if value is None:
                continue
            x = _LEFT + right * width
            share = (value - least) / (most - least) if most > least else 0.0
            body.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width - 1:.1f}" height="{height - 1:.1f}" '
                f'fill="#2563eb" fill-opacity="{0.08 + 0.6 * share:.3f}"/>'
            )
            if width >= 34 and height >= 14:
                body.append(_text(x + width / 2, y + height / 2 + 4, _label(value), "middle"))
    for right, name in enumerate(columns):
        body.append(_text(_LEFT + (right + 0.5) * width, HEIGHT - _BOTTOM + 18, name, "middle"))
    body += _names_of_axes(axes, WIDTH - 40)
    return _document(axes.title, body)


class _Scale:
    """From values to pixels."""

    def __init__(
        self, values: Sequence[float], start: float, end: float, logarithmic: bool, named: bool = False
    ) -> None:
        self.logarithmic = logarithmic and all(value > 0 for value in values)
        self.start, self.end = start, end
        low, high = min(values, default=0.0), max(values, default=1.0)
        if self.logarithmic:
            self.low, self.high = math.log2(low), math.log2(high)
            if self.high - self.low < 1:
                self.high = self.low + 1
        elif named:
            self.low, self.high = low - 0.3, high + 0.3
        else:
            self.low = 0.0 if low >= 0 else low
            self.high = high * 1.05 if high > self.low else self.low + 1

    def pixel(self, value: float) -> float:
        place = math.log2(value) if self.logarithmic else value
        return self.start + (self.end - self.start) * (place - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        if self.logarithmic:
            step = max(1, math.ceil((self.high - self.low) / 8))
            return [2.0**power for power in range(math.ceil(self.low), math.floor(self.high) + 1, step)]
        span = self.high - self.low
        step = 10 ** math.floor(math.log10(span / 4))
        step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 8)
        first = math.ceil(self.low / step)
        return [number * step for number in range(first, math.floor(self.high / step) + 1)]


def _grid(axes: Axes, across: _Scale, up: _Scale) -> Iterator[str]:
    for value in up.ticks():
        y = up.pixel(value)
        yield f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield _text(_LEFT - 8, y + 4, _label(value), "end")
    places = range(len(axes.x_names)) if axes.x_names else across.ticks()
    for place in places:
        x = across.pixel(place)
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{HEIGHT - _BOTTOM}"/>'
        yield _text(x, HEIGHT - _BOTTOM + 18, axes.x_names[int(place)] if axes.x_names else _label(place), "middle")
    yield f'<line class="axis" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{HEIGHT - _BOTTOM}" y2="{HEIGHT - _BOTTOM}"/>'
    yield f'<line class="axis" x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{HEIGHT - _BOTTOM}"/>'
    yield from _names_of_axes(axes, WIDTH - _RIGHT)


def _names_of_axes(axes: Axes, right: float) -> Iterator[str]:
    yield _text((_LEFT + right) / 2, HEIGHT - 16, axes.x, "middle", "soft")
    middle = (_TOP + HEIGHT - _BOTTOM) / 2
    yield (
        f'<text class="soft" text-anchor="middle" transform="translate(18 {middle:.0f}) rotate(-90)">'
        f"{escaped(axes.y)}</text>"
    )


def _series(series: Series, colour: str, across: _Scale, up: _Scale) -> Iterator[str]:
    places = [(across.pixel(x), up.pixel(y)) for x, y in series.points]
    if series.joined and len(places) > 1:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
    for (x, y), (value_x, value_y) in zip(places, series.points, strict=True):
        told = escaped(f"{series.name}: {_label(value_x)}, {_label(value_y)}")
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"><title>{told}</title></circle>'


def _legend(name: str, number: int) -> str:
    y = _TOP + 10 + 18 * number
    x = WIDTH - _RIGHT + 14
    colour = _COLOURS[number % len(_COLOURS)]
    shown = name if len(name) <= 25 else name[:24] + "\N{HORIZONTAL ELLIPSIS}"
    return f'<rect x="{x}" y="{y - 8}" width="10" height="10" fill="{colour}"/>{_text(x + 16, y + 1, shown, "start")}'


def _text(x: float, y: float, text: str, anchor: str, classes: str = "") -> str:
    named = f' class="{classes}"' if classes else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escaped(text)}</text>'


def _label(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def _document(title: str, body: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<style>{asset('palette.css')}{_STYLE}</style>"
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    )
    return "\n".join([head, _text(_LEFT, 26, title, "start", "title"), *body, "</svg>"]) + "\n"
