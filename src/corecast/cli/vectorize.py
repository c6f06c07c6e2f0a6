"""`corecast vectorize`: which loops compilers vectorize, and what it gains."""

from __future__ import annotations

import json
from collections.abc import Sequence

from corecast.cli.messages import tell_step
from corecast.errors import InputError
from corecast.files.tables import csv_text
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.explore.vectorize import Finding, Target

_STEPS = (1.15, 2, 4, 8)


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "vectorize",
        help=summary,
        description="Compiles every function of a C file with each compiler for each target, with vectors and without, "
        "and forecasts its main loop both ways.",
    )
    parser.add_argument("file", metavar="LOOPS.c", help="functions of one loop each")
    parser.add_argument(
        "--compiler", action="append", metavar="COMMAND", help="gcc (default), clang-19, ...; may be repeated"
    )
    parser.add_argument(
        "--target", default="neon,sve", metavar="T,...", help="some of sse, avx2, avx512, neon, sve, rvv"
    )
    parser.add_argument("--cpu", action="append", default=[], metavar="TARGET=NAME", help="core for a target")
    parser.add_argument("--lengths", metavar="BITS,...", help="vector lengths (SVE, RISC-V; default: the core's)")
    parser.add_argument("--flags", default="-O3 -fno-math-errno", help="compiler options (default: %(default)s)")
    parser.add_argument("--summary", action="store_true", help="only counts, without a line for each loop")
    parser.add_argument("--format", choices=("text", "csv", "json"), default="text")
    parser.add_argument("-o", "--output", metavar="OUT", help="output file (written atomically)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_result
    from corecast.explore.vectorize import study

    compilers = arguments.compiler or ["gcc"]
    findings = study(
        arguments.file, compilers, _targets(arguments), _lengths(arguments.lengths), arguments.flags, tell_step
    )
    write_result(_written(findings, arguments), arguments.output, [arguments.file])
    return 0


def _targets(arguments: argparse.Namespace) -> list[Target]:
    from corecast.dataclass import replace
    from corecast.explore.vectorize import TARGETS

    cores = dict(text.partition("=")[::2] for text in arguments.cpu)
    names = [name.strip() for name in arguments.target.split(",") if name.strip()]
    for name in (*names, *cores):
        if name not in TARGETS:
            raise InputError(f"there is no target '{name}': {', '.join(TARGETS)}")
    return [replace(TARGETS[name], cpu=cores.get(name) or TARGETS[name].cpu) for name in names]


def _lengths(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--lengths are numbers of bits, not '{text}'") from None


def _written(findings: Sequence[Finding], arguments: argparse.Namespace) -> str:
    from corecast.explore.vectorize import rows

    if arguments.format == "json":
        return json.dumps({"schema": "corecast-vectorization/1", "loops": list(rows(findings))}, indent=1) + "\n"
    if arguments.format == "csv":
        table = list(rows(findings))
        return csv_text(list(table[0]) if table else [], (row.values() for row in table))
    lines = [] if arguments.summary else [*_table(findings), ""]
    return "\n".join([*lines, *_summary(findings)]) + "\n"


def _table(findings: Sequence[Finding]) -> list[str]:
    width = max(len(each.loop) for each in findings)
    lines = [f"{'loop':<{width}}  {'compiler':<9} {'target':<10} {'cy/element':>10} {'scalar':>8} {'speed-up':>8}  how"]
    for each in findings:
        cycles = f"{each.vector.cycles_per_element:10.2f}" if each.vector else " " * 10
        scalar = f"{each.scalar.cycles_per_element:8.2f}" if each.scalar else " " * 8
        gain = f"{each.speed_up:8.2f}" if each.speed_up is not None else " " * 8
        how = each.how or ("vectorized" if each.vectorized else "not vectorized")
        lines.append(f"{each.loop:<{width}}  {each.compiler:<9} {_place(each):<10} {cycles} {scalar} {gain}  {how}")
    return lines


def _place(each: Finding) -> str:
    return f"{each.target}{each.vector_bits}" if each.vector_bits else each.target


def _summary(findings: Sequence[Finding]) -> list[str]:
    heads = "".join(f"{f'>={step:g}':>8}" for step in _STEPS)
    lines = [f"{'compiler':<12}{'target':<12}{'loops':>6}{'vectorized':>12}{heads}   (forecast speed-up)"]
    for place in dict.fromkeys((each.compiler, _place(each)) for each in findings):
        own = [each for each in findings if (each.compiler, _place(each)) == place]
        count = sum(each.vectorized for each in own)
        gains = [each.speed_up for each in own if each.vectorized and each.speed_up is not None]
        steps = "".join(f"{sum(gain >= step for gain in gains):8d}" for step in _STEPS)
        lines.append(f"{place[0]:<12}{place[1]:<12}{len(own):6d}{count:12d}{steps}")
    return lines
