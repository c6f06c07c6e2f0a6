#!/usr/bin/env python3
"""Latencies of a random sample of forms, measured on a simulated core and compared with its own model.

    .venv/bin/python benchmarks/measure_latencies.py NAME [--count N] [--seed N] [--all]

The row says what a latency is, in whole cycles, as the simulator counts them. Of latencies from memory and to it, and
of those that the row says nothing about, the model tells by its analysis how long the chain is that was timed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from math import floor
from typing import Any

from corecast import _core, load_machine
from corecast.errors import CorecastError, InputError
from corecast.machine import Machine
from corecast.measure import Form, FormMeter, Latency, SimulatedCore, parse_form
from corecast.measure.thresholds import LONGER_EXECUTED

AGREES, AGREES_SHARE = 0.06, 0.002
SHARE = 0.02
"""Of a chain through memory: what is forwarded meets fractions of a cycle on average."""
SHOWN = 8
RIGHT = ("as the model", "through memory, as the model", "not in the row, as the model")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="the simulated core's model")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="show all that are not as the model")
    arguments = parser.parse_args()
    try:
        run(load_machine(arguments.name), arguments)
    except CorecastError as error:
        parser.error(str(error))
    return 0


def run(machine: Machine, arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    meter = FormMeter(SimulatedCore(machine))
    found: Counter[str] = Counter()
    for form in sample(machine, arguments.count, arguments.seed):
        row = machine.core.find(form.key)
        if form.slot("index") is not None:  # it is timed with one
            row = machine.core.find(f"{form.key} @indexed") or row
        for latency in meter.measure(form, rare=False).latencies:
            cycles, kind = verdict(machine, row, latency)
            found[kind] += 1
            if kind not in RIGHT and (arguments.all or found[kind] <= SHOWN):
                told = latency.cycles or latency.error
                print(f"{kind}: {form.key}, {latency.source} -> {latency.target}: {told}; model {cycles}")
    total = found.total()
    print(f"{machine.name}: {total} latencies of {arguments.count} forms")
    for kind, count in found.most_common():
        print(f"{count:6} {count / total:6.1%} {kind}")


def sample(machine: Machine, count: int, seed: int) -> Iterator[Form]:
    """Forms that can be measured."""
    keys = [key for key in machine.keys() if " @" not in key]  # noqa: SIM118
    random.Random(seed).shuffle(keys)
    made = 0
    for key in keys:
        if made == count:
            return
        try:
            form = parse_form(key, machine.isa)
        except InputError:
            continue
        made += 1
        yield form


def verdict(machine: Machine, row: dict[str, Any], latency: Latency) -> tuple[float | None, str]:
    """What the model says, and how the latency compares."""
    cycles = expected(row, latency)
    if latency.cycles is None:
        return cycles, "none"
    if not latency.cycles.exact:
        return cycles, "range"
    if "mem" in (latency.source, latency.target):
        cycles, right = by_analysis(machine, latency)
        return cycles, "through memory" + (", as the model" if right else " and differs")
    if cycles is None:
        cycles, right = by_analysis(machine, latency)
        return cycles, "not in the row" + (", as the model" if right else " and differs")
    if "r8h" in row["form"] and abs(latency.cycles.high - whole(cycles)) > AGREES:
        # A high byte of a register that was written whole is there a cycle later: the helpers' share.
        cycles, right = by_analysis(machine, latency)
        return cycles, "as the model" if right else "differs"
    if cycles == 0 and latency.cycles.high < LONGER_EXECUTED:
        return cycles, "as the model"
    if "eliminated" in row["flags"]:  # which renaming does as often as it can
        return cycles, "as the model" if latency.cycles.high <= 1 + AGREES else "differs"
    if abs(latency.cycles.high - whole(cycles)) <= max(AGREES, AGREES_SHARE * cycles):
        return cycles, "as the model"
    loads = any(source == "mem" for source, _, _ in row["latency"] or ())
    load_cycles = machine.pipeline["memory"].get("load_latency_cycles", 0)
    if latency.source in ("addr", "index") and loads and cycles < load_cycles + 1:
        return cycles, "the row says less than its load takes"
    return cycles, "differs"


def expected(row: dict[str, Any], latency: Latency) -> float | None:
    """The row's, the most specific entry first."""
    pairs = {pair[:2]: pair[2] for pair in row["latency"] or ()}
    ends = ((a, b) for a in (latency.source, "*") for b in (latency.target, "*"))
    return next((pairs[pair] for pair in ends if pair in pairs), None)


def by_analysis(machine: Machine, latency: Latency) -> tuple[float, bool]:
    """The latency if the chain that was timed took what its dependencies say, and whether it does."""
    assert latency.cycles is not None
    kernel, timing = latency.kernels[0]
    copies = timing.copies[0]  # of a loop that is too long for what a core learns of loads and stores in short ones
    listing = _core.disassemble(kernel.isa, kernel.setting + kernel.code * copies)
    instructions = listing.instructions[1 if kernel.setting else 0 :]
    chain = _core.analyze(machine.core, instructions, "loop").bounds["dependency"] / copies
    if "mem" in (latency.source, latency.target):
        chain += behind_stores(machine, instructions) / copies
    forwarded = machine.pipeline["memory"].get("store_forward_latency_cycles", 0.0)
    rounded = (
        0.5 * (forwarded != whole(forwarded)) + sum(rounding(machine, each.form) for each in instructions) / copies
    )
    agrees = abs(timing.cycles - chain) <= max(AGREES, SHARE * chain) + rounded
    # Nothing waits, and nothing is to: what waits for an instruction does so for a cycle at least.
    without = chain < timing.cycles and latency.cycles.high < LONGER_EXECUTED
    instances = 2 if latency.method == "cross" else 1
    return max(0.0, latency.cycles.high + (chain - timing.cycles) / instances), agrees or without


def behind_stores(machine: Machine, instructions: Sequence[Any]) -> float:
    """Cycles that loads of a core that executes in order wait for stores in front of them to leave the one port that
    both need, beside those that what is stored takes to get there: the analysis of dependences knows no ports."""
    if not machine.pipeline.get("in_order"):
        return 0.0
    memory = machine.pipeline["memory"]
    forwarded = memory.get("vector_store_forward_latency_cycles") or memory.get("store_forward_latency_cycles", 0.0)
    accesses = [(each, row) for each in instructions if each.memory and (row := machine.core.lookup(each)[1])]
    waited = 0.0
    for (store, kept), (load, row) in zip(accesses, [*accesses[1:], *accesses[:1]], strict=True):
        if not any(each.write for each in store.memory) or not any(each.read for each in load.memory):
            continue
        ports = [use for use in kept["ports"] or () if len(use[1]) == 1]
        if len(ports) == 1 and ports[0][1] in [needed for _, needed in row["ports"] or ()]:
            loaded = max((cycles for _, _, cycles in row["latency"] or ()), default=0.0)
            waited += max(0.0, floor(ports[0][0]) + loaded - max(loaded + 1, forwarded))
    return waited


def rounding(machine: Machine, key: str) -> float:
    """The most by which what the simulator counts differs from a row's latencies."""
    row = machine.core.find(key)
    latencies = row["latency"] or () if row else ()
    return max((abs(cycles - whole(cycles)) for _, _, cycles in latencies), default=0.0)


def whole(cycles: float) -> int:
    """As the simulator counts."""
    return floor(cycles + 0.5)


if __name__ == "__main__":
    sys.exit(main())
