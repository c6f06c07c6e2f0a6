"""`corecast evaluate`: predictions held against measurements."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from corecast.cli.target import add_target_options, choose_machine

if TYPE_CHECKING:
    from corecast.evaluate import Evaluation


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "evaluate",
        help="errors of predictors against measured blocks or kernels",
        description="Reads measured blocks (a CSV file with the columns `hex` and `cycles`) or, with --kernels, a "
        "table of measured assembly files, asks each predictor, and tells coverage, errors and rank correlation.",
    )
    parser.add_argument("file", metavar="MEASURED.csv")
    add_target_options(parser)
    parser.add_argument("--mode", choices=("loop", "unroll"), default="loop", help="how blocks repeat (default: loop)")
    parser.add_argument(
        "--kernels",
        action="store_true",
        help="the file is a table of kernels: `file`, `cycles`, and `cpu` where no --cpu is given",
    )
    parser.add_argument(
        "--predictor",
        action="append",
        metavar="NAME",
        help="simulate, bounds, best (each also as NAME:VARIANT), baseline, llvm-mca[:PATH], NAME=FILE.csv; may be "
        "repeated (default: simulate, bounds, baseline)",
    )
    parser.add_argument("--by", default="app", metavar="COLUMN", help="column of groups (default: app)")
    parser.add_argument("--worst", type=int, default=5, metavar="N", help="largest errors shown (default: 5)")
    parser.add_argument("--jobs", type=int, metavar="N", help="threads or processes; default: one a processor")
    parser.add_argument(
        "-o", "--output", metavar="DIR", help="folder for evaluation.md, evaluation.json, metrics.csv, predictions.csv"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.evaluate import DEFAULT_PREDICTORS, Setting, evaluate, read_blocks, read_kernels
    from corecast.evaluate.summary import to_markdown

    own_cores = arguments.kernels and arguments.cpu is None and arguments.machine is None and not arguments.set
    machine, notes = (None, ()) if own_cores else choose_machine(arguments)
    for note in notes:
        print(f"corecast: {note}", file=sys.stderr)
    cases = read_kernels(arguments.file, machine) if arguments.kernels else read_blocks(arguments.file, arguments.by)
    setting = Setting(machine, arguments.mode, arguments.jobs)
    found = evaluate(cases, setting, arguments.predictor or DEFAULT_PREDICTORS, _progress())
    text = to_markdown(found, arguments.worst)
    if arguments.output is None:
        from corecast.cli.output import write_result

        write_result(text, None)
    else:
        _write(found, text, Path(arguments.output), arguments.file)
    return 0


def _progress() -> Callable[[str], None] | None:
    """Names each predictor before it starts, on a terminal only."""
    return _tell if sys.stderr.isatty() else None


def _tell(name: str) -> None:
    print(f"corecast: {name} ...", file=sys.stderr)


def _write(found: Evaluation, text: str, folder: Path, source: str) -> None:
    from corecast import __version__
    from corecast.cli.output import write_result
    from corecast.evaluate import metrics_csv, predictions_csv, to_json

    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (
        ("evaluation.md", text),
        ("evaluation.json", to_json(found, __version__)),
        ("metrics.csv", metrics_csv(found)),
        ("predictions.csv", predictions_csv(found)),
    ):
        write_result(content, str(folder / name), [source])
