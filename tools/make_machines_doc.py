"""Writes docs/machines.md: what every model knows, by confidence, and how much of real code that covers.

    python tools/make_machines_doc.py --blocks FOLDER [--sample N] [--only NAME ...] [-o docs/machines.md]

FOLDER holds blocks_x86.csv and blocks_aarch64.csv (encoded blocks; `count`, where there is one, weighs a block) and
kernels/ (assembly of loops, markers or not). --vector clang-22 compiles loops/loops.c of FOLDER for SVE and RVV with
that clang; the targets' C library is not needed. The share of dynamic instructions is taken over all blocks: every
instruction counts as often as its block does. The same input gives the same page.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from corecast import _core
from corecast.asm import RegionOptions, read_regions
from corecast.errors import CorecastError
from corecast.machine import Machine, load_machine
from corecast.machine.search import PACKAGED
from corecast.machine.summary import CONFIDENCES, Summary, summaries, summary_of

ROOT = Path(__file__).resolve().parent.parent
STATUSES = ("known", "derived", "unknown")
BLOCKS = {"x86": "blocks_x86.csv", "aarch64": "blocks_aarch64.csv"}
VECTOR_TARGETS = {
    "aarch64": ("--target=aarch64-linux-gnu", "-march=armv8.2-a+sve"),
    "riscv64": ("--target=riscv64-linux-gnu", "-march=rv64gcv", "-mabi=lp64d"),
}

MATH = "".join(f"double {name}(double);\nfloat {name}f(float);\n" for name in ("sqrt", "fabs", "floor", "exp"))
"""In place of the target's own math.h."""

Forms = Counter[tuple[str, bool, bool]]
"""Times an instruction occurs, by what a model's answer depends on: form, indexed, same register throughout."""


class Corpus:
    """Instructions of some code: how often each kind occurs, with one example of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.counts: Forms = Counter()
        self.examples: dict[tuple[str, bool, bool], _core.Instruction] = {}
        self.unread = 0

    def add(self, instructions: Iterable[_core.Instruction], weight: int = 1) -> None:
        for instruction in instructions:
            if instruction.unknown:
                self.unread += weight
                continue
            one_register = instruction.same_register or _registers(instruction) == 1
            key = (instruction.form, instruction.indexed, one_register)
            self.counts[key] += weight
            self.examples.setdefault(key, instruction)

    def shares(self, machine: Machine) -> Counter[str]:
        """Instructions by what the model knows of them. What is in no known instruction set is unknown."""
        found: Counter[str] = Counter(unknown=0)
        for key, count in self.counts.items():
            found[machine.core.lookup(self.examples[key])[0]] += count
        return found


def _registers(instruction: _core.Instruction) -> int:
    operands = [operand for operand in instruction.operands if operand.kind == "reg" and not operand.implicit]
    return len({use.reg for operand in operands for use in operand.registers})


def blocks(path: Path, isa: str, sample: int) -> Corpus:
    """Every `sample`th block of a file of encoded blocks."""
    corpus = Corpus(f"`{path.name}`")
    for number, (code, weight) in enumerate(_encoded(path)):
        if number % sample == 0:
            corpus.add(_core.disassemble(isa, code).instructions, weight)
    return corpus


def _encoded(path: Path) -> Iterator[tuple[bytes, int]]:
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            with suppress(ValueError):
                yield bytes.fromhex(row["hex"]), int(row.get("count") or 1)


def kernels(folder: Path) -> dict[str, Corpus]:
    """The loops of assembly files, by instruction set."""
    found: dict[str, Corpus] = {}
    for path in sorted(folder.rglob("*.s")):
        with suppress(CorecastError):
            for kernel in read_regions(str(path), RegionOptions()):
                found.setdefault(kernel.isa, Corpus("kernels")).add(kernel.instructions)
    return found


def vector_loops(source: Path, compiler: str) -> dict[str, Corpus]:
    """The loops of a C file compiled for SVE and RVV."""
    found: dict[str, Corpus] = {}
    for isa, options in VECTOR_TARGETS.items():
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "loops.s"
            (Path(folder) / "math.h").write_text(MATH)
            headers = ("-nostdlibinc", "-ffreestanding", "-fbuiltin", "-isystem", folder)
            command = [compiler, *options, *headers, "-O3", "-ffast-math", "-S", str(source), "-o", str(out)]
            subprocess.run(command, check=True)
            corpus = found[isa] = Corpus("SVE loops" if isa == "aarch64" else "RVV loops")
            for kernel in read_regions(str(out), RegionOptions(isa=isa)):  # type: ignore[arg-type]
                corpus.add(kernel.instructions)
    return found


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    cells = list(header)
    yield f"| {' | '.join(cells)} |"
    yield f"|{'|'.join(['---', '---', *['---:'] * (len(cells) - 2)])}|"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def percent(count: float, total: float) -> str:
    """Rounded towards what is missing: 100 only where nothing is."""
    return "-" if not total else f"{min(100 * count / total, 100 if count == total else 99.99):.2f}"


def model_rows(found: Iterable[Summary]) -> Iterator[list[str]]:
    for summary in found:
        counts = [summary.forms[confidence] for confidence in CONFIDENCES]
        validated = ", ".join(summary.info.validated) or "-"
        numbers = map(str, (sum(counts), *counts))
        yield [f"`{summary.info.name}`", summary.info.title, *numbers, summary.pipeline, validated]


def coverage_rows(found: Iterable[Summary], corpora: Mapping[str, list[Corpus]]) -> Iterator[list[str]]:
    for summary in found:
        machine = load_machine(summary.info.folder)
        for corpus in corpora.get(machine.isa, []):
            shares = corpus.shares(machine)
            total = shares.total()
            sure = shares["known"] + shares["derived"]
            numbers = (percent(shares[status], total) for status in STATUSES)
            yield [f"`{machine.name}`", corpus.name, str(total), *numbers, percent(sure, total)]


def page(found: list[Summary], corpora: Mapping[str, list[Corpus]], sample: int) -> str:
    every = "" if sample == 1 else f" (every {sample}th block)"
    unread = {corpus.name: corpus.unread for group in corpora.values() for corpus in group if corpus.unread}
    left_out = "; ".join(f"{name} {count}" for name, count in unread.items()) or "none"
    lines = [
        "# Machine models",
        "",
        "Made by `python tools/make_machines_doc.py`. Forms of every model by the confidence of the row that counts; "
        "what the words mean: [looking at models](machine-tools.md).",
        "",
        "![Instruction forms of each model by confidence](machines.svg)",  # tools/plot_tables.py
        "",
        *table(
            ("cpu", "core", "forms", *CONFIDENCES, "pipeline", "validated"),
            model_rows(found),
        ),
        "",
        "## How much of real code they know",
        "",
        f"Share of dynamic instructions{every}, in percent: *known*, a row for the form itself; *derived*, from a "
        "related form by rule; *unknown*. Instructions that a core does not have (AVX-512 on Haswell, SVE on Neoverse "
        f"N1) count as unknown here; `corecast analyze` refuses them. Left out, because they cannot be "
        f"read: {left_out}.",
        "",
        *table(
            ("cpu", "code", "instructions", *STATUSES, "known or derived"),
            coverage_rows(found, corpora),
        ),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="every Nth block only")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="these cores only")
    parser.add_argument("--vector", metavar="COMMAND", help="a clang: also loops for SVE and RVV")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs" / "machines.md")
    options = parser.parse_args()
    if options.only:
        found = [summary_of(load_machine(name).info) for name in options.only]
    else:
        found = [summary for summary in summaries() if summary.info.folder.parent == PACKAGED]
    corpora: dict[str, list[Corpus]] = {}
    for isa, name in BLOCKS.items():
        if any(summary.info.isa == isa for summary in found):
            corpora.setdefault(isa, []).append(blocks(options.blocks / name, isa, max(1, options.sample)))
    for isa, corpus in kernels(options.blocks / "kernels").items():
        corpora.setdefault(isa, []).append(corpus)
    if options.vector:
        for isa, corpus in vector_loops(options.blocks / "loops" / "loops.c", options.vector).items():
            corpora.setdefault(isa, []).append(corpus)
    options.output.write_text(page(found, corpora, options.sample), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
