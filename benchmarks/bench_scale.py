"""Large inputs, whole process: blocks of 5,000 and 80,000 instructions, and a compiler output of 100,000 lines."""

from __future__ import annotations

import random
import re
import sys
import tempfile
from pathlib import Path

from measure import CORECAST, ROOT, Figure, median_seconds, process_seconds, report, use_of

BLOCK_INSTRUCTIONS = 5_000
BLOCK_SECONDS = 1.0
OUTPUT_LINES = 100_000
OUTPUT_SECONDS = 5.0
STRAIGHT_INSTRUCTIONS = 80_000
STRAIGHT_SECONDS = {"bounds": 5.0, "simulate": 10.0}
STRAIGHT_MEGABYTES = 300.0
RUNS = 5
TEMPLATES = (
    *("vmovupd {d}(%rsi,%rax), %ymm{a}", "vmovupd %ymm{a}, {d}(%rdi,%rax)", "vaddpd %ymm{a}, %ymm{b}, %ymm{c}"),
    *("vfmadd231pd %ymm{a}, %ymm{b}, %ymm{c}", "vmulpd {d}(%rdx,%rax), %ymm{a}, %ymm{b}", "addq $8, %r{g}"),
    *("leaq {d}(%r{g},%r{h},4), %r{g}", "imulq %r{g}, %r{h}", "movq {d}(%rsp), %r{g}", "movq %r{g}, {d}(%rsp)"),
    *("xorl %r{g}d, %r{g}d", "shlq $3, %r{g}", "cmovne %r{g}, %r{h}", "vpermilpd $5, %ymm{a}, %ymm{b}"),
)


def straight(instructions: int) -> list[str]:
    """Random arithmetic, loads and stores, with long dependency chains and memory dependencies."""
    rng = random.Random(1)
    lines = []
    for _ in range(instructions):
        a, b, c = (rng.randrange(16) for _ in range(3))
        g, h = rng.sample(range(8, 16), 2)
        lines.append("\t" + rng.choice(TEMPLATES).format(a=a, b=b, c=c, g=g, h=h, d=8 * rng.randrange(64)))
    return lines


def block() -> str:
    """Such code as a loop's body."""
    body = straight(BLOCK_INSTRUCTIONS - 3)
    return "\n".join([".L1:", *body, "\taddq $64, %rax", "\tcmpq %rbx, %rax", "\tjne .L1"]) + "\n"


def compiler_output() -> str:
    """Functions of a real compiler output with debug lines, again and again under other names."""
    source = (ROOT / "tests" / "data" / "asm" / "gcc12_att_debug.s").read_text(encoding="utf-8")
    names = sorted(set(re.findall(r"^(\.?\w+):", source, re.M)), key=len, reverse=True)
    label = re.compile(r"(?<![\w.])(?:" + "|".join(map(re.escape, names)) + r")(?![\w.])")
    pieces = []
    lines = 0
    number = 0
    while lines < OUTPUT_LINES:
        pieces.append(label.sub(lambda match, suffix=f"_{number}": match[0] + suffix, source))
        lines += pieces[-1].count("\n")
        number += 1
    return "\n".join("\n".join(pieces).split("\n")[:OUTPUT_LINES]) + "\n"


def straight_figures(path: Path) -> list[Figure]:
    """Of a region without a branch, by each method; the middle of three runs."""
    path.write_text("\n".join(straight(STRAIGHT_INSTRUCTIONS)) + "\n", encoding="utf-8")
    figures = []
    for method, most in STRAIGHT_SECONDS.items():
        command = [CORECAST, "analyze", path, "--cpu", "skylake_x", "--mode", "unroll", "--method", method]
        used = sorted(use_of(command) for _ in range(3))[1]
        what = f"80,000 instructions in a row, {method}"
        seconds, megabytes = used.wall_seconds, used.megabytes
        figures += [
            Figure(what, seconds, "s", f"< {most:g} s", seconds < most),
            Figure(what, megabytes, "MB", f"< {STRAIGHT_MEGABYTES:g}", megabytes < STRAIGHT_MEGABYTES),
        ]
    return figures


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        figures = []
        for what, name, text, most in (
            ("a block of 5,000 instructions", "block.s", block(), BLOCK_SECONDS),
            ("a compiler output of 100,000 lines", "output.s", compiler_output(), OUTPUT_SECONDS),
        ):
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            command = [CORECAST, "analyze", path, "--cpu", "skylake_x"]
            seconds = median_seconds(lambda command=command: process_seconds(command), RUNS)
            figures.append(Figure(what, seconds, "s", f"< {most:g} s", seconds < most))
        figures += straight_figures(Path(folder) / "straight.s")
    return report("scale", "Large inputs, whole process, median of 5", figures)


if __name__ == "__main__":
    sys.exit(main())
