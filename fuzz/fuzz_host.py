"""Fuzzes the recognition of a machine's core: /proc/cpuinfo, CPUID as text, the sizes of caches."""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from harness import DATA, Fuzzer, flip, splice

PARTS = (b"\n== cpuid\n", b"\n== caches\n")
PIECES = (
    b"vendor_id\t: GenuineIntel\n",
    b"cpu family\t: 6\n",
    b"model\t\t: 0x55\n",
    b"stepping\t: -1\n",
    b"CPU implementer\t: 0x41\n",
    b"CPU part\t: 0xd0c\n",
    b"uarch\t: spacemit,x60\n",
    b"isa\t: rv64\n",
    b"flags\t: hypervisor hybrid amx_tile\n",
    b"   0x00000004 0x00: eax=0xffffffff ebx=0xffffffff ecx=0xffffffff edx=0x00000000\n",
    b"   0x00000000 0x00: eax=0x00000000 ebx=0xff000000 ecx=0x00000000 edx=0x80808080\n",
    b"L1 Instruction 999999999M 1\n",
    b"\n\n",
    b"\x85",
    b"\xd9\xa1",
    b":",
)


def seeds() -> list[bytes]:
    return [path.read_bytes() for path in sorted((DATA / "hosts").glob("*.txt"))]


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    data = rng.choice(pool)
    match rng.randrange(4):
        case 0:
            return splice(rng, data, rng.choice(pool))
        case 1:
            return flip(rng, data, rng.randrange(1, 12))
        case _:
            place = rng.randrange(len(data) + 1)
            return data[:place] + rng.choice((*PIECES, *PARTS)) + data[place:]


def target(data: bytes) -> None:
    from corecast.machine.recognize.cpuid_text import leaf_text, parse_leaves
    from corecast.machine.recognize.decide import recognize
    from corecast.machine.recognize.seen import host_of
    from corecast.measure.judge.identify import identify
    from corecast.report.host import host_document, host_text

    cpuinfo, _, rest = data.partition(PARTS[0])
    cpuid, _, caches = rest.partition(PARTS[1])
    leaves = parse_leaves(cpuid.decode("utf-8", "replace"))
    assert parse_leaves("\n".join(map(leaf_text, leaves))) == leaves
    host = host_of(cpuinfo.decode("utf-8", "replace"), leaves, _caches(caches))
    found = identify(recognize(host), "never")
    assert host_text(found)
    assert host_document(found)["seen"]["features"] == sorted(host.features)


def _caches(data: bytes):  # type: ignore[no-untyped-def]  # a type of the package, which the child alone imports
    """Through a tree such as Linux has."""
    from corecast.machine.recognize.seen import caches_of_sysfs

    with tempfile.TemporaryDirectory() as folder:
        for index, line in enumerate(data.splitlines()[:4]):
            place = Path(folder) / f"index{index}"
            place.mkdir()
            for name, value in zip(("level", "type", "size", "ways_of_associativity"), line.split(), strict=False):
                (place / name).write_bytes(value.removeprefix(b"L"))
        return caches_of_sysfs(Path(folder))


if __name__ == "__main__":
    sys.exit(Fuzzer("host", target, seeds, mutate, ".txt").main())
