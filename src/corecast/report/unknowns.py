"""What a report says of instructions without data, and of accesses that may meet."""

from __future__ import annotations

from corecast.analysis.results import InstructionResult, RegionResult
from corecast.hints import Iterator, Sequence
from corecast.report.wording import cycles, join_words, percent, plural, printable, row_name, row_noun

_NAMED = 4


def value_words(region: RegionResult) -> str:
    """The forecast in few characters: "1.00", "at least 1.00", or that there is none."""
    if region.withheld:
        return "none"
    value = cycles(region.prediction.cycles_per_iteration)
    return f"at least {value}" if region.uncounted else value


def withheld_words(region: RegionResult, cpu: str) -> str:
    """Why there is no forecast."""
    rows = [region.instructions[index] for index in region.uncounted]
    count = f"{len(rows)} of {plural(region.coverage.instructions, 'instruction')}"
    return f"{count} {'is' if len(rows) == 1 else 'are'} unknown on {cpu}: {named(region, rows)}"


def dependence_words(region: RegionResult, cpu: str) -> str:
    """What a lower bound depends on, "" where the forecast is none."""
    rows = [region.instructions[index] for index in region.uncounted]
    return f"depends on {named(region, rows)}, which {cpu} has no data for" if rows else ""


def named(region: RegionResult, rows: Sequence[InstructionResult]) -> str:
    """Mnemonics and lines: "ldadd (line 3)", "cpyfp, cpyfm and cpyfe (lines 2, 3 and 4)", "a, b and 12 others"."""
    names = list(dict.fromkeys(printable(row.text).split(" ")[0] for row in rows))
    places = [row_name(region, row.index) for row in rows]
    if len(names) > _NAMED or len(places) > 2 * _NAMED:
        return f"{', '.join(names[:_NAMED])} and others ({plural(len(rows), 'instruction')})"
    noun = row_noun(region)
    where = noun if len(places) == 1 else {"address": "addresses", "line": "lines"}[noun]
    return f"{join_words(names)} ({where} {join_words(places)})"


def unknown_headline(region: RegionResult) -> str:
    """The share of unknown instructions in a sentence, "" where all are known."""
    coverage = region.coverage
    if coverage.unknown == 0:
        return ""
    share = f"no data for {coverage.unknown} of {plural(coverage.instructions, 'instruction')}"
    share += f" ({percent(coverage.unknown, coverage.instructions)})"
    left = len(region.uncounted)
    if region.withheld:
        return share + ": too many for a forecast"
    if left == 0:
        return share + ": counted as the nearest known form"
    if left == coverage.unknown:
        return share + ": the forecast is a lower bound"
    return share + f": {coverage.unknown - left} counted as the nearest known form; the forecast is a lower bound"


def alternative_lines(region: RegionResult) -> Iterator[str]:
    """ "6.00 if the store of line 4 feeds the load of line 2 in the next iteration"."""
    noun = row_noun(region)
    for each in region.alternatives:
        when = "of the next iteration" if each.distance else "after it"
        store = row_name(region, each.store)
        load = row_name(region, each.load)
        least = "at least " if region.uncounted else ""
        value = f"{least}{cycles(each.cycles_per_iteration)}"
        yield f"{value} if the store of {noun} {store} feeds the load of {noun} {load} {when}"
