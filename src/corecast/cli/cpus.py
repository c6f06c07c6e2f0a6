"""`corecast cpus`: the cores that there are models of."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.machine import MachineInfo


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "cpus", help="the cores that there are models of", description="Lists the machine models."
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_result
    from corecast.machine import list_machines

    machines = list_machines()
    if arguments.format == "json":
        import json

        rows = [{"name": m.name, "title": m.title, "isa": m.isa, "aliases": list(m.aliases)} for m in machines]
        write_result(json.dumps({"schema": "corecast/1", "cpus": rows}, indent=2, ensure_ascii=False) + "\n", None)
    else:
        write_result(_text(machines), None, errors="backslashreplace")
    return 0


def _text(machines: Sequence[MachineInfo]) -> str:
    table = [("cpu", "isa", "core", "also known as")]
    table += [(machine.name, machine.isa, machine.title, ", ".join(machine.aliases)) for machine in machines]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    lines = ("  ".join((*map(str.ljust, row[:3], widths), row[3])).rstrip() for row in table)
    return "\n".join(lines) + "\n"
