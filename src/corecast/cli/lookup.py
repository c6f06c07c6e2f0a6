"""`corecast lookup`: what the machine models know of instruction forms."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from corecast.cli.messages import tell
from corecast.cli.target import choose_machine

if TYPE_CHECKING:
    from corecast.machine import FormRow, Machine

_COLUMNS = ("ports", "blocking", "latency", "uops", "rthroughput", "flags", "source", "confidence")


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "lookup",
        help="what is known of an instruction form, on one core or several",
        description="Prints ports, latency (source->destination:cycles), reciprocal throughput (cycles), micro-ops "
        "(fused/unfused/retired) and their source for the forms that fit PATTERN.",
    )
    parser.add_argument(
        "pattern",
        nargs="+",
        metavar="PATTERN",
        help="a form with * and ? for any text, or words that all occur: 'vadd*d ymm, ymm, ymm' or vaddpd zmm",
    )
    parser.add_argument("--cpu", action="append", metavar="NAME", help="may be given several times")
    parser.add_argument("--machine", action="append", metavar="DIR", help="folder of a machine model of your own")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    machines, notes = _machines(arguments)
    pattern = " ".join(arguments.pattern)
    keys = matching_keys([machine.keys() for machine in machines], pattern)
    for note in notes:
        tell(note)
    if not keys:
        nearest = dict.fromkeys(form for machine in machines for form in machine.nearest_forms(pattern, 5))
        hint = f"; near it: {'; '.join(nearest)}" if nearest else ""
        tell(f"no form fits '{pattern}'{hint}")
        return 1
    from corecast.cli.output import write_result

    found = [(key, [(machine.name, machine.row(key)) for machine in machines]) for key in keys]
    if arguments.format == "json":
        write_result(_json(machines, keys), None)
        return 0
    write_result("\n".join(_lines(found)) + "\n", None, errors="backslashreplace")
    return 0


def _machines(arguments: argparse.Namespace) -> tuple[list[Machine], tuple[str, ...]]:
    chosen = [argparse.Namespace(cpu=cpu, machine=None, set=(), vl=None) for cpu in arguments.cpu or ()]
    chosen += [argparse.Namespace(cpu=None, machine=folder, set=(), vl=None) for folder in arguments.machine or ()]
    pairs = [choose_machine(one) for one in chosen or [argparse.Namespace(cpu=None, machine=None, set=(), vl=None)]]
    return [machine for machine, _ in pairs], tuple(note for _, notes in pairs for note in notes)


def matching_keys(tables: Sequence[Sequence[str]], pattern: str) -> list[str]:
    """Keys of any of the tables that fit, in the order of the tables.

    A pattern with `*` or `?` must fit the whole key. Else every word must occur in it, and where the first word is the
    mnemonic of some keys, only those are meant: `add` asks for add, not for vaddpd.
    """
    keys = list(dict.fromkeys(key for table in tables for key in table))
    lowered = " ".join(pattern.lower().split())
    if lowered in keys:
        return [key for key in keys if key == lowered or key.startswith(f"{lowered} @")]
    if "*" in lowered or "?" in lowered:
        import re

        wild = re.escape(lowered).replace(r"\*", ".*").replace(r"\?", ".")
        fits = re.compile(wild).fullmatch
        return [key for key in keys if fits(key)]
    words = lowered.split()
    found = [key for key in keys if all(word in key for word in words)]
    named = [key for key in found if words and key.split(" ", 1)[0] == words[0]]
    return named or found


def _json(machines: Sequence[Machine], keys: Sequence[str]) -> str:
    """Every form with what each core knows of it; null for a core without a row."""
    import json

    forms = [{"form": key, "cpus": {machine.name: _entry(machine, key) for machine in machines}} for key in keys]
    return json.dumps({"schema": "corecast/1", "forms": forms}, indent=2, ensure_ascii=False) + "\n"


def _entry(machine: Machine, key: str) -> dict[str, object] | None:
    entry = machine.core.find(key)
    row = machine.row(key)
    if entry is None or row is None:
        return None
    latency: Any = entry["latency"]
    uops: Any = entry["uops"]
    pairs = [{"source": source, "destination": to, "cycles": cycles} for source, to, cycles in latency or ()]
    return {
        "ports": None if row.ports == "?" else row.ports,
        "blocking": row.blocking,
        "latencies": None if latency is None else pairs,
        "uops": None if uops is None else dict(zip(("fused", "unfused", "retired"), uops, strict=True)),
        "reciprocal_throughput_cycles": entry["rthroughput"],
        "flags": [flag for flag in row.flags.split(",") if flag],
        "source": row.source,
        "confidence": row.confidence,
    }


def _lines(found: Sequence[tuple[str, list[tuple[str, FormRow | None]]]]) -> Iterator[str]:
    """A heading for each form, one row a machine below it, columns aligned over all of them."""
    cells: list[list[str] | str] = []
    for key, rows in found:
        cells.append(key)
        cells += [[name, *_cells(row)] for name, row in rows]
    table = [row for row in cells if isinstance(row, list)]
    heading = ["cpu", *_COLUMNS]
    used = [column for column in range(len(heading)) if column == 0 or any(row[column] for row in table)]
    widths = {column: max(len(row[column]) for row in [heading, *table]) for column in used}
    yield "  " + "  ".join(heading[column].ljust(widths[column]) for column in used).rstrip()
    for entry in cells:
        if isinstance(entry, str):
            yield entry
        else:
            yield "  " + "  ".join(entry[column].ljust(widths[column]) for column in used).rstrip()


def _cells(row: FormRow | None) -> list[str]:
    if row is None:
        return ["not known", *[""] * (len(_COLUMNS) - 1)]
    return [str(getattr(row, column)) for column in _COLUMNS]
