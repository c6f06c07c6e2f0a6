"""Where Skylake-X measurements say otherwise than the tables it is derived from.

All from loops on one Skylake-SP without performance counters (reciprocal throughputs and pair latencies, repeatable to
0.5 %); a rate that the listed ports would exceed is reproduced by fewer ports, which the row's source tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from corecast.machine.rows import Latency, Row

from . import roots
from .llvm_rows import merged

SOURCE = "skylake_x_measured"
LOCK_CYCLES = 18.0  # in 20 measured blocks that hold one locked operation; the summary of the measurements says 22.25
FENCE_CYCLES = 41.0
# Of quotients of few digits: div 22.04 to 22.09 in seven unrolled blocks (25.05 in loops, which the model does not
# explain), idiv 26.37 and 26.54 in unrolled blocks, 26.71 and 27.30 in loops.
DIVIDER_CYCLES = {"div": 22.0, "idiv": 26.4}
SLOWER_THAN_PORTS = {  # reciprocal throughput in cycles; the cause is none that a row could name
    r"(rol|ror) m\d+, (i8|1)": 1.1,  # by cl: three micro-ops for two ports already
    r"(adc|sbb) m(32|64), r\d+": 1.96,
    r"(adc|sbb|adcx|adox) r(32|64), m\d+": 0.615,
    r"movabs r64, i64": 1.0,
    r"(cmp|test) m32, i32": 1.0,
    r"bswap r64": 1.0,
    r"movbe r64, m64": 1.0,
    r"bextr r(32|64), m\d+, r\d+": 1.0,
    r"vpconflictd zmm, zmm": 20.0,
    r"vpconflictd ymm, ymm": 10.0,
}
# Two of them a cycle: the ports of the FMA units read three sources. Four vblendvps beside eight operations of p01
# take 8.0 cycles in a compiled loop.
_THREE_SOURCES = re.compile(r"vpternlog[dq] (xmm|ymm)|v?pblendvb |v?blendvp[sd] ")
_COMPARE = re.compile(r"(vpcmp|vcmpp|vptestn?m|vfpclass)\w* k")


def port_rows(rows: Mapping[str, Row]) -> Iterator[Row]:
    """What holds for the core as such: Skylake-X and Cascade Lake."""
    for form, row in rows.items():
        if _THREE_SOURCES.match(form):
            yield _measured(row, ports=_replaced(row, "p015", "p01"))
        elif match := re.match(r"v?sqrtpd (xmm|ymm)", form):
            blocking = (("DIV", roots.CYCLES[match.group(1)]),)
            yield _measured(row, blocking=blocking)
        elif _COMPARE.match(form):
            yield _measured(row, latency=_compare_latency(row))
        elif re.match(r"kmov[bwdq] k, m", form):
            yield _measured(row, ports=((1.0, "p5"), (1.0, "p23")), uops=(2.0, 2.0, 2.0))
        elif re.match(r"vpmovm2[bw] |vpmov[bwdq]2m ", form):
            yield _measured(row, latency=(Latency("2", "1", 3),))


def state_rows(rows: Mapping[str, Row]) -> Iterator[Row]:
    """What one machine with its microcode does: locked operations, fences, odd rates."""
    for form, row in rows.items():
        plain = form.partition(" @")[0]
        if any(unit == "SERIAL" for unit, _ in row.blocking) and "locked" in row.flags and "16b" not in form:
            yield _measured(row, blocking=(("SERIAL", LOCK_CYCLES),), reciprocal_throughput_cycles=LOCK_CYCLES)
        elif form == "mfence":
            yield _measured(row, blocking=(("SERIAL", FENCE_CYCLES),), reciprocal_throughput_cycles=FENCE_CYCLES)
        elif match := re.fullmatch(r"(i?div) [rm]64", plain):
            cycles = DIVIDER_CYCLES[match.group(1)]
            yield _measured(row, blocking=(("DIV", cycles),), reciprocal_throughput_cycles=cycles)
        elif not form.endswith("@same"):
            for pattern, cycles in SLOWER_THAN_PORTS.items():
                if re.fullmatch(pattern, plain):
                    yield _measured(row, reciprocal_throughput_cycles=cycles)


def _measured(row: Row, **changes: object) -> Row:
    return row.with_(**changes, source=f"{row.source}+{SOURCE}", confidence="measured")


def _replaced(row: Row, old: str, new: str) -> tuple[tuple[float, str], ...]:
    return merged((count, new if name == old else name) for count, name in row.ports or ())


def _compare_latency(row: Row) -> tuple[Latency, ...] | None:
    """Comparison to a mask: 3 cycles from registers (4.00 together with the vpmovm2d that ends the chain)."""
    if row.latency is None:
        return None
    return tuple(Latency(pair.source, pair.destination, max(1.0, pair.cycles - 1)) for pair in row.latency)
