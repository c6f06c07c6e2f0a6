"""`corecast-mca`: takes llvm-mca's command line and answers in its shape, with corecast's figures."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from corecast import __version__
from corecast.cli.main import guarded
from corecast.cli.messages import tell
from corecast.cli.target import machine_called
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.machine import Machine

HELP = """\
usage: corecast-mca [options] [FILE | -]

Reads assembly as llvm-mca does (all of it, or what stands between LLVM-MCA-BEGIN and LLVM-MCA-END comments), and
prints llvm-mca's views with corecast's figures. Options may have one dash or two, values behind = or a blank.

  -mcpu=NAME                     LLVM's name of a core, or corecast's (see `corecast cpus`); default, also of
                                 -mcpu=generic: this machine's
  -iterations=N                  of the totals (default 100)
  -timeline                      when each instruction starts and retires
  -timeline-max-iterations=N     of the timeline (default 10)
  -timeline-max-cycles=N         of the timeline (default 80; 0: no limit)
  -bottleneck-analysis           what holds the code up
  -instruction-info, -resource-pressure, -summary-view, -all-views
                                 each may be switched off: -instruction-info=0
  -json                          the views as JSON
  -mtriple=TRIPLE                an error where it is of another instruction set than the core
  -skip-unsupported-instructions=any
                                 leaves out lines that are not instructions instead of stopping
  -o FILE                        output file
  -version, -help

Accepted, and of no effect: -march, -mattr, -output-asm-variant, -print-imm-hex, -noalias, and the sizes of
buffers, which corecast's models have. Views that corecast has not (-dispatch-stats and the like) are named on stderr.
"""

_SWITCHES = {
    "timeline": "timeline",
    "bottleneck-analysis": "bottleneck",
    "instruction-info": "instructions",
    "resource-pressure": "pressure",
    "summary-view": "summary",
}
"""By field of McaViews."""
_NUMBERS = {"iterations": 1, "timeline-max-iterations": 0, "timeline-max-cycles": 0}
"""Their smallest values; 0 is the default, as there."""
_TEXTS = ("mcpu", "o", "mtriple", "march", "mattr", "output-asm-variant", "skip-unsupported-instructions")
_IGNORED = ("print-imm-hex", "noalias", "disable-cb", "mcu-relax")
_IGNORED_NUMBERS = (
    "dispatch", "register-file-size", "lqueue", "squeue", "micro-op-queue-size", "decoder-throughput",
    "call-latency", "load-latency",
)  # fmt: skip
_FOREIGN_VIEWS = (
    "dispatch-stats", "scheduler-stats", "retire-stats", "register-file-stats", "instruction-tables", "all-stats",
    "show-encoding", "show-barriers", "scheduling-info",
)  # fmt: skip
_USUAL_TIMELINE = 10
_OFF = ("0", "false")
_NO_CORE = "generic"
"""What Compiler Explorer asks for where the compiler's options name no core: any other name counts before it."""
_OPTION = lazy_pattern(r"--?([A-Za-z][\w-]*)(?:=(.*))?")
_MARKER = lazy_pattern(r"(?i)LLVM-MCA-BEGIN|OSACA-BEGIN")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and returns the exit code: 2 for bad input."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded(lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    options, files = _parse(words)
    if "help" in options:
        print(HELP, end="")
        return 0
    if "version" in options:
        print(f"corecast-mca {__version__}")
        return 0
    if len(files) > 1:
        raise InputError(f"one file at most, not {' and '.join(files)}")
    return _answer(options, files[0] if files else "-")


def _parse(words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Options by name, and files.

    Raises:
        InputError: an option that llvm-mca has not, or a value that is none.
    """
    options: dict[str, Any] = {}
    files: list[str] = []
    rest = iter(words)
    for word in rest:
        match = _OPTION.fullmatch(word)
        if match is None:
            files.append(word)
            continue
        name, value = match[1], match[2]
        if name in ("help", "h", "version"):
            options["help" if name == "h" else name] = True
        elif name in (*_SWITCHES, *_IGNORED, *_FOREIGN_VIEWS, "json", "all-views"):
            options[name] = value is None or value.lower() not in _OFF
        elif name in (*_NUMBERS, *_IGNORED_NUMBERS, *_TEXTS):
            given = next(rest, None) if value is None else value
            if given is None:
                raise InputError(f"{word} needs a value")
            if name == "mcpu" and given == _NO_CORE and name in options:
                continue
            options[name] = given if name in _TEXTS else _number(word, given, _NUMBERS.get(name, 0))
        else:
            raise InputError(f"no option {word}; see `corecast-mca -help`")
    return options, files


def _number(word: str, text: str, least: int) -> int:
    if not text.isdecimal() or (int(text) < least and int(text) != 0):
        raise InputError(f"{word}: a whole number, not '{text}'")
    return int(text)


def _answer(options: dict[str, Any], file: str) -> int:
    from corecast.analysis.options import AnalyzeOptions
    from corecast.api import analyze_region
    from corecast.cli.output import write_json, write_result
    from corecast.report.mca import McaRegion, McaViews, mca_document, render_mca

    if foreign := [f"-{name}" for name in _FOREIGN_VIEWS if options.get(name)]:
        tell(f"not shown: {', '.join(foreign)}, which corecast has no view for")
    machine = _machine(options)
    chosen: dict[str, Any] = {}
    if "all-views" in options:
        chosen = dict.fromkeys(_SWITCHES.values(), options["all-views"])
    chosen |= {field: options[name] for name, field in _SWITCHES.items() if name in options}
    views = McaViews(
        iterations=options.get("iterations") or 100, timeline_cycles=options.get("timeline-max-cycles", 80), **chosen
    )
    skip = options.get("skip-unsupported-instructions", "none") not in ("none", "lack-sched")
    wanted = (options.get("timeline-max-iterations") or _USUAL_TIMELINE) if views.timeline else 0
    analyze = AnalyzeOptions(unknown="skip" if skip else "bound", timeline=wanted, timeline_from=0 if wanted else None)
    regions = []
    for kernel in _kernels(file, machine, skip):
        result = analyze_region(kernel, machine, analyze)
        for warning in result.warnings:
            tell(warning)
        regions.append(McaRegion(result, kernel.instructions, machine, kernel.name))
    output, inputs = options.get("o"), [] if file == "-" else [file]
    if options.get("json"):
        write_json(mca_document(regions, views), output, inputs)
        return 0
    several = len(regions) > 1 or bool(regions[0].name)
    texts = [render_mca(region, views, number if several else None) for number, region in enumerate(regions)]
    write_result("\n".join(texts), output, inputs)
    return 0


def _machine(options: dict[str, Any]) -> Machine:
    """The core that is asked for, this machine's where none is.

    Raises:
        InputError: it is of another instruction set than -mtriple.
    """
    from corecast.hints import get_args
    from corecast.isa.spelling import spellings
    from corecast.machine.types import Isa

    asked = options.get("mcpu")
    machine, notes = machine_called(None if asked == _NO_CORE else asked, "-mcpu")
    triple = options.get("mtriple", "")
    named = triple.partition("-")[0]
    isa = next((each for each in get_args(Isa) if named in spellings(each)), machine.isa) if named else machine.isa
    if isa != machine.isa:
        raise InputError(f"-mtriple={triple} is {isa}, but {machine.name} is {machine.isa}: name a core with -mcpu")
    for note in notes:
        tell(note)
    return machine


def _kernels(file: str, machine: Machine, skip: bool) -> Sequence[Kernel]:
    """What is marked, else all of the text; code that no branch leads back in is repeated as it stands.

    Raises:
        SyntaxProblem: lines that are not instructions, unless they are to be skipped.
    """
    from corecast.asm import RegionOptions, regions_of_text
    from corecast.asm.detect import read_bytes, text_of
    from corecast.asm.unreadable import check_readable
    from corecast.dataclass import replace

    content = sys.stdin.buffer.read() if file == "-" else read_bytes(file)
    name = "<stdin>" if file == "-" else file
    text = text_of(content, name)
    options = RegionOptions(isa=machine.isa)
    marked = _MARKER.search(text) is not None
    if not marked:
        options = replace(options, lines=((1, text.count("\n") + 1),))
    kernels = regions_of_text(text, name, options)
    check_readable(kernels, skip=skip or None)  # else the message would name another program's option
    return kernels if marked else [replace(kernel, name="") for kernel in kernels]
