"""Measured blocks: errors of each method and mode, and what each part of the simulated core is worth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from corecast.errors import InputError
from corecast.evaluate import Cases, Setting, evaluate, read_blocks
from corecast.evaluate.predictors.ablations import ABLATIONS
from corecast.evaluate.summary import metrics_table
from corecast.machine import Machine, load_machine
from corecast.prediction.engine import Mode

CPU = "skylake_x"
SETS = (
    ("skx_dev_l.csv", "loop", "blocks as loops"),
    ("skx_dev_u.csv", "unroll", "blocks unrolled"),
    ("skx_dev_l5.csv", "loop", "short blocks repeated to five instructions or more, as loops"),
    ("skx_dev_vec_l.csv", "loop", "blocks of compiled AVX2 and AVX-512 loops, as loops"),
    ("skx_dev_vec_u.csv", "unroll", "the same unrolled"),
)
PREDICTORS = ("simulate", "bounds", "baseline", "llvm-mca")

PEERS = """\
For orientation, on blocks of the same origin, measured with the first two sets (figures given with them):

| tool | unrolled: MAPE | tau | loops: MAPE | tau |
|---|---|---|---|---|
| uiCA | 1.15 % | 0.986 | 1.05 % | 0.987 |
| Facile | 2.0 % | 0.977 | 2.5 % | 0.960 |
| llvm-mca | 27 % | | | |

and as published for Cascade Lake (Abel and Reineke, ICS 2022; MAPE unrolled / as loops): uiCA 0.45 / 0.65 %, its
analytical model 0.62 / 1.24 %, llvm-mca 23 / 13 %, OSACA 21 / 12 %, the baseline 15 / 10 %."""


def predictors() -> tuple[str, ...]:
    """llvm-mca is asked where it is installed."""
    from corecast.evaluate.predictors import find_predictor

    try:
        find_predictor("llvm-mca", Setting(None))
    except InputError:
        return PREDICTORS[:-1]
    return PREDICTORS


def sections(folder: Path) -> Iterator[str]:
    machine = load_machine(CPU)
    tools = predictors()
    yield from (f"## Measured blocks, {machine.title}", "")
    described = False
    for name, mode, title in SETS:
        cases = read_blocks(folder / name)
        found = evaluate(cases, Setting(machine, cast("Mode", mode)), tools)
        if not described:
            yield from (f"- `{result.name}`: {result.description}" for result in found.results)
            described = True
        yield from ("", f"### {len(cases):,} {title}", "", *metrics_table(found.results))
    yield from ("", PEERS, "", *_ablations(folder, machine))


def _ablations(folder: Path, machine: Machine) -> Iterator[str]:
    yield from ("## What each part of the simulated core is worth", "")
    yield "MAPE and tau of the simulation without it (`corecast evaluate --predictor simulate:NAME`);"
    yield "names as in [evaluate](evaluate.md)."
    yield ""
    names = ["simulate", *(f"simulate:{name}" for name in ABLATIONS)]
    columns: list[tuple[str, list[str]]] = []
    for file, mode, title in SETS[:2]:
        cases: Cases = read_blocks(folder / file)
        found = evaluate(cases, Setting(machine, cast("Mode", mode)), names)
        columns.append((title, [f"{100 * each.metrics.mape:.2f} % {each.metrics.tau:.4f}" for each in found.results]))
    yield "| | " + " | ".join(title for title, _ in columns) + " |"
    yield "|---|" + "---|" * len(columns)
    for row, name in enumerate(names):
        label = "all of it" if name == "simulate" else f"`{name.removeprefix('simulate:')}`"
        yield f"| {label} | " + " | ".join(values[row] for _, values in columns) + " |"
    yield ""
