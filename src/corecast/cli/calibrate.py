"""`corecast calibrate`: this machine becomes a validated model."""

from __future__ import annotations

from pathlib import Path

from corecast.cli.messages import tell
from corecast.cli.progress import progress_line
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.calibrate import Bench

_DEFAULT = "1h"


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "calibrate",
        help=summary,
        description="Times code on this machine and makes a model of its core: validation code, pipeline experiments, "
        "instruction forms, then a choice of what predicts code best; the report has errors on code that was held "
        "back. The same command resumes a run that was stopped, and more --time continues one that ended.",
    )
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder of the calibration")
    parser.add_argument(
        "--time", metavar="BUDGET", default=_DEFAULT, help="stop after 90s, 20m, 1h30m (default: 1h); at least 30s"
    )
    parser.add_argument(
        "--pipeline-of", metavar="NAME|DIR", help="the model to start from; default: the nearest known one"
    )
    parser.add_argument(
        "--hide",
        metavar="NAME",
        action="append",
        default=[],
        help="act as if there were no model of this name; may be repeated",
    )
    parser.add_argument("--pin", type=int, metavar="N", help="core of this machine to run on; default: an idle one")
    parser.add_argument("--on", metavar="NAME|DIR", help="a simulated core of this model in place of the machine")
    parser.set_defaults(run=run, outputs={"output": "folder"})


def run(arguments: argparse.Namespace) -> int:
    from corecast.calibrate import Calibration, Options, text_of
    from corecast.calibrate.plan import LEAST_SECONDS
    from corecast.cli.measure_machine import seconds
    from corecast.cli.output import write_result

    budget = seconds(arguments.time)
    if budget < LEAST_SECONDS:
        raise InputError(f"--time is at least {LEAST_SECONDS:g}s: nothing can be said in less")
    options = Options(budget, tuple(arguments.hide), _start(arguments.pipeline_of))
    folder = Path(arguments.output)
    with progress_line(str) as show:
        calibration = Calibration(folder, options, _bench(arguments), show)
        try:
            document = calibration.run()
        except KeyboardInterrupt:
            tell(f"stopped: rerun the command to resume from {folder}")
            raise
        finally:
            calibration.close()
    write_result(text_of(document), None)
    tell(f"{document['model']}: the model; {folder / 'report.html'}: the report")
    return 0


def _start(name: str | None) -> str | None:
    """A name, or the full path of a folder."""
    if name is None or not Path(name, "pipeline.toml").is_file():
        return name
    return str(Path(name).resolve())


def _bench(arguments: argparse.Namespace) -> Bench:
    from corecast.calibrate import HostBench, SimulatedBench

    if arguments.on is None:
        return HostBench(arguments.pin)
    if arguments.pin is not None:
        raise InputError("--pin is for this machine: leave --on out")
    from corecast.cli.machine import load_named

    return SimulatedBench(load_named(arguments.on))
