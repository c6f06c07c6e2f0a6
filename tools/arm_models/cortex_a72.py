"""Cortex-A72: PMEvo's pipes, insn_bench's latencies and throughputs (NXP LX2160A), LLVM's model of Cortex-A57."""

from __future__ import annotations

import math
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
# The same without the artefact, where LLVM names more micro-ops than PMEvo found: moves of elements, uzp, addv.
PMEVO_ONE = {**PMEVO_PORTS, ("1",): "L", ("5",): "V"}
PIPES = {"I": 2, "V": 2}
SOURCE = "insn_bench:lx2160a"
FULL = re.compile(r"v\.(16b|8h|4s|2d)(?!\[)|(?<![a-z])q\b")
"""Vector registers of 128 bits as a form key has them."""
TWO_FILES = re.compile(r"(fcvt\w+ [xw], |[su]cvtf [sd], [xw]|(dup|mov) v\S*, [xw]$)")
"""From one register file to the other with more than a move: the mixes show two micro-ops at rename."""
SINGLE_DIVISION = {"fdiv s, s, s": 4.5, "fsqrt s, s": 3.5}
"""What PMEvo's mixes with one of them take, by the median; its mapping rounds, and has 3 of both."""
MULTIPLYING = re.compile(r"(mul|mneg|madd|msub|[us]mulh) x, ")
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
    usages = pmevo.port_usages(facts.A72_MAPPING)
    _single(table, usages)
    _pipes(table, usages)
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


def _single(table: common.Rows, usages: dict[str, pmevo.PortUsage]) -> None:
    """One micro-op where PMEvo found one and LLVM, which nobody measured, has several.

    What goes from one register file to the other keeps them: rename counts both (see `_rename_slots`).
    """
    found = {form: usage[0] for form, usage in usages.items() if len(usage) == 1}
    shapes: dict[tuple[str, str], set[tuple[float, tuple[str, ...]]]] = {}
    for form, usage in found.items():
        shapes.setdefault(_without_shapes(form), set()).add(usage)
    for form, row in table.items():
        mnemonic = common.mnemonic_of(form)
        if TWO_FILES.match(form) or not common.is_vector(form) or "[x" in form or common.DIVIDING.fullmatch(mnemonic):
            continue
        siblings = shapes.get(_without_shapes(form), set())
        if row.ports is None or (form not in found and len(siblings) != 1):
            continue
        count, ports = found.get(form) or next(iter(siblings))
        pipe = PMEVO_ONE.get(ports)
        if pipe is None or (row.reciprocal_throughput_cycles is not None and len(row.ports) == 1):
            continue  # insn_bench's throughput shows how many
        if ports == ("5",) and mnemonic.startswith("f"):
            continue  # arithmetic of 128 bits is one for each half: the artefact does not tell it from one
        if len(row.ports) > 1 or row.ports[0][0] > count:
            table[form] = row.with_(
                ports=((count, pipe),),
                source=f"pmevo:a72(ports)+{row.source}",
                confidence="measured" if form in found else "derived",
            )


def _without_shapes(form: str) -> tuple[str, str]:
    """What shapes of an instruction have in common: its mnemonic, and which operands are of 128 bits."""
    return common.mnemonic_of(form), FULL.sub("q", form.split(" ", 1)[-1])


def _pipes(table: common.Rows, usages: dict[str, pmevo.PortUsage]) -> None:
    """The pipe that PMEvo inferred, for a form and for other shapes of a mnemonic whose measured shapes all agree."""
    pipes = {form: PMEVO_PORTS.get(usage[0][1]) for form, usage in usages.items() if len(usage) == 1}
    by_mnemonic: dict[tuple[str, bool], set[str | None]] = {}
    for form, pipe in pipes.items():
        by_mnemonic.setdefault((common.mnemonic_of(form), common.is_vector(form)), set()).add(pipe)
    for form, row in table.items():
        if form in usages and common.is_vector(form) and common.DIVIDING.fullmatch(common.mnemonic_of(form)):
            cycles = SINGLE_DIVISION.get(form, sum(count for count, _ in usages[form]))
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
            source=row.source if row.source.startswith("pmevo:a72(ports)") else f"pmevo:a72(ports)+{row.source}",
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
        elif row.ports[0][1] == "M" and cycles > 1 and MULTIPLYING.match(form):
            table[form] = row.with_(ports=((1.0, "M"),), blocking=(("IMUL", cycles),))


def _rename_slots(table: common.Rows) -> None:
    """Micro-ops at rename: those that execute, and two for a result of 128 bits, whose halves are registers.

    Additions, logic and permutations of 128 bits are measured at 1.5 a cycle, those of 64 bits at two, though either
    is one micro-op for one of two pipes; what narrows into an upper half writes 64 bits and runs at two.
    """
    for form, row in table.items():
        mnemonic = common.mnemonic_of(form)
        executed = sum(math.ceil(count - 0.01) for count, _ in row.ports or ())
        results = common.operands_of(form)[:2] if mnemonic in ("ldp", "ldnp") else common.operands_of(form)[:1]
        whole = 0 if mnemonic.startswith("st") or UPPER_HALF.match(form) else len(FULL.findall(" ".join(results)))
        slots = float(max(1, 2 * whole, executed))
        table[form] = row.with_(uops=(slots, float(max(1, executed)), slots))
