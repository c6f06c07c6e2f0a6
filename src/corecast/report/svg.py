"""The dependency graph as SVG, drawn here: no graphviz, the same region always gives the same text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import InstructionResult, RegionResult
from corecast.report.assets import asset
from corecast.report.blame import loop_carried_rows
from corecast.report.graph import Arrow, arrows
from corecast.report.layout import lay_out
from corecast.report.markup import escaped
from corecast.report.routes import NODE_HEIGHT, Grid, Route, route
from corecast.report.unknowns import value_words
from corecast.report.wording import place, region_name, row_name, short_cycles

_CHARACTER = 6.7
"""Width of a character in pixels: monospace of 11 pixels."""
_TEXT_LIMIT = 34
_LABEL_LIMIT = 60
"""Above this many arrows only those of the marked paths are labelled."""
_HEADING = 44


def render_svg(result: AnalysisResult) -> str:
    """One picture, regions below each other, with the colours of light and dark inside."""
    return render_pictures([result])


def render_pictures(results: Sequence[AnalysisResult]) -> str:
    """One picture with the regions of several results below each other."""
    regions = [(result.cpu_title, region) for result in results for region in result.regions]
    drawings = [draw(region, f"r{number}-") for number, (_, region) in enumerate(regions)]
    width = max((drawing.width for drawing in drawings), default=300)
    height = sum(drawing.height + _HEADING for drawing in drawings) or _HEADING
    return "\n".join(_document(regions, drawings, width, height)) + "\n"


def _document(
    regions: Sequence[tuple[str, RegionResult]], drawings: Sequence[Drawing], width: int, height: int
) -> Iterator[str]:
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    yield f"<style>{asset('palette.css')}{asset('graph.css')}</style>"
    yield f'<rect class="paper" width="{width}" height="{height}" fill="#ffffff"/>'
    offset = 0
    for (title, region), drawing in zip(regions, drawings, strict=True):
        value = "no forecast" if region.withheld else f"{value_words(region)} cycles per iteration"
        heading = f"{place(region)}  {region_name(region)}: {value} on {title}"
        yield f'<text class="heading" x="16" y="{offset + 24}" font-family="sans-serif" font-size="14">'
        yield f"{escaped(heading)}</text>"
        yield f'<g transform="translate(0 {offset + _HEADING})">{drawing.body}</g>'
        offset += drawing.height + _HEADING
    yield "</svg>"


class Drawing:
    """The picture of one region, without the `svg` element around it."""

    def __init__(self, body: str, width: int, height: int) -> None:
        self.body = body
        self.width = width
        self.height = height


def draw(region: RegionResult, prefix: str) -> Drawing:
    """Nodes and arrows of a region. Ids start with `prefix`, so that a picture can hold several."""
    found = arrows(region)
    labels = [_node_text(region, row) for row in region.instructions]
    width = int(max(map(len, labels), default=4) * _CHARACTER) + 18
    grid = Grid(lay_out(region, found), width)
    routes, total = route(found, grid)
    lines = [*_markers(prefix), '<g class="arrows" fill="none" stroke="#9aa1ab">']
    # Marked arrows last: they lie above the others.
    for item in sorted(routes, key=lambda r: (r.arrow.on_loop_carried, r.arrow.on_critical_path)):
        lines.append(_arrow(item, prefix, len(found) <= _LABEL_LIMIT))
    lines.append('</g><g class="nodes" font-family="monospace" font-size="11">')
    critical = frozenset(region.dependencies.critical_path.instructions)
    carried = loop_carried_rows(region)
    for row, label in zip(region.instructions, labels, strict=True):
        classes = "node" + " cp" * (row.index in critical) + " lcd" * (row.index in carried)
        classes += " unknown" * (row.status == "unknown")
        lines.append(_node(row, label, grid, f'id="{prefix}n{row.index}" class="{classes}"'))
    lines.append("</g>")
    return Drawing("\n".join(lines), total, grid.height)


def _node_text(region: RegionResult, row: InstructionResult) -> str:
    text = " ".join(row.text.split())
    if len(text) > _TEXT_LIMIT:
        text = text[: _TEXT_LIMIT - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return f"{row_name(region, row.index)}  {text}"


def _node(row: InstructionResult, label: str, grid: Grid, attributes: str) -> str:
    x, y = grid.left(row.index), grid.top(row.index)
    latency = "unknown" if row.latency_cycles is None else f"{short_cycles(row.latency_cycles)} cycles"
    fill, stroke = _light_colours(attributes.split('"')[3])
    return (
        f'<g {attributes} data-i="{row.index}"><title>{escaped(row.text)}\n{escaped(row.form)}\n'
        f"latency {latency}</title>"
        f'<rect x="{x}" y="{y}" width="{grid.node_width}" height="{NODE_HEIGHT}" rx="4" fill="{fill}" '
        f'stroke="{stroke}"/><text x="{x + 8}" y="{y + 16}" xml:space="preserve">{escaped(label)}</text></g>'
    )


def _light_colours(classes: str) -> tuple[str, str]:
    """Fill and stroke for viewers that do not read style sheets."""
    words = classes.split()
    fill = "#fecaca" if "unknown" in words else "#f8dcf4" if "lcd" in words else "#fff1cf" if "cp" in words else "#fff"
    return fill, "#c76a00" if "cp" in words else "#a3138f" if "lcd" in words else "#9aa1ab"


def _arrow(item: Route, prefix: str, label_all: bool) -> str:
    arrow = item.arrow
    marked = arrow.on_loop_carried or arrow.on_critical_path
    mark = "lcd" if arrow.on_loop_carried else "cp" if arrow.on_critical_path else "plain"
    dashes = ' stroke-dasharray="5 3"' if arrow.distance else ""
    stroke = {"lcd": ' stroke="#a3138f" stroke-width="2"', "cp": ' stroke="#c76a00" stroke-width="2"', "plain": ""}
    path = (
        f'<path class="{mark}" data-p="{arrow.producer}" data-c="{arrow.consumer}"{dashes}{stroke[mark]} '
        f'marker-end="url(#{prefix}{mark})" d="{item.path}"><title>{escaped(_tooltip(arrow))}</title></path>'
    )
    if not (marked or label_all) or arrow.cycles == 0:
        return path
    x, y = item.label_place
    text = escaped(short_cycles(arrow.cycles))
    return f'{path}<text class="{mark}" x="{x:g}" y="{y:g}" stroke="none" fill="#6b7280" font-size="9">{text}</text>'


def _tooltip(arrow: Arrow) -> str:
    paths = ["critical path"] * arrow.on_critical_path + ["slowest loop-carried chain"] * arrow.on_loop_carried
    return arrow.label + "".join(f"\n{words}" for words in paths)


def _markers(prefix: str) -> Iterator[str]:
    colours = {"plain": "#9aa1ab", "cp": "#c76a00", "lcd": "#a3138f"}
    yield "<defs>"
    for name, colour in colours.items():
        yield (
            f'<marker id="{prefix}{name}" class="{name}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" '
            f'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/>'
            "</marker>"
        )
    yield "</defs>"
