"""`corecast infer`: a machine model from records of measurements."""

from __future__ import annotations

import sys

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "infer",
        help=summary,
        description="Makes a machine model of the records of `corecast measure machine`: measured latencies and "
        "throughputs, on the pipeline and ports of a known core.",
    )
    parser.add_argument("records", metavar="RECORDS", help="record file")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder of the model")
    parser.add_argument(
        "--pipeline-of", metavar="NAME|DIR", help="the model whose pipeline and ports it has; default: this machine's"
    )
    parser.set_defaults(run=run, outputs={"output": "folder"})


def run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from corecast.machine.host import host_machine
    from corecast.measure.export.model import infer
    from corecast.measure.judge.forms.results import read_results

    base = arguments.pipeline_of or host_machine()
    if base is None:
        raise InputError("this machine's core is not known: name one with --pipeline-of")
    results = read_results(arguments.records)
    inferred = infer(results, Path(arguments.output), base)
    print(
        f"{inferred.folder}: {inferred.rows} forms measured on {results.cpu}; ports of {inferred.kept_ports} as in "
        f"{base}, of {inferred.scaled_ports} held longer or shorter, of {inferred.without_ports} not known",
        file=sys.stderr,
    )
    return 0
