"""Rows that loops of programs contradict, because their records are of other surroundings.

Timed on a virtual Granite Rapids as loops, 2026-11-28: `mfence` 39.0 cycles, behind a store 45, behind two 46, behind
three 48: it waits for stores as locked instructions do. `lock bts` with a register 18.2 in place of 21.

Flags of `and`, `or`, `xor`, `test`, `andn` and `blsr` are there after one cycle for `adc`, `sbb`, `lahf`, and for
`setcc` and `cmov` that are renamed later: `or eax, 1; sbb eax, eax` 2.0 cycles, `or eax, 1`, five NOPs and `setc al`
2.0, without the NOPs 3.0. The campaign reads them by such a `setcc`; that these wait is a rule of the pipeline.

`cqo; idiv qword ptr [rbx + 8*rdi]` 15.0 cycles, as without an index and as the campaign's row of that says; the record
of indexed addresses has 18 from `rdx` to the quotient, by which it would take 19.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from corecast.machine.rows import Latency, Row

CORES = ("granite_rapids",)
_FENCE_CYCLES = 39.0
_LOCKED_BITS = re.compile(r"lock bt[crs] m\d+, r\d+( @indexed)?$")
_LOCKED_CYCLES = 18.0
_LOGIC = re.compile(r"(and|or|xor|test|andn|blsi|blsmsk|blsr) ")
_READ_BY_SETCC = {"register": 2.0, "memory": 7.0}
_INDEXED_DIVISION = "idiv m64 @indexed"
_QUOTIENT_CYCLES = 14.0
_MEMORY = ("addr", "index", "mem")


def of_loops(core: str, table: Mapping[str, Row]) -> dict[str, Row]:
    """A core's rows with what loops of these instructions take."""
    return {form: _retimed(form, row) for form, row in table.items()} if core in CORES else dict(table)


def _retimed(form: str, row: Row) -> Row:
    if form == "mfence":
        return _marked(
            row.with_(
                blocking=(("SERIAL", _FENCE_CYCLES),),
                flags=(*row.flags, "locked"),
                reciprocal_throughput_cycles=_FENCE_CYCLES,
            ),
            "throughput",
        )
    if row.latency is None:
        return row
    if _LOCKED_BITS.match(form):
        latency = tuple(_no_later(each) for each in row.latency)
    elif form == _INDEXED_DIVISION:
        latency = tuple(_quotient_no_later(each) for each in row.latency)
    elif _LOGIC.match(form):
        latency = tuple(_without_setcc(each) for each in row.latency)
    else:
        return row
    return row if latency == row.latency else _marked(row.with_(latency=latency), "latency")


def _no_later(latency: Latency) -> Latency:
    return replace(latency, cycles=min(latency.cycles, _LOCKED_CYCLES)) if latency.source == "mem" else latency


def _quotient_no_later(latency: Latency) -> Latency:
    quotient = (latency.source, latency.destination) == ("rdx", "rax")
    return replace(latency, cycles=min(latency.cycles, _QUOTIENT_CYCLES)) if quotient else latency


def _without_setcc(latency: Latency) -> Latency:
    read = _READ_BY_SETCC["memory" if latency.source in _MEMORY else "register"]
    return replace(latency, cycles=read - 1) if latency.destination == "flags" and latency.cycles == read else latency


def _marked(row: Row, what: str) -> Row:
    return row.with_(source=f"{row.source}+corecast:granite_rapids({what})", confidence="measured")
