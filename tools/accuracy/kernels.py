"""Measured kernels: compiled loops of several cores, and those of Skylake-SP at their real alignment."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from accuracy.blocks import CPU, predictors
from accuracy.functions import code_before
from corecast.evaluate import Cases, Evaluation, Setting, evaluate, read_blocks, read_kernels
from corecast.evaluate.summary import metrics_table
from corecast.machine import Machine, load_machine

CORES = {"SKL(6148/6700HQ)": "skylake"}
"""How the tables name a core where no alias of a model is meant."""


THUNDERX2_STREAMS = {
    "osaca_cp2019/add.tx2.gcc.s": (3, "indexed", 16, 8),
    "osaca_cp2019/triad.tx2.gcc.s": (3, "indexed", 16, 8),
    "osaca_cp2019/daxpy.tx2.gcc.s": (2, "displaced", 16, 8),
    "janljl/copy.arm.O3.unrolled.s": (2, "indexed", 8, 8),
    "osaca_cp2019/update.tx2.gcc.s": (1, "displaced", 8, 8),
    "janljl/schoenauer_triad.arm.O3.clang.s": (4, "displaced", 96, 32),
    "janljl/add.arm.O3.s": (3, "indexed", 2, 1),
    "janljl/triad.arm.O3.s": (3, "indexed", 2, 1),
    "janljl/schoenauer_triad.arm.O3.s": (4, "indexed", 3, 1),
}
"""Arrays, how they are addressed, and accesses of 16 bytes in an iteration."""

THUNDERX2_WORDS = (
    "Its streams from the first-level cache take 1.1 to 2 times what its two ports for addresses would, on which",
    "LLVM and OSACA agree. Add and daxpy have equally many loads, stores and additions, and differ by half: daxpy",
    "writes where it has read, add to a third array. Addresses with an index are not it, as copy, which has them,",
    "and update, which has none, take the same. Nor is it a miss, as the figures are those of the fastest size, 1.5",
    "to 12 kB in a cache of 32, nor latency, as nothing is carried from one iteration to the next. What is left is",
    "where the arrays lie: accesses of one cycle that exclude each other by their addresses, which no code tells",
    "and nobody published. Loops of one vector take a cycle for each access. No document says which accesses",
    "exclude each other. A bank for each line of 64 bytes with one read a cycle would take the mean error of the 15",
    "loops from 26 to 15 %, but slow daxpy to 16 cycles: the model has none, and intervals that are as wide as what",
    "is left open.",
)


def sections(folder: Path) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as scratch:
        yield from _several_cores(folder / "kernels", Path(scratch))
        yield from _skylake(folder / "kernels_skx_dev.csv", Path(scratch))


def _several_cores(folder: Path, scratch: Path) -> Iterator[str]:
    cases = kernel_cases(folder, scratch)
    found = evaluate(cases, Setting(None), ["best", "simulate", "bounds", "baseline"])
    yield from (f"## {len(cases)} measured kernels, several cores", "")
    yield "Loops that compilers wrote, measured by others; the alignment of their code is not known. Published"
    yield "predictions stand beside ours where there are some (coverage: of all kernels); on the 832 kernels of their"
    yield "authors OSACA 0.3 is within 10 % for 36 % and within 20 % for 48 %, llvm-mca for 9 % and 17 %."
    yield from ("", *metrics_table(found.results), "", *_listing(found), "")
    yield from (*_thunderx2_streams(found), "")


def _thunderx2_streams(found: Evaluation) -> Iterator[str]:
    """What the loops have in common that take longer than predicted."""
    predicted = dict(zip(found.cases.names, found.results[0].answers.cycles, strict=True))
    measured = dict(zip(found.cases.names, found.cases.measured, strict=True))
    yield from ("### Streams of ThunderX2", "", *THUNDERX2_WORDS, "")
    yield "| kernel | arrays | addresses | loads | stores | predicted | measured |"
    yield "|---|---|---|---|---|---|---|"
    for name, (arrays, addresses, loads, stores) in THUNDERX2_STREAMS.items():
        cells = f"{arrays} | {addresses} | {loads} | {stores} | {predicted[name]:.2f} | {measured[name]:.2f}"
        yield f"| {name} | {cells} |"


def kernel_cases(folder: Path, scratch: Path) -> Cases:
    """The measured loops of several cores, each case's group its core."""
    return read_kernels(_kernel_table(folder, scratch))


def _kernel_table(folder: Path, scratch: Path) -> Path:
    """The tables of the measurements in the columns that `evaluate --kernels` reads; files by links beside it."""
    for place in folder.iterdir():
        if place.is_dir():
            (scratch / place.name).symlink_to(place)
    rows: list[tuple[object, ...]] = []
    for row in _rows(folder / "osaca_cp2019_dev.csv"):
        osaca = max(float(row["osaca_tp"]), float(row["osaca_lcd"]))
        rows.append(
            (row["asm"], row["arch"], row["recommended_truth"], osaca, row["mca_cy_per_iter"], row["iaca_block_tp"])
        )
    for row in _rows(folder / "other_kernels_dev.csv"):
        core = CORES.get(row["arch"], row["arch"])
        rows.append((row["asm"], core, row["measured_cy_per_asm_iter"], "", "", ""))
    table = scratch / "kernels.csv"
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            ["file", "cpu", "cycles", "predicted_OSACA 0.3", "predicted_llvm-mca (published)", "predicted_IACA"]
        )
        writer.writerows(rows)
    return table


def _listing(found: Evaluation) -> Iterator[str]:
    shown = [result for result in found.results if result.name not in ("simulate", "baseline")]
    yield "| kernel | core | measured | " + " | ".join(f"{each.name}" for each in shown) + " |"
    yield "|---|---|---|" + "---|" * len(shown)
    for place, name in enumerate(found.cases.names):
        cells = [_cycles(each.answers.cycles[place]) for each in shown]
        yield f"| {name} | {found.cases.groups[place]} | {found.cases.measured[place]:.2f} | {' | '.join(cells)} |"


def _cycles(value: float) -> str:
    return f"{value:.2f}" if value == value else ""


def skylake_cases(file: Path, scratch: Path) -> Cases:
    """Compiled loops at their real alignment, behind what their functions have in front of them, in groups with and
    without AVX-512."""
    table = scratch / "kernels_skx.csv"
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["hex", "address", "code_before", "cycles", "set"])
        for row in _skylake_rows(file):
            kind = "with AVX-512" if "avx512" in row["note"] else "without AVX-512"
            before = code_before(file.parent / row["file"], row["hex"], int(row["address_mod64"]))
            writer.writerow([row["hex"], row["address_mod64"], before, row["cycles_per_iteration"], kind])
    return read_blocks(table, "set")


def _skylake_rows(file: Path) -> list[dict[str, str]]:
    """As read_blocks() leaves out what repeats a row."""
    return list({(row["hex"], row["address_mod64"]): row for row in reversed(list(_rows(file)))}.values())[::-1]


def _skylake(file: Path, scratch: Path) -> Iterator[str]:
    machine = load_machine(CPU)
    cases, rows = skylake_cases(file, scratch), _skylake_rows(file)
    found = evaluate(cases, Setting(machine, "loop"), predictors())
    yield from (f"## {len(cases)} compiled loops, {machine.title}, at their real alignment", "")
    yield "On all 588 of that origin: llvm-mca 22 15.4 % (55 % within 10 %), OSACA 0.7.1 18.9 % (54 %), uiCA 6.9 %"
    yield "(80 %, without AVX-512), as given with the measurements. Ours are predicted with the code in front of them;"
    yield f"with their addresses alone {_of_addresses_alone(cases, machine):.2f} %."
    yield from ("", *metrics_table(found.results), "")
    own = found.results[0]
    yield "Ours by kind: " + ", ".join(
        f"{name} ({metrics.cases}): {100 * metrics.mape:.2f} %, {100 * metrics.within_10:.1f} % within 10 %"
        for name, metrics in own.by_group.items()
    )
    yield from (
        "",
        "The farthest off, with what the measurement notes:",
        "",
        "| kernel | measured | simulated | note |",
        "|---|---|---|---|",
    )
    for place in own.worst(cases.measured, 25):
        name = Path(rows[place]["file"]).stem
        yield f"| {name} | {cases.measured[place]:.2f} | {own.answers.cycles[place]:.2f} | {rows[place]['note']} |"
    yield ""


def _of_addresses_alone(cases: Cases, machine: Machine) -> float:
    """MAPE in percent of the simulation that does not know what lies in front of the loops."""
    bare = replace(cases, codes_before=None)
    return 100 * evaluate(bare, Setting(machine, "loop"), ["simulate"]).results[0].metrics.mape


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
