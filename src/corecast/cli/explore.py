"""`corecast explore`: kernels on many variants of a core."""

from __future__ import annotations

from pathlib import Path

from corecast.cli.cluster import add_cluster_option, chosen_cluster
from corecast.cli.memory import add_memory_options
from corecast.cli.messages import tell
from corecast.cli.progress import progress_line
from corecast.cli.target import add_target_options, choose_machine
from corecast.dataclass import replace
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from corecast.explore import Exploration, Settings, Subject, Sweep
    from corecast.machine import Machine


def add_parser(verbs: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = verbs.add_parser(
        "explore",
        help=summary,
        description="Simulates the loops of some files on every variant of a core that the sweeps make, and reports "
        "cycles, speed-up, reasons of stalls and full buffers.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="assembly or object files; - for standard input")
    add_target_options(parser)
    space = parser.add_argument_group("design space")
    space.add_argument(
        "--sweep",
        action="append",
        default=[],
        metavar="KEY=V1,V2,...",
        help="values of a key of pipeline.toml, of vector_units (2x256), latency:GLOB, uops:, ports:; may be repeated",
    )
    space.add_argument("--points", metavar="FILE.csv", help="a list of points instead: the header names the keys")
    space.add_argument("--sample", type=int, metavar="N", help="sample N random combinations")
    space.add_argument("--seed", type=int, default=0, metavar="N", help="random seed of the sample (default: 0)")
    code = parser.add_argument_group("kernels")
    code.add_argument("--loop", default="auto", metavar="auto|all|N", help="which loops (default: the innermost ones)")
    code.add_argument("--function", metavar="NAME", help="loops of this function")
    code.add_argument("--marker", metavar="NAME", help="regions between markers with this name")
    code.add_argument("--lines", metavar="A-B", help="these lines; with --trips those of a loop around another one")
    code.add_argument(
        "--trips", metavar="N|NxBITS", help="the loop within the lines runs N times, or over N elements of BITS bits"
    )
    code.add_argument("--mode", choices=("loop", "unroll"), help="how the code repeats (default: loop)")
    code.add_argument(
        "--elements",
        metavar="VxBITS",
        help="elements per iteration: 2x64 is two vectors of 64-bit elements, =16 sixteen",
    )
    code.add_argument(
        "--alias",
        default="none",
        metavar="none|same|LIST",
        help="accesses through different registers, as for analyze (default: none: they never meet)",
    )
    add_memory_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--objective", default="cycles_per_iteration", metavar="FIGURE", help="figure to optimize")
    output.add_argument("--cost", metavar="FORMULA", help="cost of a variant, such as reorder_buffer+2*load_queue")
    output.add_argument(
        "--plot",
        action="append",
        default=[],
        metavar="KIND=FILE.svg",
        help="lines, heatmap, pareto or roofline; may be repeated",
    )
    output.add_argument("--format", choices=("text", "csv", "json"), default="text")
    output.add_argument("--jobs", type=int, metavar="N", help="threads; default: one per CPU")
    add_cluster_option(output)
    output.add_argument("-o", "--output", metavar="OUT", help="output file (written atomically)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from corecast.analysis.kernels import assumed_aliasing, check_executable
    from corecast.analysis.options import AnalyzeOptions
    from corecast.analysis.work.memory import data_places
    from corecast.cli.output import write_result
    from corecast.explore import FIGURES, Formula, Setup, advise, draw, explore

    if arguments.objective not in FIGURES:
        raise InputError(f"there is no figure '{arguments.objective}': {', '.join(FIGURES)}")
    cost = Formula(arguments.cost) if arguments.cost is not None else None
    plots = [_plot(text) for text in arguments.plot]
    sweeps, points = _space(arguments)
    if arguments.clock is not None and not arguments.bandwidth:
        raise InputError("--clock has no effect without --bandwidth: explore shows cycles")
    machine, notes = choose_machine(arguments)
    options = AnalyzeOptions(
        mode=arguments.mode,
        alias=arguments.alias,
        memory=tuple(arguments.memory),
        bandwidth=tuple(arguments.bandwidth),
        clock=arguments.clock,
    )
    places = data_places(machine, options)
    machine, options = places.machine, replace(options, memory=())  # every point finds its data there
    subjects = _subjects(arguments, machine)
    if not any(key.startswith("extensions.") for settings in points for key in settings):
        for subject in subjects:
            check_executable(subject.kernel, machine)
    for subject in subjects:
        assumed_aliasing(subject.kernel, machine, options)  # what is wrong with it is one message
    for note in (*notes, *_notes(machine, subjects, points), *_mitigations(machine, subjects, points)):
        tell(note)
    setup = Setup(options, places.bandwidth)
    total = len(subjects) * len(points)
    with (
        chosen_cluster(arguments) as cluster,
        progress_line(lambda done: f"{done:,} of {total:,} points") as progress,
    ):
        found = explore(machine, subjects, sweeps, points, setup, arguments.jobs, progress, cluster)
    found = replace(found, advice=advise(found, subjects, arguments.objective))
    inputs = [file for file in arguments.files if file != "-"]
    for kind, file in plots:
        write_result(draw(found, kind, arguments.objective, cost), file, inputs)
    write_result(_written(arguments, found, cost), arguments.output, inputs)
    return 1 if any(point.error for point in found.points) else 0


def _written(arguments: argparse.Namespace, found: Exploration, cost: object) -> str:
    from corecast import __version__
    from corecast.explore import Formula, to_csv, to_json, to_text

    formula = cost if isinstance(cost, Formula) else None
    if arguments.format == "csv":
        return to_csv(found)
    if arguments.format == "json":
        return to_json(found, arguments.objective, __version__, formula)
    return to_text(found, arguments.objective, formula)


def _plot(text: str) -> tuple[str, str]:
    from corecast.explore import PLOTS

    kind, equals, file = text.partition("=")
    if kind not in PLOTS or not equals or not file.lower().endswith(".svg"):
        raise InputError(f"--plot is KIND=FILE.svg with one of {', '.join(PLOTS)}, not '{text}'")
    return kind, file


def _space(arguments: argparse.Namespace) -> tuple[tuple[Sweep, ...], list[Settings]]:
    from corecast.explore import factorial, parse_sweeps, read_points, sample

    if bool(arguments.sweep) == (arguments.points is not None):
        raise InputError("give either --sweep KEY=V1,V2,... or --points FILE.csv")
    if arguments.points is not None:
        if arguments.sample is not None:
            raise InputError("--sample applies to --sweep only")
        try:
            text = Path(arguments.points).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise InputError("is not UTF-8 text", arguments.points) from None
        return (), read_points(text, arguments.points)
    sweeps = parse_sweeps(arguments.sweep)
    if arguments.sample is not None:
        return sweeps, sample(sweeps, arguments.sample, arguments.seed)
    return sweeps, factorial(sweeps)


def _subjects(arguments: argparse.Namespace, machine: Machine) -> list[Subject]:
    """The kernels of all files; names are told apart by their file where several have the same."""
    from corecast.analysis.elements import elements_of, parse_elements, parse_trips
    from corecast.asm import RegionOptions, parse_lines, read_regions
    from corecast.asm.nest import inner_part
    from corecast.asm.unreadable import check_readable
    from corecast.explore import Subject

    given = parse_elements(arguments.elements) if arguments.elements is not None else None
    trips = parse_trips(arguments.trips) if arguments.trips is not None else None
    options = RegionOptions(
        isa=machine.isa,
        loop=arguments.loop,
        lines=parse_lines(arguments.lines) if arguments.lines is not None else (),
        function=arguments.function,
        marker=arguments.marker,
        mode=arguments.mode,
    )
    if trips is not None and arguments.lines is None:
        raise InputError("--trips needs --lines: those of the outer loop")
    subjects: list[Subject] = []
    for file in arguments.files:
        for number, kernel in enumerate(read_regions(file, options)):
            name = f"{Path(file).name} {kernel.name}" if len(arguments.files) > 1 else kernel.name
            inner = range(0)
            if trips is not None:
                inner = inner_part(kernel, read_regions(file, RegionOptions(isa=machine.isa, loop="all")))
            subjects.append(Subject(name, kernel, given or elements_of(kernel), inner, trips, (options, number)))
    check_readable([subject.kernel for subject in subjects], skip=None)
    if len({subject.name for subject in subjects}) < len(subjects):
        subjects = [replace(each, name=f"{each.name} #{number}") for number, each in enumerate(subjects, start=1)]
    return subjects


def _notes(machine: Machine, subjects: list[Subject], points: list[Settings]) -> list[str]:
    """Instructions without data, and changes of forms that the kernels do not have."""
    from fnmatch import fnmatchcase

    instructions = [each for subject in subjects for each in subject.kernel.instructions]
    notes = []
    unknown = {
        each.form or each.text
        for each in instructions
        if machine.core.lookup(each)[0] == "unknown" and not machine.core.lacks(each)
    }
    if unknown:
        notes.append(f"no data for {', '.join(sorted(unknown))}: all figures are lower bounds")
    for key in dict.fromkeys(key for settings in points for key in settings):
        kind, colon, glob = key.partition(":")
        if not colon or kind not in ("latency", "uops", "ports"):
            continue
        names = (each.form if " " in glob else each.form.partition(" ")[0] for each in instructions)
        if not any(fnmatchcase(name, glob) for name in names):
            notes.append(f"{key} changes nothing: no instruction of these kernels has that form")
    return notes


def _mitigations(machine: Machine, subjects: list[Subject], points: list[Settings]) -> list[str]:
    """Kernels that a microcode mitigation slows, where the points do not switch it themselves."""
    from corecast.analysis.kernels import analyze_kernel
    from corecast.analysis.mitigations import KEY, short_note, slowed
    from corecast.analysis.options import AnalyzeOptions
    from corecast.machine.mitigations import switched_on

    swept = {key for settings in points for key in settings}
    if all(KEY + name in swept for name in switched_on(machine)):
        return []
    return [
        f"{subject.name}: {short_note(name, lines)}"
        for subject in subjects
        for name, lines in slowed(
            analyze_kernel(subject.kernel, machine, AnalyzeOptions(unknown="skip")), machine
        ).items()
        if KEY + name not in swept
    ]
