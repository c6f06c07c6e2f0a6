"""TSV110 (Kunpeng 920): LLVM's model and OSACA's figures, which the authors of the Kunpeng paper measured."""

from __future__ import annotations

import re

import facts
from corecast.machine.rows import Latency

from . import common

CPU = "tsv110"
PORTS = {
    "TSV110UnitAB": "AB", "TSV110UnitALU": "ALU", "TSV110UnitALUAB": "INT", "TSV110UnitF": "F",
    "TSV110UnitFSU1": "FSU1", "TSV110UnitFSU2": "FSU2", "TSV110UnitMDU": "MDU",
    "TSV110UnitLd": "LDST", "TSV110UnitLd0St": "LDST0", "TSV110UnitLd1": "LDST1",
}  # fmt: skip
OSACA_PORTS = {
    ("0", "1", "2"): "INT", ("1", "2"): "AB", ("3",): "MDU", ("4",): "FSU1", ("5",): "FSU2", ("4", "5"): "F",
}  # fmt: skip
INTEGER = {"INT", "AB", "MDU"}
PAPER = "kunpeng_paper"
EXCLUSIVE_CYCLES = 13.0
"""ldaxr: 6,500 cycles for 500 iterations of the paper's listing 6."""

EXPLAINED = (  # what SOURCES.md says beyond what holds for every core: form, words
    (r".*uxtb.*|.*sxtb.*", "Extension by bytes"),
    (r"ldax.*", "ldaxr"),
)


def rows() -> common.Rows:
    """All rows of the model."""
    table = common.llvm_rows(CPU, PORTS, armv9=False)
    for form, row in table.items():
        if re.match(
            r"st[1-4] ", form
        ):  # LLVM has the vector pipe only: every register still goes through the store pipe
            registers = float(len(re.findall(r"v\.", form)))
            table[form] = row.with_(
                ports=(*(row.ports or ()), (registers, "LDST0")), uops=(registers, registers + 1, registers)
            )
        if (
            re.search(r"\b[us]xtb\b", form) and form.replace("xtb", "xth") in table
        ):  # a slip: unlike all other extensions
            table[form] = table[form.replace("xtb", "xth")].with_(form=form, confidence="derived")
    _overlay(table, facts.osaca_figures("tsv110"))
    common.reconcile(table, {"INT": 3, "AB": 2, "F": 2, "LDST": 2}, ("F", 2))
    _paper(table)
    common.lane_loads(table, 2.0)
    common.dividers(table, "IDV", lambda form: "SQV" if "sqrt" in form else "FDV", {})
    common.add_write_back(table, "INT")
    return table


def _overlay(table: common.Rows, figures: dict[str, facts.Listed]) -> None:
    """Register forms: OSACA's latency and ports; of loads and stores it only repeats LLVM's, less exactly."""
    for form, figure in figures.items():
        row = table.get(form)
        if row is None or "[x" in form or not figure.ports or figure.latency_cycles is None:
            continue
        if figure.mnemonic.startswith("b") and form.endswith("rel"):
            continue
        ports = tuple((cycles, OSACA_PORTS[names]) for cycles, names in figure.ports)
        if common.is_vector(form) and any(operand in ("x", "w") for operand in common.operands_of(form)):
            continue  # between register files: only a wildcard entry covers it
        if common.is_vector(form) and any(group in INTEGER for _, group in ports):
            continue  # a slip: vector work on integer pipes
        row = common.expanded(row, common.example_of()[form])
        longest = max((pair.cycles for pair in row.latency or () if pair.destination.isdigit()), default=0.0)
        late = {pair.source: longest - pair.cycles for pair in row.latency or () if pair.destination == "1"}
        cycles = figure.latency_cycles
        latency = tuple(
            Latency(p.source, p.destination, max(1.0, cycles - late.get(p.source, 0.0)))
            if p.destination.isdigit()
            else p
            for p in row.latency or ()
        )
        count = figure.uops or 1.0
        table[form] = row.with_(
            ports=ports,
            latency=latency,
            uops=(count, count, count),
            reciprocal_throughput_cycles=figure.reciprocal_throughput_cycles,
            source=f"osaca0.7.1:tsv110+{row.source}(operands)",
            confidence="measured",
        )


def _paper(table: common.Rows) -> None:
    """What the Kunpeng paper measured beyond its OSACA file."""
    for form in ("mov x, x", "mov w, w"):  # seven moves in 1.8 cycles: one a cycle is eliminated, beside three pipes
        table[form] = table[form].with_(
            ports=((1.0, "MOVE"),), latency=(Latency("2", "1", 0.0),), flags=("eliminated",),
            reciprocal_throughput_cycles=0.257, source=PAPER, confidence="measured",
        )  # fmt: skip
    for form, row in table.items():
        mnemonic = common.mnemonic_of(form)
        if mnemonic in ("mla", "mls") and common.is_vector(form):
            full = any(shape in form for shape in (".16b", ".8h", ".4s"))
            row = common.expanded(row, common.example_of()[form])
            table[form] = row.with_(
                ports=((2.0 if full else 1.0, "F"),),
                uops=(2.0, 2.0, 2.0) if full else (1.0, 1.0, 1.0),
                latency=common.with_cycles(row, 8.0 if full else 4.0),
                source=f"{PAPER}(ports)+llvm22:tsv110(latency)",
                confidence="measured",
                reciprocal_throughput_cycles=None,
            )
        if re.fullmatch(r"ldaxr[bh]?|ldaxp", mnemonic):
            table[form] = row.with_(
                blocking=(("EXCL", EXCLUSIVE_CYCLES),), reciprocal_throughput_cycles=EXCLUSIVE_CYCLES,
                source=f"{PAPER}(rthroughput)+{row.source}", confidence="measured",
            )  # fmt: skip
