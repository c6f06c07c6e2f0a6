"""Neoverse N1: LLVM's pipes, insn_bench's latencies and throughputs (measured on Graviton 2)."""

from __future__ import annotations

import re

from corecast.machine.rows import Latency

from . import common, insn_bench_rows

CPU = "neoverse-n1"
PORTS = {
    "N1UnitB": "B", "N1UnitD": "D", "N1UnitI": "I", "N1UnitL": "L", "N1UnitM": "M",
    "N1UnitS": "S", "N1UnitV": "V", "N1UnitV0": "V0", "N1UnitV1": "V1",
}  # fmt: skip
PIPES = {"I": 3, "S": 2, "V": 2, "L": 2, "D": 2}
SOURCE = "insn_bench:graviton2"

EXPLAINED = (  # what SOURCES.md says beyond what holds for every core: form, words
    (r"(ands|bics|tst|ror|orr|and|eor|bic|orn|eon|mvn) .*", "Logic"),
    (r"ld(u?r|n?p) .*", "Vector loads with immediate offset"),
    (r"(mul|mla|mls) .*b", "of bytes"),
    (r"[su]mulh .*", "throughput"),
)


def rows() -> common.Rows:
    """All rows of the model."""
    table = common.llvm_rows(CPU, PORTS, armv9=False)
    examples = common.example_of()
    bench = insn_bench_rows.read("aws_graviton2", SOURCE)
    insn_bench_rows.overlay(table, bench)
    _fill_holes(table)
    insn_bench_rows.atomics(table, bench)
    insn_bench_rows.swaps(table)
    insn_bench_rows.stores(table)
    insn_bench_rows.forward_accumulators(table, bench)
    for form in [form for form in table if form.startswith(("and ", "orr ", "eor ", "bic ", "orn ", "eon ", "mvn "))]:
        if not common.is_vector(form) and any(
            kind in form for kind in ("lsl #", "lsr #", "asr #", "ror #")
        ):  # measured with x registers: 1 cycle, any pipe
            row = common.expanded(table[form], examples[form])
            table[form] = row.with_(ports=((1.0, "I"),), latency=common.with_cycles(row, 1.0))
    _pipes_by_throughput(table)
    common.reconcile(table, PIPES, ("V", 2))
    common.lane_loads(table, 2.0)
    common.dividers(table, "IDV", lambda _: "FDV", PIPES)
    common.add_write_back(table, "I")
    common.macro_ops(table)
    insn_bench_rows.zeroing(table, SOURCE, 0.25)
    return table


def _fill_holes(table: common.Rows) -> None:
    """Where LLVM's model falls back to its default, or adds an integer micro-op that the guide does not know."""
    for form, row in table.items():
        mnemonic = common.mnemonic_of(form)
        if mnemonic in ("mul", "mla", "mls") and form.endswith("b"):
            sibling = table[form.replace("16b", "4s").replace("8b", "2s")]
            table[form] = row.with_(ports=sibling.ports, latency=sibling.latency, uops=sibling.uops)
        if re.match(r"ld(u?r|n?p) ", form) and common.is_vector(form) and form.endswith(("[x]", "[x, #i]")):
            loads = tuple(use for use in row.ports or () if use[1] == "L")
            count = sum(cycles for cycles, _ in loads)
            table[form] = row.with_(ports=loads, uops=(count, count, count))


def _pipes_by_throughput(table: common.Rows) -> None:
    """LLVM's defaults (any vector pipe, one integer pipe) against the measured throughput."""
    for form, row in table.items():
        cycles = row.reciprocal_throughput_cycles
        if row.ports == ((1.0, "V"),) and cycles in (1.0, 2.0, 4.0) and common.mnemonic_of(form) not in ("dup", "mov"):
            table[form] = row.with_(ports=((cycles, "V0"),))  # conversions and multiplications live on V0
        if re.fullmatch(r"[su]mulh", common.mnemonic_of(form)):
            table[form] = row.with_(ports=((4.0, "M"),))
        if re.fullmatch(r"(ands|bics|tst) (x, x|w, w)(, x|, w)?|ror [xw], [xw], #i", form):
            latency = common.with_cycles(row, 1.0)
            flags = tuple(Latency(p.source, p.destination, 1.0) if p.destination == "flags" else p for p in latency)
            table[form] = row.with_(ports=((1.0, "I"),), latency=flags, uops=(1.0, 1.0, 1.0))
