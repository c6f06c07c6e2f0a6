"""Latencies of forms that load: what uops.info does not tell, and what it tells of something else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from corecast.machine.rows import Latency, Row
from corecast.pattern import lazy_pattern

_MEMORY = lazy_pattern(r"\bm(8|16|32|64|128|256)\b")
_ADDRESSES = ("addr", "index")


def complete_loads(rows: dict[str, Row], load_latencies: tuple[float, float, float]) -> None:
    """Fixes rows in place.

    Args:
        rows: by form.
        load_latencies: of a general register, of 128 bits and of 256 bits.
    """
    plain_load = _from_address(rows.get("mov r64, m64"))
    for form, row in list(rows.items()):
        match = _MEMORY.search(form.removesuffix(" @indexed"))
        if not match or row.latency is None or form.startswith(("lea", "lock", "rep")):
            continue
        rows[form] = row = _without_renamed(row, plain_load)
        if not reads_memory(form):
            continue
        if sibling := _of_registers(form, match, rows):
            vector = "mm" in form.replace(match.group(0), "")
            load = load_latencies[0 if not vector else 2 if match.group(1) == "256" else 1]
            rows[form] = _with_sibling(row, sibling, load)


def _from_address(row: Row | None) -> float:
    """Cycles of a load; 0 where its row is not there."""
    pairs = (row.latency if row is not None else None) or ()
    return next((pair.cycles for pair in pairs if pair.source == "addr"), 0.0)


def _without_renamed(row: Row, load_cycles: float) -> Row:
    """Without latencies from the address that are shorter than a load and, to the flags, an operation: the source times
    a form that updates memory in a loop over one place, and cores that rename memory know what is there before they
    know the address. That from an index, which they do not rename by, stands for it."""
    assert row.latency is not None
    known = {(pair.source, pair.destination): pair.cycles for pair in row.latency}

    def least(pair: Latency) -> float:
        return load_cycles + (pair.destination == "flags")

    kept = tuple(
        pair
        for pair in row.latency
        if pair.source != "addr"
        or pair.destination == "mem"
        or pair.cycles >= least(pair)
        or known.get(("index", pair.destination), 0.0) < least(pair)
    )
    return row if kept == row.latency else row.with_(latency=kept)


def _of_registers(form: str, match: re.Match[str], rows: Mapping[str, Row]) -> Row | None:
    """The row of the form with a register in place of memory."""
    plain = form.removesuffix(" @indexed")
    vector = "mm" in plain.replace(match.group(0), "")
    register = {"128": "xmm", "256": "ymm"}.get(match.group(1), "xmm" if vector else f"r{match.group(1)}")
    return rows.get(plain[: match.start()] + register + plain[match.end() :])


def _with_sibling(row: Row, sibling: Row, load_cycles: float) -> Row:
    """With a latency from the address to each result that has none: the sibling's, plus the load's."""
    assert row.latency is not None
    results = {pair.destination for pair in row.latency or sibling.latency or ()} - {"mem"}
    lacking = results - {pair.destination for pair in row.latency if pair.source in _ADDRESSES}
    if not lacking or not sibling.latency:
        return row
    extra = [
        Latency(
            "addr", name, load_cycles + max((p.cycles for p in sibling.latency if p.destination == name), default=1)
        )
        for name in sorted(lacking)
    ]
    return row.with_(latency=row.latency + tuple(extra), confidence="derived")


def reads_memory(form: str) -> bool:
    """Whether a memory operand of the form is a source: all but a plain store's."""
    operands = form.removesuffix(" @indexed").partition(" ")[2].split(", ")
    return not (operands and operands[0].startswith("m") and operands[0][1:].isdigit()) or len(operands) == 1
