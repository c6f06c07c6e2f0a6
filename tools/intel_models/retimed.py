"""Rows that loops of programs contradict, because their records are of other surroundings.

Timed on a virtual Granite Rapids as loops, 2026-11-28: `mfence` 39.0 cycles, behind a store 45, behind two 46, behind
three 48: it waits for stores as locked instructions do. `lock bts` with a register 18.2 in place of 21, `lock xadd`
18.0 of any width in place of 19, `xchg` with memory 17.0 in place of 19. `lock cmpxchg` of eight and of sixteen bits
with what sets al or ax before it 19.0 in place of 20.5 and 20.0; with dh 23.0 in place of 21, which stays. Of 32 and 64
bits 19.4 to 19.5 behind what sets eax or rax (19.0 where only itself does).

`cmpxchg` of 32 and 64 bits without a lock, which loads what it stored the iteration before, 7.0 to 7.1 cycles with a
comparison of `rax`, 7.7 behind moves that set `rax`, 8.0 with three NOPs; the record's way through memory gives 8.4.

`emms` takes 9.9 cycles with two to nine slots of others before it and one to eight behind it, `vzeroall` 14.9: what is
before and behind them in a loop, each eight slots or less a cycle, adds to the 7.9 and 12.9 cycles of themselves, which
the model lets overlap. Up to one slot before them adds nothing, nine behind them one more; that the model has not.

`vzeroupper` is renamed as the first of its cycle (pipeline facts GC-26): with dec, jnz and up to three NOPs it takes
1.08 cycles, with four and five 2.00 before and 2.08 behind it, two of them 2.08.

Flags of `and`, `or`, `xor`, `test`, `andn` and `blsr` are there after one cycle for `adc`, `sbb`, `lahf`, and for
`setcc` and `cmov` that are renamed later: `or eax, 1; sbb eax, eax` 2.0 cycles, `or eax, 1`, five NOPs and `setc al`
2.0, without the NOPs 3.0. The campaign reads them by such a `setcc`; that these wait is a rule of the pipeline.

What additions of floating point make is read a cycle later by all but such additions (pipeline facts GC-7), and chains
from an address through them are closed by something else, so that the campaign's figures from memory hold that cycle:
`vaddps xmm1, xmm2, [rcx + rax]; vmovq rax, xmm1; and eax, 0` 12.0 cycles, of 256 bits 13.0, as with a load apart, and
14.0 with a second addition behind it.

`cqo; idiv qword ptr [rbx + 8*rdi]` 15.0 cycles, as without an index and as the campaign's row of that says; the record
of indexed addresses has 18 from `rdx` to the quotient, by which it would take 19.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from corecast.machine.rows import Latency, Row
from intel_models.redwood_cove import each_row, held, marked

_FENCE_CYCLES = 39.0
_LOCKED_BITS = re.compile(r"lock bt[crs] m\d+, r\d+( @indexed)?$")
_XADD = re.compile(r"lock xadd m\d+, r\d+h?( @indexed)?$")
_XCHG = re.compile(r"xchg m\d+, r\d+( @indexed)?$")
_UNLOCKED_CMPXCHG = re.compile(r"cmpxchg (m32, r32|m64, r64)( @indexed)?$")
_CMPXCHG = re.compile(r"lock cmpxchg m\d+, r\d+( @indexed)?$")
_WIDE_CMPXCHG = re.compile(r"lock cmpxchg (m32, r32|m64, r64)( @indexed)?$")
_LOCKED_CYCLES = 18.0
_COMPARED_CYCLES = 19.0
_WIDE_COMPARED_CYCLES = 19.5
_EXCHANGED_CYCLES = 17.0
_RELOAD_CYCLES = 8.0
_UNLOCKED_CYCLES = 6.0
_EMPTYING = {"emms": 10.0, "vzeroall": 15.0}
_LOGIC = re.compile(r"(and|or|xor|test|andn|blsi|blsmsk|blsr) ")
_READ_BY_SETCC = {"register": 2.0, "memory": 7.0}
_INDEXED_DIVISION = "idiv m64 @indexed"
_QUOTIENT_CYCLES = 14.0
_MEMORY = ("addr", "index", "mem")
_ADDITION = re.compile(r"v?(add|sub|addsub)[ps][sdh] [^zk]*m\d+(bcst)?( @indexed)?$")
_ADDITION_CYCLES = 2.0


def of_loops(core: str, table: Mapping[str, Row]) -> dict[str, Row]:
    """A core's rows with what loops of these instructions take."""
    return each_row(core, table, _retimed)


def _retimed(form: str, row: Row) -> Row:
    if form == "mfence":
        return held(row.with_(flags=(*row.flags, "locked")), _FENCE_CYCLES)
    if form in _EMPTYING:
        return held(row, _EMPTYING[form])
    if _WIDE_CMPXCHG.match(form):
        return held(row, _WIDE_COMPARED_CYCLES)
    if form == "vzeroupper":
        return marked(row.with_(flags=(*row.flags, "begins_group")), "flags")
    if row.latency is None:
        return row
    if _LOCKED_BITS.match(form) or _XADD.match(form):
        latency = tuple(_no_later(each, _LOCKED_CYCLES) for each in row.latency)
    elif _CMPXCHG.match(form):
        latency = tuple(_no_later(each, _COMPARED_CYCLES) for each in row.latency)
    elif _UNLOCKED_CMPXCHG.match(form):
        latency = tuple(_through_memory(each, _UNLOCKED_CYCLES) for each in row.latency)
    elif _XCHG.match(form):
        latency = tuple(_no_later(each, _EXCHANGED_CYCLES) for each in row.latency)
    elif form == _INDEXED_DIVISION:
        latency = tuple(_quotient_no_later(each) for each in row.latency)
    elif _ADDITION.match(form) and any(_adds(each) for each in row.latency):
        latency = tuple(_into_addition(each) for each in row.latency)
    elif _LOGIC.match(form):
        latency = tuple(_without_setcc(each) for each in row.latency)
    else:
        return row
    return row if latency == row.latency else marked(row.with_(latency=latency), "latency")


def _no_later(latency: Latency, cycles: float) -> Latency:
    """What goes to memory from a register is counted until it is loaded again."""
    if latency.source == "mem":
        return replace(latency, cycles=min(latency.cycles, cycles))
    data = latency.source in ("2", "rax") and latency.destination == "mem"
    return replace(latency, cycles=min(latency.cycles, cycles + _RELOAD_CYCLES)) if data else latency


def _through_memory(latency: Latency, cycles: float) -> Latency:
    through_memory = (latency.source, latency.destination) == ("mem", "mem")
    return replace(latency, cycles=cycles) if through_memory else latency


def _quotient_no_later(latency: Latency) -> Latency:
    quotient = (latency.source, latency.destination) == ("rdx", "rax")
    return replace(latency, cycles=min(latency.cycles, _QUOTIENT_CYCLES)) if quotient else latency


def _adds(latency: Latency) -> bool:
    return latency.source not in _MEMORY and latency.cycles == _ADDITION_CYCLES


def _into_addition(latency: Latency) -> Latency:
    return replace(latency, cycles=latency.cycles - 1) if latency.source in _MEMORY else latency


def _without_setcc(latency: Latency) -> Latency:
    read = _READ_BY_SETCC["memory" if latency.source in _MEMORY else "register"]
    return replace(latency, cycles=read - 1) if latency.destination == "flags" and latency.cycles == read else latency
