"""`corecast cpus`: the cores that there are models of."""

from __future__ import annotations

import argparse


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "cpus", help="the cores that there are models of", description="Lists the machine models."
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_result
    from corecast.machine import list_machines

    rows = [
        {"name": machine.name, "title": machine.title, "isa": machine.isa, "aliases": list(machine.aliases)}
        for machine in list_machines()
    ]
    if arguments.format == "json":
        import json

        write_result(json.dumps({"schema": "corecast/1", "cpus": rows}, indent=2, ensure_ascii=False) + "\n", None)
        return 0
    write_result(_text(rows), None, errors="backslashreplace")
    return 0


def _text(rows: list[dict[str, object]]) -> str:
    table = [("cpu", "isa", "core", "also known as")]
    table += [(str(r["name"]), str(r["isa"]), str(r["title"]), ", ".join(r["aliases"])) for r in rows]  # type: ignore[arg-type]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    lines = ("  ".join((*map(str.ljust, row[:3], widths), row[3])).rstrip() for row in table)
    return "\n".join(lines) + "\n"
