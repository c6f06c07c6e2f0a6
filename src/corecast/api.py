"""The whole way from code to answer, in one place: read, load, bound, simulate, advise.

Command line, Python and pages call `analyze` or `analyze_region`; none of them computes or chooses a method.
"""

from __future__ import annotations

import os

from corecast.analysis.analysis_result import AnalysisResult, RegionFailure
from corecast.analysis.options import AnalyzeOptions
from corecast.dataclass import replace
from corecast.hints import TYPE_CHECKING, Any, Callable, Mapping, Sequence, partial
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from pathlib import Path

    from corecast.analysis.results import Clock, RegionResult
    from corecast.analysis.work.memory import DataPlaces
    from corecast.asm import Kernel, RegionOptions
    from corecast.machine import Machine

_SPARE_REGIONS = 64
"""Kept beside those that are wanted, so that they need not be sorted for each that comes."""
_HEX = lazy_pattern(r"(?:0x)?(?:[0-9a-fA-F]{2}[\s,]*)+")


def analyze(
    code: str | Path | Kernel,
    cpu: str | Path | Machine | None = None,
    options: AnalyzeOptions | None = None,
    *,
    regions: RegionOptions | None = None,
    compiler: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> AnalysisResult:
    """Analyze the loops of some code on a core.

    Args:
        code: a file (assembly, ELF object; source with `compiler`) as a Path or a string that names one, assembly text,
            encoded bytes as hexadecimal digits, or a Kernel.
        cpu: a core's name or alias, the folder of a machine model, or a loaded one. None: this machine's core.
        options: how to analyze: method, timeline, where data lie, unknown instructions.
        regions: which part of the code, and how to read it.
        compiler: command line that compiles a source file, "gcc -O3 -march=haswell".
        settings: keys of the core's pipeline.toml with other values, {"reorder_buffer.entries": 64}, as `--set`.

    Returns:
        One region result per kernel; cycles are of the core clock per iteration. They are simulated where the core's
        model allows it, unless `options.method` says otherwise. Of several kernels some may have no result:
        `failures` says which, and why.

    Raises:
        CorecastError: see corecast.errors; unreadable code, no such core, a faulty model, a compiler that fails; no
            kernel that can be analyzed.
    """
    machine, warnings = _machine(cpu)
    if settings:
        from corecast.machine import variant

        machine = variant(machine, settings)
    return analyze_kernels(_kernels(code, machine, regions, compiler), machine, options, warnings)


def analyze_kernels(
    kernels: Sequence[Kernel], machine: Machine, options: AnalyzeOptions | None = None, warnings: tuple[str, ...] = ()
) -> AnalysisResult:
    """Analyze kernels that have been read on a machine that has been loaded.

    Raises:
        SyntaxProblem: text that is not an instruction in all kernels, where `options.unknown` is not "skip".
        CorecastError: as `analyze_region`, where no kernel can be analyzed: the error of the first one.
    """
    from corecast.asm.unreadable import check_readable

    result = analyze_each(kernels, machine, options, warnings)
    if result.failures and not result.regions:
        check_readable(kernels, skip=options is not None and options.unknown == "skip")  # all lines in one message
        raise result.failures[0].error
    return result


def analyze_each(
    kernels: Sequence[Kernel], machine: Machine, options: AnalyzeOptions | None = None, warnings: tuple[str, ...] = ()
) -> AnalysisResult:
    """The same where kernels that cannot be analyzed never raise: the result's `failures` has them.

    Raises:
        InputError: options that fit no kernel.
        MachineModelError: a faulty model.
    """
    from corecast.asm.unreadable import check_readable

    gathered = Gathering(machine, options)
    left_out = check_readable(kernels, skip=True) if options is not None and options.unknown == "skip" else ()
    for kernel in kernels:
        gathered.add(kernel)
    return gathered.result((*left_out, *warnings))


class Gathering:
    """Results of kernels that come one after the other: of all of them, or of those with the most cycles alone.

    Where only some are wanted, the others are dropped as soon as they cannot be among them, with their kernels, and
    what would make a loop faster is found for those that are left.
    """

    def __init__(self, machine: Machine, options: AnalyzeOptions | None = None, most: int | None = None) -> None:
        """`most`: the number of regions wanted; None: all.

        Raises:
            InputError: options that fit no kernel.
        """
        from corecast.analysis.work.memory import data_places

        self._options = options or AnalyzeOptions()
        self._places = data_places(machine, self._options)
        self._most = most
        self._regions: list[RegionResult] = []
        self._slowest: list[tuple[RegionResult, Kernel]] = []
        self._failures: list[RegionFailure] = []
        self.count = 0
        """Kernels that could be analyzed."""

    def add(self, kernel: Kernel) -> None:
        """Analyzes a kernel.

        Raises:
            InputError: options that fit no kernel.
            MachineModelError: a faulty model.
        """
        found = self._region_or_failure(kernel, _region if self._most is None else _answer)
        if isinstance(found, RegionFailure):
            self._failures.append(found)
            return
        self.count += 1
        if self._most is None:
            self._regions.append(found)
            return
        self._slowest.append((found, kernel))
        if len(self._slowest) > 2 * self._most + _SPARE_REGIONS:
            self._keep(self._most)

    def result(self, warnings: tuple[str, ...] = ()) -> AnalysisResult:
        """Of all kernels, in their order; of the slowest, those with the most cycles first."""
        from corecast import __version__

        machine = self._places.machine
        regions = list(self._regions)
        if self._most is not None:
            self._keep(self._most)
        for region, kernel in self._slowest:
            found = self._region_or_failure(kernel, partial(_completed, region))
            if isinstance(found, RegionFailure):
                self._failures.append(found)
            else:
                regions.append(found)
        return AnalysisResult(
            cpu=machine.name,
            cpu_title=machine.title,
            isa=machine.isa,
            regions=tuple(regions),
            version=__version__,
            warnings=warnings,
            failures=tuple(self._failures),
        )

    def _keep(self, most: int) -> None:
        self._slowest.sort(key=lambda found: slowness(found[0]))
        del self._slowest[most:]

    def _region_or_failure(
        self, kernel: Kernel, region_of: Callable[[Kernel, DataPlaces, AnalyzeOptions], RegionResult]
    ) -> RegionResult | RegionFailure:
        from corecast.analysis.results import SourceSpan
        from corecast.errors import InputError, SimulationLimitError, UnknownFormError

        try:
            return region_of(kernel, self._places, self._options)
        except (InputError, UnknownFormError, SimulationLimitError) as error:
            # Without a place it is the options that are wrong, for every kernel alike.
            if type(error) is InputError and error.file is None:
                raise
            span = SourceSpan(kernel.file, kernel.first_line, kernel.last_line, kernel.symbol)
            return RegionFailure(kernel.name, span, error)


def slowness(region: RegionResult) -> tuple[bool, float]:
    """Sorts regions with the most cycles first, and those without a forecast last."""
    return region.withheld, -region.prediction.cycles_per_iteration


def analyze_region(kernel: Kernel, machine: Machine, options: AnalyzeOptions | None = None) -> RegionResult:
    """One kernel on a machine: the answer of the chosen method, and what would make it faster.

    Raises:
        InputError, UnknownFormError, MachineModelError: as `answer_of`.
    """
    from corecast.analysis.work.memory import data_places

    options = options or AnalyzeOptions()
    return _region(kernel, data_places(machine, options), options)


def answer_of(kernel: Kernel, machine: Machine, options: AnalyzeOptions | None = None) -> RegionResult:
    """The same without advice: static bounds and, where the method is to simulate, the simulation.

    Raises:
        InputError: an empty kernel, another instruction set, options that do not fit the machine or each other.
        UnknownFormError: an instruction without data, where `options.unknown` is "error".
        MachineModelError: a row of the model that is needed is malformed.
    """
    from corecast.analysis.work.memory import data_places

    options = options or AnalyzeOptions()
    return _answer(kernel, data_places(machine, options), options)


def _region(kernel: Kernel, places: DataPlaces, options: AnalyzeOptions) -> RegionResult:
    return _completed(_answer(kernel, places, options), kernel, places, options)


def _completed(region: RegionResult, kernel: Kernel, places: DataPlaces, options: AnalyzeOptions) -> RegionResult:
    """An answer with what mitigations cost and what would make the loop faster."""
    from corecast.analysis.advice.rules import with_advice

    if region.withheld:
        return region
    region = _with_mitigations(region, kernel, places, options)
    if region.uncounted:  # what something would bring depends on what is not known
        return region
    return with_advice(region, kernel, places, options)


def _answer(kernel: Kernel, places: DataPlaces, options: AnalyzeOptions) -> RegionResult:
    from corecast.analysis.aliasing import alternatives_of
    from corecast.analysis.intervals import interval_of
    from corecast.analysis.kernels import analyze_kernel
    from corecast.errors import InputError, SimulationLimitError
    from corecast.machine.method import assumptions, chosen_method

    machine = places.machine
    method = chosen_method(machine, options.method)
    if options.timeline and method == "bounds":
        raise InputError(f"a timeline needs a simulation, and the method for {machine.name} is bounds")
    region = analyze_kernel(kernel, machine, options)
    if region.withheld:
        return region
    if method == "simulate":
        from corecast.simulate import simulate_kernel

        try:
            found = simulate_kernel(kernel, machine, options)
            region = replace(region, simulated=found, assumptions=(*region.assumptions, *assumptions(machine)))
        except SimulationLimitError as error:
            if options.method == "simulate" or options.timeline:
                raise
            reason = error.message.partition(":")[0]
            region = replace(region, warnings=(*region.warnings, f"not simulated: {reason}"))
    region = replace(
        region,
        core_interval=interval_of(region, kernel, machine, options),
        memory_cycles=None if places.bandwidth is None else places.bandwidth.cycles(kernel, machine.core.vector_bits),
        clock=None if options.clock is None else _clock(kernel, machine, options.clock),
    )
    region = replace(region, alternatives=alternatives_of(region, kernel, places, options))
    if options.ecm or places.bandwidth is not None:
        from corecast.analysis.work.ecm import ecm_of

        region = replace(region, ecm=ecm_of(kernel, machine, region, places.bandwidth))
    return region


def _clock(kernel: Kernel, machine: Machine, text: str) -> Clock:
    from corecast.analysis.results import Clock
    from corecast.analysis.work.amounts import work_of
    from corecast.analysis.work.memory import clock_hertz

    work = work_of(kernel, machine.core.vector_bits)
    return Clock(clock_hertz(text), work.flops, work.bytes)


def _with_mitigations(
    region: RegionResult, kernel: Kernel, places: DataPlaces, options: AnalyzeOptions
) -> RegionResult:
    """The region with a warning for each microcode mitigation that slows some of its instructions."""
    from corecast.analysis.mitigations import KEY, note, slowed

    found = slowed(region, places.machine)
    if not found:
        return region
    from corecast.machine import variant

    notes = []
    for name, lines in found.items():
        unmitigated = replace(places, machine=variant(places.machine, {KEY + name: False}))
        without = _answer(kernel, unmitigated, replace(options, timeline=0))
        both = (answer.prediction.cycles_per_iteration for answer in (region, without))
        notes.append(note(name, lines, *both))
    return replace(region, warnings=(*region.warnings, *notes))


def _machine(cpu: str | Path | Machine | None) -> tuple[Machine, tuple[str, ...]]:
    from corecast.errors import UnknownCpuError
    from corecast.machine import Machine, host_machine, load_machine

    if isinstance(cpu, Machine):
        return cpu, cpu.info.notes
    if cpu is not None:
        machine = load_machine(cpu)
        return machine, machine.info.notes
    from corecast.machine.host import doubt_about_host

    name = host_machine()
    if name is None:
        raise UnknownCpuError("no cpu given, and this machine's core is not known: see `corecast cpus --host`")
    return load_machine(name), (f"no cpu given: using {name} (this machine{doubt_about_host()})",)


def _kernels(
    code: str | Path | Kernel, machine: Machine, regions: RegionOptions | None, compiler: str | None
) -> list[Kernel]:
    from corecast.asm import Kernel, RegionOptions, read_regions

    if isinstance(code, Kernel):
        return [code]
    regions = regions or RegionOptions()
    if regions.isa is None:
        regions = replace(regions, isa=machine.isa)
    if isinstance(code, str) and (_HEX.fullmatch(code.strip()) or "\n" in code or not os.path.isfile(code)):
        return list(kernels_of_text(code, regions))
    return list(read_regions(str(code), regions, compiler=compiler))


def kernels_of_text(code: str, regions: RegionOptions) -> Sequence[Kernel]:
    """Read assembly text or hexadecimal digits, never a file, whatever the text.

    Raises:
        InputError: the text cannot be read, or has no such region.
    """
    from corecast.asm import Kernel

    if _HEX.fullmatch(code.strip()):
        return [Kernel.from_hex(code, regions.isa or "x86", is_loop=regions.mode != "unroll")]
    return _regions_of_text(code, regions)


def _regions_of_text(code: str, regions: RegionOptions) -> Sequence[Kernel]:
    from corecast.asm import regions_of_text
    from corecast.errors import SyntaxProblem

    try:
        return regions_of_text(code, options=regions)
    except SyntaxProblem as problem:
        if "\n" in code:
            raise
        raise SyntaxProblem(
            f"{problem.message}; nor is there a file of this name", problem.file, problem.line
        ) from None
