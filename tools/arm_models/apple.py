"""Cores of the Apple M1: Dougall Johnson's measurements, pipes from their throughputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import facts
from corecast.convert.importers import dougallj
from corecast.machine.rows import Latency, Row

from . import common, insn_bench_rows

CPU = "apple-m1"  # which LLVM takes for an Apple A7 (Cyclone); it knows no efficiency cores
PORTS = {
    "CyUnitB": "B", "CyUnitBR": "", "CyUnitFloatDiv": "", "CyUnitI": "I", "CyUnitID": "", "CyUnitIM": "",
    "CyUnitIS": "",
    "CyUnitIntDiv": "", "CyUnitLS": "L", "CyUnitV": "V", "CyUnitVC": "", "CyUnitVD": "", "CyUnitVM": "",
}  # fmt: skip
TO_INTEGER = re.compile(r"(fmov|[su]?mov|fcvt\w+|fjcvtzs) [xw], ")
BRANCH = re.compile(r"(b|bl|b\.\w+|cbn?z|tbn?z|ret|br|blr)( |$)")
FLAGS = re.compile(r"adc|sbc|ngc|cs|cin|cneg|ccm|adds|subs|ands|bics|negs|cm[pn]|tst|cfinv|axflag|xaflag|rmif|setf")
BARRIER = re.compile(r"(d[ms]b|isb|s?sb|p?ssbb|csdb|msr|mrs|clrex)( |$)")
EXCLUSIVE = re.compile(r"ldax|ldx|stl?x")
ELIMINATED = ("mov x, x", "mov v.16b, v.16b")
CHANGES: tuple[Callable[[str], str], ...] = (
    lambda form: form.replace("[x, #i]", "[x]"),
    lambda form: form.replace("[x]", "[x, #i]"),
    lambda form: re.sub(r"(\[x, x), lsl #\d\]", r"\1]", form),
    lambda form: re.sub(r"([us]xt[wbhx]) #(\d|i)", r"\1", form),
    lambda form: form.replace("lsl #1..4", "lsl #i"),
    lambda form: re.sub(r"\bw\b", "x", form),
    lambda form: re.sub(r"\bx\b(?![^\[]*\])", "w", form),
)
"""To a form's siblings, nearest first."""
ACCURACY_CYCLES = 0.04
ZEROED = re.compile(r"movi (v\.\w+|d), #i")
ATOMIC_ACCESS = re.compile(r"(cas|swp|ldadd|ldclr|ldeor|ldset|ld[su]m|st(add|clr|eor|set|[su]m))")
Ports = tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Core:
    """What is particular to one of them."""

    name: str
    """As the measurements call it."""
    pipes: Callable[[str, float], Ports | None]
    """Pipes that give a measured reciprocal throughput, by the form; None where nothing is known to."""
    width: int
    """Instructions a cycle that leave at rename."""
    mapped: Mapping[str, str]
    """Ports of LLVM's model."""
    osaca: Mapping[str, facts.Listed]
    osaca_ports: Mapping[tuple[str, ...], str]
    bench: insn_bench_rows.Bench | None

    @property
    def source(self) -> str:
        return f"dougallj:{self.name}"


def rows(core: Core) -> common.Rows:
    """All rows of the model."""
    cyclone = common.llvm_rows(CPU, core.mapped, armv9=False)
    table = {
        form: row.with_(confidence="assumed")
        for form, row in cyclone.items()
        if not BARRIER.match(form)
        and not common.POINTER_AUTHENTICATION_HINTS.fullmatch(common.mnemonic_of(form))  # no hints here
        and all(pair.cycles >= 0 for pair in row.latency or ())  # LLVM's mark of what Cyclone does not have
    }
    examples = common.example_of()
    measured = dougallj.figures(facts.APPLE / f"{core.name}.csv.xz", core.name)
    for form, figures in measured.items():
        # Of barriers and exclusives the tests show what a special state costs, not the instruction.
        if form in examples and not BARRIER.match(form) and not EXCLUSIVE.match(form):
            row = common.expanded(table[form], examples[form]) if form in table else Row(form, source="")
            table[form] = _measured(core, row, figures)
    _siblings(table)
    _moves(core, table)
    _zeros(core, table, measured)
    common.lane_loads(table, 2.0)
    common.dividers(table, "IDV", lambda _: "FDV", {})
    _write_back(table)
    if core.bench is not None:
        insn_bench_rows.latencies_of_atomics(table, core.bench)
    for form, row in table.items():
        count = sum(uops for uops, _ in row.ports or ())
        if row.ports is not None:
            table[form] = row.with_(uops=(max(count, 1.0),) * 3)
    common.fusible(table, ("adds", "subs", "ands", "bics", "cmp", "cmn", "tst"), "b.*")
    return table


def _siblings(table: common.Rows) -> None:
    """Forms that nobody measured cost what a measured one does: another offset, amount of shift or register width."""
    for form, row in table.items():
        if row.confidence == "measured":
            continue
        forms = list(dict.fromkeys(change(form) for change in CHANGES))
        pairs = [change(other) for other in forms for change in CHANGES]
        sibling = next((table[other] for other in (*forms, *pairs) if _is_measured(table, other)), None)
        if sibling is not None and len(common.operands_of(sibling.form)) >= len(common.operands_of(form)) - 1:
            kept = {(pair.source, pair.destination) for pair in row.latency or ()}
            latency = tuple(p for p in sibling.latency or () if not kept or (p.source, p.destination) in kept)
            table[form] = sibling.with_(form=form, latency=latency or row.latency, confidence="derived")


def _is_measured(table: common.Rows, form: str) -> bool:
    return form in table and table[form].confidence == "measured"


def _measured(core: Core, row: Row, figures: dougallj.Figures) -> Row:
    listed = core.osaca.get(row.form)
    throughput = round(min(figures.throughputs), 2) if figures.throughputs else None
    ports, origin = row.ports, "llvm22:apple-m1(ports)"
    if throughput is not None:
        ports, origin = core.pipes(row.form, throughput), "rthroughput(ports)"
        if listed is not None and listed.ports:
            try:
                known = tuple((cycles, core.osaca_ports[names]) for cycles, names in listed.ports)
            except KeyError:
                known = None  # a set that the measured throughput contradicts, or a divider
            if known is not None and known == ports:
                origin = "osaca0.7.1:m1(ports)"
    return row.with_(
        ports=ports,
        blocking=(),
        latency=_latency(row, figures),
        reciprocal_throughput_cycles=throughput,
        source=f"{core.source}(latency,rthroughput)+{origin}",
        confidence="measured",
    )


def _latency(row: Row, figures: dougallj.Figures) -> tuple[Latency, ...] | None:
    """Measured pairs; a pair that no test isolates has the longest of its destination."""
    names = {64: "mem", 65: "addr", 66: "index", 67: "flags"}
    longest = common.DIVIDING.fullmatch(common.mnemonic_of(row.form)) is not None
    choose = max if longest else min
    measured = {
        (names.get(source, str(source)), names.get(target, str(target))): choose(cycles)
        for (source, target), cycles in figures.latencies.items()
    }
    if not measured:
        return row.latency
    pairs: dict[tuple[str, str], float] = {}
    for pair in row.latency or ():
        same = [cycles for (_, target), cycles in measured.items() if target == pair.destination]
        pairs[pair.source, pair.destination] = max(same, default=pair.cycles)
    pairs.update(measured)
    return tuple(Latency(source, target, cycles) for (source, target), cycles in pairs.items())


def whole(cycles: float, pipes: int, group: str) -> Ports:
    """As many micro-ops as the throughput of `pipes` pipes allows."""
    return ((float(max(1, round(cycles * pipes))), group),)


def _moves(core: Core, table: common.Rows) -> None:
    """Register moves and immediates of integers leave at rename; what crosses unmeasured is the rest."""
    crossing = dougallj.CROSSINGS[core.name]
    for form in ELIMINATED:
        table[form] = table[form].with_(
            ports=(), latency=(Latency("2", "1", 0.0),), flags=("eliminated",),
            reciprocal_throughput_cycles=1 / core.width, source=f"{core.source}(latency,rthroughput)",
            confidence="measured",
        )  # fmt: skip
    for form, row in table.items():
        measured = row.reciprocal_throughput_cycles
        if re.match(r"mov[zn]? [xw], #", form) and measured is not None and measured < 1 / core.width + 0.03:
            table[form] = row.with_(ports=(), latency=())
        if form in ("fmov d, x", "fmov s, w", "fmov v.d[i], x"):
            table[form] = row.with_(latency=common.with_cycles(row, crossing.to_vector_cycles))
        if form in ("fmov x, d", "fmov w, s", "fmov x, v.d[i]"):
            table[form] = row.with_(latency=common.with_cycles(row, crossing.to_integer_cycles))


def _zeros(core: Core, table: common.Rows, measured: Mapping[str, dougallj.Figures]) -> None:
    """Vectors of zeros are made at rename; other immediates are work of a vector pipe."""
    for form in [form for form in table if ZEROED.fullmatch(form)]:
        key = f"{form} @zero"
        table[key] = Row(
            key, (), (), (), (1.0, 1.0, 1.0), "", ("zero_idiom",), 1 / core.width, f"{core.source}(movi of 0)",
            "measured" if key in measured else "derived",
        )  # fmt: skip


def _write_back(table: common.Rows) -> None:
    """Accesses with write-back from the plain ones, their measured throughput kept."""
    measured = {form: row for form, row in table.items() if common.plain_form(form) and row.confidence == "measured"}
    common.add_write_back(table, "I")
    for form, row in measured.items():
        table[form] = table[form].with_(reciprocal_throughput_cycles=row.reciprocal_throughput_cycles)
