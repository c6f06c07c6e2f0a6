"""`corecast measure machine`: all forms of this machine, or of a simulated core, to a record file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from corecast.cli.messages import tell
from corecast.cli.progress import progress_line
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    import argparse

    from corecast.measure import Core
    from corecast.measure.campaign import Progress

_TIME = lazy_pattern(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?:in)?)?(?:(\d+(?:\.\d+)?)s?)?")


def add_options(machine: argparse.ArgumentParser) -> None:
    machine.add_argument(
        "-o", "--output", required=True, metavar="RECORDS", help="record file; rerunning resumes the run"
    )
    machine.add_argument(
        "--forms",
        action="append",
        metavar="PATTERN",
        help="only forms matching PATTERN (see `corecast lookup`); may be repeated",
    )
    machine.add_argument("--time", metavar="BUDGET", help="stop after 30s, 20m, 1h30m; the plainest forms come first")
    machine.set_defaults(outputs={"output": "records"})
    machine.add_argument("--x87", action="store_true", help="include x87 forms")


def run(arguments: argparse.Namespace, core: Core) -> int:
    from corecast.machine.opcodes import form_of_opcode
    from corecast.machine.patterns import matching_keys
    from corecast.measure import HostCore
    from corecast.measure.campaign import Campaign
    from corecast.measure.questions.keys import is_form
    from corecast.measure.questions.selection import all_forms
    from corecast.measure.rejection import counts_text
    from corecast.measure.run.worker import WorkerCore

    budget = seconds(arguments.time) if arguments.time is not None else None
    patterns = [form_of_opcode(pattern, core.isa) for pattern in arguments.forms or ()]
    named = {pattern: is_form(pattern, core.isa) for pattern in patterns}
    exact = bool(named) and all(named.values())
    forms = list(named) if exact else all_forms(core.isa, arguments.x87)  # enumerating all takes seconds
    if not all(named.values()):
        wanted = {key for pattern in patterns for key in matching_keys([forms], pattern)}
        forms = [form for form in forms if form in wanted]
        forms += [form for form, known in named.items() if known and form not in wanted]
        if not forms:
            raise InputError(f"no form matches '{' '.join(arguments.forms)}'; see `corecast lookup`")
    patience: Callable[[int], None] = _no_matter
    if isinstance(core, HostCore):
        core = WorkerCore(core)
        patience = partial(setattr, core, "batches")
    try:
        with progress_line(_line, refresh_seconds=0.0) as show:
            progress = Campaign(core, Path(arguments.output), forms, budget, patience, show).run()
    except KeyboardInterrupt:
        tell(f"stopped: rerun the command to resume where {arguments.output} ends")
        raise
    if sys.stderr.isatty():
        print(_clock(progress.elapsed), file=sys.stderr)
    told = f"{progress.seen} of {progress.total} forms seen, {progress.illegal} of them not on this core"
    waiting = progress.seen - progress.done
    again = f"; {waiting} wait for another look" if waiting else ""
    print(f"{told}, {progress.unstable} not stable{again}")
    if rejected := counts_text(+progress.rejected):
        print(f"without a throughput, by reason: {rejected}")
    return 0


def seconds(text: str) -> float:
    """
    Raises:
        InputError: it is not a time.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None or not text.strip():
        raise InputError(f"--time takes a time as 90s, 20m or 1h30m, not '{text}'")
    hours, minutes, rest = (float(part or 0) for part in match.groups())
    return 3600 * hours + 60 * minutes + rest


def _no_matter(batches: int) -> None:
    """A simulated core is as patient as it is."""


def _line(progress: Progress) -> str:
    seen = f"{progress.seen}/{progress.total} forms seen, {progress.done} done"
    return f"{seen}, {_clock(progress.left)} left, {progress.unstable} not stable  {progress.form[:40]}"


def _clock(time: float) -> str:
    minutes, rest = divmod(round(time), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
