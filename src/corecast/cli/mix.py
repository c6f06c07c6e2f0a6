"""`corecast mix`: instructions by class, as they stand in code or as they were executed."""

from __future__ import annotations

import json
from collections.abc import Iterator

from corecast.cli.messages import tell
from corecast.errors import InputError
from corecast.files.csv_records import open_rows
from corecast.files.tables import csv_text, require_columns
from corecast.hints import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import argparse

    from corecast.analysis.work.mix import Mix
    from corecast.asm.code import Isa

_ISAS = ("x86", "aarch64", "riscv64")


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "mix",
        help=summary,
        description="Counts the instructions of an assembly or object file by class and mnemonic; of a CSV file of "
        "`corecast collect` those that were executed.",
    )
    parser.add_argument("file", metavar="FILE", help="assembly or object file, or a CSV file of blocks with weights")
    parser.add_argument("--isa", choices=_ISAS, help="ISA of text or blocks that do not name theirs")
    parser.add_argument("--function", metavar="NAME", help="only this function")
    parser.add_argument("--loops", action="store_true", help="only the innermost loops")
    parser.add_argument("--top", type=int, default=12, metavar="N", help="mnemonics shown (default: 12)")
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text")
    parser.add_argument("-o", "--output", metavar="OUT", help="output file (written atomically)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_result

    if arguments.top < 0:
        raise InputError(f"--top is at least 0, not {arguments.top}")
    executed = arguments.file.endswith(".csv")
    if executed and arguments.loops:
        raise InputError("--loops is for code, not for executed blocks")
    mix = _of_blocks(arguments) if executed else _of_code(arguments)
    if not mix.total:
        raise InputError("there are no instructions", arguments.file)
    write_result(_written(mix, arguments, executed), arguments.output, [arguments.file])
    return 0


def _of_code(arguments: argparse.Namespace) -> Mix:
    from corecast.analysis.work.mix import Mix
    from corecast.asm import RegionOptions, read_regions
    from corecast.asm.names import choose_functions
    from corecast.asm.regions import read_codes
    from corecast.asm.unreadable import could_not_be_read, unread_lines

    mix = Mix()
    options = RegionOptions(isa=arguments.isa, loop="all" if arguments.loops else "auto", function=arguments.function)
    if arguments.loops:
        for kernel in read_regions(arguments.file, options):
            mix.add(kernel.instructions, kernel.isa)
        return mix
    for code in read_codes(arguments.file, options):
        unread = unread_lines(code, range(len(code.instructions))) if code.origin == "text" else ()
        if unread:
            tell(f"{could_not_be_read(unread, code.file)}: counted as unknown")
        if arguments.function is None:
            mix.add(code.instructions, code.isa)
            continue
        names = [function.name for function in code.functions]
        for position in choose_functions(names, arguments.function, code.file):
            function = code.functions[position]
            mix.add(code.instructions[function.first : function.end], code.isa)
    return mix


def _of_blocks(arguments: argparse.Namespace) -> Mix:
    from corecast.analysis.work.mix import Mix
    from corecast.asm import Kernel

    mix = Mix()
    for isa, code, times in _blocks(arguments):
        mix.add(Kernel.from_hex(code, isa, is_loop=False).instructions, isa, times)
    return mix


def _blocks(arguments: argparse.Namespace) -> Iterator[tuple[Isa, str, int]]:
    """Instruction set, code and executions of each block."""
    with open_rows(arguments.file) as (columns, rows):
        require_columns(columns, ("hex",), arguments.file)
        for line, cells in rows:
            row = dict(zip(columns, cells, strict=True))
            if arguments.function is not None and row.get("symbol") != arguments.function:
                continue
            isa = row.get("isa") or arguments.isa
            if isa not in _ISAS:
                raise InputError("the blocks do not say their instruction set: give --isa", arguments.file, line)
            weight = row.get("weight") or "1"
            try:
                times = int(float(weight))
            except (ValueError, OverflowError):
                raise InputError(f"'{weight}' is not a count", arguments.file, line) from None
            yield cast("Isa", isa), row["hex"], times


def _written(mix: Mix, arguments: argparse.Namespace, executed: bool) -> str:
    from corecast.analysis.work.mix import CLASSES

    counts = [(name, mix.classes[name]) for name in CLASSES if mix.classes[name]]
    if arguments.format == "json":
        document = {
            "schema": "corecast-mix/1",
            "executed": executed,
            "instructions": mix.total,
            "classes": dict(counts),
            "mnemonics": dict(mix.mnemonics.most_common()),
        }
        return json.dumps(document, indent=1) + "\n"
    if arguments.format == "csv":
        rows = [("class", name, count) for name, count in counts]
        rows += [("mnemonic", name, count) for name, count in mix.mnemonics.most_common()]
        return csv_text(("kind", "name", "count"), rows)
    where = "executed" if executed else "in innermost loops" if arguments.loops else "in the code"
    lines = [f"{mix.total:,} instructions {where}"]
    lines += [f"{count:>14,}  {100 * count / mix.total:5.1f} %  {name}" for name, count in counts]
    lines.append("mnemonics")
    lines += [
        f"{count:>14,}  {100 * count / mix.total:5.1f} %  {name}"
        for name, count in mix.mnemonics.most_common(arguments.top)
    ]
    return "\n".join(lines) + "\n"
