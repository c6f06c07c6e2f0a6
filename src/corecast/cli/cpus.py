"""`corecast cpus`: the cores that there are models of, and how good they are."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.errors import MachineModelError
    from corecast.machine.summary import Summary

NUMBERS = (2, 7)
"""Columns that hold numbers: the first, and the one behind the last."""


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "cpus",
        help="the cores that there are models of",
        description="Lists the machine models: forms known by confidence of their source, how much of the pipeline "
        "is described, what forecasts were compared with.",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.messages import tell_error
    from corecast.cli.output import write_json, write_result
    from corecast.machine.summary import summaries

    broken: list[MachineModelError] = []
    found = summaries(broken.append)
    for error in broken:
        tell_error(str(error))
    if arguments.format == "json":
        document = {"schema": "corecast/1", "cpus": [_entry(summary) for summary in found]}
        write_json(document)
    else:
        write_result(_text(found), None, errors="backslashreplace")
    return 2 if broken else 0


def _entry(summary: Summary) -> dict[str, object]:
    info = summary.info
    return {
        "name": info.name,
        "title": info.title,
        "vendor": info.vendor,
        "isa": info.isa,
        "aliases": list(info.aliases),
        "extends": info.extends or None,
        "forms": dict(summary.forms),
        "pipeline": summary.pipeline,
        "validated": list(info.validated),
    }


def _text(found: Sequence[Summary]) -> str:
    heading = ("cpu", "isa", "forms", *found[0].forms, "pipeline", "core", "validated against", "also known as")
    table = [heading] if found else []
    for summary in found:
        info, counts = summary.info, summary.forms.values()
        numbers = (str(sum(counts)), *map(str, counts))
        validated = ", ".join(info.validated) or "-"
        table.append((info.name, info.isa, *numbers, summary.pipeline, info.title, validated, ", ".join(info.aliases)))
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = (
            cell.rjust(width) if NUMBERS[0] <= column < NUMBERS[1] else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"
