"""Fuzzes COFF, PE and Mach-O files, universal files and static libraries: damaged headers, tables and code."""

from __future__ import annotations

import random
import struct
import sys

from fuzz_elf import poke, target
from harness import DATA, Fuzzer, flip, splice


def seeds() -> list[bytes]:
    folder = DATA / "asm"
    thin = [path.read_bytes() for path in sorted(folder.glob("clang16_*")) + sorted(folder.glob("*.dll"))]
    machines = [(0x01000007, thin[0]), (0x0100000C, thin[1])]
    table, place, body = struct.pack(">4sI", b"\xca\xfe\xba\xbe", 2), 48, b""
    for machine, content in machines:
        table += struct.pack(">IIIII", machine, 0, place + len(body), len(content), 0)
        body += content
    library = b"!<arch>\n"
    for number, content in enumerate(thin):
        library += f"{number:<16}{0:<32}{len(content):<10}`\n".encode() + content + b"\n" * (len(content) % 2)
    return [*thin, table + body, library]


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    data = bytearray(rng.choice(pool))
    if len(data) < 8:
        return bytes(data) + rng.randbytes(64)
    match rng.randrange(6):
        case 0:
            return flip(rng, bytes(data), rng.randrange(1, 30))
        case 1:
            return bytes(data[: rng.randrange(len(data))])
        case 2:
            return splice(rng, bytes(data), rng.choice(pool))
        case _:  # headers and the first tables, and anywhere
            for _ in range(rng.randrange(1, 6)):
                poke(rng, data, rng.randrange(min(len(data), 512) if rng.random() < 0.7 else len(data)))
    return bytes(data)


if __name__ == "__main__":
    sys.exit(Fuzzer("objects", target, seeds, mutate).main())
