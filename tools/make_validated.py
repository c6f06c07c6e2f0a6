"""Writes what models were validated against: `[[validated]]` of their pipeline.toml, from measurements of others.

python tools/make_validated.py --data FOLDER [--facts FOLDER] [--date YYYY-MM-DD] [--only CPU ...]

--data holds the measurements (skx_dev_*.csv, kernels/, kernels_skx_dev.csv, pmevo_*_dev.csv, memory/a64fx_stream.csv),
--facts misc/apple_m1_blocks_truth.csv.gz. What the repository has measured blocks of is tools/guard_accuracy.py's to
write.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import gzip
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

from accuracy import a64fx_streams
from accuracy.kernels import kernel_cases, skylake_cases
from corecast.analysis.options import AnalyzeOptions
from corecast.api import analyze_region
from corecast.asm import Kernel
from corecast.errors import CorecastError
from corecast.evaluate import Setting, evaluate
from corecast.machine import Machine, load_machine
from corecast.machine.search import PACKAGED, PIPELINE
from corecast.machine.types import Isa
from corecast.machine.validation import Validation
from intervals.measured import MeasuredSet, sets_of
from validated_tables import with_validations

SKYLAKE_X = "blocks and compiled loops measured on a Skylake-SP"
SIMULATE: Final = "simulate"
BOUNDS: Final = "bounds"
KERNEL_SOURCES = {
    "cascade_lake": "measured loops of OSACA's authors, Cascade Lake",
    "skylake": "measured loops of the PMBS 2018 paper on OSACA, Skylake",
    "thunderx2": "measured loops of OSACA's authors, ThunderX2",
    "zen1": "measured loops of OSACA's authors and of their PMBS 2018 paper, Zen",
}
SETS_OF_SKYLAKE_X = {"skx_dev_l.csv": "loops", "skx_dev_u.csv": "unrolled blocks", "skx_dev_vec_l.csv": "vector loops",
                     "skx_dev_vec_u.csv": "unrolled vector blocks"}  # fmt: skip


@dataclass(frozen=True)
class Error:
    """Of predictions of one model."""

    cpu: str
    validation: Validation


@dataclass(frozen=True)
class Sources:
    """Where the measurements are, and the day that the figures bear."""

    data: Path
    facts: Path
    date: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--facts", type=Path, metavar="FOLDER", help="default: beside the data")
    parser.add_argument("--date", default=datetime.datetime.now(datetime.timezone.utc).date().isoformat())
    parser.add_argument("--only", nargs="*", metavar="CPU")
    options = parser.parse_args()
    data = options.data.resolve()  # the tables of kernels are linked from elsewhere
    sources = Sources(data, options.facts or data.parent / "facts", options.date)
    found: dict[str, list[Validation]] = {}
    for error in _errors(sources, options.only):
        print(f"{error.cpu}: {error.validation.text} ({error.validation.source})", flush=True)
        found.setdefault(error.cpu, []).append(error.validation)
    for cpu, validations in found.items():
        file = PACKAGED / cpu / PIPELINE
        file.write_text(with_validations(file.read_text(encoding="utf-8"), validations), encoding="utf-8")
    return 0


def _errors(sources: Sources, only: Sequence[str] | None) -> Iterator[Error]:
    parts: dict[str, Callable[[Sources], Iterator[Error]]] = {
        "skylake_x": _skylake_x,
        "kernels": _kernels,
        "cortex_a72": _cortex_a72,
        "zen1": _zen1_mixes,
        "apple_m1": _apple_m1,
        "apple_m1_e": _apple_m1_e,
        "a64fx": _a64fx,
    }
    for name, part in parts.items():
        if not only or name in only:
            yield from part(sources)


def _skylake_x(sources: Sources) -> Iterator[Error]:
    machine = load_machine("skylake_x")
    for part in sets_of("skylake_x"):
        if part.file in SETS_OF_SKYLAKE_X:
            yield _set(sources, part, SETS_OF_SKYLAKE_X[part.file], SKYLAKE_X)
    with tempfile.TemporaryDirectory() as scratch:
        cases = skylake_cases(sources.data / "kernels_skx_dev.csv", Path(scratch))
        metrics = evaluate(cases, Setting(machine, "loop"), [SIMULATE]).results[0].metrics
    yield Error(
        machine.name,
        Validation("compiled loops", metrics.cases, 100 * metrics.mape, sources.date, SKYLAKE_X, SIMULATE),
    )


def _kernels(sources: Sources) -> Iterator[Error]:
    with tempfile.TemporaryDirectory() as scratch:
        evaluation = evaluate(kernel_cases(sources.data / "kernels", Path(scratch)), Setting(None), [SIMULATE])
    cases, found = evaluation.cases, evaluation.results[0]
    for cpu in sorted(KERNEL_SOURCES):
        places = [place for place, group in enumerate(cases.groups) if group == cpu and found.answers.counts(place)]
        errors = [_error(found.answers.cycles[place], cases.measured[place]) for place in places]
        yield Error(cpu, _validation(errors, "kernels", sources, KERNEL_SOURCES[cpu], SIMULATE))


def _error(predicted: float, measured: float) -> float:
    return abs(predicted - measured) / measured


def _validation(errors: Sequence[float], kind: str, sources: Sources, source: str, method: str) -> Validation:
    return Validation(kind, len(errors), 100 * sum(errors) / len(errors), sources.date, source, method)


def _cortex_a72(sources: Sources) -> Iterator[Error]:
    yield _mixes(sources, "cortex_a72", "PMEvo's measurements, Cortex-A72")


def _zen1_mixes(sources: Sources) -> Iterator[Error]:
    yield _mixes(sources, "zen1", "PMEvo's measurements, Zen+")


def _mixes(sources: Sources, cpu: str, source: str) -> Error:
    """Mixes of instructions, as the loops that were timed: single ones went into the models."""
    part = next(each for each in sets_of(cpu) if each.is_of_mixes)
    return _set(sources, part, "instruction mixes", source)


def _set(sources: Sources, part: MeasuredSet, kind: str, source: str) -> Error:
    """Of the same cases as docs/accuracy.md."""
    machine = load_machine(part.core)
    cases = part.cases(sources.data, machine.isa)
    metrics = evaluate(cases, Setting(machine, part.mode), [SIMULATE]).results[0].metrics
    return Error(part.core, Validation(kind, metrics.cases, 100 * metrics.mape, sources.date, source, SIMULATE))


def _apple_m1(sources: Sources) -> Iterator[Error]:
    yield _apple(sources, "apple_m1", "firestorm", "Apple M1")


def _apple_m1_e(sources: Sources) -> Iterator[Error]:
    yield _apple(sources, "apple_m1_e", "icestorm", "Apple M1 (Icestorm)")


def _apple(sources: Sources, model: str, core: str, where: str) -> Error:
    with gzip.open(sources.facts / "misc/apple_m1_blocks_truth.csv.gz", "rt", encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["core"] == core and row["consistent"] == "1"]
    blocks = {row["code"]: float(row["cycles_per_code"]) for row in rows if int(row["n_insn"]) > 1}
    answers = list(_answers(blocks.items(), load_machine(model), "aarch64", BOUNDS))
    source = f"the measured instruction sequences that the model's rows were made from, {where}"
    return Error(model, _validation(answers, "instruction sequences", sources, source, BOUNDS))


def _a64fx(sources: Sources) -> Iterator[Error]:
    blocks = a64fx_streams.measured(sources.data / "memory" / "a64fx_stream.csv")
    errors = list(_answers(blocks, load_machine("a64fx"), "aarch64", SIMULATE))
    source = "first-level cache streams of the PMBS 2020 paper on the A64FX; loops after their sources"
    yield Error("a64fx", _validation(errors, "streaming loops", sources, source, SIMULATE))


def _answers(blocks: Iterable[tuple[str, float]], machine: Machine, isa: Isa, method: str) -> Iterator[float]:
    """Errors on blocks of assembly text whose instructions are all known."""
    for text, measured in blocks:
        try:
            kernel = Kernel.from_text(text.replace("; ", "\n") + "\n", isa=isa)
            result = analyze_region(kernel, machine, AnalyzeOptions(method=SIMULATE if method == SIMULATE else BOUNDS))
        except CorecastError:
            continue
        if any(each.status == "unknown" for each in result.instructions):
            continue
        yield _error(result.prediction.cycles_per_iteration, measured)


if __name__ == "__main__":
    sys.exit(main())
