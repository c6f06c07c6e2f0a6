"""The result of an evaluation as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from corecast.evaluate.charts import figures
from corecast.evaluate.results import Evaluation
from corecast.evaluate.sections import Section, sections
from corecast.evaluate.summary import EXPLANATION, answers_at, code_of, shown_cases, title_of
from corecast.report.assets import asset
from corecast.report.markup import tag

GENERATOR = "corecast evaluate"
_STYLE = """\
.scroll { overflow-x: auto; } .figures { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; }
figure svg { max-width: 100%; height: auto; } td, th { white-space: nowrap; }
"""


def to_html(evaluation: Evaluation, worst: int, version: str) -> str:
    """`worst`: how many of each predictor's largest errors are shown with their code."""
    return "\n".join(_page(evaluation, worst, version)) + "\n"


def _page(evaluation: Evaluation, worst: int, version: str) -> Iterator[str]:
    title = title_of(evaluation)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f'<meta name="generator" content="{GENERATOR}">'
    yield tag("title", f"{title} - corecast")
    yield f"<style>\n{asset('palette.css')}{asset('page.css')}{_STYLE}</style>\n</head>\n<body>"
    facts = f"{evaluation.cases.file}; corecast {version}"
    yield "<header>" + tag("h1", title) + tag("p", facts, "facts") + "</header>\n<main>"
    yield "<ul>"
    for result in evaluation.results:
        yield f"<li>{tag('code', result.name)} {tag('span', result.description)}</li>"
    yield "</ul>"
    yield tag("p", " ".join(EXPLANATION))
    for section in sections(evaluation):
        yield from _section(section)
    yield '<section><h2>Figures</h2><div class="figures">'
    for figure in figures(evaluation):
        yield f"<figure>{tag('figcaption', figure.title)}{figure.svg}</figure>"
    yield "</div></section>"
    for heading, shown in shown_cases(evaluation, worst):
        yield "<section>" + tag("h2", heading.replace("`", ""))
        for said, place in shown:
            measured = evaluation.cases.measured[place]
            yield tag("p", f"{said}: measured {measured:.4g}; {answers_at(evaluation, place)}")
            yield tag("pre", "\n".join(code_of(evaluation, place)))
        yield "</section>"
    if evaluation.disagreements:
        yield "<section><h2>Minimal disagreements</h2>"
        for each in evaluation.disagreements:
            said = f"{each.first} {each.first_cycles:.4g}, {each.second} {each.second_cycles:.4g}"
            yield tag("p", f"{said}; {each.found} blocks came down to it")
            yield tag("pre", "\n".join((each.code, *each.lines)))
        yield "</section>"
    yield "</main>\n</body>\n</html>"


def _section(section: Section) -> Iterator[str]:
    yield "<section>" + tag("h2", section.title)
    yield from (tag("p", note) for note in section.notes)
    yield '<div class="scroll"><table><thead><tr>'
    yield "".join(tag("th", text, "" if at in section.codes else "number") for at, text in enumerate(section.head))
    yield "</tr></thead><tbody>"
    for row in section.rows:
        cells = (tag("td", text, "" if at in section.codes else "number") for at, text in enumerate(row))
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div></section>"
