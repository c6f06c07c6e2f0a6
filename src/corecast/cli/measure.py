"""`corecast measure`: cycles of code, timed on this machine or on a simulated core."""

from __future__ import annotations

from corecast.cli import measure_machine, measure_pipeline, measure_ports
from corecast.cli.messages import tell
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from corecast.asm import Kernel
    from corecast.measure import Core, TimedKernel

    Actions = argparse._SubParsersAction[argparse.ArgumentParser]

EXIT_FAILED = 1


def add_parser(verbs: Actions, summary: str) -> None:
    parser = verbs.add_parser("measure", help=summary, description=__doc__)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for add in (_add_kernel, _add_form, _add_pipeline, _add_machine, _add_export, _add_ports):
        add(actions)


def _add_kernel(actions: Actions) -> None:
    kernel = actions.add_parser(
        "kernel",
        help="cycles of a loop or of straight-line code",
        description="Times one region of assembly text, an ELF object or encoded bytes, in cycles of the core. Exit "
        "code 1: the code faulted or did not end.",
    )
    kernel.add_argument("file", nargs="?", metavar="FILE", help="assembly or ELF object; - is standard input")
    kernel.add_argument("--hex", metavar="STRING", help="encoded bytes in place of a file")
    kernel.add_argument("--syntax", choices=("auto", "att", "intel"), default="auto", help="x86 syntax")
    kernel.add_argument(
        "--instructions", type=int, metavar="N", help="also report cycles per instruction, for N of them"
    )
    kernel.add_argument(
        "--mode", choices=("loop", "unroll"), help="default: loop where the code ends in a branch, else unroll"
    )
    kernel.add_argument("--loop", default="auto", metavar="auto|N", help="the Nth innermost loop of the text")
    kernel.add_argument("--lines", metavar="A-B,...", help="these lines of the text")
    kernel.add_argument("--function", metavar="NAME", help="the loop of this function")
    kernel.add_argument("--marker", metavar="NAME", help="the marked region with this name")
    data = kernel.add_argument_group("data (x86)")
    data.add_argument(
        "--pointers",
        action="append",
        default=[],
        metavar="RELATION",
        help="where registers that address memory point: apart (default: each into a separate region), same, or "
        "REG=REG[+BYTES], as rdi=rsi+64",
    )
    data.add_argument(
        "--values",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="start values: fp64, fp32 or int for all vector registers and memory; a general register such as rcx; a "
        "vector register such as xmm1 (default: numbers slightly above 1)",
    )
    _add_core_options(kernel)
    kernel.set_defaults(run=_kernel)


def _add_form(actions: Actions) -> None:
    form = actions.add_parser(
        "form",
        help="throughput and latencies of instruction forms",
        description="Measures the reciprocal throughput of forms and the latency of every operand pair, with kernels "
        "made for them. Exit code 1: some form gave no value at all.",
    )
    form.add_argument("forms", nargs="+", metavar="FORM", help='by its key, "imul r64, r64", or opcode, IMUL64rr')
    form.add_argument("--learn", action="store_true", help="add the results to your own model of this machine's core")
    form.add_argument("--kernels", action="store_true", help="show the code that each value comes from")
    _add_core_options(form)
    form.set_defaults(run=_forms)


def _add_pipeline(actions: Actions) -> None:
    pipeline = actions.add_parser(
        "pipeline",
        help="widths, latencies and buffer sizes of the core",
        description="Finds properties of the core's pipeline from the times of kernels alone, each with the curve that "
        "shows it. Exit code 1: some property could not be found.",
    )
    pipeline.add_argument("properties", nargs="*", metavar="PROPERTY", help="only these, named as in the output")
    _add_core_options(pipeline)
    pipeline.set_defaults(run=_pipeline)


def _add_machine(actions: Actions) -> None:
    machine = actions.add_parser(
        "machine",
        help="all forms of this machine, to a record file",
        description="Measures every form that the core executes, the plainest of each mnemonic first. It may be "
        "stopped or killed at any time: rerunning the command resumes the run.",
    )
    measure_machine.add_options(machine)
    _add_clock_options(machine)
    machine.set_defaults(run=_machine)


def _add_export(actions: Actions) -> None:
    export = actions.add_parser(
        "export",
        help="records as a report, or as another tool's file",
        description="Writes records of forms as a report that says how to repeat each measurement, or as WINIC's or "
        "llvm-exegesis's YAML. For OSACA's: `corecast infer`, then `corecast machine export`.",
    )
    export.add_argument("records", metavar="RECORDS")
    export.add_argument("--to", choices=("report", "winic", "exegesis"), default="report")
    export.add_argument("-o", "--output", metavar="OUT", help="output file (written atomically)")
    export.set_defaults(run=_export)


def _add_ports(actions: Actions) -> None:
    ports = actions.add_parser(
        "ports",
        help="port usage of forms, from throughputs alone",
        description="Finds which ports forms use, from how long they delay blocking instructions; needs no counters. "
        "Exit code 1: the ports of some form could not be found.",
    )
    measure_ports.add_options(ports)
    _add_core_options(ports)
    ports.set_defaults(run=lambda arguments: measure_ports.run(arguments, _core_of(arguments)))


def _add_clock_options(parser: argparse.ArgumentParser) -> None:
    core = parser.add_argument_group("core")
    core.add_argument("--pin", type=int, metavar="N", help="core of this machine to run on; default: the current one")
    core.add_argument("--no-real-time", action="store_true", help="do not ask for real-time priority")
    core.add_argument(
        "--clock",
        choices=("auto", "timer", "perf"),
        default="auto",
        help="perf: the system's counter of the core's cycles; timer: a clock that always runs; default: perf where "
        "programs may read it",
    )
    core.add_argument(
        "--timeout", type=float, default=5.0, metavar="SECONDS", help="limit for a batch of samples (default: 5)"
    )
    core.add_argument("--simulated", metavar="NAME|DIR", help="a simulated core of this model in place of the machine")
    core.add_argument(
        "--noise", type=float, default=0.0, metavar="SHARE", help="noise of the simulated core's clock readings"
    )


def _add_core_options(parser: argparse.ArgumentParser) -> None:
    _add_clock_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=("text", "json"), default="text")
    output.add_argument("-o", "--output", metavar="OUT", help="output file (written atomically)")
    output.add_argument("--records", metavar="FILE", help="add the measurement to this record file")
    parser.set_defaults(outputs={"output": "file", "records": "records"})


def _core_of(arguments: argparse.Namespace) -> Core:
    from corecast.measure import Noise, SimulatedCore, host_core

    if arguments.simulated is None:
        if not arguments.timeout > 0:
            raise InputError("--timeout takes a number of seconds above 0")
        return host_core(
            arguments.pin,
            real_time=not arguments.no_real_time,
            timeout_seconds=arguments.timeout,
            clock=arguments.clock,
        )
    from corecast.cli.machine import load_named

    if not 0 <= arguments.noise < 1:
        raise InputError("--noise takes a share from 0 to below 1")
    noise = Noise(readings=arguments.noise, drift=arguments.noise / 10, interrupts=arguments.noise)
    return SimulatedCore(load_named(arguments.simulated), noise)


def _kernel(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_json, write_result
    from corecast.measure import Timing, kernel_record, timed_kernel
    from corecast.measure.record.file import append_records
    from corecast.report.measurement import kernel_text
    from corecast.timing.pointers import value_warnings

    region = _region(arguments)
    if arguments.instructions is not None and arguments.instructions < 1:
        raise InputError("--instructions takes a number from 1")
    kernel = timed_kernel(region, is_loop=None if arguments.mode is None else arguments.mode == "loop")
    core = _core_of(arguments)
    if core.isa != kernel.isa:
        raise InputError(f"the code is {kernel.isa}, but {core.name} is a core of {core.isa}", region.file or None)
    for note in kernel.notes:
        tell(note)
    kernel = _with_data(kernel, core, arguments)
    timing = core.time(kernel)
    if isinstance(timing, Timing):
        for warning in value_warnings(timing.conditions):
            tell(f"warning: {warning}")
    record = kernel_record(kernel, timing, core)
    if arguments.records is not None:
        append_records(arguments.records, [record])
    inputs = [arguments.file] if arguments.file not in (None, "-") else []
    if arguments.format == "json":
        write_json(record, arguments.output, inputs)
    elif isinstance(timing, Timing):
        text = kernel_text(kernel, timing, core, arguments.instructions or len(kernel.texts))
        write_result(text, arguments.output, inputs, errors="backslashreplace")
    if isinstance(timing, Timing):
        return 0
    from corecast.measure.plan.kernels import line_of

    index = timing.instruction
    line = line_of(region, index) if index is not None else None
    place = f"{region.file}:{line}: " if line is not None else f"{region.file}: " if region.file else ""
    tell(f"{place}{timing.sentence}")
    return EXIT_FAILED


def _with_data(kernel: TimedKernel, core: Core, arguments: argparse.Namespace) -> TimedKernel:
    """The kernel with places for its data, where it runs on this machine."""
    from corecast.measure.run.host import HostCore

    if not isinstance(core, HostCore) or kernel.isa != "x86":
        if arguments.pointers or arguments.values:
            raise InputError("--pointers and --values are for x86 code on this machine")
        return kernel
    from corecast.timing.pointers import DataOptions, with_data

    found, warnings = with_data(kernel, DataOptions(arguments.pointers, arguments.values), core.cpu)
    for warning in warnings:
        tell(f"warning: {warning}")
    return found


def _forms(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_json, write_result
    from corecast.machine.opcodes import form_of_opcode
    from corecast.measure import FormMeter, form_record, parse_form
    from corecast.measure.record.file import append_records
    from corecast.report.measurement import form_text

    if arguments.learn and arguments.simulated is not None:
        raise InputError("--learn cannot be used with --simulated")
    core = _core_of(arguments)
    forms = [parse_form(form_of_opcode(key, core.isa), core.isa) for key in arguments.forms]
    meter = FormMeter(core)
    measured = [meter.measure(form) for form in forms]
    records = [form_record(each, core) for each in measured]
    if arguments.records is not None:
        append_records(arguments.records, records)
    if arguments.learn:
        _learn(records)
    if arguments.format == "json":
        write_json(records, arguments.output)
    else:
        text = "".join(form_text(each, with_kernels=arguments.kernels) for each in measured)
        write_result(text + f"{core.name}; clock {core.clock}\n", arguments.output, errors="backslashreplace")
    return 0 if all(each.has_value for each in measured) else EXIT_FAILED


def _learn(records: list[dict[str, Any]]) -> None:
    from corecast.machine.host import host_machine
    from corecast.measure.export.model import learn, records_of_user
    from corecast.measure.record.file import append_records

    name = host_machine()
    if name is None:
        raise InputError("there is no model of this machine's core to add to: `corecast infer` makes one")
    path = records_of_user(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    append_records(path, records)
    tell(f"added to {learn(path, name)}")


def _machine(arguments: argparse.Namespace) -> int:
    return measure_machine.run(arguments, _core_of(arguments))


def _export(arguments: argparse.Namespace) -> int:
    from corecast.cli.output import write_result
    from corecast.measure.export.formats import FORMATS
    from corecast.measure.judge.forms.results import read_results

    text = FORMATS[arguments.to](read_results(arguments.records))
    write_result(text, arguments.output, [arguments.records], errors="backslashreplace")
    return 0


def _pipeline(arguments: argparse.Namespace) -> int:
    return measure_pipeline.run(arguments, _core_of(arguments))


def _region(arguments: argparse.Namespace) -> Kernel:
    from corecast.asm import Kernel, RegionOptions, parse_lines, read_regions
    from corecast.asm.region_choice import single

    if (arguments.hex is None) == (arguments.file is None):
        raise InputError("give either a FILE (- for standard input) or --hex STRING")
    if arguments.hex is not None:
        return Kernel.from_hex(arguments.hex)
    options = RegionOptions(
        syntax=arguments.syntax,
        loop=arguments.loop,
        lines=parse_lines(arguments.lines) if arguments.lines is not None else (),
        function=arguments.function,
        marker=arguments.marker,
    )
    return single(read_regions(arguments.file, options))
