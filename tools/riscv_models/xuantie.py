"""XuanTie C910 and C920: no source has a model of them. Latencies of their in-order relative, pipes as published.

LLVM's model of the SpacemiT X60 was made from the documentation of the C908, by the same maker. The C910's pipes are
two for integers (one multiplies, one divides), one each for branches, loads, store addresses and store data, two for
floating point and vectors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from corecast.convert.importers.rvv_bench import Shape
from corecast.machine.rows import Row, rounded

FAMILY = "family:spacemit_x60"
VECTOR_PIPES = 2
BRANCH = re.compile(r"(c\.)?(b(eq|ne|lt|ge|gt|le)\w*|j|jr|jal|jalr|ret|call|tail)( |$)")
MULTIPLY = re.compile(r"(c\.)?mul")
DIVIDE = re.compile(r"(div|rem)")
FLOAT_DIVIDE = re.compile(r"f(div|sqrt)")
LOAD = re.compile(r"(c\.)?f?l[bhwdq]u?(sp)? |(c\.)?fl[hwd](sp)? |lr\.|amo|vl(e|s|m|u|o|\d)\w*\.v ")
STORE = re.compile(r"(c\.)?f?s[bhwdq](sp)? |sc\.|vs(e|s|m|u|o)\w*\.v .*\(x\)|vs\dr\.v ")


def placed(row: Row) -> Row:
    """A row of the relative with this core's pipes."""
    form = row.form
    cycles = max((count for count, _ in row.ports or ()), default=1.0)
    blocking: tuple[tuple[str, float], ...] = ()
    if not row.ports and not row.blocking:
        ports: tuple[tuple[float, str], ...] = ()
    elif form.startswith("v") and not form.startswith("vset"):
        pipe = "LD" if LOAD.match(form) else "ST" if STORE.match(form) else ""
        ports = ((cycles, pipe),) if pipe else ((cycles, "VEC"),)
        ports = (*ports, (cycles, "SD")) if pipe == "ST" else ports
    elif BRANCH.match(form):
        ports = ((1.0, "BJU"),)
    elif STORE.match(form):
        ports = ((1.0, "ST"), (1.0, "SD"))
    elif LOAD.match(form):
        ports = ((1.0, "LD"),)
    elif MULTIPLY.match(form):
        ports = ((1.0, "ALU1"),)
    elif DIVIDE.match(form):
        ports, blocking = ((1.0, "ALU0"),), (("DIV", cycles),)
    elif FLOAT_DIVIDE.match(form):
        ports, blocking = ((1.0, "VEC"),), (("FDIV", cycles),)
    elif form.startswith("f") and not form.startswith("fence"):
        ports = ((1.0, "VEC"),)
    else:
        ports = ((1.0, "ALU"),)
    return row.with_(ports=ports, blocking=blocking, source=f"{FAMILY}:{row.source}(latency)", confidence="assumed")


def measured(rows: Mapping[Shape, Row], cycles: Mapping[Shape, float], core: str) -> dict[Shape, Row]:
    """The measured time over both vector pipes, for instructions that these take."""
    changed: dict[Shape, Row] = {}
    for shape, row in rows.items():
        if shape in cycles and [port for _, port in row.ports or ()] == ["VEC"]:
            busy = rounded(cycles[shape])
            changed[shape] = row.with_(
                ports=((VECTOR_PIPES * busy, "VEC"),),
                reciprocal_throughput_cycles=busy,
                source=f"rvv_bench:{core}(rthroughput)+{row.source}",
                confidence="measured",
            )
    return changed
