"""`corecast-osaca`: takes OSACA's command line and answers in its shape, with corecast's figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from corecast import __version__
from corecast.cli.main import guarded
from corecast.cli.messages import tell
from corecast.cli.output_check import check_outputs
from corecast.cli.parser import Parser
from corecast.cli.target import machine_called
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.machine import Machine

_ELSEWHERE = {
    "db_check": "corecast machine check",
    "online": "corecast machine diff",
    "import_data": "corecast import",
    "insert_marker": "nothing: loops are found without markers",
}
"""What OSACA does besides analyzing, and what does it here."""
_SYNTAXES: dict[str, Literal["auto", "att", "intel"]] = {"auto": "auto", "att": "att", "intel": "intel"}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and returns the exit code: 2 for bad input."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded(lambda: _run(_parser().parse_args(words)))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="corecast-osaca",
        description="Analyzes what is marked, else the innermost loop, and prints OSACA's report with corecast's "
        "figures and its forecast.",
    )
    parser.add_argument("file", help="assembly, object file; - is standard input")
    parser.add_argument("-V", "--version", action="version", version=f"corecast-osaca {__version__}")
    parser.add_argument("--arch", metavar="ARCH", help="OSACA's name of a core (SKX, ZEN4, A64FX), or corecast's")
    parser.add_argument("--fixed", action="store_true", help="equal shares of all ports that an instruction may take")
    parser.add_argument("--lines", metavar="LIST", help="lines of the text: 1,2,8-18,20:24")
    parser.add_argument("--export-graph", metavar="FILE", help="dependencies for Graphviz; .: ./osaca_dg.dot")
    parser.add_argument("--ignore-unknown", action="store_true", help="print sums even if instructions have no data")
    parser.add_argument("--syntax", choices=("att", "intel", "ATT", "Intel", "INTEL"), help="x86 syntax")
    parser.add_argument("-o", "--out", metavar="FILE", help="output file")
    parser.add_argument("--yaml-out", metavar="FILE", help="the report as YAML")
    parser.add_argument("-v", "--verbose", action="count", help="no effect: warnings are always shown")
    parser.add_argument("-f", "--consider-flag-deps", action="store_true", help="no effect: flags always count")
    parser.add_argument("--lcd-timeout", metavar="SECONDS", type=int, help="no effect: no search needs one")
    parser.add_argument("--db-check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--online", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--import", dest="import_data", metavar="KIND", help=argparse.SUPPRESS)
    parser.add_argument("--insert-marker", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(outputs=dict.fromkeys(("out", "yaml_out", "export_graph"), "file"))
    return parser


def _run(arguments: argparse.Namespace) -> int:
    import time

    from corecast.analysis.options import AnalyzeOptions
    from corecast.api import analyze_kernels
    from corecast.cli.output import write_json, write_result
    from corecast.report.osaca import OsacaHead, osaca_document, render_osaca

    for name, ours in _ELSEWHERE.items():
        if getattr(arguments, name):
            word = "--import" if name == "import_data" else "--" + name.replace("_", "-")
            raise InputError(f"{word} is not done here; use {ours}")
    if arguments.export_graph == ".":
        arguments.export_graph = "./osaca_dg.dot"
    check_outputs(arguments)
    machine, notes = machine_called(arguments.arch, "--arch")
    kernel = _kernel(arguments, machine)
    found = analyze_kernels([kernel], machine, AnalyzeOptions(unknown="skip" if arguments.ignore_unknown else "bound"))
    result = found.regions[0]
    for warning in (*notes, *found.warnings, *result.warnings):
        tell(warning)
    name = arguments.arch.upper() if arguments.arch else machine.name
    head = OsacaHead(__version__, arguments.file, name, time.strftime("%Y-%m-%d %H:%M:%S"))
    inputs = [] if arguments.file == "-" else [arguments.file]
    if arguments.export_graph:
        from corecast.report.graph import render_dot

        write_result(render_dot(found), arguments.export_graph, inputs)
    if arguments.yaml_out:
        write_json(osaca_document(result, head, arguments.fixed), arguments.yaml_out, inputs)  # JSON is YAML
    write_result(render_osaca(result, head, arguments.fixed, arguments.ignore_unknown), arguments.out, inputs)
    return 0


def _kernel(arguments: argparse.Namespace, machine: Machine) -> Kernel:
    """The first region: OSACA knows one.

    Raises:
        InputError: unreadable code, or none.
    """
    from corecast.asm import RegionOptions, parse_lines, read_regions
    from corecast.asm.unreadable import check_readable

    kernels = read_regions(
        arguments.file,
        RegionOptions(
            isa=machine.isa,
            syntax=_SYNTAXES[(arguments.syntax or "auto").lower()],
            lines=parse_lines(arguments.lines.replace(":", "-")) if arguments.lines else (),
        ),
    )
    if len(kernels) > 1:
        tell(f"{len(kernels)} regions; this is the first, {kernels[0].name}: `corecast analyze` shows all")
    check_readable(kernels[:1], skip=arguments.ignore_unknown or None)
    return kernels[0]
