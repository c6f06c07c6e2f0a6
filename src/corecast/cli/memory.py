"""Options for data beyond the first-level cache."""

from __future__ import annotations

from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


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
        metavar="[REG=]RATE",
        help="what can be streamed: 25.6GB/s (needs --clock) or 16B/cycle, in total or, with REG, by the accesses "
        "whose address begins with that register; may be repeated",
    )
    memory.add_argument(
        "--clock",
        metavar="HZ",
        help="core clock, such as 2.5GHz; analyze: also reports seconds per iteration, Gflop/s and GB/s",
    )
