"""Holds every prediction still: compares both methods on committed blocks, on every core, with the committed figures.

python tools/freeze.py [--update REASON] [CORE...]

benchmarks/freeze/blocks.<isa>.csv holds blocks, <core>.csv what either method says of each, in the same order, to the
last digit. Prints what changed; the exit code is 1 where something did. `--update` accepts it and adds a line with the
reason to benchmarks/freeze/changes.md.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from corecast.machine import list_machines, load_machine
from corecast.prediction import predict
from corecast.prediction.engine import MODES

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks" / "freeze"
CHANGES = "changes.md"
METHODS = ("bounds", "simulate")
COLUMNS = tuple(f"{method}_{what}" for method in METHODS for what in ("cycles", "bottleneck"))
SHOWN = 10
"""Changed blocks that are printed of each core."""


@dataclass(frozen=True)
class Block:
    """Code in hexadecimal digits, where it starts, and how it repeats (loop or unroll)."""

    hex: str
    address: int
    mode: str


@dataclass(frozen=True)
class Change:
    """A figure of a block on a core that is not what is committed; cycles are text, "" where there is none."""

    block: Block
    method: str
    before: tuple[str, str]
    now: tuple[str, str]

    def __str__(self) -> str:
        figures = " -> ".join(
            f"{cycles or '-'} ({bottleneck or '-'})" for cycles, bottleneck in (self.before, self.now)
        )
        return f"  {self.block.mode} {self.block.hex}@{self.block.address} {self.method}: {figures}"

    @property
    def share(self) -> float:
        """How much the cycles changed, as a share of what they were; infinite where there were none or are none."""
        before, now = self.before[0], self.now[0]
        if before == now:
            return 0.0
        return abs(float(now) / float(before) - 1) if before and now and float(before) else float("inf")


def read_blocks(isa: str, folder: Path = FOLDER) -> list[Block]:
    with open(folder / f"blocks.{isa}.csv", encoding="utf-8", newline="") as stream:
        return [Block(row["hex"], int(row["address"]), row["mode"]) for row in csv.DictReader(stream)]


def predicted(cpu: str, blocks: list[Block]) -> list[list[str]]:
    """Cycles (all digits) and bottleneck by either method, a row a block; empty where a method gives nothing."""
    machine = load_machine(cpu)
    rows = [[""] * len(COLUMNS) for _ in blocks]
    for at, method in enumerate(METHODS):
        if method == "simulate" and machine.core.missing_for_simulation:
            continue
        for mode in MODES:
            chosen = [index for index, block in enumerate(blocks) if block.mode == mode]
            found = predict(
                [blocks[index].hex for index in chosen],
                machine,
                mode,  # type: ignore[arg-type]  # of MODES
                method,  # type: ignore[arg-type]  # of METHODS
                addresses=[blocks[index].address for index in chosen],
            )
            for index, each in zip(chosen, found, strict=True):
                cycles = "" if each.cycles is None else repr(each.cycles)
                rows[index][2 * at : 2 * at + 2] = [cycles, each.bottleneck]
    return rows


def committed(cpu: str, folder: Path = FOLDER) -> list[list[str]]:
    """The committed rows; none where the core is new."""
    path = folder / f"{cpu}.csv"
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))[1:]


def changes(blocks: list[Block], before: list[list[str]], now: list[list[str]]) -> Iterator[Change]:
    for block, old, new in zip(blocks, before or [[""] * len(COLUMNS)] * len(blocks), now, strict=True):
        for at, method in enumerate(METHODS):
            part = slice(2 * at, 2 * at + 2)
            if old[part] != new[part]:
                yield Change(block, method, (old[2 * at], old[2 * at + 1]), (new[2 * at], new[2 * at + 1]))


def digest(folder: Path = FOLDER) -> str:
    """Of all that is frozen: the last line of changes.md names it, so that none changes without a line."""
    sum_ = hashlib.sha256()
    for path in sorted(folder.glob("*.csv")):
        sum_.update(path.name.encode())
        sum_.update(path.read_bytes())
    return sum_.hexdigest()[:12]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", metavar="REASON", help="accept the changes, for this reason")
    parser.add_argument("cores", nargs="*", metavar="CORE", help="default: all")
    arguments = parser.parse_args()
    cores = arguments.cores or [each.name for each in list_machines()]
    changed: dict[str, list[Change]] = {}
    for cpu in cores:
        blocks = read_blocks(load_machine(cpu).isa)
        before, now = committed(cpu), predicted(cpu, blocks)
        if before == now:
            continue
        changed[cpu] = list(changes(blocks, before, now))
        _print(cpu, changed[cpu])
        if arguments.update:
            _write(cpu, now)
    if arguments.update and changed:
        _note(arguments.update, changed)
        return 0
    print(f"cores: {len(cores)}, changed: {len(changed)}")
    return 1 if changed else 0


def _print(cpu: str, found: list[Change]) -> None:
    print(f"{cpu}: {_summary(found)}")
    for change in sorted(found, key=lambda change: -change.share)[:SHOWN]:
        print(change)


def _summary(found: Iterable[Change]) -> str:
    by_method = Counter(change.method for change in found if change.share)
    names = Counter(change.method for change in found if not change.share)
    parts = [f"{count} cycles of {method}" for method, count in sorted(by_method.items())]
    parts += [f"{count} bottlenecks of {method}" for method, count in sorted(names.items())]
    return ", ".join(parts)


def _write(cpu: str, rows: list[list[str]]) -> None:
    with open(FOLDER / f"{cpu}.csv", "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def _note(reason: str, changed: dict[str, list[Change]]) -> None:
    everything = [change for found in changed.values() for change in found]
    cores = ", ".join(sorted(changed)) if len(changed) <= 6 else f"{len(changed)} cores"
    line = f"| {datetime.now(timezone.utc):%Y-%m-%d} | {cores} | {_summary(everything)} | {reason} | {digest()} |\n"
    with open(FOLDER / CHANGES, "a", encoding="utf-8") as stream:
        stream.write(line)


if __name__ == "__main__":
    sys.exit(main())
