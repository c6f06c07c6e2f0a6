"""Words and numbers that all reports share, so that they cannot tell different things."""

from __future__ import annotations

from corecast.analysis.results import Clock, InstructionResult, RegionResult
from corecast.hints import Iterable, Sequence
from corecast.report.columns import fold_names

_ROUNDING = 1e-6
_SCATTER = 0.005
"""Of measurements: as little below a proven bound contradicts it no more than rounding does, and is not shown."""
BOUND_WORDS = {
    "ports": "port pressure",
    "frontend": "front end",
    "dependency": "loop-carried dependency",
    "memory": "memory bandwidth",
}
MARKS = {
    "X": "no data for this form: only its slot in rename counts",
    "N": "no data for this form: counted as its nearest known form",
    "D": "derived by rule from related forms",
    "F": "macro-fused with its neighbour",
    "E": "eliminated: needs no port",
    "A": "assumed: closes the loop, not part of the code given",
}


def bound_words(name: str) -> str:
    """A bound's name in prose; names this version does not know are shown as they come."""
    return BOUND_WORDS.get(name, name.replace("_", " "))


def bottleneck_words(region: RegionResult) -> str:
    """The highest of the static bounds."""
    words = bound_words(region.static.bottleneck)
    detail = region.static.detail.replace("_", " ")
    if region.static.bottleneck == "ports":
        detail = ", ".join(fold_names(region.ports.limiting_ports))
    return f"{words} ({detail})" if detail else words


def upper_words(region: RegionResult) -> str:
    """What the upper estimate is: the critical path, which alone can be shorter than a chain through the iterations."""
    path = region.dependencies.critical_path.cycles
    if abs(path - region.prediction.bracket.upper) < 0.005:
        return "critical path"
    return f"critical path {cycles(path)}"


def time_words(clock: Clock, cycles: float) -> str:
    """Time and rates of iterations of a given number of cycles: "1.03 ns per iteration at 2.5 GHz: 7.8 Gflop/s"."""
    found = clock.to_dict(cycles)
    words = f"{found['nanoseconds_per_iteration']:.3g} ns per iteration at {clock.hertz / 1e9:.4g} GHz"
    if not cycles:
        return words
    rates = [f"{found['flops_per_second'] / 1e9:.3g} Gflop/s"] if clock.flops else []
    rates += [f"{found['bytes_per_second'] / 1e9:.3g} GB/s loaded and stored"] if clock.bytes else []
    return words + (f": {', '.join(rates)}" if rates else "")


def cycles(value: float) -> str:
    """Cycles with two decimals."""
    return f"{value:.2f}"


def interval_words(region: RegionResult) -> str:
    """The interval of the forecast, "1.99 to 2.04", "" where there is none. Its ends are rounded outwards."""
    interval = region.interval
    if interval is None:
        return ""
    low = (interval.low * 100 + _ROUNDING) // 1 / 100
    if interval.low >= region.prediction.bracket.lower * (1 - _SCATTER):
        low = max(low, region.prediction.bracket.lower)
    return f"{cycles(low)} to {cycles(-(-(interval.high * 100 - _ROUNDING) // 1) / 100)}"


def short_cycles(value: float) -> str:
    """Cycles with as few decimals as tell them, at most two: latencies are mostly whole."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def cell(value: float) -> str:
    """A table cell: blank where the value would be shown as zero."""
    if value < 0.005:
        return ""
    return f"{value:.2f}" if value < 100 else f"{value:.1f}"


def percent(part: int, whole: int) -> str:
    """A share of a count; something is never shown as 0 %, and not everything never as 100 %."""
    if whole == 0:
        return "0 %"
    share = 100.0 * part / whole
    if 0 < share < 0.1:
        return "under 0.1 %"
    if 99.9 < share < 100:
        return "over 99.9 %"
    return f"{share:.1f}".rstrip("0").rstrip(".") + " %"


def percent_of(part: float, whole: float) -> str:
    """A share of cycles, in whole percent; something is never shown as 0 %."""
    share = 100.0 * part / whole if whole > 0 else 0.0
    return "< 1 %" if 0 < share < 0.5 else f"{share:.0f} %"


def path_cells(region: RegionResult, index: int) -> tuple[str, str]:
    """The cycles a row adds to the critical path and to the slowest loop-carried chain.

    0 is shown where the row is on a path, blank where it is not.
    """
    row = region.instructions[index]
    chains = region.dependencies.loop_carried
    critical = index in region.dependencies.critical_path.members
    carried = bool(chains) and index in chains[0].members
    return (
        short_cycles(row.on_critical_path) if critical else "",
        short_cycles(row.on_loop_carried) if carried else "",
    )


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def join_words(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def row_name(region: RegionResult, index: int) -> str:
    """How a row is named elsewhere in the report: its line, or its address where there is no text."""
    row = region.instructions[index]
    if shows_addresses(region) and row.address is not None:
        return f"{row.address:#x}"
    return str(row.line)


def row_names(region: RegionResult, indices: Iterable[int]) -> str:
    return ", ".join(row_name(region, index) for index in indices)


def row_noun(region: RegionResult) -> str:
    return "address" if shows_addresses(region) else "line"


def shows_addresses(region: RegionResult) -> bool:
    """Decoded code is named by address: the lines of a listing that nobody sees tell nothing."""
    return bool(region.instructions) and all(row.address is not None for row in region.instructions)


def uops_of(region: RegionResult) -> float:
    """Micro-ops of an iteration that rename moves, fused ones once."""
    return region.frontend.fused_uops or sum(row.uops for row in region.instructions)


def is_eliminated(row: InstructionResult) -> bool:
    return "eliminated" in row.note or "zero idiom" in row.note


def fused_rows(region: RegionResult) -> frozenset[int]:
    return frozenset(index for pair in region.frontend.macro_fused_pairs for index in pair)


def marks_of(region: RegionResult) -> tuple[str, ...]:
    """The marks of each row, letters of `MARKS`."""
    fused = fused_rows(region)
    marks = []
    for row in region.instructions:
        letters = ""
        if row.status == "unknown":
            letters += "N" if row.matched_form else "X"
        elif row.status == "derived":
            letters += "D"
        if row.index in fused:
            letters += "F"
        if is_eliminated(row):
            letters += "E"
        if "assumed: not part" in row.note:
            letters += "A"
        marks.append(letters)
    return tuple(marks)


def printable(text: str) -> str:
    """Text of the input as one line that cannot steer a terminal."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else "?" for c in line)


def region_name(region: RegionResult) -> str:
    """The name without the lines or addresses that end it: they stand in `place`."""
    name = printable(region.name)
    head, _, inside = name[:-1].rpartition("(")
    return head.rstrip() if name.endswith(")") and _is_place(inside) else name


def _is_place(text: str) -> bool:
    """Of `lines 3-17` and `0x401000-0x40101f`."""
    ends = text.removeprefix("lines ").split("-")
    if len(ends) != 2:
        return False
    if text.startswith("lines "):
        return all(map(str.isdecimal, ends))
    return all(end.startswith("0x") and end != "0x" and not end[2:].strip("0123456789abcdef") for end in ends)


def place(region: RegionResult) -> str:
    """file:first-last of a region, in lines or addresses."""
    source = region.source
    if shows_addresses(region):
        addresses = [row.address for row in region.instructions if row.address is not None]
        return f"{source.file}:{min(addresses):#x}-{max(addresses):#x}"
    if source.first_line <= 0:
        return source.file
    if source.last_line <= source.first_line:
        return f"{source.file}:{source.first_line}"
    return f"{source.file}:{source.first_line}-{source.last_line}"


def unknown_rows(region: RegionResult) -> tuple[InstructionResult, ...]:
    return tuple(row for row in region.instructions if row.status == "unknown")
