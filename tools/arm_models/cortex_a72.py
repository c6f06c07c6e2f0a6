"""Cortex-A72: PMEvo's pipes, insn_bench's latencies and throughputs (NXP LX2160A), LLVM's model of Cortex-A57."""

from __future__ import annotations

import re

import facts
from corecast.convert.importers import pmevo

from . import common, insn_bench_rows

CPU = "cortex-a72"  # which LLVM takes for a Cortex-A57
PORTS = {
    "A57UnitB": "B", "A57UnitI": "I", "A57UnitL": "L", "A57UnitM": "M", "A57UnitS": "S", "A57UnitV": "V",
    "A57UnitW": "F0", "A57UnitX": "F1",
}  # fmt: skip
# PMEvo's numbers. Its 5 is an artefact: results of 128 bits, which two rename slots hold back rather than a pipe.
PMEVO_PORTS = {("4",): "F0", ("6",): "F1", ("4", "5"): "V", ("0", "5"): "I", ("2",): "M"}
PIPES = {"I": 2, "V": 2}
SOURCE = "insn_bench:lx2160a"
FULL = re.compile(r"v\.(16b|8h|4s|2d)(?!\[)|(?<![a-z])q\b")
"""Vector registers of 128 bits as a form key has them."""
UPPER_HALF = re.compile(r"(\w*xtn|\w*xtun|fcvtx?n|\w*shrn|\w*shrun|r?(add|sub)hn)2 ")
MOVABLE = ("I", "M", "V", "F0", "F1")

EXPLAINED = (  # what SOURCES.md says beyond what holds for every core: form, words
    (r"f(cm|min|max|rint|recp|rsq).*|zip.*|uzp.*|trn.*", "128-bit results"),
    (r"stu?r q, .*", "Stores"),
    (r"[us]mulh .*|m(add|sub|ul|neg) .*", "mul, madd"),
)


def rows() -> common.Rows:
    """All rows of the model."""
    table = common.llvm_rows(CPU, PORTS, armv9=False, half=False)
    bench = insn_bench_rows.read("nxp_lx2160a_a72", SOURCE)
    insn_bench_rows.overlay(table, bench)
    insn_bench_rows.forward_accumulators(table, bench)
    _pipes(table, pmevo.port_usages(facts.A72_MAPPING))
    _throughputs(table)
    common.reconcile(table, PIPES, ("V", 2))
    common.faster_than_pipes("cortex_a72", table)
    for form, row in table.items():
        if re.fullmatch(r"stu?r q, \[x(, #i)?\]", form):  # LLVM adds an integer micro-op that PMEvo and OSACA have not
            table[form] = row.with_(ports=tuple(use for use in row.ports or () if use[1] != "I"))
    common.lane_loads(table, 3.0)
    common.dividers(table, "IDV", lambda _: "FDV", PIPES)
    common.add_write_back(table, "I")
    _rename_slots(table)
    return table


def _pipes(table: common.Rows, usages: dict[str, pmevo.PortUsage]) -> None:
    """The pipe that PMEvo inferred, for a form and for other shapes of a mnemonic whose measured shapes all agree."""
    pipes = {form: PMEVO_PORTS.get(usage[0][1]) for form, usage in usages.items() if len(usage) == 1}
    by_mnemonic: dict[tuple[str, bool], set[str | None]] = {}
    for form, pipe in pipes.items():
        by_mnemonic.setdefault((common.mnemonic_of(form), common.is_vector(form)), set()).add(pipe)
    for form, row in table.items():
        if form in usages and common.is_vector(form) and common.DIVIDING.fullmatch(common.mnemonic_of(form)):
            cycles = sum(count for count, _ in usages[form])
            table[form] = row.with_(
                reciprocal_throughput_cycles=cycles,
                source=f"pmevo:a72(rthroughput)+{row.source}",
                confidence="measured",
            )
            continue
        movable = [use for use in row.ports or () if use[1] in MOVABLE]
        if len(movable) != 1 or "[x" in form:
            continue
        count = movable[0][0]
        siblings = by_mnemonic.get((common.mnemonic_of(form), common.is_vector(form)), set())
        pipe = pipes.get(form, next(iter(siblings)) if len(siblings) == 1 else None)
        if pipe not in ("F0", "F1", "M") or common.DIVIDING.fullmatch(common.mnemonic_of(form)):
            continue  # elsewhere LLVM has the same pipes, and its counts tell more
        if form in usages:
            count = usages[form][0][0]
        measured = form in usages or row.confidence == "measured"
        rest = tuple(use for use in row.ports or () if use != movable[0])
        table[form] = row.with_(
            ports=((count, pipe), *rest),
            source=f"pmevo:a72(ports)+{row.source}",
            confidence="measured" if measured else "derived",
        )


def _throughputs(table: common.Rows) -> None:
    """Every one or two cycles as measured, where LLVM has either vector pipe: the pipe of shifts and differences.

    A multiplication of 64 bits keeps its pipe busy for as long as measured.
    """
    for form, row in table.items():
        cycles = row.reciprocal_throughput_cycles
        if cycles is None or row.ports is None or len(row.ports) != 1:
            continue
        if row.ports[0][1] == "V" and row.ports[0][0] > 1 and cycles in (0.5, 0.667):
            table[form] = row.with_(ports=((1.0, "V"),))  # the rename slots of its result are what limits it
        elif row.ports == ((1.0, "V"),) and cycles in (1.0, 2.0):
            table[form] = row.with_(ports=((cycles, "F1"),))
        elif row.ports[0][1] == "M" and cycles >= 1 and not common.DIVIDING.fullmatch(common.mnemonic_of(form)):
            table[form] = row.with_(ports=((cycles, "M"),))


def _rename_slots(table: common.Rows) -> None:
    """A result of 128 bits takes two slots of rename: its halves are registers of their own.

    Additions, logic and permutations of 128 bits are measured at 1.5 a cycle, those of 64 bits at two, though either
    is one micro-op for one of two pipes; what narrows into an upper half writes 64 bits and runs at two.
    """
    for form, row in table.items():
        mnemonic = common.mnemonic_of(form)
        micro = max(row.uops[1] if row.uops is not None else 1.0, 1.0)
        results = common.operands_of(form)[:2] if mnemonic in ("ldp", "ldnp") else common.operands_of(form)[:1]
        whole = 0 if mnemonic.startswith("st") or UPPER_HALF.match(form) else len(FULL.findall(" ".join(results)))
        slots = max(1.0, 2.0 * whole)
        table[form] = row.with_(uops=(slots, max(micro, 1.0), slots))
