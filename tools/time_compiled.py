"""Times bodies of loops that compilers make of C sources, on arrays in the first-level cache, in the way of `corecast
calibrate`. Prints what benchmarks/accuracy/CORE.others.compiled.csv holds, for the host's core.

    .venv/bin/python tools/time_compiled.py --cpu 1 --compiler gcc --compiler clang benchmarks/kernels/others.c

A loop counts where two of its visits, some time apart, agree: the fastest two that do. Loops are left out that have
the instructions of a loop that `calibrate` ships, or of one before, with other registers and displacements; and those
with accesses under a mask, which may be empty for the numbers that loops are timed with.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corecast import _core
from corecast.asm.compile import read_source
from corecast.asm.regions import regions_of_code
from corecast.calibrate.bench import HostBench
from corecast.calibrate.code import Block
from corecast.errors import CorecastError
from corecast.measure import timed_kernel
from corecast.timing.blocks import prepare
from corecast.timing.verdict import Rejected, Verdict
from corecast.timing.visits import settle
from make_calibration import DATA, MOST_LOOP_BYTES, SETTINGS

LEAST_VISITS, MOST_VISITS = 5, 8
"""To each loop; all loops are visited once before any is visited again."""


def shape(body: bytes) -> str:
    """What is the same in loops that differ by registers and displacements alone."""
    return ";".join(each.form for each in _core.disassemble("x86", body).instructions)


def _is_masked(body: bytes) -> bool:
    """Whether an access to memory is under a mask."""
    found = _core.disassemble("x86", body).instructions
    return any(each.memory and ("{k" in each.text or "maskmov" in each.mnemonic) for each in found)


def loops(sources: Sequence[Path], compilers: Sequence[str]) -> Iterator[tuple[Block, str]]:
    """Bodies without the branch that closes them, each with the function and the compiler that it is from."""
    with (DATA / "loops.csv").open(encoding="utf-8") as stream:
        seen = {shape(bytes.fromhex(row["hex"])) for row in csv.DictReader(stream)}
    for setting, flags in SETTINGS.items():
        for compiler in compilers:
            for source in sources:
                for kernel in regions_of_code(read_source(source, f"{compiler} {flags}")):
                    try:
                        made = timed_kernel(kernel)
                        body = prepare(made.code, 0, "loop").code
                    except (CorecastError, Rejected):
                        continue
                    if not made.is_loop or made.counter < 0 or len(body) > MOST_LOOP_BYTES or shape(body) in seen:
                        continue
                    seen.add(shape(body))
                    if _is_masked(body):
                        continue
                    name = f"{kernel.name.partition(':')[0]} {Path(compiler).name}"
                    yield Block("compiled", body.hex(), "0", setting), name


def timed_before(path: Path) -> Iterator[tuple[Block, str]]:
    """The loops of a table that this program printed, on another core, say."""
    with path.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            yield Block("compiled", row["hex"], "0", row["app"]), row.get("name", "")


def _waits(visits: Sequence[Verdict]) -> bool:
    verdict = settle(visits)
    return verdict is None or (verdict.cycles is not None and len(visits) < LEAST_VISITS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path, metavar="SOURCE", help="C sources, or a table of loops (.csv)")
    parser.add_argument("--compiler", action="append", default=[])
    parser.add_argument("--cpu", type=int)
    arguments = parser.parse_args()
    tables = [source for source in arguments.sources if source.suffix == ".csv"]
    sources = [source for source in arguments.sources if source not in tables]
    if sources and not arguments.compiler:
        parser.error("C sources need --compiler")
    listed = {block.hex: (block, name) for table in tables for block, name in timed_before(table)}
    found = [*listed.values(), *loops(sources, arguments.compiler)]
    visits: dict[str, list[Verdict]] = {block.hex: [] for block, _ in found}
    bench = HostBench(arguments.cpu)
    for number in range(MOST_VISITS):
        waiting = [block for block, _ in found if _waits(visits[block.hex])]
        print(f"time_compiled: round {number}: {len(waiting)} of {len(found)} loops", file=sys.stderr)
        for block in waiting:
            visits[block.hex].append(bench.visit(block))
    bench.close()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("hex", "cycles", "app", "name"))
    for block, name in sorted(found, key=lambda each: hashlib.sha256(each[0].hex.encode()).hexdigest()):
        verdict = settle(visits[block.hex])
        if verdict is not None and verdict.cycles is not None:
            writer.writerow((block.hex, f"{verdict.cycles:.4f}", block.group, name))
        else:
            print(f"time_compiled: {name} {block.group}: {verdict.reason if verdict else 'visits'}", file=sys.stderr)


if __name__ == "__main__":
    main()
