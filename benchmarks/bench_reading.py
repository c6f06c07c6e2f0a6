"""Reading code inside one process: instructions decoded and lines parsed a second, for each instruction set."""

from __future__ import annotations

import random
import sys
import time

from corecast import _core
from measure import Figure, report

ISAS = ("x86", "aarch64", "riscv64")
INSTRUCTIONS = 20_000
ROUNDS = 5
USUAL = {
    "x86": (
        "add",
        "sub",
        "mov",
        "lea",
        "cmp",
        "vaddpd",
        "vmulpd",
        "vfmadd231pd",
        "vmovupd",
        "movsd",
        "imul",
        "shl",
        "xor",
    ),
    "aarch64": ("add", "sub", "mov", "cmp", "fadd", "fmul", "fmla", "ldr", "str", "ldp", "ld1d", "st1d", "lsl", "madd"),
    "riscv64": (
        "add",
        "addi",
        "mv",
        "ld",
        "sd",
        "fld",
        "fsd",
        "fmadd.d",
        "fadd.d",
        "slli",
        "mul",
        "vfmacc.vv",
        "vle64.v",
    ),
}


def examples(isa: str) -> list[bytes]:
    """Encodings of everyday instructions in random order."""
    codes = [entry.code for entry in _core.enumerate_forms(isa) if entry.form.split(" ")[0] in USUAL[isa]]
    return random.Random(1).choices(codes, k=INSTRUCTIONS)


def best_seconds(run: object) -> float:
    """The fastest of some rounds: what the code costs, without disturbances."""
    assert callable(run)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    figures = []
    for isa in ISAS:
        codes = examples(isa)
        code = b"".join(codes)
        decoded = _core.disassemble(isa, code).instructions
        text = "".join(f"{instruction.text}\n" for instruction in decoded)
        syntax = "intel" if isa == "x86" else ""
        decode = best_seconds(lambda isa=isa, code=code: _core.disassemble(isa, code))
        parse = best_seconds(lambda isa=isa, text=text, syntax=syntax: _core.assemble(isa, text, syntax))
        figures.append(Figure(f"{isa}: decoding", len(decoded) / decode, "instructions/s"))
        figures.append(Figure(f"{isa}: parsing", len(decoded) / parse, "lines/s"))
    return report("reading", "Reading code, with operands and form keys, one core", figures)


if __name__ == "__main__":
    sys.exit(main())
