"""`corecast time`: cycles of basic blocks on this machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from corecast.cli.messages import tell
from corecast.cli.progress import progress_line
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.timing.run import Tally, TimingOptions


EXIT_NOTHING = 1
"""No block was measured."""
_MOST_PROBLEMS = 3


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "time",
        help=summary,
        description="Times every block of a CSV file with a column `hex` and writes the file with the columns cycles, "
        "spread, rejected and mode added. Every block is visited at least twice, some time apart, and counts only if "
        "two visits agree. Visits are kept in MEASURED.csv.part: the same command resumes an interrupted run. Exit "
        "code 1: no block could be measured.",
    )
    parser.add_argument("file", metavar="BLOCKS.csv")
    parser.add_argument(
        "-o", "--output", required=True, metavar="MEASURED.csv", help="output file (written atomically)"
    )
    parser.add_argument(
        "--mode",
        choices=("loop", "unroll"),
        default="unroll",
        help="unroll: copies of a block follow each other; loop: a counter and a branch close it (default: unroll)",
    )
    parser.add_argument("--cores", metavar="A,B,...", help="cores to run on; default: idle ones")
    parser.add_argument(
        "--apart",
        type=float,
        default=20.0,
        metavar="SECONDS",
        help="shortest time between two visits to a block (default: 20)",
    )
    parser.add_argument(
        "--isa",
        choices=("x86", "aarch64", "riscv64"),
        help="instruction set of rows that do not name one in a column isa (default: this machine's)",
    )
    parser.add_argument(
        "--runner",
        metavar="COMMAND",
        help="program that executes the code, on another machine or under an emulator, in place of this process: see "
        "docs/other-machines.md",
    )
    parser.add_argument(
        "--on", metavar="NAME|DIR", help="with --runner: the clock is that of this simulated core; for emulators"
    )
    parser.add_argument(
        "--timeout", type=float, default=2.0, metavar="SECONDS", help="limit for a batch of samples (default: 2)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.machine import load_named
    from corecast.timing.run import TimingOptions
    from corecast.timing.runner import runner_of

    if not arguments.timeout > 0:
        raise InputError("--timeout takes a number of seconds above 0")
    if not arguments.apart >= 0:
        raise InputError("--apart takes a number of seconds from 0")
    machine = load_named(arguments.on) if arguments.on is not None else None
    runner = runner_of(arguments.runner, machine)
    try:
        options = TimingOptions(
            arguments.mode, _cores(arguments.cores), arguments.timeout, arguments.apart, arguments.isa, runner
        )
        return _time(arguments, options)
    finally:
        runner.close()


def _time(arguments: argparse.Namespace, options: TimingOptions) -> int:
    from corecast.cli.output_stream import result_stream
    from corecast.timing.run import open_timing, time_blocks

    part = _journal(arguments.output)
    timing = open_timing(arguments.file, part, options)
    try:
        with progress_line("{:,} of {:,} visits to blocks".format) as progress:
            time_blocks(timing, options, progress)
        with result_stream(arguments.output, [arguments.file]) as sink:
            tally = timing.write(sink, arguments.mode)
        timing.journal.remove()
    except KeyboardInterrupt:
        if part is not None:
            kept = len(timing.journal.visits)
            tell(f"{kept:,} blocks are kept in {part}: rerun the command to resume")
        raise
    finally:
        timing.journal.close()
    _tell(tally, timing.problems)
    return 0 if tally.measured else EXIT_NOTHING


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


def _tell(tally: Tally, problems: Sequence[str]) -> None:
    from corecast.timing.verdict import REASONS

    for problem in problems[:_MOST_PROBLEMS]:
        tell(f"a measurement failed: {problem}")
    tell(f"{tally.measured:,} of {tally.rows:,} blocks measured")
    for reason, count in sorted(tally.rejected.items(), key=lambda item: (-item[1], item[0])):
        tell(f"rejected: {count:,} {reason} ({REASONS[reason]})")
