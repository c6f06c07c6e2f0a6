"""`corecast measure ports`: port usage of forms by interference."""

from __future__ import annotations

from corecast.cli.messages import tell
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.machine import Machine
    from corecast.measure import Core

EXIT_FAILED = 1


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("forms", nargs="+", metavar="FORM", help='by its key, "imul r64, r64", or opcode, IMUL64rr')
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--names",
        metavar="NAME|DIR",
        help="model of this core or of a sibling, for port names and blocking forms; default: the core's own",
    )
    source.add_argument(
        "--discover",
        action="store_true",
        help="find blocking forms on the core itself and number the ports; default if the core has no model",
    )
    parser.add_argument("--kernels", action="store_true", help="show the code of each conflict")


def run(arguments: argparse.Namespace, core: Core) -> int:
    from corecast.cli.output import write_json, write_result
    from corecast.machine.opcodes import form_of_opcode
    from corecast.measure.judge.ports import PortMeter, Readings, found_blocking, known_blocking, port_record
    from corecast.measure.record.file import append_records
    from corecast.report.port_measurement import blocking_text, ports_text

    readings = Readings(core)
    names = None if arguments.discover else _names(arguments)
    blocking = found_blocking(readings) if names is None else known_blocking(readings, names)
    meter = PortMeter(readings, blocking)
    measured = [meter.measure(form_of_opcode(form, core.isa)) for form in arguments.forms]
    records = [port_record(each, meter) for each in measured]
    if arguments.records is not None:
        append_records(arguments.records, records)
    if arguments.format == "json":
        write_json(records, arguments.output)
    else:
        for doubt in blocking.doubts:
            tell(doubt)
        text = "".join(ports_text(each, blocking, with_kernels=arguments.kernels) for each in measured)
        write_result(text + blocking_text(blocking, core), arguments.output, errors="backslashreplace")
    return 0 if all(each.usage is not None for each in measured) else EXIT_FAILED


def _names(arguments: argparse.Namespace) -> Machine | None:
    """The model that names the ports, None where this machine's core has none."""
    from corecast.cli.machine import load_named
    from corecast.machine.host import host_machine

    name = arguments.names or arguments.simulated or host_machine()
    return None if name is None else load_named(name)
