"""The cores: LLVM's resources in terms of our ports, and how measured figures change LLVM's rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from corecast.convert.importers.rvv_bench import Shape
from corecast.convert.importers.winic import FormMeasurement, refine
from corecast.machine.rows import Latency, Row, rounded

from . import xuantie

P670_PORTS = {
    **{f"SiFiveP600{name}": name for name in ("IEXQ0", "IEXQ1", "IEXQ2", "IEXQ3", "FEXQ0", "FEXQ1", "VEXQ0", "VEXQ1")},
    **{f"SiFiveP600{name}": name for name in ("VLD", "VST")},
    "SiFiveP600IntArith": "IEXQ", "SiFiveP600Branch": "IEXQ2|IEXQ3", "SiFiveP600FloatArith": "FEXQ",
    "SiFiveP600VectorArith": "VEXQ", "SiFiveP600LDST": "LDST", "SiFiveP600Div": "unit:DIV",
    "SiFiveP600FloatDiv": "unit:FDIV", "SiFiveP600VDiv": "unit:VDIV", "SiFiveP600VFloatDiv": "unit:VFDIV",
}  # fmt: skip
X60_PORTS = {
    "SMX60_IEU": "IEU", "SMX60_IEUA": "IEUA", "SMX60_IEUB": "IEUB", "SMX60_FP": "FPA", "SMX60_LS": "LS",
    "SMX60_VFP": "VFP", "SMX60_VIEU": "VIEU", "SMX60_VLS": "VLS",
}  # fmt: skip

# Their time depends on the operands; measurements with easy ones are too low.
EARLY_OUT = re.compile(r"(div|rem)u?w?|f(div|sqrt)\..*|v(f?r?div|f?sqrt|rem)u?\..*")
# What keeps X60's pipes from taking another instruction of the kind at once (WINIC's reciprocal throughputs above 1).
UNITS = {"IEUA": (("mul", "MUL"), ("vset", "VSET"), ("f", "F2X")), "FPA": (("f", "F2X"),)}
SAME_WITHIN = 0.1


@dataclass(frozen=True)
class Core:
    """One core: where its figures are."""

    llvm: str
    ports: Mapping[str, str]
    winic: str = ""
    rvv_bench: str = ""
    harness_cycles: float = 0.0
    """What rvv-bench's own loop adds to every figure of this core."""
    xuantie: bool = False
    """LLVM's model is that of a relative: latencies are taken from it, pipes are the core's own."""
    sibling: str = ""
    """Core whose tables hold the rows that both have alike (`forms_of`); it stands before this one in CORES."""

    def overlay_vector(self, rows: Mapping[Shape, Row], cycles: Mapping[Shape, float]) -> dict[Shape, Row]:
        """LLVM's rows with the measured time in the unit that LLVM names."""
        if self.xuantie:
            return xuantie.measured(rows, cycles, self.rvv_bench)
        changed: dict[Shape, Row] = {}
        for shape, row in rows.items():
            if shape not in cycles or len({port for _, port in row.ports or ()}) != 1:
                continue
            busy = rounded(cycles[shape] - self.harness_cycles)
            documented, unit = next(iter(row.ports or ()))
            if EARLY_OUT.fullmatch(row.form.split(" ")[0]) and busy < documented:
                continue
            source = f"rvv_bench:{self.rvv_bench}(rthroughput)+{row.source}(latency)"
            changed[shape] = row.with_(
                ports=((busy, unit),), reciprocal_throughput_cycles=busy, source=source, confidence="measured"
            )
        return changed

    def overlay_scalar(self, row: Row, measured: FormMeasurement | None) -> Row:
        """LLVM's row with WINIC's latencies, and its throughput where LLVM's ports do not give it."""
        if measured is None or measured.throughput is None or EARLY_OUT.fullmatch(row.form.split(" ")[0]):
            return row
        latency = _without_repetition(refine(row.latency, measured.latencies))
        busy = rounded(measured.throughput[1])
        ports, blocking = _ports_for(row, busy)
        source = f"winic:{self.winic}+{row.source}(ports)"
        row = row.with_(latency=latency, ports=ports, blocking=blocking)
        return row.with_(reciprocal_throughput_cycles=busy, source=source, confidence="measured")


def _without_repetition(latency: tuple[Latency, ...] | None) -> tuple[Latency, ...] | None:
    """Pairs that say what the wildcard of their destination says are left out."""
    general = {pair.destination: pair.cycles for pair in latency or () if pair.source == "*"}
    return latency and tuple(
        pair for pair in latency if pair.source == "*" or general.get(pair.destination) != pair.cycles
    )


Usage = tuple[tuple[tuple[float, str], ...] | None, tuple[tuple[str, float], ...]]


def _ports_for(row: Row, busy: float) -> Usage:
    """X60: ports and units that give a measured reciprocal throughput.

    Twice a cycle takes both pipes of a kind, once the first one; less often a unit behind it.
    """
    kinds = {"IEU": ("IEU", "IEUA"), "IEUA": ("IEU", "IEUA"), "FPA": ("FP", "FPA")}
    ports = row.ports or ()
    if len(ports) != 1 or ports[0][1] not in kinds or row.form in ("nop", "c.nop i", "auipc x, i"):
        return row.ports, row.blocking
    both, one = kinds[ports[0][1]]
    if busy <= 0.5 + SAME_WITHIN:
        return ((1.0, both),), ()
    unit = next((unit for start, unit in UNITS[one] if row.form.startswith(start)), None)
    if busy <= 1 + SAME_WITHIN or unit is None:
        return ((1.0, one),), ()
    return ((1.0, one),), ((unit, busy),)


P550_PORTS = {
    **{f"SiFiveP500{name}": name for name in ("IEXQ0", "IEXQ1", "IEXQ2", "FEXQ0", "FEXQ1")},
    "SiFiveP500IntArith": "IEXQ", "SiFiveP500FloatArith": "FEXQ", "SiFiveP500Load": "LD", "SiFiveP500Store": "ST",
    "SiFiveP500Div": "unit:DIV", "SiFiveP500FloatDiv": "unit:FDIV",
}  # fmt: skip
X280_PORTS = {
    **{f"VLEN512SiFive7{name}": name for name in ("VA", "VL", "VS")},
    "VLEN512SiFive7PipeA": "A", "VLEN512SiFive7PipeB": "B", "VLEN512SiFive7PipeAB": "A|B",
    "VLEN512SiFive7IDiv": "unit:IDIV", "VLEN512SiFive7FDiv": "unit:FDIV", "VLEN512SiFive7VCQ": "unit:VCQ",
}  # fmt: skip
CORES = {
    "sifive_p670": Core("sifive-p670", P670_PORTS),
    "sifive_p550": Core("sifive-p550", P550_PORTS),
    "sifive_x280": Core("sifive-x280", X280_PORTS, rvv_bench="tt_x280", harness_cycles=0.14),
    "spacemit_x60": Core("spacemit-x60", X60_PORTS, "spacemit_x60", "spacemit_x60"),
    "xuantie_c910": Core("spacemit-x60", X60_PORTS, rvv_bench="sipeed_lichee_pi_4a", xuantie=True),
    "xuantie_c920": Core("spacemit-x60", X60_PORTS, rvv_bench="milkv_pioneer", xuantie=True, sibling="xuantie_c910"),
}
