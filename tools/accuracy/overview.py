"""Each core and kind of measured code in one table, corecast's methods beside their peers."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from pathlib import Path
from typing import Final

from accuracy.blocks import predictors
from corecast.evaluate import Setting, evaluate
from corecast.machine import load_machine
from intervals.measured import SETS, MeasuredSet

_SHOWN: Final = ("simulate", "bounds", "llvm-mca")
_BY: Final = {
    "skx_dev": "an independent harness",
    "kernels_skx": "real functions, an independent harness",
    "gnr_dev_loop": "`corecast time`",
    "gnr_dev_unroll": "an independent harness",
    "kernels_gnr": "real functions, an independent harness",
    "benchmarks": "`corecast time`, this repository",
    "pmevo": "PMEvo's authors",
}
"""Who measured, by how a file's name begins."""


def sections(folder: Path) -> Iterator[str]:
    """Code that can be encoded; other measurements are in the sections below, and in `corecast cpus`."""
    yield from ("## All cores and kinds of code", "")
    yield from ("![Mean errors of corecast and llvm-mca on each set of code](accuracy.svg)", "")  # tools/plot_tables.py
    yield "Coverage is of the [90 % intervals](intervals.md), over all of the code."
    yield "A third of it was held back from them."
    yield ""
    yield "| core | code | measured by | predictor | MAPE | tau | within 10 % | coverage |"
    yield "|---|---|---|---|---|---|---|---|"
    tools = [name for name in predictors() if name in _SHOWN]
    for part in SETS:
        if not part.is_own_source:
            yield from _rows(part, folder, tools)
    yield ""


def _rows(part: MeasuredSet, folder: Path, tools: list[str]) -> Iterator[str]:
    machine = load_machine(part.core)
    cases = part.cases(folder, machine.isa)
    found = evaluate(cases, Setting(machine, part.mode), tools)
    name = part.file
    by = next(words for start, words in _BY.items() if name.startswith(start))
    is_compiled = part.own_branches or name.endswith(".compiled.csv")
    kind = "compiled loops" if is_compiled else "blocks as loops" if part.mode == "loop" else "blocks unrolled"
    if "_vec_" in name:
        kind = kind.replace("blocks", "blocks of compiled vector loops")
    if part.is_of_mixes:
        kind = "instruction mixes, as loops"
    if ".others." in name:
        kind = f"{kind} of other functions" if is_compiled else kind.replace("blocks", "blocks of other programs")
    if "_l5" in name:
        kind = "short blocks repeated, as loops"
    for number, result in enumerate(found.results):
        metrics = result.metrics
        held = metrics.interval_coverage
        coverage = "" if isnan(held) else f"{100 * held:.1f} %"
        first = f"{machine.title} | {len(cases):,} {kind} | {by}" if number == 0 else " | | "
        yield (
            f"| {first} | `{result.name}` | {100 * metrics.mape:.2f} % | {metrics.tau:.4f} | "
            f"{100 * metrics.within_10:.1f} % | {coverage} |"
        )
