"""Fuzzes encoded code: random bytes and mutated instructions of the three instruction sets, analyzed and reported."""

from __future__ import annotations

import random
import sys

from harness import Fuzzer, analyze, flip, splice

ISAS = ("x86", "aarch64", "riscv64")


def seeds() -> list[bytes]:
    """Sequences of legal instructions; the first byte chooses the instruction set, the second how they are given."""
    from corecast import _core

    rng = random.Random(1)
    found = []
    for number, isa in enumerate(ISAS):
        codes = [entry.code for entry in _core.enumerate_forms(isa)]
        found += [bytes((number, way % 4)) + b"".join(rng.sample(codes, 12)) for way in range(60)]
    return found


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    data = rng.choice(pool)
    match rng.randrange(6):
        case 0:
            return bytes((rng.randrange(3), rng.randrange(4))) + rng.randbytes(rng.randrange(1, 64))
        case 1:
            return splice(rng, data, rng.choice(pool))
        case 2:
            at = rng.randrange(2, len(data)) if len(data) > 2 else len(data)
            prefixes = (0x66, 0x67, 0xF0, 0xF2, 0xF3, 0x2E, 0x64, 0x65, 0x40, 0x4F, 0xC4, 0xC5, 0x62, 0xD5, 0x8F, 0x0F)
            return data[:at] + bytes(rng.choices(prefixes, k=rng.randrange(1, 6))) + data[at:]
        case 3:
            return data[: rng.randrange(len(data) + 1)]
        case _:
            return flip(rng, data, rng.randrange(1, 8))


def target(data: bytes) -> None:
    from corecast import _core
    from corecast.asm import Kernel
    from corecast.dataclass import replace

    if len(data) < 2:
        return
    isa, way, code = ISAS[data[0] % 3], data[1], data[2:1500]
    address = (0, 0x401000, 0xFFFFFFFFFFFFFFF0, 64)[way % 4]
    if way % 16 == 15:  # as text with any characters
        Kernel.from_hex(code.decode("latin-1"), isa)  # type: ignore[arg-type]
    digits = code.hex(" ") if way % 2 else code.hex()
    kernel = Kernel.from_hex(digits, isa, address=address, is_loop=way % 3 > 0)  # type: ignore[arg-type]
    assert sum(instruction.length_bytes for instruction in kernel.instructions) == len(code)
    for instruction in kernel.instructions:
        assert instruction.unknown or instruction.form
        for operand in instruction.operands:
            assert all(_core.register_name(isa, use.reg) for use in operand.registers)
    if isa == "x86" and way % 8 == 1 and len(kernel) > 1:  # the first half lies in front of a loop
        half = len(kernel) // 2
        kernel = replace(kernel, instructions=kernel.instructions[half:], before=kernel.instructions[:half])
    analyze(kernel)


if __name__ == "__main__":
    sys.exit(Fuzzer("hex", target, seeds, mutate).main())
