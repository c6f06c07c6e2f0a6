"""`corecast cpus`: supported cores, how good their models are, and which one this machine has."""

from __future__ import annotations

from collections.abc import Sequence

from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.errors import MachineModelError
    from corecast.machine import Machine, MachineInfo
    from corecast.machine.summary import Summary
    from corecast.machine.validation import Validation
    from corecast.measure.judge.identify import When

NUMBERS = (2, 7)
"""Columns that hold numbers: the first, and the one behind the last."""


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "cpus",
        help=summary,
        description="Lists the machine models: forms known by confidence of their source, how much of the pipeline "
        "is described, the error of predictions on measured code (-: never compared).",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("name", nargs="?", metavar="NAME", help="show one core, with its ISA extensions")
    which.add_argument("--host", action="store_true", help="identify this machine's core, with the evidence")
    parser.add_argument(
        "--fingerprint",
        choices=("auto", "always", "never"),
        help="with --host: time a few kernels, at most ten seconds, and compare with what models predict; auto "
        "(default): where number, features and caches leave a doubt",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.messages import tell_errors
    from corecast.cli.output import write_json, write_result
    from corecast.machine.summary import summaries

    if arguments.fingerprint is not None and not arguments.host:
        raise InputError("--fingerprint goes with --host")
    if arguments.host:
        return _host(arguments.fingerprint or "auto", arguments.format)
    if arguments.name is not None:
        return _show(arguments.name, arguments.format)
    broken: list[MachineModelError] = []
    found = summaries(broken.append)
    for error in broken:
        tell_errors(error)
    if arguments.format == "json":
        document = {"schema": "corecast/1", "cpus": [_entry(summary) for summary in found]}
        write_json(document)
    else:
        write_result(_text(found, _width()), None, errors="backslashreplace")
    return 2 if broken else 0


def _width() -> int:
    import sys

    from corecast.report.style import TextStyle

    return TextStyle.for_stream(sys.stdout).width


def _host(when: When, form: str) -> int:
    """This machine's core."""
    from corecast.cli.output import write_json, write_result
    from corecast.errors import UnknownCpuError
    from corecast.machine.host import recognized_host
    from corecast.measure.judge.identify import identify
    from corecast.report.host import host_document, host_text

    recognition = recognized_host()
    if recognition is None:
        raise UnknownCpuError("nothing is to be seen of this machine's core: neither /proc/cpuinfo nor CPUID")
    found = identify(recognition, when)
    if form == "json":
        write_json({"schema": "corecast/1", "host": host_document(found)})
    else:
        write_result(host_text(found), None, errors="backslashreplace")
    return 0


def _show(name: str, form: str) -> int:
    """One core at length."""
    from corecast.cli.machine import load_named
    from corecast.cli.output import write_json, write_result
    from corecast.machine.summary import summary_of

    machine = load_named(name)
    summary = summary_of(machine.info)
    if form == "json":
        extensions = None if machine.extensions is None else list(machine.extensions)
        own = {"extensions": extensions, "parameters": _parameters(machine)}
        write_json({"schema": "corecast/1", "cpus": [{**_entry(summary), **own}]})
    else:
        write_result(_details(machine, summary), None, errors="backslashreplace")
    return 0


def _parameters(machine: Machine) -> dict[str, object]:
    """The values that the model has, by the keys of docs/parameters.md."""
    from corecast.machine.parameters import described

    found = described(machine.pipeline)
    return {key: {"value": value, "unit": unit or None} for key, (value, unit) in found.items()}


def _details(machine: Machine, summary: Summary) -> str:
    import textwrap

    from corecast import _core

    forms = ", ".join(f"{count} {confidence}" for confidence, count in summary.forms.items() if count)
    lines = [
        ("name", machine.name),
        ("core", machine.title),
        ("isa", machine.isa),
        ("also known as", ", ".join(machine.aliases) or "-"),
        ("forms", f"{sum(summary.forms.values())} ({forms})"),
        ("pipeline", summary.pipeline),
        *_validation_lines(machine.info),
    ]
    if machine.extensions is None:
        lines.append(("extensions", "not listed by the model: instructions are not checked"))
    else:
        table = machine.pipeline["extensions"]
        titles = (_core.extension_title(machine.isa, name) for name in machine.extensions)
        lines.append(("extensions", ", ".join(titles) or "none"))
        lines.append(("", f"({table.get('confidence', '?')}: {table.get('source', 'no source')})"))
    return "".join(
        textwrap.fill(
            text, min(110, _width()), initial_indent=f"{key:15}", subsequent_indent=" " * 15, break_on_hyphens=False
        )
        + "\n"
        for key, text in lines
    )


def _validation_lines(info: MachineInfo) -> list[tuple[str, str]]:
    """A line for each kind of measured code."""
    lines = []
    for each in info.validation:
        origin = "; ".join(filter(None, (each.source, f"predicted by {each.method}" if each.method else "", each.date)))
        lines.append(f"{each.text} ({origin})" if origin else each.text)
    return [("" if number else "validated", line) for number, line in enumerate(lines or ["-"])]


def _entry(summary: Summary) -> dict[str, object]:
    info = summary.info
    return {
        "name": info.name,
        "title": info.title,
        "vendor": info.vendor,
        "isa": info.isa,
        "aliases": list(info.aliases),
        "pipeline_of": info.pipeline_of or None,
        "forms": dict(summary.forms),
        "pipeline": summary.pipeline,
        "validated": list(info.validated),
        "validation": [_figures(each) for each in info.validation],
    }


def _figures(validation: Validation) -> dict[str, object]:
    return {
        "kind": validation.kind,
        "blocks": validation.blocks,
        "mape_percent": validation.mape_percent,
        "date": validation.date or None,
        "source": validation.source or None,
        "method": validation.method or None,
    }


def _text(found: Sequence[Summary], width: int) -> str:
    """A line for each core where that fits into `width`; else a narrow table, with what is long in further lines."""
    heading = ("cpu", "isa", "forms", *found[0].forms, "pipeline", "core", "validated", "also known as")
    table = [heading] if found else []
    for summary in found:
        info, counts = summary.info, summary.forms.values()
        numbers = (str(sum(counts)), *map(str, counts))
        validated = ", ".join(info.validated) or "-"
        table.append((info.name, info.isa, *numbers, summary.pipeline, info.title, validated, ", ".join(info.aliases)))
    lines = _aligned(table, NUMBERS)
    if max(map(len, lines), default=0) > width:
        lines = _narrow(found, width)
    return "\n".join(lines) + "\n"


def _narrow(found: Sequence[Summary], width: int) -> list[str]:
    """Below each core's line its errors on measured code and its other names."""
    from corecast.report.folding import fold

    heading = ("cpu", "isa", "forms", "pipeline", "core, error on measured code, (names)")
    table = [
        heading,
        *((each.info.name, each.info.isa, str(sum(each.forms.values())), each.pipeline, "") for each in found),
    ]
    first, *leads = _aligned(table, (2, 3))
    indent = first.index(heading[-1])
    lines = [first]
    for summary, lead in zip(found, leads, strict=True):
        info = summary.info
        aliases = f"({', '.join(info.aliases)})" if info.aliases else ""
        parts = [info.title, ", ".join(info.validated), aliases]
        for number, part in enumerate(filter(None, parts)):
            lines += fold(part, width, " " * indent if number else lead.ljust(indent), " " * indent)
    return lines


def _aligned(table: Sequence[Sequence[str]], numbers: tuple[int, int]) -> list[str]:
    """Rows of cells as lines; the columns from `numbers[0]` to before `numbers[1]` end at the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = (
            cell.rjust(width) if numbers[0] <= column < numbers[1] else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    return lines
