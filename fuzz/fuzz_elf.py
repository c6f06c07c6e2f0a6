"""Fuzzes ELF input: objects of three machines with damaged headers, tables, debug information and code."""

from __future__ import annotations

import random
import struct
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from harness import DATA, Fuzzer, analyze, flip, splice

HEADER = 64
INTERESTING = (0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 32, (1 << 63) - 1, (1 << 64) - 1, 64, 4096)


def seeds() -> list[bytes]:
    found = [path.read_bytes() for path in sorted((DATA / "asm").glob("*.o"))]
    # One whole executable: the extension's own library is too large, a system tool is small.
    for tool in ("/bin/true", "/usr/bin/true"):
        if Path(tool).is_file() and Path(tool).stat().st_size < 150_000:
            found.append(Path(tool).read_bytes())
            break
    return found


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    data = bytearray(rng.choice(pool))
    if len(data) < HEADER:
        return bytes(data) + rng.randbytes(HEADER)
    match rng.randrange(7):
        case 0:
            return flip(rng, bytes(data), rng.randrange(1, 30))
        case 1:
            return bytes(data[: rng.randrange(len(data))])
        case 2:
            return splice(rng, bytes(data), rng.choice(pool))
        case 3:  # the ELF header
            poke(rng, data, rng.randrange(4, HEADER))
        case 4:  # a section header
            table, count = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<H", data, 60)[0]
            for _ in range(rng.randrange(1, 4)):
                at = table + rng.randrange(max(1, count)) * 64 + rng.choice((0, 4, 8, 16, 24, 32, 40, 44, 48, 56))
                poke(rng, data, at)
        case _:
            for _ in range(rng.randrange(1, 6)):
                poke(rng, data, rng.randrange(len(data)))
    return bytes(data)


def poke(rng: random.Random, data: bytearray, at: int) -> None:
    """Writes an odd number of some size at a place."""
    value = rng.choice(INTERESTING) if rng.random() < 0.7 else rng.randrange(len(data))
    size = rng.choice((1, 2, 4, 8))
    if at + size <= len(data):
        data[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def target(data: bytes) -> None:
    from corecast.asm import Kernel, RegionOptions, read_regions
    from corecast.errors import CorecastError

    choice = len(data) + (data[-1] if data else 0)
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        file.write(data)
        file.flush()
        options = (
            RegionOptions(),
            RegionOptions(loop="all"),
            RegionOptions(function="triad"),
            RegionOptions(address=((0, 64),)),
            RegionOptions(function="main", loop="1"),
        )[choice % 5]
        with suppress(CorecastError):
            Kernel.from_object(file.name, options)
        for kernel in read_regions(file.name, options)[:3]:
            analyze(kernel)


if __name__ == "__main__":
    sys.exit(Fuzzer("elf", target, seeds, mutate).main())
