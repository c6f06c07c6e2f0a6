"""Neoverse V1: LLVM's pipes, insn_bench's latencies and throughputs (measured on Graviton 3), SVE of 256 bits."""

from __future__ import annotations

from . import common, insn_bench_rows

CPU = "neoverse-v1"
PORTS = {
    "V1UnitB": "B", "V1UnitD": "D", "V1UnitFlg": "unit:FLG", "V1UnitI": "I", "V1UnitL": "L", "V1UnitL01": "L01",
    "V1UnitL2": "L2", "V1UnitM": "M", "V1UnitM0": "M0", "V1UnitM1": "M1", "V1UnitS": "S", "V1UnitV": "V",
    "V1UnitV0": "V0", "V1UnitV1": "V1", "V1UnitV2": "V2", "V1UnitV3": "V3", "V1UnitV01": "V01", "V1UnitV02": "V02",
    "V1UnitV13": "V13",
}  # fmt: skip
PIPES = {"B": 2, "I": 4, "S": 2, "M": 2, "V": 4, "V01": 2, "V02": 2, "V13": 2, "L": 3, "L01": 2, "D": 2}
SOURCE = "insn_bench:graviton3"
FLAG_SETTERS_PER_CYCLE = 3
FLAG_SETTERS = ("adds", "subs", "ands", "bics", "negs", "cmp", "cmn", "tst")

EXPLAINED = (  # what SOURCES.md says beyond what holds for every core: form, words
    (r"fcvt.*", "throughput"),
)


def rows() -> common.Rows:
    """All rows of the model."""
    table = common.llvm_rows(CPU, PORTS, armv9=True)
    _flag_setters(table)
    bench = insn_bench_rows.read("aws_graviton3", SOURCE)
    insn_bench_rows.overlay(table, bench)
    insn_bench_rows.atomics(table, bench)
    insn_bench_rows.swaps(table)
    insn_bench_rows.forward_accumulators(table, bench)
    common.reconcile(table, PIPES, ("V", 4))
    common.faster_than_pipes("neoverse_v1", table)
    common.lane_loads(table, 2.0)
    common.dividers(table, "IDV", lambda _: "FDV", PIPES)
    common.add_write_back(table, "I")
    common.macro_ops(table)
    insn_bench_rows.zeroing(table, SOURCE, 0.167)
    common.fusible(table, ("cmp", "cmn"), "b.*|csel|csinc|cset|csetm|cinc")
    return table


def _flag_setters(table: common.Rows) -> None:
    """Three a cycle as measured, which LLVM has for the comparisons only: each takes a third of the unit FLG."""
    share = (("FLG", round(1 / FLAG_SETTERS_PER_CYCLE, 3)),)
    for form, row in table.items():
        plain = common.mnemonic_of(form) in FLAG_SETTERS and not common.is_vector(form)
        if (plain and not common.SCALABLE.search(form)) or row.blocking:
            table[form] = row.with_(blocking=share)
