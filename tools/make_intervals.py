"""Writes the tables of intervals of all models, and their coverage into docs/intervals.md.

python tools/make_intervals.py --data FOLDER

FOLDER holds the measurements (tools/intervals/measured.py names them). A third of the code, drawn by a hash of its
bytes, is held back: tables come from the rest, the page's coverage from the third. Run it again whenever predictions
change.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import cast

from corecast import Kernel, __version__, _core
from corecast.analysis import AnalyzeOptions
from corecast.analysis.intervals import class_number
from corecast.api import answer_of
from corecast.errors import CorecastError
from corecast.machine import Machine, load_machine
from corecast.machine.intervals import BORROWED, OF_ALL, TABLE, Key, Row, class_key
from corecast.machine.intervals import Intervals as Tables
from corecast.machine.method import Method
from corecast.prediction.engine import make_predictor
from intervals.calibrate import Sample, calibrated
from intervals.measured import RELATIVES, REPOSITORY, SAME_CORE, SETS, Block, MeasuredSet, sets_of

PAGE = REPOSITORY / "docs" / "intervals.md"
HEADING = "## Coverage on code that was held back"
METHODS = ("simulate", "bounds")
MOST_BORROWED = 3000
"""Blocks of a set that a borrowed table counts, so that no core outweighs the others."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    data = parser.parse_args().data
    lines = [HEADING, ""]
    lines += ["| core | kind of code | method | calibrated on | checked on | coverage | median width |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for name in sorted({each.core for each in SETS if not each.is_own_source} | set(SAME_CORE)):
        samples = [each for part in _sets_of(name) for each in _samples(part, name, data)]
        rows = calibrated(samples)
        machine = load_machine(name)
        _write(machine.info.folder / TABLE, rows, [_origin(part, SAME_CORE.get(name)) for part in _sets_of(name)])
        lines += _coverage(f"`{name}`", _of_rows(rows), samples)
    lines += ["", "Of models that were not calibrated, on code of related cores; what they borrow:", "", *lines[2:4]]
    lines += _borrow(data)
    before, _, _ = PAGE.read_text(encoding="utf-8").partition(HEADING)
    PAGE.write_text(before + "\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def _borrow(data: Path) -> Iterator[str]:
    """Writes the borrowed tables; yields rows about their coverage."""
    by_isa: dict[str, list[Sample]] = defaultdict(list)
    origins: dict[str, list[str]] = defaultdict(list)
    for core, relative in RELATIVES.items():
        isa = load_machine(core).isa
        for part in sets_of(core):
            samples = list(_samples(part, relative, data, MOST_BORROWED))
            for name in (isa, OF_ALL):
                by_isa[name] += samples
                origins[name].append(f"{_origin(part)}, predicted with the model of {relative}")
    folder = Path(BORROWED)
    folder.mkdir(exist_ok=True)
    for name, samples in by_isa.items():
        rows = calibrated(samples)
        _write(folder / f"{name}.tsv", rows, origins[name])
        yield from _coverage(name, _of_rows(rows), samples)


def _of_rows(rows: dict[Key, Row]) -> Tables:
    return Tables((("measured", lambda: rows),))


def _sets_of(name: str) -> list[MeasuredSet]:
    own = list(sets_of(name))
    # Of loops there are too few to check each of these models on.
    return own or [each for each in SETS if each.core == SAME_CORE[name] and not each.own_branches]


def _origin(part: MeasuredSet, same_core: str | None = None) -> str:
    return f"{part.file} ({part.core}{', the same core' if same_core else ''}, {part.mode})"


@cache
def _blocks(part: MeasuredSet, data: Path) -> list[Block]:
    return part.blocks(data, load_machine(part.core).isa)


def _samples(part: MeasuredSet, model: str, data: Path, most: int | None = None) -> Iterator[Sample]:
    """Both methods' predictions of a set beside its measurements, where the model knows every instruction."""
    machine = load_machine(model)
    blocks = _blocks(part, data)
    if most is not None:
        blocks = blocks[:: max(1, -(-len(blocks) // most))]
    for method in METHODS:
        if method == "simulate" and machine.core.missing_for_simulation:
            continue
        yield from _samples_of(part, machine, method, blocks)
        if part.own_branches:
            yield from _unplaced(machine, method, blocks)


def _samples_of(part: MeasuredSet, machine: Machine, method: str, blocks: Sequence[Block]) -> Iterator[Sample]:
    found = make_predictor(machine, part.mode, method, None).predict(
        [each.hex for each in blocks],
        [each.address for each in blocks],
        register_steps=[each.register_step for each in blocks],
        codes_before=[each.before for each in blocks],
    )
    cycles = memoryview(found.cycles).cast("d")
    for block, number, predicted in zip(blocks, found.classes, cycles, strict=True):
        if number is None:
            continue
        kind, *others = class_key(number)
        for said_of in (kind, *part.also_of):
            yield Sample((said_of, method, *others), block.cycles / predicted, block.is_held_back)


def _unplaced(machine: Machine, method: str, blocks: Sequence[Block]) -> Iterator[Sample]:
    """The same code as if nobody knew where it starts, as of assembly text."""
    options = AnalyzeOptions(method=cast(Method, method), alignment=False)
    for block in blocks:
        kernel = Kernel.from_hex(block.hex, machine.isa, address=block.address)
        try:
            region = answer_of(kernel, machine, options)
        except CorecastError:
            continue
        number = class_number(region, kernel, machine, options)
        if number is None or region.core.method != method:
            continue
        kind, *others = class_key(number)
        yield Sample((kind, method, *others), block.cycles / region.core.cycles_per_iteration, block.is_held_back)


def _coverage(name: str, tables: Tables, samples: Sequence[Sample]) -> Iterator[str]:
    """A row a kind of code and method that the tables know."""
    by_kind: dict[Key, list[Sample]] = defaultdict(list)
    for each in samples:
        by_kind[each.key[:2]].append(each)
    for (kind, method), all_samples in sorted(by_kind.items()):
        checked = [each for each in all_samples if each.is_held_back]
        widths, inside = [], 0
        for each in checked:
            ratios = tables.find(method, (kind, *each.key[2:]))
            if ratios is None:
                continue
            widths.append(ratios.high - ratios.low)
            inside += ratios.low <= each.ratio <= ratios.high
        if widths:
            median = sorted(widths)[len(widths) // 2]
            counts = f"{len(all_samples) - len(checked):,} | {len(checked):,}"
            yield f"| {name} | {kind} | {method} | {counts} | {inside / len(widths):.1%} | {100 * median:.2f} % |"


def _write(file: Path, rows: dict[Key, Row], origins: Sequence[str]) -> None:
    names = [name for name, _ in _core.class_features()]
    lines = ["# Ends of 90 % intervals as shares of the prediction, by class (docs/intervals.md). Made by"]
    lines += [f"# tools/make_intervals.py on {datetime.now(timezone.utc):%Y-%m-%d} with corecast {__version__}, from"]
    lines += [f"# - {origin}" for origin in origins]
    lines += ["# without the third of the code whose hash holds it back."]
    lines += ["# " + "\t".join([names[0], "method", *names[1:], "low", "high", "measurements"])]
    lines += ["\t".join([*key, f"{low:.5f}", f"{high:.5f}", str(count)]) for key, (low, high, count) in rows.items()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
