"""Options for data beyond the first-level cache."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corecast.errors import InputError

if TYPE_CHECKING:
    from corecast.analysis.memory import Bandwidth
    from corecast.machine import Machine


def add_memory_options(parser: argparse.ArgumentParser) -> None:
    memory = parser.add_argument_group("data beyond the first-level cache")
    memory.add_argument(
        "--memory",
        action="append",
        default=[],
        metavar="[REG=]LEVEL",
        help="where loads find their data: l2 and so on, cycles, or shares (l1:0.9,l2:0.1); of those whose address "
        "begins with a register (x1=l2); may be repeated",
    )
    memory.add_argument(
        "--bandwidth",
        action="append",
        default=[],
        metavar="[REG=]BYTES/s",
        help="what can be streamed, such as 25.6GB/s, altogether or by a register's accesses; needs --clock",
    )
    memory.add_argument("--clock", metavar="HZ", help="of the core, such as 2.5GHz")


def with_memory(machine: Machine, arguments: argparse.Namespace) -> tuple[Machine, Machine]:
    """The machine with loads as late as the options say: for bounds, which know the mean, and for simulation.

    Raises:
        InputError: no such level, cycles, shares or register.
    """
    if not arguments.memory:
        return machine, machine
    from corecast.analysis.memory import latency_settings, load_latencies
    from corecast.machine import variant

    found = load_latencies(arguments.memory, machine)
    return (
        variant(machine, latency_settings(found, simulated=False)),
        variant(machine, latency_settings(found, simulated=True)),
    )


def chosen_bandwidth(arguments: argparse.Namespace, machine: Machine) -> Bandwidth | None:
    """What can be streamed, None where nothing was said of it.

    Raises:
        InputError: a bandwidth without a clock, or no such quantities.
    """
    if bool(arguments.bandwidth) != (arguments.clock is not None):
        raise InputError("--bandwidth and --clock belong together")
    if not arguments.bandwidth:
        return None
    from corecast.analysis.memory import bandwidth_of

    return bandwidth_of(arguments.bandwidth, arguments.clock, machine)
