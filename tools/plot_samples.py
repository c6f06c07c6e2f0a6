"""Samples of three kernels and their calibration, as one SVG: what the clock says, and what it is in cycles.

    plot_samples.py -o docs/samples.svg [--pin CORE]

Above: ticks of the clock for one execution of the kernel, sample by sample, which follow the core's clock and whatever
shares the core. Below: the same divided by the ticks that a cycle of the references around it took. Grey samples do not
count.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corecast import Kernel, _core
from corecast.measure import Rejection, host_core, timed_kernel
from corecast.report.markup import escaped

KERNELS = {"imul rax, rbx": "480fafc3", "four additions": "4801f04801f34801f14801f2", "vdivpd ymm": "c5fd5ed1"}
REFERENCE_CYCLES = 24_576.0
"""That the difference of the two reference loops stands for: half of the longer (cpp/runner/measure.hpp)."""
TOLERANCE, INTERRUPTED = 0.01, 1.15
BATCHES = 4
WIDTH, HEIGHT, LEFT, TOP = 300, 110, 52, 40
INK, LOST, KEPT = "#64748b", "#cbd5e1", "#2563eb"


@dataclass(frozen=True)
class Sample:
    ticks: float
    """Of one execution."""
    cycles: float
    counts: bool


def samples(measured: _core.Measurement) -> list[Sample]:
    executions = measured.iterations * measured.short_copies
    runs = list(zip(*measured.samples, strict=True))[:6]
    limits = [INTERRUPTED * sorted(run)[len(run) // 2] for run in runs]
    found = []
    for *ticks, disturbances in measured.samples:
        before, kernel, after = (ticks[i + 1] - ticks[i] for i in (0, 2, 4))
        rate = (before + after) / 2 / REFERENCE_CYCLES
        steady = abs(before - after) <= TOLERANCE * rate * REFERENCE_CYCLES
        whole = disturbances == 0 and all(tick <= limit for tick, limit in zip(ticks, limits, strict=True))
        found.append(Sample(kernel / executions, kernel / executions / rate, steady and whole))
    return found


def drawing(measured: dict[str, tuple[list[Sample], float]]) -> Iterator[str]:
    width = len(measured) * (WIDTH + LEFT) + 12
    height = TOP + 2 * (HEIGHT + 34)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    yield ' font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#ffffff"/>'
    for place, (name, (found, value)) in enumerate(measured.items()):
        left = LEFT + place * (WIDTH + LEFT)
        lost = sum(not each.counts for each in found)
        yield text(left, 18, f"{name}: {value:.3f} cycles", size=13)
        yield text(left, TOP - 6, f"ticks for one; {len(found)} samples, {lost} do not count")
        yield from panel(left, TOP, [(each.ticks, each.counts) for each in found])
        yield text(left, TOP + HEIGHT + 28, "cycles for one, after calibration")
        yield from panel(left, TOP + HEIGHT + 34, [(each.cycles, each.counts) for each in found], value)
    yield "</svg>"


def panel(left: int, top: int, points: Sequence[tuple[float, bool]], value: float | None = None) -> Iterator[str]:
    kept = [point for point, counts in points if counts] or [point for point, _ in points]
    low, high = min(kept) * 0.99, max(kept) * 1.01
    yield f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="{INK}"/>'

    def height(point: float) -> float:
        share = (min(max(point, low), high) - low) / (high - low)
        return round(top + HEIGHT * (1 - share), 1)

    for mark in (low, high):
        yield text(left - 6, height(mark) + (8 if mark == high else 0), f"{mark:.2f}", anchor="end")
    if value is not None:
        yield f'<path d="M{left} {height(value)}h{WIDTH}" stroke="#c76a00"/>'
    for wanted, colour in ((False, LOST), (True, KEPT)):
        dots = "".join(
            f"M{left + WIDTH * (number + 0.5) / len(points):.0f} {height(point):.0f}h0"
            for number, (point, counts) in enumerate(points)
            if counts == wanted
        )
        yield f'<path d="{dots}" stroke="{colour}" stroke-width="3" stroke-linecap="round"/>'


def text(x: float, y: float, words: str, *, size: int = 11, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{INK}" text-anchor="{anchor}">{escaped(words)}</text>'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--pin", type=int)
    arguments = parser.parse_args()
    core = host_core(arguments.pin)
    measured = {}
    for name, code in KERNELS.items():
        kernel = timed_kernel(Kernel.from_hex(code))
        # One batch at a time: each chooses its number of iterations.
        batches = [
            _core.measure(kernel.code, kernel.values.to_core(), counter=kernel.counter, cpu=core.cpu, most_batches=1)
            for _ in range(BATCHES)
        ]
        timing = core.time(kernel)
        if isinstance(timing, Rejection):
            parser.error(f"{name}: {timing.sentence}")
        measured[name] = ([sample for batch in batches for sample in samples(batch)], timing.cycles)
    arguments.output.write_text("\n".join(drawing(measured)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
