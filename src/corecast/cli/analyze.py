"""`corecast analyze`: how many cycles an iteration takes, why, and on which ports."""

from __future__ import annotations

import sys

from corecast.cli.exit_codes import EXIT_BAD_INPUT, EXIT_SOME_FAILED
from corecast.cli.inputs import ReadInputs, check_inputs, read_kernels, region_options
from corecast.cli.memory import add_memory_options
from corecast.cli.messages import tell, tell_error
from corecast.cli.output import add_output_options
from corecast.cli.target import add_method_option, add_target_options, choose_machine, one_per_cpu
from corecast.dataclass import replace
from corecast.errors import CorecastError, InputError
from corecast.hints import TYPE_CHECKING, Mapping, Sequence, cast

if TYPE_CHECKING:
    import argparse

    from corecast.analysis import AnalyzeOptions
    from corecast.analysis.analysis_result import AnalysisResult
    from corecast.asm.code import Isa
    from corecast.machine import Machine
    from corecast.machine.method import MethodChoice

_ISAS = ("x86", "aarch64", "riscv64")
_MOST_SOURCE = 4 << 20
"""Characters of a source file that a page looks for lines in."""
_MOST_DRAWN = 8, 400
"""Regions, and instructions in one of them, up to which a page has a timeline without being asked."""
_FORMATS = ("text", "json", "html", "dot", "svg")


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "analyze",
        help=summary,
        description="Analyzes the loops of assembly text, object files, encoded bytes or source code. "
        "Exit code 1: some regions have no forecast, as they cannot be read, need an extension that the core lacks, or "
        "hold too many unknown instructions; messages say which. Exit code 2: nothing could be analyzed.",
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="assembly, object file, static library or source; - is standard input"
    )
    add_target_options(parser, several=True)
    reading = parser.add_argument_group("reading")
    reading.add_argument("--isa", choices=_ISAS, help="default: the core's ISA")
    reading.add_argument("--syntax", choices=("auto", "att", "intel"), default="auto", help="x86 syntax")
    reading.add_argument("--hex", metavar="STRING", help="encoded bytes to analyze in place of a file")
    reading.add_argument("--compile", metavar="COMMAND", help='compiles source first, as "gcc -O3 -march=haswell"')
    choice = parser.add_argument_group("choice of regions (default: markers, else the innermost loops)")
    choice.add_argument("--loop", default="auto", metavar="auto|all|N", help="N: the Nth innermost loop")
    choice.add_argument("--lines", metavar="A-B,...", help="these lines of the text, together one region")
    choice.add_argument("--function", metavar="NAME", help="the loops of this function")
    choice.add_argument("--marker", metavar="NAME", help="the marked region with this name")
    choice.add_argument("--address", metavar="A-B,...", help="addresses in an object file; B is not included")
    analysis = parser.add_argument_group("analysis")
    analysis.add_argument("--mode", choices=("loop", "unroll"), help="loop: a branch leads back to the start (default)")
    analysis.add_argument(
        "--ecm", action="store_true", help="operations, bytes and the terms of ECM and roofline models"
    )
    add_method_option(analysis)
    analysis.add_argument("--simulate", action="store_true", help="the same as --method simulate")
    analysis.add_argument(
        "--timeline",
        metavar="N",
        nargs="?",
        type=int,
        const=2,
        help="show N iterations (default: 2) micro-op by micro-op, cycle by cycle",
    )
    analysis.add_argument(
        "--timeline-from", metavar="I", type=int, help="first iteration shown, from 0 (default: in the steady state)"
    )
    analysis.add_argument(
        "--ports", choices=("balanced", "uniform"), default="balanced", help="how micro-ops are split over ports"
    )
    analysis.add_argument(
        "--unknown",
        choices=("bound", "nearest", "skip", "error"),
        default="bound",
        help="instructions without data. bound: the forecast is a lower bound, and there is none where more than a "
        "third are unknown (default); nearest: use the nearest known form of the same operation; skip: always give the "
        "lower bound; error: fail",
    )
    analysis.add_argument(
        "--alias",
        default="none",
        metavar="none|same|LIST",
        help="accesses through different registers. none: they never meet (default); same: pointers that advance by "
        "the same step hold the same address; LIST: registers that are equal at the start of every iteration, as "
        "rdi=rsi,rbx=rax+8",
    )
    analysis.add_argument(
        "--elements",
        metavar="VxBITS",
        help="elements per iteration: 2x64 is two vectors of 64-bit elements, =16 sixteen",
    )
    add_memory_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--summary", action="store_true", help="one line per region: cycles, cause and remedy")
    output.add_argument("--top", metavar="N", type=int, help="the N regions with the most cycles, the slowest first")
    output.add_argument(
        "--columns",
        metavar="LIST",
        help="columns of the text report's table (with --summary: of its lines), in this order, as "
        "line,ports,uops,latency,text; +LIST: add to the usual ones; all; help: list the names",
    )
    add_output_options(output, _FORMATS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import chosen_format, write_result

    arguments.format = chosen_format(arguments.format, arguments.output, _FORMATS)
    columns = _columns(arguments)
    if columns is None:
        return 0
    check_inputs(arguments)
    if arguments.summary and arguments.format != "text":
        raise InputError(f"--summary is for text: --format {arguments.format} has every region")
    if arguments.top is not None and arguments.top < 1:
        raise InputError("--top needs at least one region")
    chosen = [choose_machine(each) for each in one_per_cpu(arguments)]
    results = _results(arguments, chosen)
    if not _tell_failures(results):
        return EXIT_BAD_INPUT
    text, errors = _rendered(results, arguments, columns)
    write_result(text, arguments.output, [file for file in arguments.files if file != "-"], errors=errors)
    for result in results:
        _offer_measuring(result, arguments)
    return _outcome(results)


def _columns(arguments: argparse.Namespace) -> tuple[str, ...] | None:
    """The columns that are asked for, none for the usual ones; None where their names were listed instead."""
    if arguments.columns is None:
        return ()
    from corecast.cli.columns import HELP, choose_columns, column_help
    from corecast.report import overview, table_columns

    if arguments.columns == HELP:
        sys.stdout.write("columns of the table of instructions:\n")
        sys.stdout.write(column_help({name: each.help for name, each in table_columns.COLUMNS.items()}))
        sys.stdout.write("columns of --summary:\n")
        sys.stdout.write(column_help({name: each.help for name, each in overview.COLUMNS.items()}))
        return None
    if arguments.format != "text":
        raise InputError(f"--columns is for text: --format {arguments.format} has every figure")
    known = overview if arguments.summary else table_columns
    return choose_columns(arguments.columns, known.COLUMNS, known.DEFAULT_COLUMNS, known.ALIASES)


_Chosen = tuple["Machine", tuple[str, ...]]
"""A core, and what the user should be told about its choice."""


def _results(arguments: argparse.Namespace, chosen: Sequence[_Chosen]) -> list[AnalysisResult]:
    """The result for each core; of a large program by several processes, where few lines of it are asked for."""
    few = arguments.summary or arguments.top is not None
    if few and len(arguments.files) == 1 and (found := _results_of_processes(arguments, chosen)):
        return found
    counted = _share_of_results(arguments, chosen, (0, 1))
    return [_slowest(result, arguments.top, count) for result, count in counted]


def _results_of_processes(arguments: argparse.Namespace, chosen: Sequence[_Chosen]) -> list[AnalysisResult]:
    """The same from one process per processor; none for a file that is not worth it, or where something is wrong."""
    from corecast.cli.shares import in_processes, merged, processes_for

    processes = processes_for(arguments.files[0])
    if processes == 1:
        return []
    shares = in_processes(lambda number: _share_of_results(arguments, chosen, (number, processes)), processes)
    if shares is None or not any(found.regions for share in shares for found, _ in share):
        return []
    cores = list(zip(*shares, strict=True))
    results = [merged([found for found, _ in core]) for core in cores]
    counts = [sum(count for _, count in core) for core in cores]
    return [_slowest(result, arguments.top, count) for result, count in zip(results, counts, strict=True)]


def _share_of_results(
    arguments: argparse.Namespace, chosen: Sequence[_Chosen], share: tuple[int, int]
) -> list[tuple[AnalysisResult, int]]:
    """For each core the regions of a share that may be among the slowest of all, and how many there are."""
    if found := _streamed(arguments, chosen, share):
        return found
    inputs = _inputs(arguments, [machine for machine, _ in chosen], share)
    return [_analyze(arguments, *each, inputs) for each in chosen]


def _streamed(
    arguments: argparse.Namespace, chosen: Sequence[_Chosen], share: tuple[int, int]
) -> list[tuple[AnalysisResult, int]]:
    """The same where code is dropped as soon as it has been analyzed; none where the files have to be read at once, or
    something is wrong with them, which only reading them at once reports."""
    files, isas = arguments.files, {machine.isa for machine, _ in chosen}
    few = arguments.summary or arguments.top is not None
    if not few or len(files) != 1 or len(isas) != 1 or arguments.compile or arguments.unknown == "skip":
        return []
    if arguments.format == "html" or files[0] == "-":
        return []
    from corecast.cli.shares import is_object

    if not is_object(files[0]):
        return []
    from corecast.api import Gathering
    from corecast.asm import stream_regions

    isa: Isa = arguments.isa or chosen[0][0].isa
    gathered = [Gathering(machine, _options(arguments), arguments.top) for machine, _ in chosen]
    try:
        for kernel in stream_regions(files[0], region_options(arguments, isa, share)):
            for each in gathered:
                each.add(kernel)
    except (CorecastError, OSError):
        return []
    return [(each.result(warnings), each.count) for each, (_, warnings) in zip(gathered, chosen, strict=True)]


def _inputs(
    arguments: argparse.Namespace, machines: Sequence[Machine], share: tuple[int, int]
) -> dict[Isa, ReadInputs]:
    """The files as code of each core's instruction set, read once for all cores that have it."""
    isas: list[Isa] = [arguments.isa] if arguments.isa else list(dict.fromkeys(each.isa for each in machines))
    if len(isas) > 1 and "-" in arguments.files:
        raise InputError(f"standard input is read once, for cores of one instruction set, not of {' and '.join(isas)}")
    return {isa: read_kernels(arguments, isa, share) for isa in isas}


def _tell_failures(results: Sequence[AnalysisResult]) -> bool:
    """Reports every region and file without an answer once; whether there is anything else to report."""
    failures = [failure for result in results for failure in result.failures]
    answered = any(result.regions for result in results)
    if len(failures) == 1 and not answered:  # there is but one region: its name says nothing
        tell_error(str(failures[0].error))
        return False
    for message in dict.fromkeys(map(str, failures)):
        tell_error(message)
    return answered


def _slowest(result: AnalysisResult, most: int | None, count: int) -> AnalysisResult:
    """The result with so many of its regions, in the order of their cycles, which is said of a number of regions."""
    if most is None or max(count, len(result.regions)) <= 1:
        return result
    from corecast.api import slowness

    regions = sorted(result.regions, key=slowness)
    if most < count:
        tell(f"{result.cpu}: {most} of {count} regions, those with the most cycles per iteration")
    return replace(result, regions=tuple(regions[:most]))


def _outcome(results: Sequence[AnalysisResult]) -> int:
    regions = [region for result in results for region in result.regions]
    withheld = sum(region.withheld for region in regions)
    if not withheld:
        return EXIT_SOME_FAILED if any(result.failures for result in results) else 0
    tell(f"no forecast for {withheld} of {len(regions)} regions: too many unknown instructions")
    return EXIT_SOME_FAILED


def _rendered(
    results: Sequence[AnalysisResult], arguments: argparse.Namespace, columns: tuple[str, ...]
) -> tuple[str, str]:
    """All reports, and what happens to characters that the output's encoding does not have."""
    from corecast.report import render, render_all

    if arguments.format != "text":
        sources = _sources(results) if arguments.format == "html" else None
        return render_all(results, arguments.format, sources), "replace"
    from corecast.report.style import TextStyle

    style = TextStyle.for_stream(sys.stdout) if arguments.output in (None, "-") else TextStyle.for_file()
    sources = _sources(results) if "code" in columns else {}
    style = replace(style, columns=columns, sources=sources, names_core=len(results) > 1)
    if arguments.summary:
        from corecast.report.text import render_summary

        return "\n".join(render_summary(result, style) for result in results), "backslashreplace"
    return "\n".join(render(result, "text", style) for result in results), "backslashreplace"


def _sources(results: Sequence[AnalysisResult]) -> dict[str, str]:
    """Texts of the source files that the regions name, as far as they can be read from here."""
    rows = (row for result in results for region in result.regions for row in region.instructions)
    found = {}
    for name in dict.fromkeys(row.source_line.rpartition(":")[0] for row in rows if row.source_line):
        try:
            with open(name, encoding="utf-8", errors="replace") as file:
                found[name] = file.read(_MOST_SOURCE)
        except (OSError, ValueError):
            continue
    return found


def _offer_measuring(result: AnalysisResult, arguments: argparse.Namespace) -> None:
    """Where the code runs on this machine's core, what is not known can be measured here, as far as forms can be."""
    unknown = {
        row.form: None
        for region in result.regions
        for row in region.instructions
        if row.status == "unknown" and row.form
    }
    if not unknown or arguments.machine is not None:
        return
    from corecast import _core
    from corecast.machine.host import host_machine

    isa = cast("Isa", _core.measurable_isa())
    if host_machine() == result.cpu and isa == result.isa:
        import shlex

        from corecast.measure.isa.x86.tiles import tile_problem
        from corecast.measure.questions.keys import is_form

        here = (form for form in unknown if is_form(form, isa) and tile_problem([form]) is None)
        quoted = " ".join(map(shlex.quote, here))
        if quoted:
            tell(f"to measure it here: corecast measure form --learn {quoted}")


def _analyze(
    arguments: argparse.Namespace, machine: Machine, warnings: tuple[str, ...], read: Mapping[Isa, ReadInputs]
) -> tuple[AnalysisResult, int]:
    """The regions of a core, of which there may be more than are asked for, and how many there are."""
    from corecast.api import Gathering
    from corecast.asm.unreadable import check_readable

    options = _options(arguments)
    inputs = read[arguments.isa or machine.isa].for_core(machine)
    if arguments.format == "html":
        options = _for_page(options, inputs, machine)
    gathered = Gathering(machine, options, arguments.top)
    left_out = check_readable(inputs.kernels, skip=True) if options.unknown == "skip" else ()
    for kernel in inputs.kernels:
        gathered.add(kernel)
    result = gathered.result((*left_out, *warnings, *inputs.warnings))
    return replace(result, failures=(*inputs.failures, *result.failures)), gathered.count


def _options(arguments: argparse.Namespace) -> AnalyzeOptions:
    from corecast.analysis import AnalyzeOptions
    from corecast.analysis.elements import parse_elements

    timeline, timeline_from = _timeline(arguments)
    return AnalyzeOptions(
        ports=arguments.ports,
        unknown=arguments.unknown,
        alias=arguments.alias,
        mode=arguments.mode,
        elements=parse_elements(arguments.elements) if arguments.elements is not None else None,
        method=_method(arguments),
        timeline=timeline,
        timeline_from=timeline_from,
        memory=tuple(arguments.memory),
        bandwidth=tuple(arguments.bandwidth),
        clock=arguments.clock,
        ecm=arguments.ecm,
    )


def _for_page(options: AnalyzeOptions, inputs: ReadInputs, machine: Machine) -> AnalyzeOptions:
    """The same with what a page draws beside: timeline and roofline, as long as there is not too much of it."""
    from corecast.machine.method import chosen_method
    from corecast.report.html import TIMELINE

    options = replace(options, ecm=True)
    regions, instructions = _MOST_DRAWN
    few = len(inputs.kernels) <= regions and all(len(each.instructions) <= instructions for each in inputs.kernels)
    if options.timeline or not few or chosen_method(machine, options.method) != "simulate":
        return options
    return replace(options, timeline=TIMELINE)


def _method(arguments: argparse.Namespace) -> MethodChoice:
    if arguments.simulate and arguments.method == "bounds":
        raise InputError("--simulate and --method bounds contradict each other")
    return "simulate" if arguments.simulate else arguments.method


def _timeline(arguments: argparse.Namespace) -> tuple[int, int | None]:
    """Iterations to show, and the first of them."""
    if arguments.timeline is None:
        if arguments.timeline_from is not None:
            raise InputError("--timeline-from needs --timeline")
        return 0, None
    if arguments.timeline < 1:
        raise InputError("--timeline needs at least one iteration")
    if arguments.format in ("dot", "svg"):
        raise InputError(f"--timeline has no place in --format {arguments.format}: use text, html or json")
    return arguments.timeline, arguments.timeline_from
