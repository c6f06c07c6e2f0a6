"""Shipped rows against what their sources say: random forms, every difference named by a sentence of SOURCES.md.

A row's source column says which origin a figure is from; that origin is read anew. A difference is explained where
`EXPLAINED` has a rule for the form whose words stand in the core's SOURCES.md; all others are reported.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import facts
from corecast import _core
from corecast.convert.importers import dougallj, insn_bench, winic, winic_files
from corecast.machine.llvm.schedule import row_from_entry
from corecast.machine.rows import Row, read_rows, rounded

from . import common, neoverse_n1
from .examples import Example

MACHINES = Path(__file__).resolve().parents[2] / "src" / "corecast" / "machine" / "data"
SEED = 20
ALIKE_CYCLES = 0.06
BENCHES = {"graviton2": "aws_graviton2", "graviton3": "aws_graviton3", "lx2160a": "nxp_lx2160a_a72"}

EXPLAINED: tuple[tuple[str, str], ...] = (
    # form, words of SOURCES.md
    (r".*(\], (#i|x)|\]!)", "rite-back"),
    (r"[su]divr? .*|f(divr?|sqrt) .*", "ivision"),
    (r"movi (v\.2d|d), .*", "movi v.2d"),
    (r"mov [xw], ([xw]|#i)|movz .*", "oves"),
    (r"ld[1-4] .*\[i\].*|st[1-4].*", "tructures|st1 to st4"),
    (r".*(ml[asa]|mul|madd|msub).*", "ccumulators|mla"),
)
"""Rules that hold for every core; a core's module adds its own as EXPLAINED."""
THROUGHPUT = "throughput"
"""Word that has to stand there where a measured throughput contradicts the pipes of LLVM's model."""


@dataclass(frozen=True)
class Difference:
    """One figure that is not what its source says."""

    form: str
    field: str
    origin: str
    said: object
    shipped: object

    def __str__(self) -> str:
        return f"{self.form}: {self.field} {self.shipped}, {self.origin} says {self.said}"


def verify(name: str, core: ModuleType, count: int) -> tuple[int, list[Difference]]:
    """How many figures of `count` random forms were compared, and the differences that SOURCES.md does not explain."""
    rows: dict[str, Row] = {}
    for file in sorted((MACHINES / name / "forms").iterdir()):
        rows.update((row.form, row) for row in read_rows(file))
    plain = sorted(form for form in rows if " @" not in form)  # variants have no separate example
    chosen = random.Random(SEED).sample(plain, min(count, len(plain)))
    text = (MACHINES / name / "SOURCES.md").read_text(encoding="utf-8")
    if not hasattr(core, "CPU"):  # a core that has a sibling's figures, and refers to its SOURCES.md
        core = neoverse_n1
        text += (MACHINES / "neoverse_n1" / "SOURCES.md").read_text(encoding="utf-8")
    rules = [*getattr(core, "EXPLAINED", ()), *EXPLAINED]
    compared, differences = 0, []
    for field, origin, row, said in _records(core, rows, chosen):
        compared += 1
        shipped = _shipped(row, field)
        explained = any(re.fullmatch(form, row.form) and re.search(words, text) for form, words in rules)
        if field == "ports" and row.reciprocal_throughput_cycles is not None:
            explained = explained or THROUGHPUT in text
        if not _alike(shipped, said) and not explained:
            differences.append(Difference(row.form, field, origin, said, shipped))
    return compared, differences


def _shipped(row: Row, field: str) -> object:
    if field == "latency":
        return _longest(row)
    return sorted(row.ports or ()) if field == "ports" else row.reciprocal_throughput_cycles


def _longest(row: Row) -> float | None:
    return max((pair.cycles for pair in row.latency or () if pair.destination in ("1", "2")), default=None)


def _alike(shipped: object, said: object) -> bool:
    if isinstance(shipped, float | int) and isinstance(said, float | int):
        return abs(shipped - said) <= ALIKE_CYCLES
    return shipped == said or shipped is None  # a figure that was not believed is left out, not changed


def _records(core: ModuleType, rows: Mapping[str, Row], chosen: list[str]) -> Iterator[tuple[str, str, Row, object]]:
    """(field, origin, row, what the origin says) for every figure of the chosen rows whose origin is read here."""
    schedule = _core.Schedule("aarch64", core.CPU)
    examples = common.example_of()
    measured = _measurements(core)
    for form in chosen:
        row, example = rows[form], examples[form]
        for origin, figures in measured.items():
            if origin in row.source and (figure := figures(form)) is not None:
                for field, said in figure.items():
                    if said is not None and (field != "latency" or "latency" in row.source.split("+")[0]):
                        yield field, origin, row, said
        raw = row_from_entry("aarch64", form, schedule.entry(example.code), core.PORTS, "")
        if raw is None:
            continue
        first = row.source.split("+")[0]
        if "llvm" in first and (longest := _said_latency(raw, schedule, example)) is not None:
            yield "latency", "LLVM", row, longest
        if "llvm" in row.source and not re.search(r"\((latency|operands)\)$|\(ports\)\+", row.source):
            yield "ports", "LLVM", row, sorted(raw.ports or ())


def _said_latency(raw: Row, schedule: _core.Schedule, example: Example) -> float | None:
    if (longest := _longest(raw)) is not None:
        return longest
    entry = schedule.entry(example.code)
    writes = any(operand.write and operand.id < 64 for operand in entry.instruction.operands)
    return float(entry.latencies[0].cycles) if writes and entry.latencies else None


Figures = Callable[[str], Mapping[str, float | None] | None]


def _measurements(core: ModuleType) -> dict[str, Figures]:
    """By the word that a source column has for it: what a measurement says of a form."""
    found: dict[str, Figures] = {}
    source = str(getattr(core, "SOURCE", ""))
    if source.startswith("insn_bench:"):
        bench = insn_bench.figures(facts.INSN_BENCH, BENCHES[source.partition(":")[2]])
        found[source] = lambda form: _of_bench(bench.get(form))
    if source.startswith("dougallj:"):
        name = source.partition(":")[2]
        snippets = dougallj.figures(facts.APPLE / f"{name}.csv.xz", name)
        found[source] = lambda form: _of_snippets(snippets.get(form))
    if core.CPU == "neoverse-v2":
        examples = common.example_of().values()
        measurements = winic_files.read_yaml(facts.WINIC / "neoverse_v2.yaml.xz")
        made = winic.form_measurements("aarch64", measurements, examples)  # type: ignore[arg-type]
        found["winic:neoverse_v2"] = lambda form: _of_winic(made.get(form))
    return found


def _of_bench(figure: insn_bench.Figure | None) -> Mapping[str, float | None] | None:
    if figure is None:
        return None
    return {"latency": figure.latency_cycles, "rthroughput": figure.reciprocal_throughput_cycles}


def _of_snippets(figures: dougallj.Figures | None) -> Mapping[str, float | None] | None:
    if figures is None:
        return None
    results = [min(cycles) for (_, target), cycles in figures.latencies.items() if target in (1, 2)]
    return {"latency": max(results, default=None), "rthroughput": min(figures.throughputs, default=None)}


def _of_winic(figure: winic.FormMeasurement | None) -> Mapping[str, float | None] | None:
    if figure is None or figure.throughput is None:
        return None
    return {"rthroughput": rounded(figure.throughput[1])}
