"""Fuzzes the simulator: legal blocks on every shipped core, as loops and as copies, at any address.

Half of the blocks are made of the instruction set's forms, half are real code (tests/data), edited. Work is bounded;
results are finite, and the same a second time.

python fuzz/fuzz_simulate.py --blocks 100000 --seed 1      that many blocks over all cores, in this process
python fuzz/fuzz_simulate.py --blocks 1000 --file x86=blocks.csv      ... of this code too: a line each, hexadecimal
python fuzz/fuzz_simulate.py --seconds 60                  as the other fuzzers
"""

from __future__ import annotations

import argparse
import math
import random
import signal
import sys
import time
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NoReturn

from harness import CPUS, CRASHES, DATA, Fuzzer, flip

if TYPE_CHECKING:
    from corecast import _core

MOST_INSTRUCTIONS = 24
MOST_SECONDS = 60
"""For one block: one that does not end is a finding, too."""
MOST_CYCLES = 200_001
"""Simulated, whatever the block."""
LONG_BLOCKS = 0.02
"""Share of blocks ten times as long."""
REPEATED = 0.1
"""Share of blocks simulated twice."""
PROGRESS = 5_000
"""Blocks between two messages."""
CODE_STEP = {"x86": 1, "aarch64": 4, "riscv64": 2}
"""Instructions begin at multiples of it."""

Code = list[bytes]
"""Instructions."""


@cache
def forms(isa: str) -> Code:
    """One encoding of every form that the instruction set has."""
    from corecast import _core

    return [entry.code for entry in _core.enumerate_forms(isa)]


@cache
def real_code(isa: str) -> list[Code]:
    """The kernels of tests/data. `--file` adds to them."""
    from corecast.asm import read_regions
    from corecast.errors import CorecastError

    found = []
    for path in sorted([*DATA.glob("*/*.s"), *DATA.glob("*/*.o")]):
        try:
            kernels = read_regions(path)
        except CorecastError:  # a file without a loop
            continue
        found += [[each.bytes for each in kernel.instructions] for kernel in kernels if kernel.isa == isa]
    return found


def read_blocks(isa: str, file: str) -> list[Code]:
    from corecast import _core

    blocks = []
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            try:
                code = bytes.fromhex(line.split(",")[0])
            except ValueError:  # a heading
                continue
            blocks.append([each.bytes for each in _core.disassemble(isa, code).instructions])
    return blocks


@cache
def cores() -> list[tuple[str, str]]:
    from corecast.machine import list_machines

    return [(info.name, info.isa) for info in list_machines()]


@cache
def core(cpu: str) -> _core.Machine:
    from corecast.machine import load_machine

    return load_machine(cpu).core


def made_block(rng: random.Random, isa: str) -> Code:
    """Few different instructions, often again: chains and conflicts come from repetition."""
    several = rng.choices(forms(isa), k=rng.randrange(1, 8))
    return rng.choices(several, k=rng.randrange(1, MOST_INSTRUCTIONS))


def edited_block(rng: random.Random, isa: str) -> Code:
    """Some instructions in a row of real code: fewer, more, in another order, others among them, other bits."""
    code = rng.choice(real_code(isa))
    start = rng.randrange(len(code))
    block = code[start : start + rng.randrange(1, MOST_INSTRUCTIONS)]
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(block))
        match rng.randrange(5):
            case 0:
                block[at : at + 1] = []
            case 1:
                block[at:at] = rng.choices(block, k=rng.randrange(1, 4))
            case 2:
                rng.shuffle(block)
            case 3:
                block[at] = rng.choice(forms(isa))
            case _:
                block[at] = flip(rng, block[at], 1)
        if not block:
            break
    return block or code[:1]


def random_block(rng: random.Random, isa: str) -> bytes:
    block = (made_block if rng.random() < 0.5 else edited_block)(rng, isa)
    return b"".join(block) * (10 if rng.random() < LONG_BLOCKS else 1)


def random_start(rng: random.Random, isa: str) -> int | None:
    """Of a cache line, at any place in one, near the end of all addresses, or unknown."""
    step = CODE_STEP[isa]
    return rng.choice((0, step * rng.randrange(1, 64 // step), -step * rng.randrange(1, 64) % (1 << 64), None))


def check(isa: str, cpu: str, block: bytes, mode: str, start: int | None, *, twice: bool = False) -> int:
    """Simulates; returns the cycles simulated."""
    from corecast import _core
    from corecast.errors import SimulationLimitError

    listing = _core.disassemble(isa, block, start or 0)
    if not listing.instructions:
        return 0
    machine = core(cpu)
    try:
        found = _core.simulate(machine, listing.instructions, mode, start)
    except SimulationLimitError:
        return 0
    assert found.simulated_cycles <= MOST_CYCLES, f"{found.simulated_cycles} cycles"
    assert math.isfinite(found.cycles_per_iteration), found.cycles_per_iteration
    assert found.cycles_per_iteration >= 0
    assert all(uops >= 0 for uops in found.port_uops)
    if twice:
        again = _core.simulate(machine, listing.instructions, mode, start)
        assert again.simulated_cycles == found.simulated_cycles, "another result the second time"
        assert again.cycles_per_iteration == found.cycles_per_iteration, "another result the second time"
        assert again.stalls == found.stalls, "other stalls the second time"
    return found.simulated_cycles


def out_of_time(number: int, frame: object) -> NoReturn:
    raise AssertionError(f"no end within {MOST_SECONDS} s")


def run_blocks(count: int, seed: int) -> int:
    """Returns how many blocks broke a rule."""
    rng = random.Random(seed)
    findings = 0
    most = 0
    total = 0
    longest = 0.0
    start = time.monotonic()
    # Where a sanitizer ends the process, this file tells on what.
    CRASHES.mkdir(exist_ok=True)
    signal.signal(signal.SIGALRM, out_of_time)
    running = CRASHES / f"simulate-running-{seed}.txt"
    for number in range(count):
        if number and number % PROGRESS == 0:
            print(f"simulate: {number} blocks after {time.monotonic() - start:.0f} s", file=sys.stderr)
        cpu, isa = cores()[number % len(cores())]
        block = random_block(rng, isa)
        mode = rng.choice(("loop", "unroll"))
        address = random_start(rng, isa)
        running.write_text(f"{cpu} {mode} at {address}: {block.hex()}\n", encoding="utf-8")
        before = time.monotonic()
        try:
            signal.alarm(MOST_SECONDS)
            cycles = check(isa, cpu, block, mode, address, twice=rng.random() < REPEATED)
            signal.alarm(0)
        except AssertionError as error:
            findings += 1
            print(f"{cpu} {mode} at {address}: {error}: {block.hex()}", file=sys.stderr)
            continue
        total += cycles
        most = max(most, cycles)
        longest = max(longest, time.monotonic() - before)
    running.unlink(missing_ok=True)
    seconds = time.monotonic() - start
    print(
        f"simulate: {count} blocks on {len(cores())} cores in {seconds:.0f} s, {findings} findings; cycles simulated: "
        f"{total / max(1, count):.0f} each, at most {most}; the longest took {longest:.2f} s (seed {seed})"
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
    way = data[1]
    start = way % 64 // CODE_STEP[isa] * CODE_STEP[isa]
    check(isa, fitting[way // 2 % len(fitting)], data[2:1500], ("loop", "unroll")[way % 2], start)


def main(arguments: Sequence[str]) -> int:
    if "--blocks" not in arguments:
        return Fuzzer("simulate", target, seeds, mutate).main()
    parser = argparse.ArgumentParser(description="simulates random legal blocks")
    parser.add_argument("--blocks", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", metavar="ISA=FILE", action="append", default=[], help="code to edit, a block a line")
    options = parser.parse_args(arguments)
    for given in options.file:
        isa, _, file = given.partition("=")
        if isa not in CPUS or not file:
            parser.error(f"--file {given}: not one of {', '.join(CPUS)}, = and a file")
        real_code(isa).extend(read_blocks(isa, file))
    return 1 if run_blocks(options.blocks, options.seed) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
