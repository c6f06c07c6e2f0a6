"""Draws the pictures above long tables of the documentation, from these tables.

    python tools/plot_tables.py [--check]

With --check nothing is written; the exit code is 1 where a picture is not that of its table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from corecast.report.bars import Bars, bars_svg

DOCS = Path(__file__).resolve().parent.parent / "docs"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 where a picture is old")
    check = parser.parse_args().check
    old = False
    for page, (name, make) in PICTURES.items():
        svg = bars_svg(make((DOCS / page).read_text(encoding="utf-8")))
        file = DOCS / name
        if not file.is_file() or file.read_text(encoding="utf-8") != svg:
            old = True
            print(f"{name}: not that of {page}" if check else f"{name}: written")
            if not check:
                file.write_text(svg, encoding="utf-8")
    return int(check and old)


def accuracy(text: str) -> Bars:
    """Mean errors of the predictors on each set of code."""
    kinds = ("simulate", "bounds", "llvm-mca")
    rows: list[tuple[str, list[float | None]]] = []
    for core, code, _, predictor, error, *_ in table(text, "| core | code |"):
        if core:
            rows.append((f"{_short(core)}: {code}", [None] * len(kinds)))
        rows[-1][1][kinds.index(predictor.strip("`"))] = float(error.removesuffix(" %"))
    return Bars(
        "Mean error relative to the measurement", ("corecast", "corecast, static bounds", "llvm-mca"), rows, unit=" %"
    )


def machines(text: str) -> Bars:
    """Forms of each model by confidence."""
    kinds = ("measured", "documented", "derived", "assumed")
    rows = [
        (name.strip("`"), [float(cell) for cell in cells[1:5]]) for name, _, *cells in table(text, "| cpu | core |")
    ]
    return Bars("Instruction forms of each model by confidence", kinds, rows, stacked=True)


def _short(core: str) -> str:
    """A core's name without vendor and aliases."""
    return core.partition(" (")[0].removeprefix("Intel ").removeprefix("AMD ")


def table(text: str, start: str) -> Iterator[list[str]]:
    """Cells of each row of the first table whose header starts so."""
    lines = text[text.index(start) :].split("\n")
    for line in lines[2:]:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|").split("|")]


PICTURES: dict[str, tuple[str, Callable[[str], Bars]]] = {
    "accuracy.md": ("accuracy.svg", accuracy),
    "machines.md": ("machines.svg", machines),
}
"""Page -> the picture that it shows, and how its table becomes one."""

if __name__ == "__main__":
    sys.exit(main())
