"""Neoverse N1: LLVM's pipes, insn_bench's latencies and throughputs (measured on Graviton 2)."""

from __future__ import annotations

import re
from pathlib import Path

from corecast.machine.importers import insn_bench
from corecast.machine.importers.rows import Latency, Row

from . import common

CPU = "neoverse-n1"
PORTS = {
    "N1UnitB": "B", "N1UnitD": "D", "N1UnitI": "I", "N1UnitL": "L", "N1UnitM": "M",
    "N1UnitS": "S", "N1UnitV": "V", "N1UnitV0": "V0", "N1UnitV1": "V1",
}  # fmt: skip
PIPES = {"I": 3, "S": 2, "V": 2, "L": 2, "D": 2}
SOURCE = "insn_bench:graviton2"


def rows(facts: Path, _: Path) -> common.Rows:
    """All rows of the model."""
    table = common.llvm_rows(CPU, PORTS, armv9=False)
    examples = common.example_of()
    for form, figure in insn_bench.figures(facts / "misc" / "insn_bench_aarch64.csv", "aws_graviton2").items():
        if form in table and "[x" not in form.replace("[x, #i]", "").replace("[x, x", "").replace("[x]", ""):
            table[form] = _measured(common.expanded(table[form], examples[form]), figure)
    _fill_holes(table)
    _atomics(table, facts)
    _forward_accumulators(table, facts)
    for form in [form for form in table if form.startswith(("and ", "orr ", "eor ", "bic ", "orn ", "eon ", "mvn "))]:
        if any(
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
    _zeroing(table)
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


def _atomics(table: common.Rows, facts: Path) -> None:
    """Read-modify-write of memory: LLVM has no row; measured as a chain, with unknown pipes."""
    for form, figure in insn_bench.figures(facts / "misc" / "insn_bench_aarch64.csv", "aws_graviton2").items():
        if (
            form not in table
            and common.ATOMIC.fullmatch(common.mnemonic_of(form))
            and figure.latency_cycles is not None
        ):
            cycles = figure.latency_cycles
            target = "1" if form.startswith("cas") else "2"
            latency = (Latency("*", target, cycles), Latency("*", "mem", cycles))
            table[form] = Row(
                form,
                None,
                (),
                latency,
                (1.0, 1.0, 1.0),
                "",
                (),
                figure.reciprocal_throughput_cycles,
                SOURCE,
                "measured",
            )
    for example in common.examples():
        match = common.ATOMIC.fullmatch(common.mnemonic_of(example.form))
        rest = example.form[len(common.mnemonic_of(example.form)) :]
        measured = match and table.get(f"{match[1]}al{match[3]}{rest.replace('w', 'x') if match[3] == '' else rest}")
        if match and measured and example.form not in table:
            table[example.form] = measured.with_(form=example.form, confidence="derived")


def _measured(row: Row, figure: insn_bench.Figure) -> Row:
    latency = row.latency
    if figure.latency_cycles is not None:
        element = str(len(common.operands_of(row.form)))
        latency = common.with_cycles(row, figure.latency_cycles, lambda s: not figure.by_element or s == element)
    stores = any(pair.destination == "mem" for pair in row.latency or ())
    return row.with_(
        latency=latency,
        reciprocal_throughput_cycles=None if stores else figure.reciprocal_throughput_cycles,
        source=f"{SOURCE}(latency,rthroughput)+{row.source}(ports)",
        confidence="measured",
    )


def _forward_accumulators(table: common.Rows, facts: Path) -> None:
    """Late forwarding was measured for some shapes of an instruction; it belongs to the unit, so to all of them."""
    advance: dict[str, float] = {}
    for form, figure in insn_bench.figures(facts / "misc" / "insn_bench_aarch64.csv", "aws_graviton2").items():
        if figure.latency_cycles is not None and figure.accumulator_latency_cycles is not None:
            advance.setdefault(common.mnemonic_of(form), figure.latency_cycles - figure.accumulator_latency_cycles)
    for form, row in table.items():
        cycles = advance.get(common.mnemonic_of(form), 0.0)
        if cycles > 0 and common.is_vector(form):
            table[form] = _by_element_free(
                common.accumulator_forwarding(row, cycles, common.example_of()[form]), form, cycles
            )


def _pipes_by_throughput(table: common.Rows) -> None:
    """LLVM's defaults (any vector pipe, one integer pipe) against the measured throughput."""
    for form, row in table.items():
        cycles = row.reciprocal_throughput_cycles
        if row.ports == ((1.0, "V"),) and cycles in (1.0, 2.0, 4.0) and common.mnemonic_of(form) not in ("dup", "mov"):
            table[form] = row.with_(ports=((cycles, "V0"),))  # conversions and multiplications live on V0
        if re.fullmatch(r"[su]mulh", common.mnemonic_of(form)):
            table[form] = row.with_(ports=((4.0, "M"),))
        if re.fullmatch(r"(ands|bics|tst) (x, x|w, w)(, x|, w)?|extr (x, x, x|w, w, w), #i|ror [xw], [xw], #i", form):
            latency = common.with_cycles(row, 1.0)
            flags = tuple(Latency(p.source, p.destination, 1.0) if p.destination == "flags" else p for p in latency)
            table[form] = row.with_(ports=((1.0, "I"),), latency=flags, uops=(1.0, 1.0, 1.0))


def _by_element_free(row: Row, form: str, advance: float) -> Row:
    """By-element forms: the extra cycle is that of the element's operand, not of the accumulator."""
    if not form.endswith("[i]"):
        return row
    others = [pair.cycles for pair in row.latency or () if pair.source == "2"]
    accumulated = max(1.0, (others[0] if others else 4.0) - advance)
    changed = tuple(
        Latency("1", "1", accumulated) if p.source == p.destination == "1" else p for p in row.latency or ()
    )
    return row.with_(latency=changed)


def _zeroing(table: common.Rows) -> None:
    """movi v.2d and d can only hold masks of bytes: in practice the zero that is made at rename (4 a cycle)."""
    for form in ("movi v.2d, #i", "movi d, #i"):
        if form in table:
            table[form] = table[form].with_(
                ports=(), latency=(), flags=("zero_idiom",), reciprocal_throughput_cycles=0.25, confidence="measured",
                source=f"{SOURCE}(movi of 0)",
            )  # fmt: skip
