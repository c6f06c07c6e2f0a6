"""Compiles the loops of tests/data/advice and says what advice each of them gets on which core.

Run as a program it prints the table: `python tests/advice_loops.py`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corecast.analysis.advice.types import Advice
from corecast.api import analyze_region
from corecast.asm import Kernel, RegionOptions, read_regions
from corecast.asm.code import Isa
from corecast.machine import load_machine

SOURCE = Path(__file__).parent / "data" / "advice" / "loops.c"
_FIRST = "-S -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns"
_CLANG = "-S -fno-asynchronous-unwind-tables -Wno-everything"
CORES: dict[Isa, tuple[str, ...]] = {
    "x86": ("skylake_x", "zen4", "granite_rapids", "haswell"),
    "aarch64": ("neoverse_v2", "a64fx", "tsv110"),
    "riscv64": ("spacemit_x60",),
}


@dataclass(frozen=True)
class Compiler:
    """A command line that makes assembly text."""

    isa: Isa
    command: tuple[str, ...]
    fast: bool = False

    @property
    def exists(self) -> bool:
        return shutil.which(self.command[0]) is not None

    def __str__(self) -> str:
        left_out = (*_FIRST.split(), *_CLANG.split())
        return " ".join(part for part in self.command if part not in left_out)


def _gcc(isa: Isa, name: str, options: str) -> Compiler:
    return Compiler(isa, (name, *options.split(), *_FIRST.split()), "-ffast-math" in options)


def _clang(isa: Isa, options: str) -> Compiler:
    return Compiler(isa, ("clang-16", *options.split(), *_CLANG.split()))


COMPILERS = (
    _gcc("x86", "gcc", "-O2"),
    _gcc("x86", "gcc", "-O2 -mavx2 -mfma"),
    _gcc("x86", "gcc", "-O3 -mavx2 -mfma"),
    _gcc("x86", "gcc", "-O3 -mavx2 -mfma -ffast-math"),
    _clang("x86", "-O2"),
    _clang("x86", "-O3 -mavx2 -mfma"),
    _gcc("aarch64", "aarch64-linux-gnu-gcc", "-O2"),
    _gcc("aarch64", "aarch64-linux-gnu-gcc", "-O3 -ffast-math"),
    _clang("aarch64", "-O3 --target=aarch64-linux-gnu"),
    _gcc("riscv64", "riscv64-linux-gnu-gcc", "-O2"),
)


def verdicts() -> dict[str, str]:
    """What the source says of each function: split, order or fast."""
    text = SOURCE.read_text(encoding="utf-8")
    return {name: said for said, name in re.findall(r"/\* (split|order|fast) \*/\nLOOP\((\w+)\)", text)}


def compiled(compiler: Compiler, folder: Path) -> Path:
    """The assembly text that a compiler makes of all loops."""
    out = folder / "loops.s"
    subprocess.run([*compiler.command, str(SOURCE), "-o", str(out)], check=True)
    return out


def kernels(text: Path, isa: Isa) -> list[tuple[str, Kernel]]:
    """The innermost loops with the functions that they stand in."""
    found = []
    for kernel in read_regions(str(text), RegionOptions(isa=isa)):
        found.append((kernel.symbol or kernel.name.partition(":")[0], kernel))
    return found


@dataclass(frozen=True)
class Case:
    """The advice for a loop on a core."""

    compiler: Compiler
    core: str
    function: str
    kernel: Kernel
    advice: Advice

    @property
    def gain(self) -> float:
        found = self.advice.accumulators or self.advice.regrouped
        return found.gain if found is not None else 0.0


def cases(compiler: Compiler, folder: Path) -> Iterator[Case]:
    """All loops on all cores of the compiler's instruction set."""
    found = kernels(compiled(compiler, folder), compiler.isa)
    for core in CORES[compiler.isa]:
        machine = load_machine(core)
        for function, kernel in found:
            advice = analyze_region(kernel, machine).advice
            assert advice is not None
            yield Case(compiler, core, function, kernel, advice)


def is_legal(case: Case) -> bool:
    """Whether a function's running value may be split, as the source says."""
    said = verdicts()[case.function]
    return case.advice.accumulators is None or said == "split" or (said == "fast" and case.compiler.fast)


def main() -> int:
    import tempfile

    split: dict[str, set[tuple[str, str]]] = {}
    grouped: dict[str, set[tuple[str, str]]] = {}
    gains: dict[str, float] = {}
    variants = set()
    for compiler in COMPILERS:
        if not compiler.exists:
            print(f"no {compiler.command[0]}", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            for case in cases(compiler, Path(folder)):
                key = (str(compiler), case.core)
                variants.add(key)
                if case.advice.accumulators:
                    split.setdefault(case.function, set()).add(key)
                if case.advice.regrouped:
                    grouped.setdefault(case.function, set()).add(key)
                gains[case.function] = max(gains.get(case.function, 0.0), case.gain)
                if not is_legal(case):
                    print("ILLEGAL", compiler, case.core, case.function, case.kernel.name)
    print(f"| loop | may be split | split advised, of {len(variants)} | operands first, advised | largest gain |")
    print("|---|---|---|---|---|")
    for name, said in verdicts().items():
        advised, first = len(split.get(name, ())), len(grouped.get(name, ()))
        print(f"| {name} | {said} | {advised} | {first} | {gains.get(name, 0.0):.2f} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
