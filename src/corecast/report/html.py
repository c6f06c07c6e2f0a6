"""The HTML report: one page that needs nothing else. Its script draws the parts of the page of `corecast serve`."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence

from corecast.analysis.analysis_result import AnalysisResult
from corecast.report.assets import asset
from corecast.report.markup import escaped, tag
from corecast.report.page_document import page_document
from corecast.report.style import TextStyle
from corecast.report.text import render_text

TIMELINE = 4
"""Iterations of the timeline that a page shows where nobody asked for another number."""
_TEXT_WIDTH = 120
"""Columns of the text that stands in where scripts are off."""


def render_html(result: AnalysisResult, sources: Mapping[str, str] | None = None) -> str:
    """The whole page.

    Args:
        result: what it is about.
        sources: texts of files that instructions were made of, by the names that the result has for them.
    """
    return render_pages([result], sources)


def render_pages(results: Sequence[AnalysisResult], sources: Mapping[str, str] | None = None) -> str:
    """One page with the reports of several results."""
    return "\n".join(_page(results, sources or {})) + "\n"


def _page(results: Sequence[AnalysisResult], sources: Mapping[str, str]) -> Iterator[str]:
    documents = [page_document(result, sources) for result in results]
    style, script = asset("page/report.css"), asset("page/report.js")
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    # What the file holds may run; nothing may be fetched, whatever its texts say.
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; style-src-attr 'unsafe-inline'"
    )
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}; img-src data:">'
    yield tag("title", f"{'; '.join(document['title'] for document in documents)} - corecast")
    yield f'<link rel="icon" href="data:,">\n<style>{style}</style>\n</head>\n<body>'
    yield '<div id="app"></div>'
    texts = (render_text(result, TextStyle(width=_TEXT_WIDTH)) for result in results)
    yield "<noscript>" + "".join(f"<pre>{escaped(text)}</pre>" for text in texts) + "</noscript>"
    yield f'<script type="application/json" id="documents">{_harmless(documents)}</script>'
    yield f"<script>{script}</script>\n</body>\n</html>"


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def _harmless(documents: Sequence[Mapping[str, object]]) -> str:
    """JSON in which no text can end the element: "<" is written as an escape."""
    return json.dumps(documents, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
