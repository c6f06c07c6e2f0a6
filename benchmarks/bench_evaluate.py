"""`corecast evaluate` with both methods on 16,000 blocks, and its memory for 300,000. Whole processes.

The blocks are the repository's own measured ones, again and again under other names of applications.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from measure import CORECAST, ROOT, Figure, Use, report, use_of

MEASURED = ROOT / "benchmarks" / "accuracy" / "zen4.loop.csv"
FEW = 16_000
MANY = 300_000
MOST_SECONDS = 20.0
MOST_MEGABYTES = 300.0


def rows() -> Iterator[dict[str, str]]:
    with open(MEASURED, encoding="utf-8", newline="") as stream:
        known = list(csv.DictReader(stream))
    for round_ in count():
        for row in known:
            yield {**row, "app": f"{row['app']}{round_}"}


def write(path: Path, number: int) -> None:
    with open(path, "w", encoding="utf-8", newline="") as stream:
        first = next(rows())
        writer = csv.DictWriter(stream, list(first), lineterminator="\n")
        writer.writeheader()
        writer.writerows(islice(rows(), number))


def evaluation(blocks: Path, folder: Path, *predictors: str) -> Use:
    named = [word for name in predictors for word in ("--predictor", name)]
    return use_of([CORECAST, "evaluate", blocks, "--cpu", "zen4", *named, "-o", folder], allowed=(0,))


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "few.csv", FEW)
        write(folder / "many.csv", MANY)
        few = evaluation(folder / "few.csv", folder / "few", "simulate", "bounds")
        many = evaluation(folder / "many.csv", folder / "many", "bounds", "baseline")
    return report(
        "evaluate",
        "corecast evaluate, whole process, report included",
        [
            Figure(
                "16,000 blocks, both methods",
                few.wall_seconds,
                "s",
                f"< {MOST_SECONDS:g}",
                few.wall_seconds < MOST_SECONDS,
            ),
            Figure("16,000 blocks, both methods", few.cpu_seconds, "CPU s"),
            Figure("300,000 blocks, bounds and baseline", many.cpu_seconds, "CPU s"),
            Figure(
                "memory for 300,000 blocks",
                many.megabytes,
                "MB",
                f"< {MOST_MEGABYTES:g}",
                many.megabytes < MOST_MEGABYTES,
            ),
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
