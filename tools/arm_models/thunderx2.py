"""ThunderX2: OSACA's ports, LLVM's latencies, one micro-op an instruction (LLVM's counts are inflated)."""

from __future__ import annotations

import re

import facts
from corecast.machine.rows import Latency, Row

from . import common

CPU = "thunderx2t99"
PORTS = {
    "THX2T99Any": "", "THX2T99F1": "p1", "THX2T99F01": "p01", "THX2T99I1": "p1", "THX2T99I2": "p2",
    "THX2T99I012": "p012", "THX2T99LS01": "p34", "THX2T99P0": "p0", "THX2T99P1": "p1", "THX2T99P2": "p2",
    "THX2T99P3": "p5", "THX2T99P4": "p3", "THX2T99P5": "p4", "THX2T99SD": "p5",
}  # fmt: skip
LOAD_CYCLES = 4.0
MULTIPLY_CYCLES = 5.0
SHIFTED_CYCLES = 2.0
SHIFTED = re.compile(r"(x|w), ((lsl|lsr|asr|ror) #|[us]xt[bhwx])")
MULTIPLY = re.compile(r"m(ul|neg|add|sub)|[su]m(ull|negl|addl|subl|ulh)")
STRUCTURE = re.compile(r"(ld|st)([1-4])(r?) ")
PLAIN_LOAD = re.compile(r"ld(r|u?r[bhsw]*|p|np|psw|ar[bh]?|apr[bh]?|xr[bh]?|axr[bh]?|tr\w*) ")
PLAIN_STORE = re.compile(r"st(r[bh]?|ur[bh]?|p|np|lr[bh]?|tr\w*) ")

EXPLAINED = (  # what SOURCES.md says beyond what holds for every core: form, words
    (r".*[vbhsd]\b.*", "Integer SIMD"),
    (r"m(ul|neg|add|sub) .*|[su]m(ull|negl|addl|subl|ulh) .*", "Multiplication"),
    (r"ld.*", "Loads"),
    (r"st.*", "Stores"),
    (r".*(lsl|lsr|asr|ror|[us]xt[bhwx]).*", "Shifted operands"),
)


def rows() -> common.Rows:
    """All rows of the model."""
    table = {form: row for form, row in common.llvm_rows(CPU, PORTS, armv9=False, half=False).items()
             if not common.plain_form(form) or not form.startswith(("ld", "st"))}  # fmt: skip
    examples = common.example_of()
    for form, row in table.items():
        if "[x" in form:
            table[form] = _access(row)
        elif common.is_vector(form) and not common.DIVIDING.fullmatch(common.mnemonic_of(form)):
            table[form] = row.with_(ports=tuple((1.0, group) for _, group in row.ports or ()))
        elif MULTIPLY.fullmatch(common.mnemonic_of(form)):
            table[form] = row.with_(ports=((1.0, "p1"),), latency=common.with_cycles(row, MULTIPLY_CYCLES))
        elif SHIFTED.search(form) and not re.match(r"(lsl|lsr|asr|ror|mov[zkn]?|ubf|sbf|[us]xt)", form):
            table[form] = row.with_(latency=common.with_cycles(row, SHIFTED_CYCLES))
    _divisions(table)
    _overlay(table, facts.osaca_figures("tx2"))
    common.lane_loads(table, 5.0)
    for form, row in table.items():
        unfused = max(1.0, sum(count for count, _ in row.ports or ()))
        table[form] = row.with_(uops=(1.0, unfused, 1.0), latency=common.expanded(row, examples[form]).latency)
    common.add_write_back(table, "p012")
    for form, row in table.items():
        if row.uops is not None and common.plain_form(form):
            table[form] = row.with_(uops=(1.0, row.uops[1], 1.0))
    common.fusible(table, ("add", "sub", "and", "bic"), "cbz|cbnz")
    common.fusible(table, ("cmp", "cmn", "tst", "adds", "subs", "ands", "bics", "negs"), "b.*|cbz|cbnz")
    return table


def _access(row: Row) -> Row:
    """Ports of loads and stores after OSACA: P3, P4 for addresses, P5 for store data, an ALU for loads of integers."""
    form = row.form
    if structure := STRUCTURE.match(form):
        count = float(structure[2]) if not structure[3] else 1.0
        if structure[2] == "1":
            count = float(len(re.findall(r"v\.", form)))
        if structure[1] == "st":
            return row.with_(ports=((count, "p34"), (count, "p5")), latency=_stored(row))
        vector = tuple((1.0, group) for _, group in row.ports or () if group == "p01")
        return row.with_(ports=(*vector, (count, "p34")))
    pairs = 2.0 if form.startswith(("ldp", "ldnp", "stp", "stnp")) else 1.0
    if PLAIN_LOAD.match(form):
        integer = () if common.is_vector(form) else ((1.0, "p012"),)
        return row.with_(ports=((pairs, "p34"), *integer), latency=common.with_cycles(row, LOAD_CYCLES))
    if PLAIN_STORE.match(form):
        data = 1.0 if pairs == 2 and not common.is_vector(form) else pairs
        return row.with_(ports=((pairs, "p34"), (data, "p5")), latency=_stored(row))
    return row


def _stored(row: Row) -> tuple[Latency, ...]:
    """Data of stores as long as a load, which LLVM has no figure for."""
    return tuple(
        Latency(p.source, p.destination, LOAD_CYCLES) if p.destination == "mem" else p for p in row.latency or ()
    )


def _divisions(table: common.Rows) -> None:
    for form, row in table.items():
        if form.startswith(("sdiv", "udiv")):  # LLVM has the widths the wrong way round
            cycles = 39.0 if form.endswith("x, x, x") else 23.0
            table[form] = row.with_(ports=((cycles, "p1"),), latency=common.with_cycles(row, cycles))
    common.dividers(table, "DV", lambda _: "DV", {})


def _overlay(table: common.Rows, figures: dict[str, facts.Listed]) -> None:
    """What OSACA lists beside loads and stores: its ports and, for vectors, its latencies."""
    for form, figure in figures.items():
        row = table.get(form)
        if (
            row is None
            or "[x" in form
            or not figure.ports
            or figure.mnemonic == "ret"
            or MULTIPLY.fullmatch(figure.mnemonic)
        ):
            continue
        if figure.mnemonic == "fmov" and "w" in form:
            continue
        dv = tuple(("DV", cycles) for cycles, names in figure.ports if names == ("DV",))
        ports = tuple((cycles, "p" + "".join(names)) for cycles, names in figure.ports if names != ("DV",))
        row = common.expanded(row, common.example_of()[form])
        latency = row.latency
        if figure.latency_cycles and common.is_vector(form):
            latency = common.with_cycles(row, figure.latency_cycles)
        table[form] = row.with_(
            ports=ports, blocking=dv, latency=latency, source=f"osaca0.7.1:tx2+{row.source}(latency)"
        )
