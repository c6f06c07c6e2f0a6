#!/usr/bin/env python3
"""Times kernels whose cycles are known on this core and prints how far off the runner is; exit code 1: more than 1 %.

    .venv/bin/python benchmarks/measure_known.py [TIMES]

Meaningful on a machine that nobody else uses. Expected cycles: uops.info and the vendors' optimization guides.
"""

from __future__ import annotations

import argparse
import sys

from corecast import Kernel
from corecast.machine import host_machine
from corecast.measure import Rejection, host_core, timed_kernel

TOLERANCE = 0.01
ZEN4 = ("zen4",)
SKYLAKE = ("skylake", "skylake_x", "cascade_lake")
REDWOOD = ("meteor_lake_p", "granite_rapids")
KERNELS: tuple[tuple[str, str, dict[tuple[str, ...], float]], ...] = (
    ("chain of adds", "add rax, rsi", {ZEN4: 1, SKYLAKE: 1, REDWOOD: 1}),
    ("four adds", "add rax, rsi; add rbx, rsi; add rcx, rsi; add rdx, rsi", {ZEN4: 1, SKYLAKE: 1}),
    ("chain of imuls", "imul rax, rsi", {ZEN4: 3, SKYLAKE: 3, REDWOOD: 3}),
    ("chain of popcnts", "popcnt rax, rax", {ZEN4: 1, SKYLAKE: 3, REDWOOD: 3}),
    ("chain of vaddpd", "vaddpd ymm0, ymm0, ymm1", {ZEN4: 3, SKYLAKE: 4, REDWOOD: 2}),
    ("chain of fma", "vfmadd231pd ymm0, ymm1, ymm2", {ZEN4: 4, SKYLAKE: 4, REDWOOD: 4}),
    ("chain of fma, 512 bits", "vfmadd231pd zmm0, zmm1, zmm2", {ZEN4: 4, ("skylake_x", "cascade_lake"): 4, REDWOOD: 4}),
    ("pointer chase", "mov rax, qword ptr [rax]", {ZEN4: 4, SKYLAKE: 4, REDWOOD: 5}),
    ("two loads", "mov rax, qword ptr [rsi]; mov rbx, qword ptr [rsi + 8]", {ZEN4: 2 / 3, SKYLAKE: 1, REDWOOD: 2 / 3}),
    ("vdivpd ymm", "vdivpd ymm0, ymm1, ymm2", {ZEN4: 5, SKYLAKE: 8, REDWOOD: 8}),
    ("adc chain", "adc rax, rsi", {ZEN4: 1, SKYLAKE: 1, REDWOOD: 1}),
    ("two chained shuffles", "vpshufd xmm0, xmm0, 27; vpshufd xmm0, xmm0, 27", {ZEN4: 2, SKYLAKE: 2, REDWOOD: 2}),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", nargs="?", type=int, default=1)
    times: int = parser.parse_args().times
    name = host_machine()
    core = host_core()
    print(f"{core.name}: {name or 'no model of it, nothing is known'}; clock {core.clock}")
    worst = 0.0
    for _ in range(times):
        for title, text, known in KERNELS:
            expected = next((cycles for names, cycles in known.items() if name in names), None)
            timing = core.time(timed_kernel(Kernel.from_text(".intel_syntax noprefix\n" + text, isa="x86")))
            if isinstance(timing, Rejection):
                print(f"{title:24} {timing.sentence}")
                continue
            off = timing.cycles / expected - 1 if expected is not None else 0.0
            worst = max(worst, abs(off))
            state = "" if timing.stable else "  NOT STABLE"
            told = f"expected {expected:.3f}  off {off:+.2%}" if expected is not None else "expected: unknown"
            lost = sum(timing.lost.values())
            print(f"{title:24} {timing.cycles:8.4f}  {told}  samples {timing.samples}, lost {lost}{state}")
    print(f"largest deviation {worst:.2%}")
    return 1 if worst > TOLERANCE else 0


if __name__ == "__main__":
    sys.exit(main())
