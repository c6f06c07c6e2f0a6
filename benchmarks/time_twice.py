"""Two passes of `corecast time` over the same blocks: how many of the rows that both accept differ.

    benchmarks/time_twice.py draw BLOCKS.csv 2000 > sample.csv
    corecast time sample.csv -o first.csv --mode loop
    (half an hour later)
    corecast time sample.csv -o second.csv --mode loop
    benchmarks/time_twice.py compare first.csv second.csv

`compare` writes a table and fails where more than one in 1,000 rows differ by more than 5 %.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from corecast.timing.visits import PASSING

ONCE = (*PASSING, "visits")
"""Reasons that another pass may not meet."""
DIFFERENT, NOTABLE = 0.05, 0.02
MOST_DIFFERENT = 0.001
"""Part of the rows that may be."""
SEED = 20261123
COLUMNS = ("hex", "cycles", "rejected", "mode")
WORST = 3
"""Rows that are listed."""


@dataclass(frozen=True)
class Pair:
    """A row that both passes accept."""

    code: str
    first: float
    second: float

    @property
    def difference(self) -> float:
        """Relative to the smaller."""
        return abs(self.first - self.second) / min(self.first, self.second)


@dataclass(frozen=True)
class Comparison:
    """What became of the rows of two passes."""

    pairs: Sequence[Pair]
    """The most different first."""
    measured: tuple[int, int]
    lasting: int
    """Rows that both reject for the same lasting reason."""
    changed: int
    """Rows that one pass rejects for a lasting reason and the other does not, or for another one."""
    passing: tuple[Counter[str], Counter[str]]

    def differing(self, most: float) -> int:
        return sum(pair.difference > most for pair in self.pairs)

    @property
    def accepted(self) -> bool:
        return bool(self.pairs) and self.differing(DIFFERENT) <= MOST_DIFFERENT * len(self.pairs)


def read(path: str) -> list[dict[str, str]]:
    """Raises OSError, or ValueError for what `corecast time` did not write."""
    with open(path, encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError(f"{path}:1: no column '{missing[0]}': not written by `corecast time`")
        return list(reader)


def compare(first: Sequence[dict[str, str]], second: Sequence[dict[str, str]]) -> Comparison:
    """Raises ValueError where the rows are not of the same blocks and mode."""
    key = ("hex", "mode")
    if [[row.get(name) for name in key] for row in first] != [[row.get(name) for name in key] for row in second]:
        raise ValueError("the two files are not of the same blocks in the same mode")
    both = list(zip(first, second, strict=True))
    pairs = [
        Pair(one["hex"], float(one["cycles"]), float(other["cycles"]))
        for one, other in both
        if one["cycles"] and other["cycles"]
    ]
    lasting = [
        (one["rejected"], other["rejected"])
        for one, other in both
        if any(row["rejected"] and row["rejected"] not in ONCE for row in (one, other))
    ]
    return Comparison(
        sorted(pairs, key=lambda pair: -pair.difference),
        (sum(bool(row["cycles"]) for row in first), sum(bool(row["cycles"]) for row in second)),
        sum(one == other for one, other in lasting),
        sum(one != other for one, other in lasting),
        (_passing(first), _passing(second)),
    )


def _passing(rows: Sequence[dict[str, str]]) -> Counter[str]:
    return Counter(row["rejected"] for row in rows if row["rejected"] in ONCE)


def percentile(pairs: Sequence[Pair], percent: float) -> float:
    """Of the differences; pairs are sorted, the most different first."""
    return pairs[min(len(pairs) - 1, int(len(pairs) * (100 - percent) / 100))].difference


def table(found: Comparison) -> str:
    pairs = found.pairs
    different = found.differing(DIFFERENT)
    rows = [
        ("measured in pass 1, in pass 2", f"{found.measured[0]:,}, {found.measured[1]:,}"),
        ("measured in both", f"{len(pairs):,}"),
        ("differ by more than 5 %", f"{different} ({1000 * different / max(1, len(pairs)):.1f} of 1,000)"),
        ("differ by more than 2 %", f"{found.differing(NOTABLE)}"),
    ]
    if pairs:
        middle = [f"{100 * percentile(pairs, percent):.2f} %" for percent in (50, 90, 99)]
        rows.append(("difference: median; 90th, 99th percentile", f"{middle[0]}; {middle[1]}, {middle[2]}"))
        worst = [f"{100 * pair.difference:.1f} % ({pair.first:.2f}, {pair.second:.2f})" for pair in pairs[:WORST]]
        rows.append(("largest differences", "; ".join(worst)))
    rows.append(("rejected for their accesses or code, the same in both passes", str(found.lasting)))
    rows.append(("the same, in one pass only", str(found.changed)))
    one, other = found.passing
    for reason in sorted(one | other):
        rows.append((f"rejected as `{reason}`, pass 1, pass 2", f"{one[reason]}, {other[reason]}"))
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def draw(path: str, count: int) -> int:
    """Writes so many rows of a CSV file, drawn at random, always the same.

    Raises OSError, or ValueError for an empty file or a count below 0.
    """
    with open(path, encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    if not rows:
        raise ValueError(f"{path}: is empty")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows(random.Random(SEED).sample(rows[1:], min(count, len(rows) - 1)))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    drawing = verbs.add_parser("draw")
    drawing.add_argument("blocks")
    drawing.add_argument("count", type=int)
    comparing = verbs.add_parser("compare")
    comparing.add_argument("first")
    comparing.add_argument("second")
    arguments = parser.parse_args()
    try:
        if arguments.verb == "draw":
            return draw(arguments.blocks, arguments.count)
        found = compare(read(arguments.first), read(arguments.second))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(table(found))
    for pair in found.pairs:
        if pair.difference > DIFFERENT:
            print(f"{pair.code}: {pair.first:.4f}, {pair.second:.4f}")
    return 0 if found.accepted else 1


if __name__ == "__main__":
    sys.exit(main())
