"""Cycles of string instructions with a repeat prefix by their count, on this machine (x86-64 Linux).

Every form and count becomes a loop of a plain compiled program, which sets both addresses and the count and repeats the
instruction. The program times it with `rdtsc` beside a chain of additions. Buffers start a line, the second half a
page after the first, and stay in the first-level cache; strings are compared to their end. Counts are constants, so
branches of the microcode are predicted.

Usage: benchmarks/time_repeats.py [--core CORE] [--passes N] [--counts N,N,...] > repeats.tsv
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

COUNTS = (
    *(0, 1, 2, 3, 4, 6, 8, 12, 15, 16, 24, 31, 32, 48, 63, 64, 96, 127, 128, 192, 255, 256, 384, 512, 768, 1024),
    *(2048, 4096),
)
"""Where microcode takes another way, it does so at powers of two: both sides of them."""
WIDTHS = {"b": 1, "w": 2, "d": 4, "q": 8}
MOST_BYTES = 12 << 10
"""Of one buffer: two of them leave room in a first-level cache of 32 KiB."""
ACCUMULATOR = {"b": "al", "w": "ax", "d": "eax", "q": "rax"}
LEAST_CYCLES = 4000
"""Of a timed run, about."""

PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
extern void (*const loops[])(uint64_t, char *, char *, uint64_t);
extern const uint32_t turns[], differ[];
extern void chain(uint64_t);
static char buffers[3 * 16384] __attribute__((aligned(4096)));
static inline uint64_t now(void) {
  uint32_t low, high;
  __asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high)::"memory");
  return (uint64_t)high << 32 | low;
}
static uint64_t least(uint64_t one, uint64_t other) { return one < other ? one : other; }
static uint64_t taken(int i, uint64_t times, char *other) {
  const uint64_t start = now();
  loops[i](times, buffers, other, 0);
  return now() - start;
}
static uint64_t taken_by_chain(uint64_t times) {
  const uint64_t start = now();
  chain(times);
  return now() - start;
}
static void fill(int different) {
  for (int i = 0; i < 16384; ++i) { /* rax is 0: `scas` looks for what is there, or is not */
    buffers[i] = 1;
    buffers[16384 + 2048 + i] = different ? 2 : 1;
  }
}
int main(void) {
  static uint64_t few[LOOPS], many[LOOPS];
  uint64_t short_chain = -1, long_chain = -1;
  for (int i = 0; i < LOOPS; ++i)
    few[i] = many[i] = -1;
  for (int pass = 0; pass < PASSES; ++pass) {
    for (int i = 0; i < LOOPS; ++i) {
      fill(differ[i] & 1);
      if (differ[i] & 2) /* `repe scas` goes on while elements are rax */
        for (int k = 0; k < 16384; ++k)
          buffers[16384 + 2048 + k] = 0;
      for (int round = 0; round < 6; ++round) {
        short_chain = least(short_chain, taken_by_chain(100));
        long_chain = least(long_chain, taken_by_chain(200));
        few[i] = least(few[i], taken(i, turns[i], buffers + 16384 + 2048));
        many[i] = least(many[i], taken(i, 2 * turns[i], buffers + 16384 + 2048));
      }
    }
    usleep(PAUSE); /* neighbours come and go */
  }
  const double cycle = (double)(long_chain - short_chain) / (100 * 32);
  for (int i = 0; i < LOOPS; ++i)
    printf("%.3f\n", (double)(many[i] - few[i]) / turns[i] / cycle);
}
"""


def forms() -> Iterator[tuple[str, str, str]]:
    """Prefix, mnemonic and key of every form."""
    for width, size in WIDTHS.items():
        bits, register = 8 * size, ACCUMULATOR[width]
        yield "rep", f"movs{width}", f"rep movs{width} m{bits}, m{bits}"
        yield "rep", f"stos{width}", f"rep stos{width} m{bits}, {register}"
        yield "rep", f"lods{width}", f"rep lods{width} {register}, m{bits}"
        for prefix, key in (("repe", "rep"), ("repne", "repne")):
            yield prefix, f"cmps{width}", f"{key} cmps{width} m{bits}, m{bits}"
            yield prefix, f"scas{width}", f"{key} scas{width} {register}, m{bits}"


def cases(counts: Sequence[int]) -> Iterator[tuple[str, str, str, int]]:
    for prefix, mnemonic, key in forms():
        for count in counts:
            if count * WIDTHS[mnemonic[-1]] <= MOST_BYTES:
                yield prefix, mnemonic, key, count


def difference(prefix: str, mnemonic: str) -> int:
    """Which buffers keep the instruction going to its count: 1 different ones, 2 one that is what rax is."""
    if mnemonic.startswith("cmps"):
        return 1 if prefix == "repne" else 0
    return 2 if mnemonic.startswith("scas") and prefix == "repe" else 0


def turns(mnemonic: str, count: int) -> int:
    """Of a timed run; even a copy by elements takes some cycles."""
    each = 10 + count * (2 if mnemonic[:4] in ("cmps", "scas") else 1)
    return max(24, LEAST_CYCLES // each)


def assembly(counts: Sequence[int]) -> str:
    lines = [".text", "chain:", ".globl chain", ".p2align 6", "1:", *["add %rsi, %rdx"] * 32, "dec %rdi; jnz 1b; ret"]
    table = list(cases(counts))
    for i, (prefix, mnemonic, _, count) in enumerate(table):
        name = mnemonic[:-1] + "l" if mnemonic.endswith("d") else mnemonic
        lines += [f"loop{i}:", "mov %rdi, %r10; mov %rsi, %r8; mov %rdx, %r9", ".p2align 6"]
        lines += [f"1: xor %eax, %eax; lea (%r8), %rsi; lea (%r9), %rdi; mov ${count}, %ecx; {prefix} {name}"]
        lines += ["dec %r10; jnz 1b; ret"]
    lines += ['.section .note.GNU-stack,"",@progbits', '.section .data.rel.ro,"aw"', ".globl loops, turns, differ"]
    lines += ["loops:", *(f".quad loop{i}" for i in range(len(table)))]
    lines += ["turns:", *(f".long {turns(mnemonic, count)}" for _, mnemonic, _, count in table)]
    lines += ["differ:", *(f".long {difference(prefix, mnemonic)}" for prefix, mnemonic, _, _ in table)]
    return "\n".join(lines) + "\n"


def measured(counts: Sequence[int], core: int, passes: int, pause_seconds: float) -> list[float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "loops.s").write_text(assembly(counts))
        (folder / "main.c").write_text(PROGRAM)
        defines = [f"-DPASSES={passes}", f"-DPAUSE={int(pause_seconds * 1e6)}", f"-DLOOPS={len(list(cases(counts)))}"]
        sources = [str(folder / "main.c"), str(folder / "loops.s")]
        subprocess.run(["cc", "-O2", "-no-pie", *defines, "-o", str(folder / "loops"), *sources], check=True)
        command = ["taskset", "-c", str(core), str(folder / "loops")]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
    return [float(line) for line in found.stdout.split()]


def machine() -> str:
    """The processor, as the system names it."""
    found = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        found.setdefault(key.strip(), value.strip())
    family, model, stepping = (found[key] for key in ("cpu family", "model", "stepping"))
    return f"{found['model name']} (cpu family {family}, model {model}, stepping {stepping})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--passes", type=int, default=100)
    parser.add_argument("--pause", type=float, default=0.2, metavar="SECONDS", help="between two passes")
    parser.add_argument("--counts", type=lambda text: [int(each) for each in text.split(",")], default=COUNTS)
    options = parser.parse_args()
    cycles = measured(options.counts, options.core, options.passes, options.pause)
    print(f"# Measured on {machine()}")
    print(
        f"# by benchmarks/time_repeats.py, {datetime.date.today()}: cycles of an iteration that sets rax, rsi, rdi and"
    )
    print("# the count, repeats the instruction and branches; buffers in the first-level cache that start a line.")
    print("form\tcount\tcycles")
    for (_, _, key, count), value in zip(cases(options.counts), cycles, strict=True):
        print(f"{key}\t{count}\t{value:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
