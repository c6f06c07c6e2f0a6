"""`corecast time`: cycles of basic blocks on this machine."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from corecast.cli.messages import progress_line, tell
from corecast.errors import InputError

if TYPE_CHECKING:
    from corecast.timing.run import Tally


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "time",
        help="cycles of basic blocks on this machine",
        description="Times every block of a CSV file with a column `hex` and writes the file with the columns cycles, "
        "spread, rejected and mode added. What was measured so far is kept in MEASURED.csv.part: the same command goes "
        "on where it was stopped.",
    )
    parser.add_argument("file", metavar="BLOCKS.csv")
    parser.add_argument("-o", "--output", required=True, metavar="MEASURED.csv", help="written whole or not at all")
    parser.add_argument(
        "--mode",
        choices=("loop", "unroll"),
        default="unroll",
        help="unroll: copies of a block follow each other; loop: a counter and a branch close it (default: unroll)",
    )
    parser.add_argument("--cores", metavar="A,B,...", help="cores to run on; default: idle ones")
    parser.add_argument("--timeout", type=float, default=2.0, metavar="SECONDS", help="for a batch of samples (2)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import result_stream
    from corecast.timing.run import TimingOptions, open_timing, time_blocks

    if not arguments.timeout > 0:
        raise InputError("--timeout takes a number of seconds above 0")
    options = TimingOptions(arguments.mode, _cores(arguments.cores), arguments.timeout)
    part = _journal(arguments.output)
    timing = open_timing(arguments.file, part, options)
    try:
        with progress_line("{:,} of {:,} blocks".format) as progress:
            time_blocks(timing, options, progress)
        with result_stream(arguments.output, [arguments.file]) as sink:
            tally = timing.write(sink, arguments.mode)
    except KeyboardInterrupt:
        if part is not None:
            kept = len(timing.journal.verdicts)
            tell(f"{kept:,} blocks are kept in {part}: the same command goes on")
        raise
    finally:
        timing.journal.close()
    timing.journal.remove()
    _tell(tally)
    return 0


def _journal(output: str) -> Path | None:
    """Beside the output; nowhere where that is a pipe or a device."""
    if output == "-" or (os.path.exists(output) and not os.path.isfile(output)):
        return None
    return Path(f"{output}.part")


def _cores(text: str | None) -> list[int] | None:
    if text is None:
        return None
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError("--cores takes numbers, as 0,2") from None
    return found


def _tell(tally: Tally) -> None:
    from corecast.timing.verdict import REASONS

    tell(f"{tally.measured:,} of {tally.rows:,} blocks measured")
    for reason, count in sorted(tally.rejected.items(), key=lambda item: (-item[1], item[0])):
        tell(f"rejected: {count:,} {reason} ({REASONS[reason]})")
