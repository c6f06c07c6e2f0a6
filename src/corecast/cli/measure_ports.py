"""`corecast measure ports`: port usage of forms by interference."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from corecast.errors import InputError

if TYPE_CHECKING:
    from corecast.machine import Machine
    from corecast.measure import Core

EXIT_FAILED = 1


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("forms", nargs="+", metavar="FORM", help='a form by its key, as "imul r64, r64"')
    parser.add_argument(
        "--names",
        metavar="NAME|DIR",
        help="model of this core or of a sibling, whose forms block ports and name them; default: the core's own",
    )
    parser.add_argument("--kernels", action="store_true", help="show the code of each conflict")


def run(arguments: argparse.Namespace, core: Core) -> int:
    from corecast.cli.output import write_result
    from corecast.measure.ports import PortMeter, Readings, known_blocking, port_record
    from corecast.measure.records import append_records
    from corecast.report.port_measurement import blocking_text, ports_text

    readings = Readings(core)
    blocking = known_blocking(readings, _names(arguments, core))
    meter = PortMeter(readings, blocking)
    measured = [meter.measure(form) for form in arguments.forms]
    records = [port_record(each, meter) for each in measured]
    if arguments.records is not None:
        append_records(arguments.records, records)
    if arguments.format == "json":
        import json

        write_result(json.dumps(records, indent=2, ensure_ascii=False) + "\n", arguments.output)
    else:
        for doubt in blocking.doubts:
            print(f"corecast: {doubt}", file=sys.stderr)
        text = "".join(ports_text(each, blocking, with_kernels=arguments.kernels) for each in measured)
        write_result(text + blocking_text(blocking, core), arguments.output, errors="backslashreplace")
    return 0 if all(each.usage is not None for each in measured) else EXIT_FAILED


def _names(arguments: argparse.Namespace, core: Core) -> Machine:
    from corecast.cli.machine import load_named

    name = arguments.names or arguments.simulated
    if name is None:
        from corecast.machine.host import host_machine

        name = host_machine()
        if name is None:
            raise InputError(f"{core.name} has no model: name a sibling's with --names")
    return load_named(name)
