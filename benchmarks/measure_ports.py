#!/usr/bin/env python3
"""Port usage of a random sample of one- and two-uop forms, measured and held against a machine model.

    .venv/bin/python benchmarks/measure_ports.py [--count N] [--seed N] [--simulated NAME] [--names NAME]
        [--source PATTERN] [--records FILE]

With --source only forms are drawn whose rows come from there, as from somebody's measurements. Forms that the file of
records has already are not measured again. Meaningful on a machine that nobody else uses.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from corecast import load_machine
from corecast.machine import Machine, host_machine
from corecast.measure import Core, SimulatedCore, host_core
from corecast.measure.ports import PortMeasurement, PortMeter, Readings, known_blocking, port_record
from corecast.measure.ports.compare import Comparison, compare, expected_usage, sample, summary
from corecast.measure.records import append_records, read_records


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--simulated", help="a simulated core in place of this machine")
    parser.add_argument("--names", help="the model; default: this machine's or the simulated core's")
    parser.add_argument("--source", default="", help="regular expression that the source of the forms' rows matches")
    parser.add_argument("--records", help="file of records to add to and to go on from")
    arguments = parser.parse_args()
    name = arguments.names or arguments.simulated or host_machine()
    if name is None:
        sys.exit("there is no model of this machine's core: name one with --names")
    machine = load_machine(name)
    core: Core = (
        SimulatedCore(load_machine(arguments.simulated), count_uops=True) if arguments.simulated else host_core()
    )
    started = time.monotonic()
    readings = Readings(core)
    meter = PortMeter(readings, known_blocking(readings, machine))
    for doubt in meter.blocking.doubts:
        print(doubt)
    print(f"{core.name}: {len(meter.blocking.blockers)} port sets blocked, {meter.blocking.front_end}")
    found = list(measured(meter, machine, arguments))
    print(summary(found, meter.blocking), end="")
    print(f"{time.monotonic() - started:.0f} s")
    return 0


def measured(meter: PortMeter, machine: Machine, arguments: argparse.Namespace) -> list[Comparison]:
    known = {}
    if arguments.records and Path(arguments.records).exists():
        known = {record["form"]: record for record in read_records(arguments.records) if record["kind"] == "ports"}
    found = []
    for form in sample(machine, arguments.count, arguments.seed, arguments.source):
        if form in known:
            result = from_record(known[form])
        else:
            result = meter.measure(form, claims=[expected_usage(machine, form)])
        if form not in known and arguments.records:
            append_records(arguments.records, [port_record(result, meter)])
        found.append(compare(result, machine, meter.blocking))
    return found


def from_record(record: dict) -> PortMeasurement:  # type: ignore[type-arg]
    def usage(rows: list[dict]) -> dict[frozenset[str], float]:  # type: ignore[type-arg]
        return {frozenset(row["ports"]): row["cycles"] for row in rows}

    return PortMeasurement(
        record["form"],
        None if record["usage"] is None else usage(record["usage"]),
        tuple(usage(rows) for rows in record["alternatives"]),
        record["blocking_cycles"],
        refuted=tuple(usage(rows) for rows in record.get("refuted", ())),
        error=record["error"] or "",
    )


if __name__ == "__main__":
    sys.exit(main())
