"""Updates of memory by more than one operation, and gathers, whose rows loops contradict.

Timed on a virtual Granite Rapids as loops, 2026-11-28. The model forwards what was stored a cycle and more later than
the core does where an operation of several cycles follows (pipeline facts GC-19, GC-32): `shld` of memory 8.0 and
`shrd` 9.0, by `cl` and by a constant, as their records say, which hold the way through memory; `shrd` with a constant
and an index 9.0, too, where the campaign has 4; `bts`, `btr` and `btc` with a register 7.7, whatever their width, where
the records have 6, 7 and 8. `cmpxchg16b` 16.0 to 16.2, two and three of other lines 15.4 and 15.3 each; `cmpxchg8b`
12.9, 12.5 and 12.3.

A gather of eight elements takes 4.1 cycles, also with five or eleven NOPs, and of sixteen 8.2: two loads a cycle; the
campaign's mask was empty (3.0 and 6.0). Gathers of AVX-512 are no microcode, as those of AVX2 are not by their records:
of four elements 2.17, with 5, 11, 17 and 23 NOPs 3.0, 4.0, 5.0 and 6.0 cycles, two and three of them 4.34 and 6.5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from corecast.machine.rows import Latency, Row
from intel_models.redwood_cove import each_row, held, marked

_SOONER_CYCLES = 1.0
_BITS = re.compile(r"bt[crs] m\d+, r\d+( @indexed)?$")
_BITS_CYCLES = 7.0
_DOUBLE_SHIFT = re.compile(r"sh[lr]d m\d+, r\d+, (cl|i8)( @indexed)?$")
_INDEXED_RIGHT = re.compile(r"shrd m\d+, r\d+, i8 @indexed$")
_RIGHT_CYCLES = 9.0
_MOST_RENAMED = 4.0
_EXCHANGES = {"cmpxchg16b m128": 15.3, "cmpxchg8b m64": 12.3}
_GATHER = re.compile(r"vp?gather(?P<index>[dq])(?P<type>ps|pd|d|q) (?P<result>[xyz])mm(\{k\})?, vm(?P<indices>[xyz])mm")
_BITS_OF = {"x": 128, "y": 256, "z": 512, "d": 32, "ps": 32, "q": 64, "pd": 64}
_ELEMENT_CYCLES = 0.5125
_FEWEST_ELEMENTS = 8


def of_loops(core: str, table: Mapping[str, Row]) -> dict[str, Row]:
    """A core's rows with what loops of these instructions take."""
    return each_row(core, table, _retimed)


def _retimed(form: str, row: Row) -> Row:
    if found := _GATHER.match(form):
        return _gather(found, row)
    if _BITS.match(form):
        return _forwarded(row, _BITS_CYCLES)
    if _DOUBLE_SHIFT.match(form):
        return _forwarded(row, _RIGHT_CYCLES if _INDEXED_RIGHT.match(form) else None)
    if cycles := _EXCHANGES.get(form.removesuffix(" @indexed")):
        return _forwarded(held(row, cycles), None)
    return row


def _forwarded(row: Row, cycles: float | None) -> Row:
    """With `cycles` from memory to itself, or what the row has, less what the model adds; renamed memory stays."""

    def sooner(latency: Latency) -> Latency:
        whole_way = latency.cycles if cycles is None else cycles
        through_memory = (latency.source, latency.destination) == ("mem", "mem")
        if not through_memory or whole_way <= _MOST_RENAMED:
            return latency
        return replace(latency, cycles=whole_way - _SOONER_CYCLES)

    before = row.latency or ()
    after = tuple(sooner(each) for each in before)
    return row if after == before else marked(row.with_(latency=after), "latency")


def _gather(form: re.Match[str], row: Row) -> Row:
    if "microcoded" in row.flags and row.uops is not None:
        flags = tuple(flag for flag in row.flags if flag != "microcoded")
        row = marked(row.with_(flags=flags, decode=f"{row.uops[0]:g};0;1;1"), "decode")
    results = _BITS_OF[form["result"]] // _BITS_OF[form["type"]]
    elements = min(results, _BITS_OF[form["indices"]] // _BITS_OF[form["index"]])
    return row if elements < _FEWEST_ELEMENTS else held(row, round(elements * _ELEMENT_CYCLES, 2))
