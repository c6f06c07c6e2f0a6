#!/usr/bin/env python3
"""Latencies of a random sample of forms, measured on a simulated core and held against its own model.

    .venv/bin/python benchmarks/measure_latencies.py NAME [--count N] [--seed N]

Latencies from memory and to it are counted only: how data are forwarded is a figure of the core, not of the form.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator

from corecast import load_machine
from corecast.errors import CorecastError, InputError
from corecast.machine import Machine
from corecast.measure import Form, FormMeter, Latency, SimulatedCore, parse_form

AGREES = 0.06
SHOWN = 8


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="the simulated core's model")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        run(load_machine(arguments.name), arguments.count, arguments.seed)
    except CorecastError as error:
        parser.error(str(error))
    return 0


def run(machine: Machine, count: int, seed: int) -> None:
    """Measures and prints."""
    meter = FormMeter(SimulatedCore(machine))
    found: Counter[str] = Counter()
    for form in sample(machine, count, seed):
        for latency in meter.measure(form, rare=False).latencies:
            kind = verdict(latency, expected(machine, form, latency))
            found[kind] += 1
            if kind not in ("as the model", "through memory") and found[kind] <= SHOWN:
                print(f"{kind}: {form.key}, {latency.source} -> {latency.target}: {latency.cycles or latency.error}")
    total = found.total()
    print(f"{machine.name}: {total} latencies of {count} forms")
    for kind, times in found.most_common():
        print(f"{times:6} {times / total:6.1%} {kind}")


def sample(machine: Machine, count: int, seed: int) -> Iterator[Form]:
    """Forms that can be measured."""
    keys = [key for key in machine.keys() if not key.endswith(("@same", "@indexed"))]  # noqa: SIM118
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


def expected(machine: Machine, form: Form, latency: Latency) -> float | None:
    """The row's, the most specific entry first."""
    row = {pair[:2]: pair[2] for pair in machine.core.find(form.key)["latency"]}
    ends = ((a, b) for a in (latency.source, "*") for b in (latency.target, "*"))
    return next((row[pair] for pair in ends if pair in row), None)


def verdict(latency: Latency, cycles: float | None) -> str:
    if latency.cycles is None:
        return "none"
    if not latency.cycles.exact:
        return "range"
    if "mem" in (latency.source, latency.target):
        return "through memory"
    if cycles is None:
        return "no row"
    return "as the model" if abs(latency.cycles.high - cycles) <= AGREES else "differs"


if __name__ == "__main__":
    sys.exit(main())
