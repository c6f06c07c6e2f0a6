"""What InstLatx64's figures do not say, although they seem to."""

from __future__ import annotations

import re

from corecast.machine.rows import Row

from .read import SAME, Measured

_MEMORY = re.compile(r"\bv?m(\d+|[xyz]mm)|\bm\b")
_DIVIDER = re.compile(r"v?(div|sqrt)[ps][sdh]\b")
_FIXED = re.compile(r"([re]?[a-d]x|[a-d][lh]|xmm0|st\d*)$")
_NAMED = re.compile(r"[a-z][a-z0-9]*$")
_GENERAL = re.compile(r"\br(8|16|32|64)\b")
_STRINGS = frozenset(f"{name}{width}" for name in ("lods", "stos", "scas", "movs", "cmps") for width in "bwdq")
_WRITES_FIXED = _STRINGS | {"xchg", "xadd", "cmpxchg", "mul", "clflush", "clflushopt", "clwb"}
NEAR = 0.1
FEWEST_WHOLE = 0.2
"""By how much a chain may be off a whole number of cycles: those of one cycle show up to 1.2 on some cores."""


def is_memory(form: str) -> bool:
    """Whether an operand is in memory."""
    return _MEMORY.search(form.partition(" @")[0].partition(" ")[2]) is not None


def is_divider(form: str) -> bool:
    """Divisions and square roots of vectors, whose time depends on operands that the figures do not state."""
    return _DIVIDER.match(form) is not None


def chain_cycles(row: Row) -> float:
    """Cycles of a run through registers that the form does not let one choose, or the flags."""
    operands = row.form.partition(" @")[0].partition(" ")[2].split(", ")

    def fixed(place: str) -> bool:
        if place.isdigit():
            return int(place) <= len(operands) and _FIXED.match(operands[int(place) - 1]) is not None
        return place not in ("addr", "index", "mem", "mask") and _NAMED.match(place) is not None

    loops = [pair.cycles for pair in row.latency or () if pair.source == pair.destination and fixed(pair.source)]
    return max(loops, default=0.0)


def limited_by_registers(row: Row, figure: Measured) -> bool:
    """Whether instances wait for each other through the destination: the figure is not a rate then.

    Instructions on general registers whose throughput is their latency may wait for the flags that they keep in part;
    those of a single cycle are the ones that no other reason explains.
    """
    latency, cycles = figure.latency_cycles, figure.reciprocal_throughput_cycles
    if latency is None or cycles is None or not _GENERAL.search(row.form):
        return False
    return abs(cycles / latency - 1) <= NEAR


def whole_latency(figure: Measured) -> float | None:
    """The latency as a whole number of cycles; None where the figure is not a chain's, or not near one."""
    cycles = figure.latency_cycles
    if cycles is None or cycles < 1 - NEAR:
        return None
    throughput = figure.reciprocal_throughput_cycles
    if throughput is not None and cycles <= (1 + NEAR) * throughput and cycles <= 2:
        return None  # the next one did not wait for it: it takes a part of the register that is zero
    return float(round(cycles)) if abs(cycles - round(cycles)) <= FEWEST_WHOLE else None


def refined_latency(row: Row, figure: Measured) -> float | None:
    """Of a vector operation of one cycle: a chain may take up to a quarter longer (halves of 256 bits on E-cores, MMX),
    which figures of whole cycles do not show. None of others."""
    cycles = figure.latency_cycles
    if cycles is None or not 1 + NEAR < cycles <= 1.25 or is_memory(row.form) or not re.search(r"\b[xyz]?mm", row.form):
        return None
    return round(cycles, 2) if row.latency and all(pair.cycles == 1 for pair in row.latency) else None


def merges(form: str) -> bool:
    """Whether instances may wait for what they leave of their destination (parts of general registers, masks, MMX), or
    for the front end: constants of 64 bits."""
    destination, *sources = form.partition(" @")[0].partition(" ")[2].split(", ")
    return "i64" in sources or re.fullmatch(r"r8h?|r16|mm|[xyz]mm\{k\}.*", destination) is not None


def executed(figure: Measured) -> bool:
    """Whether a move of a register to itself takes a cycle; others are done by renaming, as of two registers."""
    return figure.form.endswith(SAME) and figure.latency_cycles is not None and figure.latency_cycles >= 1 - NEAR


def without_choice(row: Row) -> bool:
    """Whether the instruction lets one choose no register that it writes: instances wait for each other, or for what
    they change of the core's state."""
    mnemonic, _, operands = row.form.partition(" @")[0].partition(" ")
    return not operands or mnemonic in _WRITES_FIXED or _FIXED.match(operands.split(", ")[0]) is not None
