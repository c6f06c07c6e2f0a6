"""Zen 4: our own campaign's figures, kept as zen4_measured.tsv (own_measurements.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from amd_models.compose import OWN
from amd_models.cores import AmdCore, Usage
from amd_models.throughput import TO_VECTORS
from corecast.convert.importers.winic import FormMeasurement
from corecast.machine.rows import Row
from corecast.measure.judge.forms.results import Results
from own_measurements import load as load_measured
from own_measurements import without_columns

_ON_PAGES_OF_THEIR_OWN = {
    "push r64": 0.5,
    "push i8": 0.553,
    "push i32": 0.553,
    "push m64": 0.711,
    "pop r64": 0.333,
    "pop m64": 0.711,
}
"""Throughputs of what walks over the stack. The campaign's pages are all one page of memory, and this core predicts the
ways of lines by addresses, so that every new line is missed. `corecast time`, loops of four to nine."""
_LOCKED = {
    f"lock {name} m{bits}{other}": 6.2
    for bits in (8, 16, 32, 64)
    for name, others in (
        *((name, (f", r{bits}", ", i8", f", i{min(bits, 32)}")) for name in ("add", "sub", "and", "or", "xor")),
        *((name, ("",)) for name in ("inc", "dec", "neg", "not")),
    )
    for other in others
}
"""Throughputs of locked updates: one a loop takes 5.9 cycles alone, 6.2 beside a move, a load or a store (`corecast
time`, 2026-11-26), as it has its own store's data early. The campaign's go to places in turn: 7.5."""
_IN_LOOPS = {
    **_LOCKED,
    **{f"lock cmpxchg m{bits}, r{bits}": 9.0 for bits in (8, 16, 32, 64)},
    **{f"lock xadd m{bits}, r{bits}": 7.84 for bits in (8, 16, 32, 64)},
    **{
        f"lock {name} m{bits}, {other}": 8.0
        for name in ("bts", "btr", "btc")
        for bits in (16, 32, 64)
        for other in (f"r{bits}", "i8")
    },
    **{f"cvtsi2s{kind} xmm, r{bits}": 1.5 for kind in "sd" for bits in (32, 64)},
    "vpsubq zmm{k}, zmm, zmm": 0.5,
    "fnstcw m16": 2.0,
    "fldcw m16": 2.0,
    "xgetbv": 48.0,
}
"""Throughputs of what the campaign did not measure in all widths, or not twice alike: `corecast time`, one a loop (four
of vpsubq), cvtsi2sd and cvtsi2ss behind the pxor that makes them independent (2026-11-25)."""
_LIMITED_BY_CONSTANTS = {"movabs r64, i64": 0.25}
"""Renaming passes on six constants a cycle, of which these are two each: the campaign's 0.33 cycles. Timed: with two
additions and the loop's `dec` 1.0 cycles, so that the ALU is taken for one."""
_STORED_CONSTANTS = frozenset({"mov m32, i32", "mov m64, i32", "push i8", "push i32"})
_INSERTS = re.compile(r"v?pinsr[bwdq] xmm, (xmm, )?r")
_LOADS = frozenset({"mov", "movsx", "movsxd", "movzx"})


def load(path: Path) -> Results:
    """The campaign that is kept, and what was measured otherwise."""
    return load_measured(path, {**_ON_PAGES_OF_THEIR_OWN, **_IN_LOOPS, **_LIMITED_BY_CONSTANTS})


def completed(others: Mapping[str, FormMeasurement], own: Results, forms: Iterable[str]) -> dict[str, FormMeasurement]:
    """Another origin's measurements, with our throughputs in place of its for these forms."""
    found = dict(others)
    for form in forms:
        result = own.forms.get(form)
        if result is not None and result.throughput is not None:
            least = result.throughput.low if result.throughput_stable else 0.0
            known = found.get(form, FormMeasurement(form, ""))
            found[form] = replace(known, throughput=(least, result.throughput.high))
    return found


def through_an_alu(core: AmdCore, row: Row) -> Row:
    """Loads into general registers whose result is there a cycle later than a plain one's: an ALU extends the sign, or
    puts it into what stays of the register (timed: `movsx`, `movsxd`, `mov r8, m8` and `mov r16, m16` take 1.25 cycles
    beside three moves of an immediate and the loop's `dec`, `movzx` and `mov r32, m32` 1.0)."""
    later = any(pair.source == "addr" and pair.cycles == core.load_cycles[0] + 1 for pair in row.latency or ())
    if row.ports != ((1.0, "AGU"),) or row.form.partition(" ")[0] not in _LOADS or not later:
        return row
    source = "+".join(("rule:through an ALU(ports)", *without_columns(row.source, {"ports"})))
    return row.with_(
        ports=((1.0, "ALU"), (1.0, "AGU")),
        uops=row.uops and (row.uops[0], 2.0, row.uops[2]),
        source=source,
        confidence="derived" if row.confidence == "documented" else row.confidence,
    )


def stored_condition(row: Row) -> Row:
    """`set m8` has one operation, where LLVM counts two (timed: a cycle a turn beside two `lea` and the loop's `dec`,
    1.25 beside three; 1.5 beside `setne al`, which that of two would make 2.0). Two in a turn take 2.0, so that one of
    the ports of `set r8` serves it; which of them is a choice."""
    if not row.form.startswith("set") or not row.form.endswith(" m8") or (2.0, "ALU03") not in (row.ports or ()):
        return row
    return _with_own_ports(
        row, tuple((1.0, "ALU0") if group == "ALU03" else (count, group) for count, group in row.ports or ())
    )


def stored_constant(row: Row) -> Row:
    """Constants of 32 and 64 bits that are stored take an ALU, those of 8 and 16 none (timed beside three `test` and
    the loop's `dec`: `mov m32, i32`, `mov m64, i32` and pushes of any constant 1.25 cycles, `mov m8, i8`,
    `mov m16, i16` and stores of registers 1.0; with three `rorx` 1.5: any ALU). The 0.56 cycles each of many in a row
    are not the address units': with three loads one takes 1.33."""
    if row.form not in _STORED_CONSTANTS or row.ports is None or any(group == "ALU" for _, group in row.ports):
        return row
    whole = tuple((1.0 if group == "AGU" else count, group) for count, group in row.ports)
    return _with_own_ports(row, (*whole, (1.0, "ALU")))


def sign_in_rdx(row: Row) -> Row:
    """`cdq` and `cqo` have one operation, on the second or third ALU, `cwd` two (timed: `cqo` beside three operations
    and the loop's `dec` 1.25, beside two `rorx` 1.5; three `cdq` 1.5; `cwd` beside three 1.5)."""
    if row.form in ("cdq", "cqo"):
        return _with_own_ports(row, ((1.0, "ALU12"),))
    if row.form == "cwd":
        return _with_own_ports(row, ((1.0, "ALU12"), (1.0, "ALU")))
    return row


def _with_own_ports(row: Row, ports: Usage) -> Row:
    return row.with_(
        ports=ports,
        uops=row.uops and (row.uops[0], sum(count for count, _ in ports), row.uops[2]),
        source="+".join((f"{OWN}(ports)", *without_columns(row.source, {"ports"}))),
        confidence="derived",
    )


def through_an_alu_to_vectors(row: Row) -> Row:
    """What moves from general to vector registers takes an ALU, too (timed beside three `test` and the loop's `dec`:
    `vmovd`, `vmovq`, `vpbroadcastd xmm, r32` 1.25 cycles, beside two 1.0, beside three `rorx` 1.5: any ALU)."""
    crosses = any(unit == TO_VECTORS for unit, _ in row.blocking)
    if not crosses or row.ports is None or any(group.startswith("ALU") for _, group in row.ports):
        return row
    return _with_own_ports(row, (*row.ports, (1.0, "ALU")))


def into_a_pipe(row: Row) -> Row:
    """What general registers give to vectors arrives through the third pipe, in whose place it returns nothing of its
    own (pipeline facts AM-55). Moves without VEX take 1.27 cycles a turn, 1.18 only among themselves; what inserts a
    part without VEX takes 1.10 and 1.23 behind one of them, and does not pass the pipe as often."""
    if row.form in ("movd xmm, r32", "movq xmm, r64"):
        return row.with_(blocking=((TO_VECTORS, 1.26),))
    if row.form in ("vmovd xmm, r32", "vmovq xmm, r64"):
        return _with_own_ports(row, ((1.0, "FP2"), *(row.ports or ())))
    if not _INSERTS.match(row.form):
        return row
    if row.form.startswith("v"):
        return _with_own_ports(row, ((1.0, "FP12"), (1.0, "FP2"), (1.0, "FP45"), (1.0, "ALU")))
    return _with_own_ports(row, ((1.0, "FP12"), (1.0, "FP45"), (1.0, "ALU"))).with_(blocking=((TO_VECTORS, 1.12),))


def corrected(core: AmdCore, row: Row) -> Row:
    """The row with what single loops showed (`corecast time`, 2026-11-25 and 2026-11-28)."""
    row = through_an_alu(core, row)
    for correction in (stored_condition, stored_constant, sign_in_rdx, through_an_alu_to_vectors, into_a_pipe):
        row = correction(row)
    return row
