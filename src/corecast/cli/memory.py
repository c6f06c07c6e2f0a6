"""Options for data beyond the first-level cache."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corecast.errors import InputError

if TYPE_CHECKING:
    from corecast.machine import Machine


def add_memory_options(parser: argparse.ArgumentParser) -> None:
    memory = parser.add_argument_group("data beyond the first-level cache")
    memory.add_argument(
        "--memory",
        metavar="LEVEL",
        help="where loads find their data: l2 and so on, cycles, or shares (l1:0.9,l2:0.1)",
    )
    memory.add_argument("--bandwidth", metavar="BYTES/s", help="what can be streamed, such as 25.6GB/s; needs --clock")
    memory.add_argument("--clock", metavar="HZ", help="of the core, such as 2.5GHz")


def with_memory(machine: Machine, arguments: argparse.Namespace) -> Machine:
    """The machine with loads as late as the options say.

    Raises:
        InputError: no such level, cycles or shares.
    """
    if arguments.memory is None:
        return machine
    from corecast.analysis.memory import EXTRA, extra_latency
    from corecast.machine import variant

    return variant(machine, {EXTRA: extra_latency(arguments.memory, machine)})


def chosen_bytes_per_cycle(arguments: argparse.Namespace) -> float | None:
    """What can be streamed, None where nothing was said of it.

    Raises:
        InputError: a bandwidth without a clock, or no such quantities.
    """
    if (arguments.bandwidth is None) != (arguments.clock is None):
        raise InputError("--bandwidth and --clock belong together")
    if arguments.bandwidth is None:
        return None
    from corecast.analysis.memory import bytes_per_cycle

    return bytes_per_cycle(arguments.bandwidth, arguments.clock)
