"""Fuzzes the simulator: random legal blocks on every shipped core. Work is bounded, results are finite and repeat.

python fuzz/fuzz_simulate.py --blocks 100000 --seed 1      that many blocks over all cores, in this process
python fuzz/fuzz_simulate.py --seconds 60                  as the other fuzzers
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from functools import cache

from harness import CPUS, Fuzzer

MOST_INSTRUCTIONS = 24
MOST_CYCLES = 200_001
"""Simulated, whatever the block."""
LONG_BLOCKS = 0.02
"""Share of blocks ten times as long."""


@cache
def codes(isa: str) -> list[bytes]:
    """One encoding of every form that the instruction set has."""
    from corecast import _core

    return [entry.code for entry in _core.enumerate_forms(isa)]


@cache
def cores() -> list[tuple[str, str]]:
    from corecast.machine import list_machines

    return [(info.name, info.isa) for info in list_machines()]


def random_block(rng: random.Random, isa: str) -> bytes:
    """Few different instructions, often again: chains and conflicts come from repetition."""
    several = rng.choices(codes(isa), k=rng.randrange(1, 8))
    count = rng.randrange(1, MOST_INSTRUCTIONS) * (10 if rng.random() < LONG_BLOCKS else 1)
    return b"".join(rng.choices(several, k=count))


def check(isa: str, cpu: str, block: bytes, mode: str, start: int) -> int:
    """Simulates once; returns the cycles simulated."""
    from corecast import _core
    from corecast.machine import load_machine

    listing = _core.disassemble(isa, block, start)
    if not listing.instructions:
        return 0
    machine = load_machine(cpu).core
    found = _core.simulate(machine, listing.instructions, mode, start)
    assert found.simulated_cycles <= MOST_CYCLES, f"{found.simulated_cycles} cycles"
    assert math.isfinite(found.cycles_per_iteration), found.cycles_per_iteration
    assert found.cycles_per_iteration >= 0
    assert all(uops >= 0 for uops in found.port_uops)
    return found.simulated_cycles


def run_blocks(count: int, seed: int) -> int:
    """Returns how many blocks broke a rule."""
    rng = random.Random(seed)
    findings = 0
    most = 0
    total = 0
    start = time.monotonic()
    for number in range(count):
        cpu, isa = cores()[number % len(cores())]
        block = random_block(rng, isa)
        mode = rng.choice(("loop", "unroll"))
        address = rng.choice((0, rng.randrange(64)) if isa == "x86" else (0, 4 * rng.randrange(16)))
        try:
            cycles = check(isa, cpu, block, mode, address)
        except AssertionError as error:
            findings += 1
            print(f"{cpu} {mode} at {address}: {error}: {block.hex()}", file=sys.stderr)
            continue
        total += cycles
        most = max(most, cycles)
    seconds = time.monotonic() - start
    print(
        f"simulate: {count} blocks on {len(cores())} cores in {seconds:.0f} s, {findings} findings; cycles simulated: "
        f"{total / max(1, count):.0f} each, at most {most} (seed {seed})"
    )
    return findings


def seeds() -> list[bytes]:
    rng = random.Random(1)
    return [bytes((number, way)) + random_block(rng, isa) for number, isa in enumerate(CPUS) for way in range(40)]


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    number = rng.randrange(len(CPUS))
    if rng.random() < 0.5:
        return bytes((number, rng.randrange(256))) + random_block(rng, tuple(CPUS)[number])
    data = rng.choice(pool)
    return data[:2] + data[2:] * rng.randrange(1, 4)


def target(data: bytes) -> None:
    if len(data) < 3:
        return
    isa = tuple(CPUS)[data[0] % len(CPUS)]
    fitting = [cpu for cpu, of in cores() if of == isa]
    check(isa, fitting[data[1] // 2 % len(fitting)], data[2:1500], ("loop", "unroll")[data[1] % 2], 0)


def main() -> int:
    if "--blocks" not in sys.argv:
        return Fuzzer("simulate", target, seeds, mutate).main()
    parser = argparse.ArgumentParser(description="simulates random legal blocks")
    parser.add_argument("--blocks", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    return 1 if run_blocks(arguments.blocks, arguments.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
