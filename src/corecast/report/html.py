"""The HTML report: one page that needs nothing else, with table, graph and hover details."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import InstructionResult, RegionResult
from corecast.report.advice import advice
from corecast.report.assets import asset
from corecast.report.columns import ColumnSet, fold_columns
from corecast.report.markup import escaped, tag
from corecast.report.simulated_html import stall_table, timeline_view
from corecast.report.stalls import headline_words, method_words
from corecast.report.svg import draw
from corecast.report.unknowns import (
    alternative_lines,
    dependence_words,
    unknown_headline,
    value_words,
    withheld_words,
)
from corecast.report.wording import (
    MARKS,
    bound_words,
    cell,
    cycles,
    interval_words,
    marks_of,
    path_cells,
    percent,
    place,
    plural,
    region_name,
    row_name,
    row_noun,
    short_cycles,
    time_words,
    unknown_rows,
    upper_words,
)

_CHAINS = 20
_MANY_COLUMNS = 14
"""Above this many ports, equal columns are folded: a page is wider than a terminal."""


def render_html(result: AnalysisResult) -> str:
    """The whole page."""
    return render_pages([result])


def render_pages(results: Sequence[AnalysisResult]) -> str:
    """One page with the reports of several results below each other."""
    return "\n".join(_page(results)) + "\n"


def _page(results: Sequence[AnalysisResult]) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield tag("title", f"{'; '.join(map(_title, results))} - corecast")
    styles = "".join(asset(f"{name}.css") for name in ("palette", "page", "graph", "timeline"))
    yield f"<style>\n{styles}</style>\n</head>\n<body>"
    first = 0
    for result in results:
        yield "<header>" + tag("h1", _title(result)) + tag("p", _facts(result), "facts") + "</header>\n<main>"
        for failure in result.failures:
            yield tag("p", f"Not analyzed: {failure}", "alarm")
        yield from _warnings(result.warnings)
        if len(result.regions) > 1:
            yield from _contents(result, first)
        for number, region in enumerate(result.regions, first):
            yield from _region(region, result.cpu, f"r{number}-")
        first += len(result.regions)
        yield "</main>"
    yield '<div id="details" role="tooltip" hidden></div>'
    yield f"<script>\n{asset('page.js')}{asset('timeline.js')}</script>\n</body>\n</html>"


def _title(result: AnalysisResult) -> str:
    sources = [region.source for region in result.regions] + [failure.source for failure in result.failures]
    files = dict.fromkeys(source.file for source in sources)
    return f"{', '.join(files) or 'nothing'} on {result.cpu_title}"


def _facts(result: AnalysisResult) -> str:
    return f"model {result.cpu}, {result.isa}; " + f"corecast {result.version}".rstrip()


def _contents(result: AnalysisResult, first: int) -> Iterator[str]:
    yield '<nav aria-label="Regions"><table class="contents"><thead><tr><th>Region</th><th>Lines</th>'
    yield '<th class="number">Cycles</th><th>Bottleneck</th><th class="number">Unknown</th></tr></thead><tbody>'
    for number, region in enumerate(result.regions, first):
        unknown = region.coverage.unknown
        share = percent(unknown, region.coverage.instructions) if unknown else ""
        link = f'<a href="#r{number}-region">{escaped(region_name(region) or "region")}</a>'
        words = "" if region.withheld else headline_words(region)
        yield (
            f"<tr><td>{link}</td>{tag('td', place(region))}{tag('td', value_words(region), 'number')}"
            f"{tag('td', words)}{tag('td', share, 'number bad')}</tr>"
        )
    yield "</tbody></table></nav>"


def _region(region: RegionResult, cpu: str, prefix: str) -> Iterator[str]:
    yield f'<section id="{prefix}region" data-prefix="{prefix}">'
    yield tag("h2", region_name(region) or "region")
    mode = "as a loop" if region.mode == "loop" else "copies after each other"
    yield tag("p", f"{place(region)}; {plural(region.coverage.instructions, 'instruction')}, {mode}", "facts")
    yield from _unknown(region, cpu)
    if region.withheld:
        yield tag("p", f"No forecast: {withheld_words(region, cpu)}.", "alarm")
        yield from _warnings(region.warnings)
        yield "</section>"
        return
    yield from _headline(region, cpu)
    if not region.uncounted:  # else what is not known may be what binds
        yield from _faster(region)
    yield from _warnings(region.warnings)
    yield from stall_table(region)
    yield from timeline_view(region)
    yield tag("h3", "Port pressure") + tag("p", _table_note(region), "facts")
    yield from _table(region, prefix)
    yield from _chains(region, prefix)
    yield from _graph(region, prefix)
    yield "</section>"


def _unknown(region: RegionResult, cpu: str) -> Iterator[str]:
    headline = unknown_headline(region)
    if not headline:
        return
    yield f'<div class="alarm">{tag("strong", f"Unknown on {cpu}: ")}{escaped(headline)}<ul>'
    for row in unknown_rows(region):
        nearest = "; ".join(row.nearest_forms) or "none"
        where = f"{row_noun(region)} {row_name(region, row.index)}: "
        yield f"<li>{escaped(where)}{tag('code', row.form or row.text)}; nearest known: {tag('code', nearest)}</li>"
    yield "</ul></div>"


def _headline(region: RegionResult, cpu: str) -> Iterator[str]:
    prediction, bracket = region.prediction, region.prediction.bracket
    yield '<div class="headline"><div class="card main">'
    yield tag("span", value_words(region), "big") + tag("span", "cycles per iteration")
    bound = f"bound by {headline_words(region)} ({method_words(region)})"
    if region.uncounted:
        bound = f"{dependence_words(region, cpu)}; without them {bound}"
    yield tag("span", bound, "bound")
    for line in alternative_lines(region):
        yield tag("span", line, "bound")
    yield "</div>"
    yield '<div class="card"><dl>'
    if interval := interval_words(region):
        yield from _pair("90 % interval", interval)
    yield from _pair("lower: throughput", cycles(bracket.lower))
    yield from _pair("expected", cycles(bracket.expected))
    yield from _pair(f"upper: {upper_words(region)}", cycles(bracket.upper))
    if region.clock is not None:
        yield from _pair("time", time_words(region.clock, prediction.cycles_per_iteration))
    yield '</dl></div><div class="card"><dl>'
    for name, value in prediction.bounds.items():
        yield from _pair(bound_words(name), cycles(value), "binding" if name == prediction.bottleneck else "")
    for name, value in prediction.estimates.items():
        yield from _pair(f"{bound_words(name)} (estimate)", cycles(value))
    yield '</dl></div><div class="card"><dl>'
    frontend = region.frontend
    for name, value in frontend.components.items():
        yield from _pair(name.replace("_", " "), cycles(value), "binding" if name == frontend.limiting else "")
    yield from _pair("fused micro-ops", short_cycles(frontend.fused_uops))
    if frontend.source:
        yield from _pair("delivered by", frontend.source.replace("_", " "))
    yield "</dl></div></div>"
    for assumption in region.assumptions:
        yield tag("p", f"Assumed: {assumption}.", "facts")


def _pair(name: str, value: str, classes: str = "") -> Iterator[str]:
    yield tag("dt", name, classes) + tag("dd", value, classes)


def _faster(region: RegionResult) -> Iterator[str]:
    sentences = advice(region)
    if sentences:
        yield tag("p", " ".join(sentences), "faster")


def _warnings(warnings: tuple[str, ...]) -> Iterator[str]:
    if warnings:
        yield '<ul class="warnings">' + "".join(tag("li", warning) for warning in warnings) + "</ul>"


def _table_note(region: RegionResult) -> str:
    columns = _columns(region)
    notes = ["cycles per iteration" + (", uniform shares" if region.ports.mode == "uniform" else "")]
    if columns.folded:
        notes.append("folded columns (as 0-3): the cycles of each of these ports")
    if columns.unused:
        notes.append("not used: " + ", ".join(columns.unused))
    used = {letter for letters in marks_of(region) for letter in letters}
    notes += [f"{letter}: {words}" for letter, words in MARKS.items() if letter in used]
    return "; ".join(notes)


def _columns(region: RegionResult) -> ColumnSet:
    columns = fold_columns(region.ports, merge_equal=False)
    return columns if len(columns.columns) <= _MANY_COLUMNS else fold_columns(region.ports, merge_equal=True)


def _table(region: RegionResult, prefix: str) -> Iterator[str]:
    columns = _columns(region).columns
    marks = marks_of(region)
    with_source = any(row.source_line for row in region.instructions)
    yield '<div class="scroll"><table class="ports"><thead><tr>' + tag("th", row_noun(region), "number")
    yield "".join(tag("th", column.label, "number") for column in columns)
    yield '<th class="number" title="critical path">CP</th>'
    yield '<th class="number" title="slowest loop-carried dependency">LCD</th><th></th><th>instruction</th>'
    yield ("<th>source</th>" if with_source else "") + "</tr></thead><tbody>"
    highest = max(0.005, *(max(cells, default=0.0) for cells in region.ports.per_instruction))
    chains = region.dependencies.loop_carried
    for row, letters in zip(region.instructions, marks, strict=True):
        values = region.ports.per_instruction[row.index]
        classes = " ".join(word for word in ("unknown" * (row.status == "unknown"),) if word)
        yield f'<tr id="{prefix}i{row.index}" class="{classes}" data-i="{row.index}"{_details(row)}>'
        anchor = f'<a href="#{prefix}n{row.index}">{escaped(row_name(region, row.index))}</a>'
        yield f'<td class="number">{anchor}</td>'
        yield "".join(_heat(column.value(values), highest) for column in columns)
        critical, carried = path_cells(region, row.index)
        yield tag("td", critical, "number cp") + tag("td", carried, "number lcd")
        yield tag("td", letters, "marks") + tag("td", " ".join(row.text.split()), "text")
        yield (tag("td", row.source_line, "source") if with_source else "") + "</tr>"
    yield '</tbody><tfoot><tr><td class="number">sum</td>'
    yield "".join(tag("td", cell(column.value(region.ports.totals)), "number") for column in columns)
    yield tag("td", short_cycles(region.dependencies.critical_path.cycles), "number cp")
    yield tag("td", short_cycles(chains[0].cycles) if chains else "", "number lcd")
    yield f"<td></td><td></td>{'<td></td>' * with_source}</tr></tfoot></table></div>"


def _heat(value: float, highest: float) -> str:
    text = cell(value)
    if not text:
        return "<td></td>"
    return f'<td class="number" style="--h:{min(1.0, 0.08 + 0.5 * value / highest):.2f}">{text}</td>'


def _details(row: InstructionResult) -> str:
    """Data attributes that the script shows on hover."""
    latency = "unknown" if row.latency_cycles is None else f"{short_cycles(row.latency_cycles)} cycles"
    matched = row.matched_form if row.matched_form != row.form else ""
    facts = {
        "form": row.form,
        "matched": matched,
        "status": row.status,
        "uops": short_cycles(row.uops),
        "latency": latency,
        "origin": row.source,
        "confidence": row.confidence,
        "note": row.note,
        "nearest": "; ".join(row.nearest_forms),
    }
    return "".join(f' data-{name}="{escaped(value)}"' for name, value in facts.items() if value)


def _chains(region: RegionResult, prefix: str) -> Iterator[str]:
    chains = region.dependencies.loop_carried
    yield tag("h3", "Loop-carried dependencies")
    if not chains:
        yield tag("p", "None.", "facts")
        return
    yield '<ol class="chains">'
    for chain in chains[:_CHAINS]:
        steps = []
        for index, value in zip(chain.instructions, chain.instruction_cycles, strict=True):
            link = f'<a href="#{prefix}i{index}">{escaped(row_name(region, index))}</a>'
            steps.append(f"{link} ({short_cycles(value)})")
        span = f" over {chain.distance} iterations" if chain.distance > 1 else ""
        yield f"<li>{tag('strong', cycles(chain.cycles))} cycles{span}: {row_noun(region)} {' → '.join(steps)}</li>"
    yield "</ol>"
    if len(chains) > _CHAINS:
        yield tag("p", f"and {len(chains) - _CHAINS} more", "facts")


def _graph(region: RegionResult, prefix: str) -> Iterator[str]:
    drawing = draw(region, prefix, linked=True)
    yield tag("h3", "Dependencies")
    yield (
        '<p class="facts"><span class="key cp"></span>critical path <span class="key lcd"></span>slowest loop-carried '
        "chain; dashed: into a later iteration; hover a box for its arrows, click it for its row</p>"
    )
    yield '<div class="scroll graph">'
    yield (
        f'<svg width="{drawing.width}" height="{drawing.height}" viewBox="0 0 {drawing.width} {drawing.height}" '
        f'role="img" aria-label="dependency graph">{drawing.body}</svg></div>'
    )
