"""`corecast time` against loops in a plain compiled program, at all 64 places of a line: they must agree within 2 %.

Each block becomes 64 loops in an assembly file, one for each offset of its first byte from a multiple of 64, which a C
program times by `rdtsc` beside a chain of additions. Usage: benchmarks/time_offsets.py [CORE]
"""

from __future__ import annotations

import csv
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCKS = {
    "a chain of multiplications": "480fafc3",
    "35 bytes of integer code": "4801d84889d14883c1074829d84c8d0c0b4d01c84d31d24989f34983c3014c89df4883e6f0",
    "loads and stores of the stack": "488b44240848894424104889d9488b54241848895424204801d0",
    "floating-point arithmetic": "c5fb58c1c5f359d3c5eb58dac5db59e5c5fb5df7",
    "nine moves": "4889d84889d94889da4889de4889df4989d84989d94989da4989db",
}
ALLOWED = 0.02
LINE = 64
PASSES, ROUNDS = 60, 10

PROGRAM = r"""
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
extern void (*const loops[])(uint64_t);
extern void chain(uint64_t);
static inline uint64_t now(void) {
  uint32_t low, high;
  __asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high)::"memory");
  return (uint64_t)high << 32 | low;
}
static uint64_t taken(void (*loop)(uint64_t), uint64_t turns) {
  const uint64_t start = now();
  loop(turns);
  return now() - start;
}
static uint64_t least(uint64_t one, uint64_t other) { return one < other ? one : other; }
int main(void) {
  static uint64_t few[64], many[64];
  uint64_t short_chain = -1, long_chain = -1;
  for (int place = 0; place < 64; ++place)
    few[place] = many[place] = -1;
  for (int pass = 0; pass < PASSES; ++pass) {
    for (int place = 0; place < 64; ++place) {
      for (int round = 0; round < ROUNDS; ++round) {
        short_chain = least(short_chain, taken(chain, 300));
        long_chain = least(long_chain, taken(chain, 600));
        few[place] = least(few[place], taken(loops[place], TURNS));
        many[place] = least(many[place], taken(loops[place], 2 * TURNS));
      }
    }
    usleep(20000); /* neighbours come and go */
  }
  for (int place = 0; place < 64; ++place)
    printf("%.4f\n", (double)(many[place] - few[place]) / TURNS / ((double)(long_chain - short_chain) / (300 * 32)));
}
"""

PUSHED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
SAVE = "; ".join(
    [f"push %{each}" for each in PUSHED]
    # A stack that starts a line, as `corecast time` has it; numbers that no instruction finds hard.
    + ["mov %rsp, %rbp; sub $256, %rsp; and $-64, %rsp; mov %rbp, 192(%rsp); mov %rdi, %r15"]
    + [f"vbroadcastsd number(%rip), %ymm{each}" for each in range(16)]
)
RESTORE = "; ".join(["mov 192(%rsp), %rsp"] + [f"pop %{each}" for each in reversed(PUSHED)] + ["vzeroupper; ret"])


def assembly(code: bytes) -> str:
    """All loops, and the chain that tells the clock."""
    data = ", ".join(f"0x{byte:02x}" for byte in code)
    lines = [".text", "chain:", ".globl chain", SAVE, ".p2align 6", "1:"]
    lines += ["add %rsi, %rbx"] * 32 + ["dec %r15; jnz 1b", RESTORE]
    for place in range(LINE):
        lines += [f"loop{place}:", SAVE, ".p2align 6", f".nops {place}" if place else "", f"1: .byte {data}"]
        lines += ["dec %r15; jnz 1b", RESTORE]
    lines += ['.section .note.GNU-stack,"",@progbits', '.section .data.rel.ro,"aw"', "number: .quad 0x3ff1234500000000"]
    lines += [".globl loops", "loops:"]
    return "\n".join(lines + [f".quad loop{place}" for place in range(LINE)]) + "\n"


def compiled(code: bytes, folder: Path, core: int) -> list[float]:
    (folder / "loops.s").write_text(assembly(code))
    (folder / "main.c").write_text(PROGRAM)
    program = str(folder / "loops")
    defines = [f"-DPASSES={PASSES}", f"-DROUNDS={ROUNDS}", "-DTURNS=1000"]
    sources = [str(folder / "main.c"), str(folder / "loops.s")]
    subprocess.run(["cc", "-O2", "-no-pie", *defines, "-o", program, *sources], check=True)
    found = subprocess.run(["taskset", "-c", str(core), program], check=True, capture_output=True, text=True)
    return [float(line) for line in found.stdout.split()]


def timed(code: bytes, folder: Path, core: int) -> list[float | None]:
    blocks, out = folder / "blocks.csv", folder / "measured.csv"
    blocks.write_text("hex,address\n" + "".join(f"{code.hex()},{place}\n" for place in range(LINE)))
    command = [sys.executable, "-m", "corecast", "time", str(blocks), "-o", str(out), "--mode", "loop"]
    subprocess.run([*command, "--cores", str(core)], check=True, capture_output=True)
    with open(out, newline="") as stream:
        return [float(row["cycles"]) if row["cycles"] else None for row in csv.DictReader(stream)]


def main() -> int:
    core = int(sys.argv[1]) if len(sys.argv) > 1 else max(os.sched_getaffinity(0))
    failed = False
    print("| block | cycles | rejected | median difference | largest |\n|---|---|---|---|---|")
    for name, text in BLOCKS.items():
        code = bytes.fromhex(text)
        with tempfile.TemporaryDirectory() as folder:
            before = compiled(code, Path(folder), core)
            ours = timed(code, Path(folder), core)
            # Nothing tells the plain program that a neighbour took its core's other thread: the faster pass counts.
            plain = [min(pair) for pair in zip(before, compiled(code, Path(folder), core), strict=True)]
        pairs = [(one, other) for one, other in zip(ours, plain, strict=True) if one is not None]
        differences = [abs(one - other) / other for one, other in pairs]
        failed |= max(differences) > ALLOWED
        print(
            f"| {name} (`{text}`) | {min(plain):.2f} to {max(plain):.2f} | {ours.count(None)} "
            f"| {statistics.median(differences):.2%} | {max(differences):.2%} |",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
