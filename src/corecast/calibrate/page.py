"""The report of a calibration as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corecast.calibrate.summary import Section, classes_section, errors_section, notes, properties_section
from corecast.hints import Any
from corecast.report.assets import asset
from corecast.report.markup import tag

_STYLE = ".scroll { overflow-x: auto; } td, th { white-space: nowrap; }\n"


def html_of(document: Mapping[str, Any], version: str) -> str:
    return "\n".join(_page(document, version)) + "\n"


def _page(document: Mapping[str, Any], version: str) -> Iterator[str]:
    title = f"Calibration of {document['cpu']}"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="generator" content="corecast calibrate">'
    yield tag("title", f"{title} - corecast")
    yield f"<style>\n{asset('palette.css')}{asset('page.css')}{_STYLE}</style>\n</head>\n<body>"
    start = document["start"]
    facts = f"{document['date']}; started from {start['machine']} ({start['basis']}); corecast {version}"
    yield "<header>" + tag("h1", title) + tag("p", facts, "facts") + "</header>\n<main>"
    sections = (
        ("Errors", errors_section(document)),
        ("By class", classes_section(document)),
        ("Pipeline", properties_section(document)),
    )
    for heading, section in sections:
        yield from _section(heading, section)
    yield "<section>" + tag("h2", "Notes")
    yield from (tag("p", line) for line in notes(document))
    yield "</section>"
    for kind in document["kinds"].values():
        if not kind.get("worst"):
            continue
        yield "<section>" + tag("h2", f"Largest errors: {kind['title']}")
        for each in kind["worst"]:
            before = "no answer" if each["before"] is None else f"{each['before']:g}"
            yield tag("p", f"measured {each['measured']:g}; start model {before}, model {each['after']:g}")
            yield tag("pre", "\n".join((each["hex"], *each["code"])))
        yield "</section>"
    yield "</main>\n</body>\n</html>"


def _section(heading: str, section: Section) -> Iterator[str]:
    head, rows = section
    yield "<section>" + tag("h2", heading) + '<div class="scroll"><table><thead><tr>'
    yield "".join(tag("th", text) for text in head) + "</tr></thead><tbody>"
    for row in rows:
        yield f"<tr>{''.join(tag('td', text) for text in row)}</tr>"
    yield "</tbody></table></div></section>"
