"""Rows by documented rules: branches, additions done by renaming, moves that are not eliminated, all ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from corecast.machine.extensions import extensions_of_cpu
from corecast.machine.rows import Latency, Row

from .cores import Core
from .llvm_rows import merged
from .port_sets import TWELVE

_ALL_ONES = re.compile(r"vpcmpeq[bwdq] (xmm, xmm, xmm|ymm, ymm, ymm)$")
_MEASURED_ALL_ONES = {
    "alder_lake_e": "instlatx64:gracemont",
    "meteor_lake_e": "instlatx64:crestmont",
    "arrow_lake_e": "instlatx64:skymont",
}
"""E-cores, which IN-89 is not about: a chain of the instruction with one register runs at its throughput, three
(Skymont: four) of 128 bits a cycle, half as many of 256, and not at the cycle that two registers take."""
_ADDITION = re.compile(r"(add|sub) r(32|64), i\d+$|(inc|dec) r(32|64)$|lea r64, m3?$")
_ADDRESSES = {
    "lea {}, m @indexed": ("p0156B", 1.0),
    "lea {}, m @scaled": ("p016", 2.0),
    "lea {}, m3 @indexed": ("p056", 1.0),
    "lea {}, m3 @scaled": ("p016", 2.0),
    "lea {}, m3 @rip": ("p1", None),
}
"""Golden Cove and Redwood Cove: ports, and cycles from base or index. Five side by side as a loop and unrolled, on a
Granite Rapids: 1.20 and 1.00 cycles of base and index, with a displacement, too; 2.00 and 1.67 with a scaled index,
which share their three ports with shifts and with multiplications, not with shuffles; relative ones 1.00 each."""


def documented_rows(core: Core, rows: Mapping[str, Row]) -> Iterator[Row]:
    """All of them, for forms that the core's rows have."""
    for form, row in rows.items():
        made = branch_row(core, form, row)
        if made is None and core.renames_additions and _ADDITION.match(form):
            made = addition_row(form, row)
        if made is None and not core.eliminates_general_moves and "eliminated" in row.flags:
            made = move_row(form, row, rows)
        if made is not None:
            yield made
    yield from all_ones_rows(core, rows)
    yield from tile_rows(core)
    if core.ports is TWELVE:
        yield from address_rows(rows)
        for form in ("movzx r32, r8", "movzx r64, r8"):
            yield unmoved_row(form, rows[form])
        yield from executed_rows(rows)


def all_ones_rows(core: Core, rows: Mapping[str, Row]) -> Iterator[Row]:
    """A register compared with itself for equality, VEX: one micro-op that waits for nothing.

    uops.info measures the same register only for the SSE spellings, where it finds no dependency on any of the cores.
    """
    source = _MEASURED_ALL_ONES.get(core.name, "facts:IN-89")
    for form, row in rows.items():
        if _ALL_ONES.match(form):
            yield row.with_(
                form=f"{form} @same",
                latency=(),
                flags=(*row.flags, "dep_breaking"),
                source=f"{row.source}+{source}(latency)",
                confidence="derived",
            )


def tile_rows(core: Core) -> Iterator[Row]:
    """Products of tiles and their loads and stores, for tiles of 16 rows of 64 bytes.

    Intel's optimization manual (table 20-2) has 16 cycles between products and 52 to the result, also to the next sum.
    A tile is 16 rows: two loads and one store of 64 bytes a cycle.
    """
    extensions = extensions_of_cpu("x86", core.llvm_cpu)
    if "amx-tile" not in extensions:
        return
    products = {"amx-int8": ("bssd", "bsud", "busd", "buud"), "amx-bf16": ("bf16ps",), "amx-fp16": ("fp16ps",)}
    latency = tuple(Latency(source, "1", 52.0) for source in ("1", "2", "3"))
    for extension, names in products.items():
        for name in names if extension in extensions else ():
            manual = Row(f"tdp{name} tmm, tmm, tmm", None, (), latency, reciprocal_throughput_cycles=16.0)
            yield manual.with_(source="intel_optimization_manual:table_20-2", confidence="documented")
    for form, per_cycle in (("tileloadd tmm, m", 2), ("tilestored m, tmm", 1)):
        rows = Row(form, None, (), None, reciprocal_throughput_cycles=16.0 / per_cycle)
        yield rows.with_(source=f"rule:16 rows of 64 bytes, {per_cycle} a cycle", confidence="derived")


def address_rows(rows: Mapping[str, Row]) -> Iterator[Row]:
    """Computed addresses by their parts, where the records of all kinds share a key."""
    for key, (ports, cycles) in _ADDRESSES.items():
        for form in dict.fromkeys(key.format(register) for register in ("r32", "r64")):
            row = rows[form.partition(" @")[0]]
            ends = () if cycles is None else ("addr", "index")
            latency = tuple(Latency(end, "1", cycles or 0.0) for end in ends)
            made = row.with_(form=form, ports=((1.0, ports),), uops=(1.0, 1.0, 1.0), flags=(), latency=latency)
            yield made.with_(source=f"{row.source}+corecast:granite_rapids(latency)" if ends else row.source)


def unmoved_row(form: str, row: Row) -> Row:
    """An extension of a register into itself is executed: 0.995 cycles a link on a Granite Rapids."""
    flags = tuple(flag for flag in row.flags if flag != "eliminated")
    latency = (Latency("2", "1", 1.0),)
    return row.with_(
        form=f"{form} @same", flags=flags, latency=latency, source=f"{row.source}+corecast:granite_rapids(latency)"
    )


def executed_rows(rows: Mapping[str, Row]) -> Iterator[Row]:
    """Moves of a register to itself, whose ports the records leave out: five a cycle of general registers, three of
    xmm and ymm on a Granite Rapids; zmm has the ports of all that is simple."""
    for form, row in rows.items():
        if not form.endswith(" @same") or row.ports or "mov" not in form or row.uops is None or not row.uops[1]:
            continue
        ports = "p05" if "zmm" in form else "p015" if "mm" in form else "p0156B"
        yield row.with_(ports=((1.0, ports),), source=f"{row.source}+corecast:granite_rapids(ports)")


def branch_row(core: Core, form: str, row: Row) -> Row | None:
    """Branches: uops.info measures a return with its call, conditional jumps taken, and leaves jumps port 0.

    From Haswell on taken branches run on port 6 alone, conditional ones that are not taken on port 0 as well (pipeline
    facts IN-90); Ice Lake's records leave both (IN-91). Before Haswell all run on port 5.
    """
    ports = core.ports
    taken = ports.taken_branch[0] if ports.taken_branch else "06"
    if form == "ret":
        branch = "JUMP" if "JUMP" in ports.groups else f"p{taken}"
        usage: tuple[tuple[float, str], ...] = ((1.0, branch), (1.0, ports.load))
        made = row.with_(ports=usage, uops=(1.0, 2.0, 1.0), decode="1;0;0;4", flags=())
        return made.with_(source="llvm:ret+uops.info", confidence="documented")
    if "JUMP" in ports.groups or taken == "5":
        return None
    if row.ports == ((1.0, "p6"),) and form.startswith("j") and not form.startswith("jmp"):
        return row.with_(ports=((1.0, "p06"),), source=f"{row.source}+facts:IN-90", confidence="documented")
    if form.startswith(("jmp ", "call ")):
        usage = merged((count, f"p{taken}" if name == "p06" else name) for count, name in row.ports or ())
        return row.with_(ports=usage, source=f"{row.source}+facts:IN-90", confidence="documented")
    return None


def addition_row(form: str, row: Row) -> Row | None:
    """Constants are added at renaming: no cycle from the register to itself (GC-4; the records say 0)."""
    source = "addr" if form.startswith("lea") else "1"
    if row.latency is None or any((pair.source, pair.destination) == (source, "1") for pair in row.latency):
        return None
    pairs = (Latency(source, "1", 0.0), *row.latency)
    return row.with_(latency=pairs, confidence=row.confidence)


def move_row(form: str, row: Row, rows: Mapping[str, Row]) -> Row | None:
    """General registers' moves take an ALU where elimination is switched off (IN-101)."""
    same = rows.get(f"{form} @same")
    if not re.search(r"\br(8|16|32|64)\b", form) or "mm" in form or same is None or not same.ports:
        return None
    flags = tuple(flag for flag in row.flags if flag != "eliminated")
    return same.with_(
        form=form,
        flags=flags,
        latency=(Latency("2", "1", 1.0),),
        source=f"{row.source}+facts:IN-101",
        confidence="documented",
    )
