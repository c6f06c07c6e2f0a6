"""Neoverse N2: LLVM's model, accumulators as on Neoverse V2, whose vector units it shares."""

from __future__ import annotations

from . import common, insn_bench_rows, neoverse_v1, neoverse_v2

CPU = "neoverse-n2"
PORTS = {
    "N2UnitB": "B", "N2UnitD": "D", "N2UnitFlg": "unit:FLG", "N2UnitI": "I", "N2UnitL": "L", "N2UnitL01": "L01",
    "N2UnitL2": "L2", "N2UnitM": "M", "N2UnitM0": "M0", "N2UnitM1": "M1", "N2UnitS": "S", "N2UnitV": "V",
    "N2UnitV0": "V0", "N2UnitV1": "V1",
}  # fmt: skip
PIPES = {"B": 2, "I": 4, "S": 2, "M": 2, "V": 2, "L": 3, "L01": 2, "D": 2}
FLAG_SETTERS_PER_CYCLE = 3
ATOMICS_OF = "family:neoverse_v1"

EXPLAINED = (  # what SOURCES.md says beyond what holds for every core: form, words
    (r"(?!f(add|mul|ml)).*", "Occupation"),
)


def rows() -> common.Rows:
    """All rows of the model."""
    table = common.llvm_rows(CPU, PORTS, armv9=True)
    common.share_units(table, FLAG_SETTERS_PER_CYCLE)
    sibling = common.llvm_rows(neoverse_v2.CPU, neoverse_v2.PORTS, armv9=True)
    _occupation(table, sibling)
    common.forward_like(table, sibling)
    common.rules_of_armv9(table, PIPES)
    insn_bench_rows.of_relative(table, insn_bench_rows.read("aws_graviton3", neoverse_v1.SOURCE), ATOMICS_OF)
    return table


def _occupation(table: common.Rows, sibling: common.Rows) -> None:
    """LLVM has the latency for the occupation of some pipelined micro-ops, and counts divisions as many micro-ops."""
    for form, row in table.items():
        divides = common.DIVIDING.fullmatch(common.mnemonic_of(form)) is not None
        if divides and row.ports and row.uops is not None:
            count = float(len(row.ports))
            table[form] = row.with_(uops=(count, count, count))
        elif row.ports and row.uops == (1.0, 1.0, 1.0) and len(row.ports) == 1 and row.ports[0][0] > 1:
            other = sibling.get(form)
            if other is not None and other.ports is not None and sum(count for count, _ in other.ports) == 1:
                table[form] = row.with_(ports=((1.0, row.ports[0][1]),), source=f"{row.source}+{other.source}(cycles)")
