"""HTML fragments for notebooks: whole pages in a frame, tables and pictures, without scripts or style sheets.

Colours are those of the notebook, so that fragments are readable on light and on dark pages; pages in a frame and
pictures follow the system's setting by themselves and have their own background.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence

from corecast.report.markup import escaped, tag

_LINE = "border-bottom:1px solid rgba(128,128,128,.35)"
_CELL = "padding:2px 10px;white-space:nowrap;background:none"
_MOST_ROWS = 30


def block(heading: str, *parts: str) -> str:
    """A fragment: a heading, which is text, and parts, which are HTML."""
    lead = f'<div style="font-weight:600;margin:2px 0 6px">{escaped(heading)}</div>'
    return "\n".join([f'<div class="corecast">{lead}', *(part for part in parts if part), "</div>"])


def frame(page: str, height: int) -> str:
    """A whole page in a frame that can be resized; its scripts see nothing of the notebook."""
    style = f"width:100%;height:{height}px;border:0;border-radius:8px;resize:vertical;overflow:auto"
    return f'<iframe sandbox="allow-scripts" title="corecast" srcdoc="{escaped(page)}" style="{style}"></iframe>'


def table(head: Sequence[str], rows: Iterable[Sequence[object]], most: int = _MOST_ROWS) -> str:
    """A table with the first `most` rows and how many more there are. Numbers are rounded and aligned to the right."""
    lines = list(rows)
    shown = lines[:most]
    numeric = [_is_numeric([row[column] for row in shown]) for column in range(len(head))]
    cells = "".join(_cell("th", name, right) for name, right in zip(head, numeric, strict=True))
    out = [f'<div style="overflow:auto;max-width:100%"><table style="border-collapse:collapse"><thead><tr>{cells}</tr>']
    out.append("</thead><tbody>")
    for row in shown:
        out.append(f"<tr>{''.join(_cell('td', value, right) for value, right in zip(row, numeric, strict=True))}</tr>")
    out.append("</tbody></table></div>")
    if len(lines) > most:
        out.append(tag("div", f"and {len(lines) - most} more rows: see .to_pandas()"))
    return "\n".join(out)


def picture(svg: str, words: str) -> str:
    """An SVG picture as an image, whose style sheet cannot touch the notebook's, with words for screen readers."""
    data = base64.b64encode(svg.encode()).decode("ascii")
    return f'<img alt="{escaped(words)}" src="data:image/svg+xml;base64,{data}" style="max-width:100%;height:auto">'


def _is_numeric(values: Sequence[object]) -> bool:
    return all(value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values)


def _cell(name: str, value: object, right: bool) -> str:
    text = "" if value is None or value != value else f"{value:.4g}" if isinstance(value, float) else str(value)
    return f'<{name} style="{_CELL};{_LINE};text-align:{"right" if right else "left"}">{escaped(text)}</{name}>'
