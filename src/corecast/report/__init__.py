"""Reports: text, JSON, HTML and graphs of an analysis. They only format results, nothing is computed anew."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING, Mapping, Sequence

if TYPE_CHECKING:
    from corecast.analysis.analysis_result import AnalysisResult
    from corecast.report.style import TextStyle

FORMATS = ("text", "json", "html", "dot", "svg")


def render_all(results: Sequence[AnalysisResult], format: str, sources: Mapping[str, str] | None = None) -> str:
    """One result as `render` gives it; several as a JSON array, one page or picture of all regions, or several graphs.

    Args:
        results: what is reported.
        format: one of `FORMATS`.
        sources: for a page, texts of files that instructions were made of, by name.

    Raises:
        ValueError: as `render`.
    """
    if format == "html":
        from corecast.report.html import render_pages

        return render_pages(results, sources)
    if len(results) == 1 or format in ("text", "dot"):
        return "\n".join(render(result, format) for result in results)
    if format == "json":
        from corecast.report.json import render_json_list

        return render_json_list(results)
    if format == "svg":
        from corecast.report.svg import render_pictures

        return render_pictures(results)
    raise ValueError(f"no such report format: {format}")


def render(result: AnalysisResult, format: str, style: TextStyle | None = None) -> str:
    """`result` in one of `FORMATS`; `style` matters to text only.

    Raises:
        ValueError: for a format that is none of `FORMATS`.
    """
    if format == "text":
        from corecast.report.text import render_text

        return render_text(result, style)
    if format == "json":
        from corecast.report.json import render_json

        return render_json(result)
    if format == "html":
        from corecast.report.html import render_html

        return render_html(result)
    if format == "dot":
        from corecast.report.graph import render_dot

        return render_dot(result)
    if format == "svg":
        from corecast.report.svg import render_svg

        return render_svg(result)
    raise ValueError(f"no such report format: {format}")
