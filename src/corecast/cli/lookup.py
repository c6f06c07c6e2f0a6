"""`corecast lookup`: what the machine models know of instruction forms."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence

from corecast.cli.messages import tell
from corecast.cli.plain import Arguments
from corecast.cli.target import choose_machine
from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from corecast.machine import Lookup, Machine
    from corecast.machine.types import Isa

    Answers = Sequence[tuple[Machine, dict[str, Lookup]]]

_FIGURES = ("ports", "blocking", "latency", "uops", "rthroughput")
_COLUMNS = (*_FIGURES, "flags", "source", "confidence")


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "lookup",
        help=summary,
        description="Prints ports, latency (source->destination:cycles), reciprocal throughput (cycles), micro-ops "
        "(fused/unfused/retired) and their source for the forms matching PATTERN.",
    )
    parser.add_argument(
        "pattern",
        nargs="+",
        metavar="PATTERN",
        help="a form with * and ? for any text, or words that all occur: 'vadd*d ymm, ymm, ymm' or vaddpd zmm; "
        "or LLVM's name of an opcode, VADDPDZrr",
    )
    parser.add_argument(
        "--cpu", action="append", metavar="NAME", help="core to show (see `corecast cpus`); may be repeated"
    )
    parser.add_argument("--machine", action="append", metavar="DIR", help="folder of your own machine model")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_result
    from corecast.machine.lookup import look_up_forms

    machines, notes = _machines(arguments)
    pattern = _named(" ".join(arguments.pattern), {machine.isa for machine in machines})
    tables: dict[Isa, list[Sequence[str]]] = {}
    for machine in machines:
        tables.setdefault(machine.isa, []).append(machine.keys())
    by_isa = forms_meant(tables, pattern)
    keys = list(dict.fromkeys(key for found in by_isa.values() for key in found))
    for note in notes:
        tell(note)
    if not keys:
        nearest = dict.fromkeys(form for machine in machines for form in machine.similar_forms(pattern, 5))
        hint = f"; near it: {'; '.join(nearest)}" if nearest else ""
        tell(f"no form matches '{pattern}'{hint}")
        return 1
    answers = [(machine, look_up_forms(machine, by_isa[machine.isa])) for machine in machines]
    if arguments.format == "json":
        write_result(_json(answers, keys), None)
        return 0
    exists = {isa: set(forms) for isa, forms in by_isa.items()}
    found = [
        (key, [(m.name, _cells(m, known.get(key), exists=key in exists[m.isa])) for m, known in answers])
        for key in keys
    ]
    from corecast.report.style import TextStyle

    lines = list(_lines(found))
    width = TextStyle.for_stream(sys.stdout).width
    if max(map(len, lines)) > width:
        lines = list(_narrow(found, width))
    write_result("\n".join(lines) + "\n", None, errors="backslashreplace")
    return 0


def _named(pattern: str, isas: Collection[Isa]) -> str:
    """The form that an opcode of LLVM's is, in the first instruction set that has it; else the pattern."""
    from corecast.machine.opcodes import form_of_opcode

    return next((form for isa in sorted(isas) if (form := form_of_opcode(pattern, isa)) != pattern), pattern)


def _machines(arguments: argparse.Namespace) -> tuple[list[Machine], tuple[str, ...]]:
    chosen = [Arguments(cpu=cpu, machine=None, set=(), vl=None) for cpu in arguments.cpu or ()]
    chosen += [Arguments(cpu=None, machine=folder, set=(), vl=None) for folder in arguments.machine or ()]
    pairs = [choose_machine(one) for one in chosen or [Arguments(cpu=None, machine=None, set=(), vl=None)]]
    return [machine for machine, _ in pairs], tuple(note for _, notes in pairs for note in notes)


def forms_meant(tables: Mapping[Isa, Sequence[Sequence[str]]], pattern: str) -> dict[Isa, list[str]]:
    """Keys that fit, by instruction set; where none does, the form that the pattern is, or that of an instruction."""
    from corecast.machine.patterns import matching_keys

    keys = matching_keys([table for each in tables.values() for table in each], pattern)
    if not keys:
        return {isa: _without_rows(isa, each, pattern) for isa, each in tables.items()}
    known = {isa: {key for table in each for key in table} for isa, each in tables.items()}
    return {isa: [key for key in keys if key in known[isa]] for isa in tables}


def _without_rows(isa: Isa, tables: Sequence[Sequence[str]], pattern: str) -> list[str]:
    """A RISC-V pattern with element width and group (`@m2,e64`) fits rows of the group for all widths too."""
    from corecast import _core
    from corecast.machine.candidates import candidate_forms
    from corecast.machine.patterns import as_key, matching_keys
    from corecast.machine.spelling import instructions_of

    form = as_key(pattern)
    if form in instructions_of(isa, [form]):
        return [form]
    group, width, _ = form.partition(",e")
    if isa == "riscv64" and "@m" in group and width:
        return [f"{key}{form[len(group) :]}" for key in matching_keys(tables, group) if key.endswith(group.split()[-1])]
    syntax = "att" if "%" in pattern else "intel"
    listing = _core.assemble(isa, f"{pattern}\n", syntax if isa == "x86" else "")
    read = [each for each in listing.instructions if not each.unknown]
    if len(read) == 1 and not listing.problems:
        return [read[0].form]
    # No core here has a row, but it may be an instruction all the same.
    start = re.match(r"[a-z0-9]*", pattern)
    if start is None or len(start[0]) < 3 or not _core.has_opcode(isa, start[0]):
        return []
    return candidate_forms(isa, start[0], pattern)


def _json(answers: Answers, keys: Sequence[str]) -> str:
    """Every form with what each core knows of it; null for a core that knows nothing."""
    import json

    forms = [{"form": key, "cpus": {m.name: _entry(m, known.get(key)) for m, known in answers}} for key in keys]
    return json.dumps({"schema": "corecast/1", "forms": forms}, indent=2, ensure_ascii=False) + "\n"


def _entry(machine: Machine, answer: Lookup | None) -> dict[str, object] | None:
    from corecast.machine.lookup import entry_row

    if answer is None or answer.entry is None:
        return None
    entry = answer.entry
    row = entry_row(machine, entry)
    latency: Any = entry["latency"]
    uops: Any = entry["uops"]
    pairs = [{"source": source, "destination": to, "cycles": cycles} for source, to, cycles in latency or ()]
    return {
        "status": answer.status,
        "ports": None if row.ports == "?" else row.ports,
        "blocking": row.blocking,
        "latencies": None if latency is None else pairs,
        "uops": None if uops is None else dict(zip(("fused", "unfused", "retired"), uops, strict=True)),
        "reciprocal_throughput_cycles": entry["rthroughput"],
        "flags": [flag for flag in row.flags.split(",") if flag],
        "source": row.source,
        "confidence": row.confidence,
        "note": answer.note,
    }


def _lines(found: Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]]) -> Iterator[str]:
    """A heading for each form, one row a machine below it, columns aligned over all of them."""
    cells: list[list[str] | str] = []
    for key, rows in found:
        cells.append(key)
        cells += [[name, *row] for name, row in rows]
    table = [row for row in cells if isinstance(row, list)]
    heading = ["cpu", *_COLUMNS, "note"]
    used = [column for column in range(len(heading)) if column == 0 or any(row[column] for row in table)]
    widths = {column: max(len(row[column]) for row in [heading, *table]) for column in used}
    yield "  " + "  ".join(heading[column].ljust(widths[column]) for column in used).rstrip()
    for entry in cells:
        if isinstance(entry, str):
            yield entry
        else:
            yield "  " + "  ".join(entry[column].ljust(widths[column]) for column in used).rstrip()


def _narrow(found: Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]], width: int) -> Iterator[str]:
    """The same with flags, source and note below a machine's row, and long cells in several lines."""
    heading = ["cpu", *_FIGURES]
    table = [
        [name, *row[: len(_FIGURES)]] if any(row[1:]) else [name, *[""] * len(_FIGURES)]
        for _, rows in found
        for name, row in rows
    ]
    used = [column for column in range(len(heading)) if column == 0 or any(row[column] for row in table)]
    widths = {column: max(len(row[column]) for row in [heading, *table]) for column in used}
    indent = " " * (widths[0] + 4)
    least = {column: max(_longest_piece(row[column]) for row in [heading, *table]) for column in used}
    while sum(widths.values()) + 2 * len(used) > width and (
        wider := [each for each in used if widths[each] > least[each]]
    ):
        widths[max(wider, key=lambda column: widths[column])] -= 1
    yield "  " + "  ".join(heading[column].ljust(widths[column]) for column in used).rstrip()
    for key, rows in found:
        yield key
        for name, row in rows:
            if not any(row[1:]):  # a sentence in place of figures
                first, *others = _pieces(row[0], width - len(indent))
                yield f"  {name.ljust(widths[0])}  {first}"
                yield from (indent + piece for piece in others)
                continue
            pieces = {column: _pieces([name, *row][column], widths[column]) for column in used}
            for line in range(max(map(len, pieces.values()))):
                parts = (pieces[column][line] if line < len(pieces[column]) else "" for column in used)
                cells = zip(parts, widths.values(), strict=True)
                yield "  " + "  ".join(part.ljust(each) for part, each in cells).rstrip()
            flags, source, confidence, note = row[len(_FIGURES) :]
            origin = f"{confidence}: {source}" if confidence and source else confidence or source
            for text in filter(None, (flags, origin, note)):
                yield from (indent + piece for piece in _pieces(text, width - len(indent)))


def _longest_piece(text: str) -> int:
    return max(map(len, _pieces(text, 0)))


def _pieces(text: str, width: int) -> list[str]:
    """A text in lines, broken behind blanks and the signs between parts of a cell."""
    lines = [""]
    for part in re.findall(r"[^ ;+]*[ ;+]?", text):
        if len(lines[-1]) + len(part.rstrip()) > width and lines[-1]:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _cells(machine: Machine, answer: Lookup | None, exists: bool) -> list[str]:
    from corecast.machine.lookup import entry_row

    if answer is None or answer.entry is None:
        lacking = answer.note if answer is not None else ""
        why = lacking or ("no such instruction" if not exists else "no row" if answer is None else "not known")
        return [why, *[""] * len(_COLUMNS)]
    row = entry_row(machine, answer.entry)
    return [*(str(getattr(row, column)) for column in _COLUMNS), answer.note]
