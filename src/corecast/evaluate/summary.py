"""The result of an evaluation as Markdown: its tables, and the worst cases with their code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan

from corecast.evaluate.pairs import furthest, pairs_of
from corecast.evaluate.results import Evaluation, Result
from corecast.evaluate.sections import Section, metrics_section, sections

_WORST = 5
_MOST_LINES = 12
_MOST_DIGITS = 160
_PAIRS = 3


def to_markdown(evaluation: Evaluation, worst: int = _WORST, figures: Mapping[str, str] | None = None) -> str:
    """`worst`: how many of each predictor's largest errors are shown with their code; `figures`: files by title."""
    return "\n".join(_lines(evaluation, worst, figures or {})) + "\n"


def metrics_table(results: Sequence[Result]) -> Iterator[str]:
    """A row a predictor."""
    yield from _table(metrics_section(results))


def title_of(evaluation: Evaluation) -> str:
    machine = evaluation.setting.machine
    what = "kernels" if evaluation.cases.are_kernels else f"blocks, {evaluation.setting.mode} mode"
    return f"{len(evaluation.cases):,} {what}{f', {machine.title}' if machine else ''}"


EXPLANATION = (
    "Errors are relative to the measurement, over answers of known instructions only (coverage); in brackets 95 %",
    "bootstrap intervals. tau is Kendall's, both sides rounded to 0.01 cycles.",
)


def code_of(evaluation: Evaluation, place: int) -> Iterator[str]:
    """A case's name and its instructions, not more than some lines."""
    cases = evaluation.cases
    yield cases.names[place][:_MOST_DIGITS]
    if cases.are_kernels:
        kernel = cases.kernels[place]
        instructions = kernel.instructions if kernel is not None else ()
    else:
        from corecast.asm import Kernel

        instructions = Kernel.from_hex(cases.codes[place], evaluation.setting.core().isa).instructions
    yield from (each.text for each in instructions[:_MOST_LINES])
    if len(instructions) > _MOST_LINES:
        yield f"... {len(instructions) - _MOST_LINES} more"


def answers_at(evaluation: Evaluation, place: int) -> str:
    """What each predictor that has an answer says."""
    return ", ".join(
        f"{each.name} {each.answers.cycles[place]:.4g}"
        for each in evaluation.results
        if not isnan(each.answers.cycles[place])
    )


def shown_cases(evaluation: Evaluation, worst: int) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Headings, each with what is said of some cases: largest errors, then largest disagreements."""
    measured = evaluation.cases.measured
    for result in evaluation.tools:
        errors = []
        for place in result.worst(measured, worst):
            error = (result.answers.cycles[place] - measured[place]) / measured[place]
            errors.append((f"{error:+.1%}", place))
        if errors:
            yield f"Largest errors of `{result.name}`", errors
    if len(evaluation.tools) > 1:
        for pair in pairs_of(evaluation)[:_PAIRS]:
            apart = [("disagreement", place) for place in furthest(evaluation, pair, worst)]
            if apart:
                yield f"Largest disagreements of `{pair.first.name}` and `{pair.second.name}`", apart


def _lines(evaluation: Evaluation, worst: int, figures: Mapping[str, str]) -> Iterator[str]:
    yield f"# {title_of(evaluation)}"
    yield ""
    for result in evaluation.results:
        yield f"- `{result.name}`: {result.description}"
    yield ""
    yield from EXPLANATION
    for number, section in enumerate(sections(evaluation)):
        yield from ("", f"## {section.title}") if number else ()
        yield ""
        yield from (*section.notes, "") if section.notes else ()
        yield from _table(section)
    for name, file in figures.items():
        yield from ("", f"![{name}]({file})")
    for heading, shown in shown_cases(evaluation, worst):
        yield from ("", f"## {heading}")
        for said, place in shown:
            measured = evaluation.cases.measured[place]
            yield from ("", f"{said}: measured {measured:.4g}; {answers_at(evaluation, place)}", "", "```")
            yield from code_of(evaluation, place)
            yield "```"
    yield from _disagreements(evaluation)


def _disagreements(evaluation: Evaluation) -> Iterator[str]:
    if not evaluation.disagreements:
        return
    yield from ("", "## Minimal disagreements")
    for each in evaluation.disagreements:
        said = f"`{each.first}` {each.first_cycles:.4g}, `{each.second}` {each.second_cycles:.4g}"
        yield from ("", f"{said}; {each.found} blocks came down to it", "", "```", each.code, *each.lines, "```")


def _table(section: Section) -> Iterator[str]:
    yield f"| {' | '.join(section.head)} |"
    yield "|" + "---|" * len(section.head)
    for row in section.rows:
        cells = (f"`{text}`" if at in section.codes and text else text for at, text in enumerate(row))
        yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
