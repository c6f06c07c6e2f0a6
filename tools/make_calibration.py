"""Writes the code that `corecast calibrate` times, src/corecast/calibrate/data: blocks of real programs, loops that GCC
makes of the repository's own kernels, and which instruction forms are frequent.

    .venv/bin/python tools/make_calibration.py
"""

from __future__ import annotations

import csv
import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from corecast import _core
from corecast.asm.compile import read_source
from corecast.asm.regions import regions_of_code
from corecast.errors import CorecastError
from corecast.measure import timed_kernel
from corecast.timing.blocks import prepare
from corecast.timing.verdict import Rejected

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "corecast" / "calibrate" / "data"
MEASURED = ROOT / "benchmarks" / "accuracy" / "zen4.loop.csv"
SOURCES = (ROOT / "examples" / "vectorize" / "loops.c", ROOT / "examples" / "triad.c", ROOT / "examples" / "axpy.c")
BLOCKS, MOST_BYTES = 400, 80
LEAST_BLOCKS = 2
"""Of the measured ones that a form must be in, to count as frequent."""
LOOPS, MOST_LOOP_BYTES = 300, 400
SETTINGS = {
    "scalar": "-O2 -fno-tree-vectorize",
    "sse": "-O3 -msse4.2 -ffast-math",
    "avx2": "-O3 -march=haswell -ffast-math",
    "avx512": "-O3 -march=skylake-avx512 -mprefer-vector-width=512 -ffast-math",
}


def mixed(text: str) -> str:
    """A key for an order that has nothing to do with the code."""
    return hashlib.sha256(f"order {text}".encode()).hexdigest()


def blocks() -> list[tuple[str, str, str]]:
    with MEASURED.open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if len(row["hex"]) <= 2 * MOST_BYTES]
    chosen = random.Random(4).sample(rows, BLOCKS)
    return sorted(((row["hex"], row["address"], row["app"]) for row in chosen), key=lambda row: mixed(row[0]))


def loops() -> Iterator[tuple[str, str, str]]:
    """Bodies of loops, without the branch that closes them."""
    seen = set()
    for setting, flags in SETTINGS.items():
        for source in SOURCES:
            code = read_source(source, f"gcc {flags}")
            for kernel in regions_of_code(code):
                try:
                    made = timed_kernel(kernel)
                    body = prepare(made.code, 0, "loop").code
                except (CorecastError, Rejected):
                    continue
                if not made.is_loop or made.counter < 0 or len(body) > MOST_LOOP_BYTES or body in seen:
                    continue
                seen.add(body)
                yield body.hex(), setting, kernel.name.partition(":")[0]


def frequent() -> list[str]:
    """Forms by how many blocks they occur in."""
    counts: Counter[str] = Counter()
    with MEASURED.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            counts.update({each.form for each in _core.disassemble("x86", bytes.fromhex(row["hex"])).instructions})
    return [
        form for form, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= LEAST_BLOCKS
    ]


def write(name: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    with (DATA / name).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def main() -> None:
    write("blocks.csv", ("hex", "address", "app"), blocks())
    made = sorted(loops(), key=lambda row: mixed(row[0]))
    write("loops.csv", ("hex", "set", "name"), made[:LOOPS])
    (DATA / "forms.txt").write_text("\n".join(frequent()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
