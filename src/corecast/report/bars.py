"""Horizontal bars as SVG: side by side for each row, or one behind the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corecast.dataclass import dataclass
from corecast.report.assets import asset
from corecast.report.markup import escaped

_COLOURS = ("#2563eb", "#0f8a5f", "#c76a00", "#a3138f", "#5b6470")
_STYLE = (
    "text{font-family:sans-serif;font-size:11px;fill:var(--ink)}.soft{fill:var(--soft)}.title{font-size:14px}"
    ".paper{fill:var(--paper)}"
)
_WIDTH = 760
_TOP = 58
_CHARACTER = 6.1


@dataclass(frozen=True)
class Bars:
    """Rows of values, each value of one kind; None where there is none."""

    title: str
    kinds: Sequence[str]
    rows: Sequence[tuple[str, Sequence[float | None]]]
    stacked: bool = False
    unit: str = ""
    """Behind the values that bars side by side have at their ends."""


def bars_svg(bars: Bars) -> str:
    """The picture, with colours for light and dark inside; the same bars always give the same text."""
    left = int(max(len(name) for name, _ in bars.rows) * _CHARACTER) + 24
    sums = [sum(value or 0.0 for value in values) for _, values in bars.rows]
    most = max(sums) if bars.stacked else max(value or 0.0 for _, values in bars.rows for value in values)
    scale = (_WIDTH - left - 70) / (most or 1.0)
    thick, pitch = (11, 16) if bars.stacked else (10, 12 * len(bars.kinds) + 8)
    body = [_text(16, 24, bars.title, "title"), *_legend(bars.kinds)]
    for number, (name, values) in enumerate(bars.rows):
        top = _TOP + number * pitch
        body.append(_text(left - 8, top + pitch / 2 + 1, name, "", "end"))
        body += _stack(values, left, top, thick, scale) if bars.stacked else _group(bars, values, left, top, scale)
    height = _TOP + len(bars.rows) * pitch + 12
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}"><style>{asset("palette.css")}{_STYLE}</style>'
        f'<rect class="paper" width="{_WIDTH}" height="{height}" fill="#ffffff"/>'
    )
    return "\n".join([head, *body, "</svg>"]) + "\n"


def _group(bars: Bars, values: Sequence[float | None], left: float, top: float, scale: float) -> Iterator[str]:
    for place, value in enumerate(values):
        if value is None:
            continue
        y = top + 12 * place
        yield _bar(left, y, value * scale, 10, place, f"{bars.kinds[place]}: {value:g}{bars.unit}")
        yield _text(left + value * scale + 5, y + 9, f"{value:g}{bars.unit}", "soft")


def _stack(values: Sequence[float | None], left: float, top: float, thick: int, scale: float) -> Iterator[str]:
    start = left
    for place, value in enumerate(values):
        if value:
            yield _bar(start, top, value * scale, thick, place, f"{value:g}")
            start += value * scale
    yield _text(start + 5, top + 9, f"{sum(value or 0.0 for value in values):g}", "soft")


def _legend(kinds: Sequence[str]) -> Iterator[str]:
    x = 16.0
    for place, kind in enumerate(kinds):
        yield _bar(x, 36, 10, 10, place, kind)
        yield _text(x + 15, 45, kind, "soft")
        x += 34 + len(kind) * _CHARACTER


def _bar(x: float, y: float, width: float, height: float, kind: int, words: str) -> str:
    colour = _COLOURS[kind % len(_COLOURS)]
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height}" fill="{colour}">'
        f"<title>{escaped(words)}</title></rect>"
    )


def _text(x: float, y: float, text: str, classes: str, anchor: str = "start") -> str:
    named = f' class="{classes}"' if classes else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escaped(text)}</text>'
