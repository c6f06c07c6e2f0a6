#!/usr/bin/env python3
"""Port usage of a random sample of one- and two-uop forms, measured and compared with a machine model.

    .venv/bin/python benchmarks/measure_ports.py [--count N] [--seed N] [--simulated NAME] [--names NAME]
        [--against NAME|DIR] [--port NAME=PORT ...] [--source PATTERN] [--records FILE]

The forms and what is said of them are those of the model whose forms block ports, or of another one (--against), as
`corecast import` makes it of a source; --port says what a port of that one is called here. Forms that take ports
without a counterpart are left out. With --source only forms are drawn whose rows come from there, as from somebody's
measurements. Forms that the record file already has are not measured again, so that it may be stopped at any time.
Meaningful on a machine that nobody else uses.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from corecast import load_machine
from corecast.errors import CorecastError, InputError
from corecast.machine import Machine, host_machine
from corecast.measure import Core, SimulatedCore, host_core
from corecast.measure.judge.ports import PortMeasurement, PortMeter, Readings, known_blocking, port_record
from corecast.measure.judge.ports.compare import Comparison, Reference, compare, summary
from corecast.measure.record.file import append_records, read_records


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--simulated", metavar="NAME", help="a simulated core in place of this machine")
    parser.add_argument(
        "--names", metavar="NAME|DIR", help="the model; default: this machine's or the simulated core's"
    )
    parser.add_argument("--against", metavar="NAME|DIR", help="model to compare with (default: the same)")
    parser.add_argument(
        "--port", action="append", default=[], metavar="NAME=PORT", help="a port of the other model, and its name here"
    )
    parser.add_argument("--source", default="", help="regular expression that the source of the forms' rows matches")
    parser.add_argument("--records", metavar="FILE", help="record file to append to and to resume from")
    arguments = parser.parse_args()
    try:
        run(arguments)
    except CorecastError as error:
        parser.error(str(error))
    return 0


def run(arguments: argparse.Namespace) -> None:
    """Measures and prints.

    Raises:
        CorecastError: there is no such model, a port is none, no form is left to draw, or the records cannot be read.
    """
    name = arguments.names or arguments.simulated or host_machine()
    if name is None:
        raise InputError("there is no model of this machine's core: name one with --names")
    machine = load_machine(name)
    reference = Reference(machine)
    if arguments.against:
        reference = Reference(load_machine(arguments.against), counterparts(arguments.port, machine))
    forms = list(reference.sample(arguments.count, arguments.seed, arguments.source))
    if not forms:
        raise InputError(f"no form of one or two uops of {reference.machine.name} fits")
    core: Core = (
        SimulatedCore(load_machine(arguments.simulated), count_uops=True) if arguments.simulated else host_core()
    )
    started = time.monotonic()
    readings = Readings(core)
    meter = PortMeter(readings, known_blocking(readings, machine))
    for doubt in meter.blocking.doubts:
        print(doubt)
    print(f"{core.name}: {len(meter.blocking.blockers)} port sets blocked, {meter.blocking.front_end}")
    found = measured(meter, reference, forms, arguments.records)
    print(summary(found, meter.blocking), end="")
    print(f"{time.monotonic() - started:.0f} s")


def counterparts(options: list[str], machine: Machine) -> dict[str, str] | None:
    """["9=FP0"] -> {"9": "FP0"}; None where nothing is said, hence the names are the same.

    Raises:
        InputError: an option has no "=", or the model has no such port.
    """
    names = {}
    for option in options:
        name, sign, port = option.partition("=")
        if not sign or port not in machine.ports:
            raise InputError(f"--port is NAME=PORT with a port of {machine.name}, not '{option}'")
        names[name] = port
    return names or None


def measured(meter: PortMeter, reference: Reference, forms: list[str], records: str | None) -> list[Comparison]:
    known = {}
    if records and Path(records).exists():
        read = (from_record(record) for record in read_records(records) if record["kind"] == "ports")
        known = {result.form: result for result in read}
    found = []
    for form in forms:
        claims = (reference.usage(form) or {},)
        result = known.get(form)
        if result is None or result.claims != claims:
            result = meter.measure(form, claims)
            if records:
                append_records(records, [port_record(result, meter)])
        found.append(compare(result, reference, meter.blocking))
    return found


def from_record(record: dict) -> PortMeasurement:  # type: ignore[type-arg]
    def usage(rows: list[dict]) -> dict[frozenset[str], float]:  # type: ignore[type-arg]
        return {frozenset(row["ports"]): row["cycles"] for row in rows}

    return PortMeasurement(
        record["form"],
        None if record["usage"] is None else usage(record["usage"]),
        tuple(usage(rows) for rows in record["alternatives"]),
        record["blocking_cycles"],
        claims=tuple(usage(rows) for rows in record.get("claims", ())),
        refuted=tuple(usage(rows) for rows in record.get("refuted", ())),
        error=record["error"] or "",
    )


if __name__ == "__main__":
    sys.exit(main())
