"""`corecast predict` on many blocks, whole process, beside llvm-mca that gets many regions at once.

python benchmarks/bench_predict.py [BLOCKS.csv]: without a file, blocks of everyday instructions in random order.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import corecast
from bench_reading import examples
from corecast import _core
from measure import CORECAST, Figure, Use, report, use_of

CPU = "skylake_x"
PEER_CPU = "skylake-avx512"
BLOCKS = 100_000
MEMORY_BLOCKS = 300_000
PEER_BLOCKS = 1_500
ROUNDS = 3
LEAST_BOUNDS = 50_000.0
LEAST_SIMULATED = 5_000.0
LEAST_RATIO, LEAST_BOUNDS_RATIO = 20.0, 100.0
MOST_MEGABYTES = 300.0


def made_up() -> list[str]:
    rng = random.Random(2)
    known = [code.hex() for code in examples("x86")]
    predicted = corecast.predict(known, CPU, method="bounds")
    codes = [code for code, found in zip(known, predicted, strict=True) if found.status == "ok"]
    return ["".join(rng.choices(codes, k=rng.randrange(1, 12))) for _ in range(BLOCKS)]


def write(path: Path, blocks: list[str]) -> Path:
    path.write_text("hex\n" + "\n".join(blocks) + "\n", encoding="ascii")
    return path


def peer_text(blocks: list[str], most: int) -> tuple[str, int]:
    """Regions of straight-line code that the peer can read, and their number."""
    regions: list[str] = []
    for block in blocks:
        listing = _core.disassemble("x86", bytes.fromhex(block))
        if listing.problems or any(each.branch != "none" for each in listing.instructions):
            continue
        text = "\n".join(each.text for each in listing.instructions)
        if _core.assemble("x86", text, "intel").problems:
            continue
        regions.append(f"# LLVM-MCA-BEGIN r{len(regions)}\n{text}\n# LLVM-MCA-END r{len(regions)}\n")
        if len(regions) == most:
            break
    return ".intel_syntax noprefix\n" + "".join(regions), len(regions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("blocks", metavar="BLOCKS.csv", nargs="?", type=Path)
    given: Path | None = parser.parse_args().blocks
    try:
        blocks = given.read_text(encoding="ascii").split()[1:] if given else made_up()
    except (OSError, ValueError) as error:
        parser.error(f"{given}: {error}")
    rng = random.Random(3)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        everything = write(folder / "blocks.csv", blocks)
        many = write(folder / "many.csv", (blocks * (MEMORY_BLOCKS // len(blocks) + 1))[:MEMORY_BLOCKS])
        sample = rng.sample(blocks, len(blocks))

        def ours(file: Path, *options: str) -> Use:
            return use_of([CORECAST, "predict", file, "--cpu", CPU, "-o", folder / "out.csv", *options])

        ours(everything)
        bounds = ("--method", "bounds")
        one = min((ours(everything, *bounds, "--jobs", "1") for _ in range(3)), key=lambda use: use.wall_seconds)
        two = min((ours(everything, *bounds, "--jobs", "2") for _ in range(3)), key=lambda use: use.wall_seconds)
        memory = ours(many, "--jobs", "2").megabytes
        rate = len(blocks) / one.wall_seconds
        figures = [
            Figure("bounds, one job", rate, "blocks/s", f"{LEAST_BOUNDS:,.0f}", rate >= LEAST_BOUNDS),
            Figure("bounds, one job", len(blocks) / one.cpu_seconds, "blocks/CPU s"),
            Figure("bounds, two jobs", len(blocks) / two.wall_seconds, "blocks/s"),
            Figure("memory for 300,000 blocks", memory, "MB", f"< {MOST_MEGABYTES:g}", memory < MOST_MEGABYTES),
        ]
        peer = shutil.which("llvm-mca-22") or shutil.which("llvm-mca")
        text, count = peer_text(sample, PEER_BLOCKS)
        (folder / "regions.s").write_text(text, encoding="ascii")
        command = [peer or "", f"-mcpu={PEER_CPU}", "-skip-unsupported-instructions=any", folder / "regions.s"]
        # In turn, and the middle of each: what shares the machine may slow either by a third.
        rounds = [
            (
                len(blocks) / ours(everything, "--method", "simulate", "--jobs", "1").cpu_seconds,
                len(blocks) / ours(everything, *bounds, "--jobs", "1").cpu_seconds,
                count / use_of(command).cpu_seconds if peer else 0.0,
            )
            for _ in range(ROUNDS)
        ]
        simulated, bounded, theirs = (statistics.median(rates) for rates in zip(*rounds, strict=True))
        aim = f"{LEAST_SIMULATED:,.0f}"
        figures.append(Figure("simulate, one job", simulated, "blocks/CPU s", aim, simulated >= LEAST_SIMULATED))
        if peer:
            ratio = simulated / theirs
            figures += [
                Figure("llvm-mca, regions in one file", theirs, "blocks/CPU s"),
                Figure(
                    "ratio of the bounds",
                    bounded / theirs,
                    "times",
                    f"at least {LEAST_BOUNDS_RATIO:g}",
                    bounded / theirs >= LEAST_BOUNDS_RATIO,
                ),
                Figure("ratio of simulate", ratio, "times", f"at least {LEAST_RATIO:g}", ratio >= LEAST_RATIO),
            ]
    origin = f"{len(blocks):,} blocks {'of real programs' if given else 'of everyday instructions in random order'}"
    return report("predict", f"Many blocks, whole process ({CPU})", figures, origin)


if __name__ == "__main__":
    sys.exit(main())
