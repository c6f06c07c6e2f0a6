"""The simulation's parts of the HTML report: reasons and timeline. The timeline is drawn by its script."""

from __future__ import annotations

import json
from collections.abc import Iterator

from corecast.analysis.results import RegionResult
from corecast.analysis.simulated import StallShare, Timeline
from corecast.hints import Any
from corecast.report.markup import tag
from corecast.report.stalls import ranked_reasons, reason_words
from corecast.report.timeline import rename_letter
from corecast.report.wording import cycles, percent_of, plural, row_name, row_noun


def stall_table(region: RegionResult) -> Iterator[str]:
    found = region.simulated
    if found is None or not found.ranked_stalls:
        return
    yield tag("h3", "Why not faster")
    yield tag("p", "simulated cycles per iteration by reason; they add up", "facts")
    yield '<div class="scroll"><table class="stalls"><tbody>'
    for value, words in ranked_reasons(region):
        share = percent_of(value, found.cycles_per_iteration)
        yield f"<tr>{tag('td', cycles(value), 'number')}{tag('td', share, 'number')}{tag('td', words)}</tr>"
    yield "</tbody></table></div>"


def timeline_view(region: RegionResult) -> Iterator[str]:
    timeline = region.simulated.timeline if region.simulated is not None else None
    if timeline is None:
        return
    yield tag("h3", "Timeline")
    iterations = len({uop.iteration for uop in timeline.uops})
    note = "more were asked for; " if timeline.cut else ""
    yield tag(
        "p",
        f"{plural(iterations, 'iteration')} from iteration {timeline.first_iteration} on; {note}wheel with Ctrl or the "
        "buttons: zoom; hover: events and waits",
        "facts",
    )
    yield '<div class="timeline"><p class="zoom"><button type="button" data-zoom="1.5">+</button> '
    yield '<button type="button" data-zoom="0.667">&minus;</button> <span class="keys"></span></p>'
    yield '<div class="scroll view"></div>'
    yield f'<script type="application/json">{_data(region, timeline)}</script></div>'


def _data(region: RegionResult, timeline: Timeline) -> str:
    """What the script draws. "<" is written as an escape, so that no text can end the element."""
    used = sorted({uop.instruction for uop in timeline.uops})
    rows = {
        index: {"name": row_name(region, index), "text": " ".join(region.instructions[index].text.split())}
        for index in used
    }
    data: dict[str, Any] = {
        "first": timeline.first_cycle,
        "delay": timeline.scheduler_delay,
        "noun": row_noun(region),
        "rows": rows,
        "uops": [dict(vars(uop)) for uop in timeline.uops],
        "cycles": [
            [rename_letter(cycle), _reason(region, timeline, number)] for number, cycle in enumerate(timeline.cycles)
        ],
    }
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _reason(region: RegionResult, timeline: Timeline, number: int) -> str:
    cycle = timeline.cycles[number]
    return reason_words(region, StallShare(1.0, cycle.cause, cycle.full, cycle.instruction, None, cycle.resource))
