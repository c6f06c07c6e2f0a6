"""Analyzing one kernel: the native core computes, this module fills the result types."""

from __future__ import annotations

from sys import intern

from corecast import _core
from corecast.analysis.elements import ElementCount, count_elements
from corecast.analysis.options import AnalyzeOptions
from corecast.analysis.results import (
    Bracket,
    CoreName,
    Coverage,
    Dependencies,
    DependencyEdge,
    DependencyPath,
    EdgeKind,
    FrontendBound,
    InstructionResult,
    LoopMode,
    PortPressure,
    PortShares,
    Prediction,
    RegionResult,
    SourceSpan,
    Status,
)
from corecast.dataclass import replace
from corecast.errors import InputError, UnknownFormError, UnsupportedInstructionError
from corecast.hints import TYPE_CHECKING, Sequence, cast

if TYPE_CHECKING:
    from typing import Any

    from corecast.asm import Kernel
    from corecast.machine import Machine


def analyze_kernel(kernel: Kernel, machine: Machine, options: AnalyzeOptions | None = None) -> RegionResult:
    """How many cycles one iteration of a kernel takes on a machine, and why.

    Raises:
        InputError: the kernel is empty or of another instruction set than the machine.
        UnsupportedInstructionError: an instruction of an ISA extension that the core does not have, unless
            `options.unknown` is "skip".
        UnknownFormError: an instruction without data, where `options.unknown` is "error".
        MachineModelError: a row of the model that is needed is malformed.
    """
    options = options or AnalyzeOptions()
    mode, instructions, warnings = prepare_kernel(kernel, machine, options)
    start = start_address(kernel, options)
    aliasing = assumed_aliasing(kernel, machine, options)
    uniform = options.ports == "uniform"
    try:
        before = slots_before(kernel, machine, options)
        found = _core.analyze(machine.core, instructions, mode, options.unknown, start, uniform, aliasing, before)
    except (UnknownFormError, UnsupportedInstructionError) as error:
        raise type(error)(error.message, kernel.file or None, error.line) from None
    elements = count_elements(kernel, machine.core.vector_bits, options.elements)
    region = _region(kernel, machine, mode, _Found(found, instructions, warnings, elements))
    own = len(kernel.instructions)
    uncounted = sum(index < own for index in region.uncounted)
    withheld = options.unknown != "skip" and _core.too_many_unknown(uncounted, own)
    return replace(region, withheld=withheld, assumptions=_assumptions(region, options))


def _assumptions(region: RegionResult, options: AnalyzeOptions) -> tuple[str, ...]:
    """What the figures take for granted since the options say so."""
    found = [
        f"{row.form} (line {row.line}) costs what {row.matched_form} costs, its nearest known form"
        for row in region.instructions
        if row.status == "unknown" and row.matched_form
    ]
    if options.alias == "same":
        found.append("registers that advance by the same step hold the same address")
    elif options.alias != "none":
        found.append(f"at the start of every iteration {options.alias}")
    return tuple(found)


def assumed_aliasing(kernel: Kernel, machine: Machine, options: AnalyzeOptions) -> _core.Aliasing | None:
    """What the options say of accesses through different registers; None for nothing.

    Raises:
        InputError: no such register, or registers that cannot stay equal.
    """
    if options.alias == "none":
        return None
    try:
        found = _core.Aliasing.parse(machine.core, options.alias)
    except ValueError as error:
        raise InputError(f"--alias {options.alias}: {error}") from None
    if conflict := found.conflict(machine.core, kernel.instructions):
        raise InputError(f"--alias {options.alias}: {conflict}", kernel.file or None, kernel.first_line or None)
    return found


def check_executable(kernel: Kernel, machine: Machine) -> None:
    """Raises UnsupportedInstructionError where the core lacks an instruction of the kernel."""
    for instruction in kernel.instructions:
        if missing := machine.core.lacks(instruction):
            message = f"'{instruction.mnemonic}' needs {missing}, which {machine.name} does not have"
            raise UnsupportedInstructionError(message, kernel.file or None, instruction.line or None)


def prepare_kernel(
    kernel: Kernel, machine: Machine, options: AnalyzeOptions
) -> tuple[LoopMode, tuple[_core.Instruction, ...], tuple[str, ...]]:
    """What the native core is asked about: mode, instructions with their closing branch, warnings.

    Raises:
        InputError: the kernel is empty or of another instruction set than the machine.
        SyntaxProblem: it holds lines that are not instructions, which `options.unknown` does not skip.
    """
    if kernel.isa != machine.isa:
        raise InputError(
            f"the code is {kernel.isa}, but {machine.name} is a core of {machine.isa}", kernel.file or None
        )
    if not kernel.instructions:
        raise InputError(f"{kernel.name} holds no instructions", kernel.file or None)
    if kernel.unreadable and options.unknown != "skip":
        from corecast.asm.unreadable import unreadable_error

        raise unreadable_error(kernel.unreadable, kernel.isa, kernel.file or None)
    mode: LoopMode = options.mode or ("loop" if kernel.is_loop else "unroll")
    instructions, warnings = with_closing_branch(kernel, mode)
    return mode, instructions, warnings


class _Found:
    """The core's answer with what it was asked."""

    def __init__(
        self,
        analysis: _core.Analysis,
        instructions: Sequence[_core.Instruction],
        warnings: tuple[str, ...],
        elements: ElementCount | None,
    ) -> None:
        self.analysis = analysis
        self.instructions = instructions
        self.rows = list(analysis.instructions)
        self.warnings = warnings
        self.elements = elements


def start_address(kernel: Kernel, options: AnalyzeOptions) -> int | None:
    """Address of the first instruction, None where its alignment is not known."""
    known = options.alignment
    if known is None:  # text says nothing of where its code will lie
        known = kernel.origin in ("object", "hex")
    return kernel.instructions[0].address if known else None


def slots_before(kernel: Kernel, machine: Machine, options: AnalyzeOptions) -> int | None:
    """Slots of the uop cache's line that the kernel begins in, None where the code before or its place is not known."""
    start = start_address(kernel, options)
    return _core.slots_before(machine.core, kernel.before, start) if kernel.before and start is not None else None


def with_closing_branch(kernel: Kernel, mode: LoopMode) -> tuple[tuple[_core.Instruction, ...], tuple[str, ...]]:
    """The kernel's instructions, with a loop around encoded x86 blocks that have none, and its warnings."""
    instructions = kernel.instructions
    closed = instructions[-1].branch != "none"
    if mode != "loop" or kernel.origin != "hex" or kernel.isa != "x86" or closed:
        return instructions, kernel.warnings
    from corecast.analysis.closing import closing_branch

    added = closing_branch(instructions)
    if not added:
        return instructions, (*kernel.warnings, "the block uses every register: forecast without a loop branch")
    texts = " ; ".join(instruction.text for instruction in added)
    return (*instructions, *added), (*kernel.warnings, f"the block has no loop branch: {texts} assumed")


def _region(kernel: Kernel, machine: Machine, mode: LoopMode, found: _Found) -> RegionResult:
    columns = tuple(machine.core.resources)
    balanced = _pressure("balanced", columns, found.analysis.balanced)
    uniform = _pressure("uniform", columns, found.analysis.uniform)
    chosen = uniform if found.analysis.uniform_ports else balanced
    if found.analysis.ordered is not None:
        chosen = _pressure("in_order", columns, found.analysis.ordered)
    return RegionResult(
        name=kernel.name,
        source=SourceSpan(kernel.file, kernel.first_line, kernel.last_line, kernel.symbol),
        mode=mode,
        static=_prediction(found, chosen),
        ports=chosen,
        uniform_ports=uniform,
        frontend=_frontend(found),
        dependencies=_dependencies(found.analysis),
        instructions=_instructions(kernel, found, chosen),
        coverage=_coverage(found),
        elements=found.elements,
        warnings=(*found.warnings, *found.analysis.warnings),
        core_name=CoreName(machine.name, machine.title, machine.isa),
    )


def _pressure(mode: PortShares, columns: tuple[str, ...], ports: _core.PortDistribution) -> PortPressure:
    return PortPressure(
        mode=mode,
        ports=columns,
        per_instruction=ports.pressure,
        totals=tuple(ports.totals),
        bound=ports.bound,
        limiting_ports=tuple(columns[index] for index in ports.limiting),
    )


def _prediction(found: _Found, chosen: PortPressure) -> Prediction:
    analysis = found.analysis
    bounds = dict(analysis.bounds)
    cycles = analysis.cycles_per_iteration
    throughput = min(analysis.proven_throughput_cycles, cycles)
    return Prediction(
        cycles_per_iteration=cycles,
        bottleneck=analysis.bottleneck,
        detail=_detail(analysis, chosen),
        bounds=bounds,
        bracket=Bracket(lower=throughput, expected=cycles, upper=max(cycles, analysis.critical_path.cycles)),
    )


def _detail(analysis: _core.Analysis, chosen: PortPressure) -> str:
    if analysis.bottleneck == "ports":
        return ", ".join(chosen.limiting_ports)
    if analysis.bottleneck == "frontend":
        return analysis.frontend.limiting
    if analysis.bottleneck == "dependency":
        count = len(set(analysis.loop_carried[0].instructions))
        return f"{count} instruction{'s' if count != 1 else ''}"
    return ""


def _frontend(found: _Found) -> FrontendBound:
    frontend = found.analysis.frontend
    return FrontendBound(
        bound=frontend.bound,
        components=dict(frontend.components),
        limiting=frontend.limiting,
        fused_uops=frontend.fused_uops,
        macro_fused_pairs=tuple((index, index + 1) for index, row in enumerate(found.rows) if row.fused_first),
        source=frontend.supplier,
    )


def _path(chain: _core.DependencyChain) -> DependencyPath:
    return DependencyPath(chain.cycles, tuple(chain.instructions), tuple(chain.instruction_cycles), chain.distance)


def _dependencies(analysis: _core.Analysis) -> Dependencies:
    return Dependencies(
        edges=tuple(
            DependencyEdge(producer, consumer, cycles, distance, cast(EdgeKind, kind), location)
            for producer, consumer, cycles, distance, kind, location in analysis.edges
        ),
        critical_path=_path(analysis.critical_path),
        loop_carried=tuple(_path(chain) for chain in analysis.loop_carried),
    )


def _instructions(kernel: Kernel, found: _Found, chosen: PortPressure) -> tuple[InstructionResult, ...]:
    analysis = found.analysis
    critical = _cycles_by_instruction(_path(analysis.critical_path))
    carried = _cycles_by_instruction(_path(analysis.loop_carried[0])) if analysis.loop_carried else {}
    decoded = kernel.origin in ("object", "hex")
    figures: dict[float | None, Any] = {}  # equal ones are one object, as equal names are: long regions have few
    results = []
    for index, (instruction, row) in enumerate(zip(found.instructions, found.rows, strict=True)):
        cells = chosen.per_instruction[index]
        latency, throughput = row.latency_cycles, row.reciprocal_throughput_cycles
        results.append(
            InstructionResult(
                index=index,
                line=instruction.line or index + 1,
                text=_spelling(kernel, index) or instruction.text,
                form=intern(instruction.form),
                matched_form=intern(row.matched_form),
                status=cast(Status, intern(row.status)),
                uops=figures.setdefault(row.fused_uops, row.fused_uops),
                port_pressure={port: value for port, value in zip(chosen.ports, cells, strict=True) if value > 0},
                latency_cycles=figures.setdefault(latency, latency),
                on_critical_path=critical.get(index, 0.0),
                on_loop_carried=carried.get(index, 0.0),
                source=intern(row.source),
                confidence=intern(row.confidence),
                nearest_forms=tuple(row.nearest),
                note=intern(_note(row, assumed=index >= len(kernel.instructions))),
                address=instruction.address if decoded else None,
                reciprocal_throughput_cycles=figures.setdefault(throughput, throughput),
                source_line=kernel.source_lines[index] if index < len(kernel.source_lines) else "",
            )
        )
    return tuple(results)


def _spelling(kernel: Kernel, index: int) -> str:
    return kernel.statements[index] if index < len(kernel.statements) else ""


def _cycles_by_instruction(path: DependencyPath) -> dict[int, float]:
    """Cycles per iteration that each instruction adds."""
    cycles: dict[int, float] = {}
    for index, value in zip(path.instructions, path.instruction_cycles, strict=True):
        cycles[index] = cycles.get(index, 0.0) + value / path.distance
    return cycles


def _note(row: _core.InstructionAnalysis, assumed: bool) -> str:
    notes = [row.note] if row.note else []
    if row.fused_first:
        notes.append("macro-fused with the next")
    if row.fused_second:
        notes.append("macro-fused with the one before")
    if assumed:
        notes.append("assumed: not part of the block")
    return "; ".join(notes)


def _coverage(found: _Found) -> Coverage:
    count = {"known": 0, "derived": 0, "unknown": 0}
    unknown: dict[str, None] = {}
    for instruction, row in zip(found.instructions, found.rows, strict=True):
        count[row.status] += 1
        if row.status == "unknown":
            unknown[instruction.form or instruction.text] = None
    return Coverage(len(found.rows), count["known"], count["derived"], count["unknown"], tuple(unknown))
