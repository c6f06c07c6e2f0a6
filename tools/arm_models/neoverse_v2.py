"""Neoverse V2: LLVM's pipes, WINIC's latencies and throughputs (Grace), OSACA's load and store pipes."""

from __future__ import annotations

import facts
from corecast.convert.importers import winic, winic_files
from corecast.machine.rows import Latency, Row, rounded

from . import common, insn_bench_rows, neoverse_v1

CPU = "neoverse-v2"
PORTS = {
    "V2UnitB": "B", "V2UnitD": "D", "V2UnitF": "F", "V2UnitFlg": "unit:FLG", "V2UnitI": "I", "V2UnitL": "L",
    "V2UnitL01": "L01", "V2UnitL2": "L2", "V2UnitM": "M", "V2UnitM0": "M0", "V2UnitM1": "M1", "V2UnitR": "S01",
    "V2UnitS": "S", "V2UnitS0": "S0", "V2UnitS1": "S1", "V2UnitS2": "S2", "V2UnitS3": "S3", "V2UnitV": "V",
    "V2UnitV0": "V0", "V2UnitV1": "V1", "V2UnitV2": "V2", "V2UnitV3": "V3", "V2UnitV01": "V01", "V2UnitV02": "V02",
    "V2UnitV13": "V13", "V2UnitV23": "V23",
}  # fmt: skip
PIPES = {
    "B": 2,
    "I": 4,
    "F": 4,
    "S": 4,
    "S01": 2,
    "M": 2,
    "V": 4,
    "V01": 2,
    "V02": 2,
    "V13": 2,
    "V23": 2,
    "L": 3,
    "L01": 2,
    "D": 2,
}
OSACA_GROUPS = {
    ("12", "13", "14"): "L", ("12", "13"): "L01", ("15", "16"): "D", ("2", "3", "6", "7"): "I",
}  # fmt: skip
FLAG_SETTERS_PER_CYCLE = 3
ATOMICS_OF = "family:neoverse_v1"
ONE_REGISTER = ("ror x, x, #i", "ror w, w, #i")
"""What extr prints as where both sources are one register; WINIC measured two, which take another pipe besides."""

EXPLAINED = (  # what SOURCES.md says beyond what holds for every core: form, words
    (r"st.*", "Stores of vectors"),
    (r"ld.*", "pipes of loads and stores"),
    (r"fcvt.*", "fcvt to integers"),
)


def rows() -> common.Rows:
    """All rows of the model."""
    table = common.llvm_rows(CPU, PORTS, armv9=True)
    common.share_units(table, FLAG_SETTERS_PER_CYCLE)
    _measured(table)
    _accesses(table, facts.osaca_figures("v2"))
    common.reconcile(table, PIPES, ("V", 4))
    common.faster_than_pipes("neoverse_v2", table)
    _moves(table)
    common.rules_of_armv9(table, PIPES)
    insn_bench_rows.of_relative(table, insn_bench_rows.read("aws_graviton3", neoverse_v1.SOURCE), ATOMICS_OF)
    return table


def _measured(table: common.Rows) -> None:
    measurements = winic_files.read_yaml(facts.WINIC / "neoverse_v2.yaml.xz")
    examples = common.example_of()
    made = winic.form_measurements("aarch64", measurements, examples.values())  # type: ignore[arg-type]
    for form, found in made.items():
        row = table.get(form)
        if row is None or form in ONE_REGISTER:
            continue
        row = common.expanded(row, examples[form])
        divides = common.DIVIDING.fullmatch(common.mnemonic_of(form)) is not None
        latencies = [pair for pair in found.latencies if pair.destination == "1" and _credible(pair, row, divides)]
        throughput = None if found.throughput is None else rounded(found.throughput[1])
        if common.mnemonic_of(form).startswith("prf") or common.mnemonic_of(form) in ("mul", "mneg", "smull", "umull"):
            throughput = None  # the test's addresses missed the cache; what was measured is madd, which adds
        if not latencies and throughput is None:
            continue
        refined = winic.refine(row.latency, latencies)
        if divides:
            refined = _longest(refined)
        table[form] = row.with_(
            latency=refined,
            reciprocal_throughput_cycles=throughput,
            source=f"winic:neoverse_v2({'latency,rthroughput' if latencies else 'rthroughput'})+{row.source}(ports)",
            confidence="measured",
        )


def _credible(pair: winic.LatencyRange, row: Row, divides: bool) -> bool:
    """Pairs that exist, within reach of LLVM's figure: a chain broken by an idiom or a helper gives nonsense."""
    known = [p.cycles for p in row.latency or () if (p.source, p.destination) == (pair.source, pair.destination)]
    return bool(known) and (divides or pair.least <= known[0] + 4)


def _longest(latency: tuple[Latency, ...] | None) -> tuple[Latency, ...] | None:
    """Division: the time depends on values, not on the operand; the longest measured stands for all."""
    longest = max((pair.cycles for pair in latency or () if pair.destination == "1"), default=0.0)
    return latency and tuple(Latency(p.source, p.destination, longest) if p.destination == "1" else p for p in latency)


def _accesses(table: common.Rows, figures: dict[str, facts.Listed]) -> None:
    """Loads and stores: OSACA's pipes where it lists the form (stores of vectors take a data pipe, not V0 or V1)."""
    for form, figure in figures.items():
        if form not in table or "[x" not in form or common.plain_form(form):
            continue
        if not figure.mnemonic.startswith(("ld", "st")) or figure.mnemonic[2] not in "rpu":
            continue
        try:
            ports = tuple((cycles, OSACA_GROUPS[names]) for cycles, names in figure.ports)
        except KeyError:
            continue  # a slip: vector loads on integer pipes
        row = table[form]
        count = sum(cycles for cycles, _ in ports)
        table[form] = row.with_(
            ports=ports, uops=(count, count, count), source=f"{row.source}(latency)+osaca0.7.1:v2(ports)"
        )
    for form, row in table.items():  # the store forms that OSACA leaves out
        if (
            form.startswith("st")
            and not form.startswith(("st1", "st2", "st3", "st4", "stx", "stl"))
            and common.is_vector(form)
        ):
            ports = tuple((count, "D" if group == "V01" else group) for count, group in row.ports or ())
            table[form] = row.with_(ports=ports)


def _moves(table: common.Rows) -> None:
    """Register moves: measured at four a cycle like an addition, so not eliminated (LLVM follows the guide: free)."""
    for form in ("mov x, x", "mov w, w", "mov x, #i", "mov w, #i", "movz x, #i", "movz w, #i"):
        if form in table:
            source = "*" if form.endswith("#i") else "2"
            table[form] = table[form].with_(
                ports=((1.0, "I"),), latency=(Latency(source, "1", 1.0),), reciprocal_throughput_cycles=0.25,
                source="jiegec:neoverse_v2(rthroughput)+insn_bench:graviton2(latency)", confidence="measured",
            )  # fmt: skip
