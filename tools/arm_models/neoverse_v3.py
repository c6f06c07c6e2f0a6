"""Neoverse V3: LLVM's model; nothing is measured of the core itself."""

from __future__ import annotations

from . import common, insn_bench_rows, neoverse_v1

CPU = "neoverse-v3"
GROUPS = (
    "B", "D", "I", "L", "L12", "LS0", "LSA", "M", "M0", "M1", "S", "S0", "S1", "S2", "S3", "S4", "S5", "SA", "ST1",
    "V", "V0", "V1", "V2", "V3", "V01", "V02", "V13",
)  # fmt: skip
PORTS = {**{f"V3Unit{name}": name for name in GROUPS}, "V3UnitFlg": "unit:FLG"}
PIPES = {"B": 3, "I": 8, "S": 6, "M": 2, "V": 4, "V01": 2, "V02": 2, "V13": 2, "L": 3, "L12": 2, "SA": 2, "D": 2}
FLAG_SETTERS_PER_CYCLE = 4

ATOMICS_OF = "family:neoverse_v1"


def rows() -> common.Rows:
    """All rows of the model."""
    table = common.llvm_rows(CPU, PORTS, armv9=True)
    common.share_units(table, FLAG_SETTERS_PER_CYCLE)
    common.rules_of_armv9(table, PIPES)
    insn_bench_rows.of_relative(table, insn_bench_rows.read("aws_graviton3", neoverse_v1.SOURCE), ATOMICS_OF)
    return table
