"""The timeline as text: a row a micro-op, a column a cycle, a letter for what the micro-op does or waits for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corecast.analysis.results import RegionResult
from corecast.analysis.simulated import FRONT_END_CAUSES, AverageWaits, Timeline, TimelineCycle, TimelineUop
from corecast.report.folding import fold
from corecast.report.style import TextStyle
from corecast.report.wording import plural, printable, row_name, row_noun

ROWS = 200
_LETTERS = {
    "D": "delivered by the front end",
    "N": "renamed",
    "X": "dispatched to its port",
    "e": "executes",
    "E": "completed",
    "R": "retired",
    "-": "done, waits for retirement",
    ".": "waits for rename, which is busy with others",
    "b": "reorder buffer full",
    "s": "scheduler full",
    "l": "load queue full",
    "t": "store queue full",
    "g": "integer registers full",
    "v": "vector registers full",
    "a": "rename waits for the front end",
    "z": "all before it must be done",
    "=": "on its way to the scheduler",
    "o": "waits for an operand",
    "p": "waits for its port",
    "u": "waits for its unit",
    "f": "waits for a store's data",
    ">": "goes on beyond the last column, as a wider terminal shows",
}
_FULL = {
    "reorder_buffer": "b",
    "scheduler": "s",
    "load_queue": "l",
    "store_queue": "t",
    "integer_registers": "g",
    "vector_registers": "v",
}


def rename_letter(cycle: TimelineCycle) -> str:
    """What holds up rename in a cycle, "." where nothing does."""
    if cycle.full:
        return _FULL[cycle.full]
    if cycle.cause == "serializing":
        return "z"
    return "a" if cycle.cause in FRONT_END_CAUSES and cycle.cause != "split_group" else "."


def cell_letter(uop: TimelineUop, cycle: int, rename: str, delay: int = 0) -> str:
    """What a micro-op does in a cycle.

    Args:
        uop: which.
        cycle: of the simulation.
        rename: what holds up rename then.
        delay: cycles from rename until the scheduler sees a micro-op.
    """
    if cycle < uop.delivered or cycle > uop.retired:
        return " "
    for at, letter in ((uop.delivered, "D"), (uop.renamed, "N"), (uop.retired, "R")):
        if cycle == at:
            return letter
    if cycle < uop.renamed:
        return rename
    if cycle < uop.dispatched:
        if cycle < uop.ready:
            late = uop.from_instruction is not None and uop.waited != "forwarding" and cycle > uop.renamed + delay
            return "o" if late else "="
        return "p" if uop.resource == uop.port else "u"
    if cycle == uop.completed:
        return "E"
    if cycle > uop.completed:
        return "-"
    if cycle == uop.dispatched:
        return "X"
    return "f" if uop.waited == "forwarding" else "e"


def timeline_lines(region: RegionResult, style: TextStyle) -> Iterator[str]:
    """The part of the text report; nothing where no timeline was asked for."""
    timeline = region.simulated.timeline if region.simulated is not None else None
    if timeline is None:
        return
    if not timeline.uops:
        yield "Timeline: nothing of it was simulated to the end; begin earlier with --timeline-from"
        yield ""
        return
    shown = timeline.uops[:ROWS]
    names = [_name(region, uop) for uop in shown]
    width = max(len("rename"), *map(len, names))
    ports = max(len(_port(uop)) for uop in shown)
    texts = [printable(region.instructions[uop.instruction].text) for uop in shown]
    columns = _columns(timeline, shown, style, width + 2)
    if width + 2 + columns + 2 + ports + 2 + max(map(len, texts)) > style.width:
        texts = [""] * len(texts)  # the waits below have them
        columns = _columns(timeline, shown, style, width + ports + 4)
    letters = [rename_letter(cycle) for cycle in timeline.cycles[:columns]]
    for line in fold(_heading(region, timeline), style.width, "", "  "):
        yield style.paint(line, "bold")
    yield " " * width + "  " + "".join(f"{column:<10}" for column in range(0, columns, 10))[:columns].rstrip()
    yield f"{'rename':<{width}}  {''.join(letters)}"
    used = set(letters)
    for name, uop, text in zip(names, shown, texts, strict=True):
        cells = _cells(uop, timeline, letters)
        used.update(cells)
        yield f"{name:<{width}}  {cells:<{columns}}  {_port(uop):<{ports}}  {text}".rstrip()
    yield from _messages(timeline, shown)
    yield from _legend(used, style)
    yield ""
    yield from _waits(region, timeline.average_waits(), style)
    yield ""


def _waits(region: RegionResult, waits: Sequence[AverageWaits], style: TextStyle) -> Iterator[str]:
    """How long micro-ops wait on average, by instruction."""
    if not waits:
        return
    reasons = [_waited(region, each) for each in waits]
    noun = row_noun(region)
    width = max(len(noun), *(len(row_name(region, each.instruction)) for each in waits))
    reason_width = max(len("mostly for"), *map(len, reasons))
    yield style.paint("Average waits of the micro-ops above, in cycles", "bold")
    lead = f"{noun:>{width}} | queued  ready retire | {'mostly for':<{reason_width}} | "
    yield style.paint(lead + "instruction", "bold")
    room = max(20, style.width - len(lead))
    for each, reason in zip(waits, reasons, strict=True):
        figures = " ".join(f"{value:>6.1f}" for value in (each.queued_cycles, each.ready_cycles, each.retire_cycles))
        name = row_name(region, each.instruction)
        text, *rest = fold(printable(region.instructions[each.instruction].text), room, "", "  ") or [""]
        yield f"{name:>{width}} | {figures} | {reason:<{reason_width}} | {text}".rstrip()
        yield from (f"{'':>{width}} | {'':20} | {'':{reason_width}} | {line}" for line in rest)
    for note in (
        "queued: from rename until a micro-op starts; ready: of these, with all operands there",
        "retire: from the result until retirement",
    ):
        for line in fold(note, style.width, "  ", "     "):
            yield style.paint(line, "dim")


def _waited(region: RegionResult, waits: AverageWaits) -> str:
    """ "port AGU0", "line 24", "" where nothing was waited for."""
    if waits.queued_cycles < 1:
        return ""
    if waits.from_instruction is not None:
        return f"{row_noun(region)} {row_name(region, waits.from_instruction)}"
    return f"{waits.waited} {waits.resource}".strip()


def _port(uop: TimelineUop) -> str:
    return uop.port + ("eliminated" if uop.eliminated else "")


def _heading(region: RegionResult, timeline: Timeline) -> str:
    return (
        f"Timeline: iteration, {row_noun(region)} and micro-op; column 0 is cycle {timeline.first_cycle} "
        "of the simulation"
    )


def _name(region: RegionResult, uop: TimelineUop) -> str:
    return f"[{uop.iteration},{row_name(region, uop.instruction)}]{f'.{uop.uop}' if uop.uop else ''}"


def _columns(timeline: Timeline, shown: tuple[TimelineUop, ...], style: TextStyle, taken: int) -> int:
    needed = max(uop.retired for uop in shown) - timeline.first_cycle + 1
    most = max(40, style.width - taken)
    return min(needed, most, len(timeline.cycles))


def _cells(uop: TimelineUop, timeline: Timeline, rename: list[str]) -> str:
    first, delay = timeline.first_cycle, timeline.scheduler_delay
    cells = [cell_letter(uop, first + column, letter, delay) for column, letter in enumerate(rename)]
    if cells and uop.retired >= first + len(cells):
        cells[-1] = ">"
    return "".join(cells)


def _messages(timeline: Timeline, shown: tuple[TimelineUop, ...]) -> Iterator[str]:
    if len(shown) < len(timeline.uops):
        yield f"cut: {ROWS} of {len(timeline.uops)} micro-ops; --format html and json show all"
    if timeline.cut:
        told = len({uop.iteration for uop in timeline.uops})
        yield f"cut: {plural(told, 'iteration')} taken down, the last perhaps in part: more would be too many"


def _legend(used: set[str], style: TextStyle) -> Iterator[str]:
    known = [f"{letter} {words}" for letter, words in _LETTERS.items() if letter in used]
    line = ""
    for entry in known:
        if line and len(line) + len(entry) + 3 > style.width - 2:
            yield f"  {line}"
            line = ""
        line = f"{line}   {entry}" if line else entry
    if line:
        yield f"  {line}"
