"""A region's result in the shape that readers of llvm-mca's output know: its views, their headings and columns.

Written from the tool's manual. The figures are corecast's: an iteration takes what the simulation says it takes in the
long run, so that the total of N iterations is N times that, without the cycles in which the pipeline fills.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from corecast.dataclass import dataclass
from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corecast import _core
    from corecast.analysis.results import InstructionResult, RegionResult
    from corecast.analysis.simulated import TimelineUop
    from corecast.machine import Machine

_PRESSURE_WIDTH = 7
_LLVM_PORTS: dict[str, dict[str, str]] = {
    "sandybridge": {"": "SBPort", "2": "SBPort23", "3": "SBPort23"},
    "ivybridge": {"": "SBPort", "2": "SBPort23", "3": "SBPort23"},
    "haswell": {"": "HWPort"},
    "broadwell": {"": "BWPort"},
    "skylake": {"": "SKLPort"},
    "skylake-avx512": {"": "SKXPort"},
    "cascadelake": {"": "SKXPort"},
    "icelake-client": {"": "ICXPort"},
    "rocketlake": {"": "ICXPort"},
    "znver1": {"ALU": "ZnALU", "AGU": "ZnAGU", "FP": "ZnFPU"},
    "znver2": {"ALU": "Zn2ALU", "AGU": "Zn2AGU", "FP": "Zn2FPU"},
    "thunderx2t99": {"": "THX2T99P"},
    "a64fx": {"": "A64FXIP"},
}
"""By LLVM's name of a core what its scheduling models call the ports, by their names here or what those begin with:
machine files of other tools (Kerncraft's) name them so."""
_TIMELINE_INDEX = 10
"""Columns before the first cycle."""


@dataclass(frozen=True)
class McaViews:
    """Which parts are shown."""

    iterations: int = 100
    summary: bool = True
    instructions: bool = True
    pressure: bool = True
    bottleneck: bool = False
    timeline: bool = False
    timeline_cycles: int = 80
    """Cycles of the timeline at most; 0: all."""


@dataclass(frozen=True)
class McaRegion:
    """A region's result, with what its views need besides."""

    result: RegionResult
    code: Sequence[_core.Instruction]
    machine: Machine
    name: str

    @property
    def cycles(self) -> float:
        """Of an iteration. Raises: nothing; a forecast that is withheld counts what is known."""
        return self.result.prediction.cycles_per_iteration

    @property
    def uops(self) -> float:
        return sum(row.uops for row in self.result.instructions)

    @property
    def width(self) -> int | None:
        width = self.machine.pipeline.get("rename", {}).get("width")
        return None if width is None else int(width)

    @property
    def throughput(self) -> float:
        """Cycles that ports and front end alone take."""
        return self.result.static.bracket.lower


def render_mca(region: McaRegion, views: McaViews, number: int | None = None) -> str:
    """The text of a region. `number`: its place where there are several."""
    parts = [
        _heading(region, number) if number is not None else "",
        _summary(region, views.iterations) if views.summary else "",
        _bottleneck(region) if views.bottleneck else "",
        _instruction_info(region) if views.instructions else "",
        _pressure(region) if views.pressure else "",
        _timeline(region, views.timeline_cycles) if views.timeline else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _heading(region: McaRegion, number: int) -> str:
    return f"[{number}] Code Region" + (f" - {region.name}" if region.name else "")


def _summary(region: McaRegion, iterations: int) -> str:
    figures = summary_of(region, iterations)
    names = {
        "Iterations": "Iterations",
        "Instructions": "Instructions",
        "TotalCycles": "Total Cycles",
        "TotaluOps": "Total uOps",
        "": "",
        "DispatchWidth": "Dispatch Width",
        "uOpsPerCycle": "uOps Per Cycle",
        "IPC": "IPC",
        "BlockRThroughput": "Block RThroughput",
    }
    lines = []
    for key, name in names.items():
        value = figures.get(key)
        digits = {"uOpsPerCycle": 2, "IPC": 2, "BlockRThroughput": 1}.get(key)
        shown = "-" if value is None else f"{value:.{digits}f}" if digits is not None else f"{value}"
        lines.append(f"{name + ':':<19}{shown}" if key else "")
    return "\n".join(lines)


def summary_of(region: McaRegion, iterations: int) -> dict[str, float | int | None]:
    """The summary's figures by llvm-mca's JSON names; None where a model does not say."""
    cycles = max(1, round(region.cycles * iterations))
    instructions = len(region.result.instructions) * iterations
    uops = round(region.uops * iterations)
    return {
        "Iterations": iterations,
        "Instructions": instructions,
        "TotalCycles": cycles,
        "TotaluOps": uops,
        "DispatchWidth": region.width,
        "uOpsPerCycle": uops / cycles,
        "IPC": instructions / cycles,
        "BlockRThroughput": region.throughput,
    }


def _bottleneck(region: McaRegion) -> str:
    prediction = region.result.prediction
    lines = [f"Bottleneck: {prediction.bottleneck}" + (f" ({prediction.detail})" if prediction.detail else "")]
    simulated = region.result.simulated
    if simulated is not None and simulated.cycles_per_iteration:
        lines.append("Cycles in which no full group was renamed, by reason:")
        for share in simulated.ranked_stalls:
            part = 100 * share.cycles / simulated.cycles_per_iteration
            if share.cause == "none" or part < 1:
                continue
            where = "" if share.instruction is None else f", instruction {share.instruction}"
            lines.append(f"  {share.cause.replace('_', ' ')}{where}  [ {part:.2f}% ]")
    return "\n".join(lines)


def _instruction_info(region: McaRegion) -> str:
    head = "Instruction Info:\n[1]: #uOps\n[2]: Latency\n[3]: RThroughput\n[4]: MayLoad\n[5]: MayStore\n"
    head += "[6]: HasSideEffects (U)\n\n[1]    [2]    [3]    [4]    [5]    [6]    Instructions:"
    lines = [head]
    for row, instruction in zip(region.result.instructions, region.code, strict=True):
        info = instruction_info_of(region, row, instruction)
        latency, throughput = info["Latency"], info["RThroughput"]
        lines.append(
            f" {info['NumMicroOpcodes']:<7g}{'-' if latency is None else format(latency, 'g'):<6}"
            f"{'-' if throughput is None else format(throughput, '.2f'):<8}{'*' if info['mayLoad'] else '':<7}"
            f"{'*' if info['mayStore'] else '':<7}{'U' if info['hasUnmodeledSideEffects'] else '':<6}{_text(row)}"
        )
    return "\n".join(lines)


def instruction_info_of(region: McaRegion, row: InstructionResult, code: _core.Instruction) -> dict[str, Any]:
    """An instruction's figures by llvm-mca's JSON names."""
    return {
        "Instruction": row.index,
        "NumMicroOpcodes": row.uops,
        "Latency": row.latency_cycles,
        "RThroughput": row.reciprocal_throughput_cycles,
        "mayLoad": any(access.read for access in code.memory),
        "mayStore": any(access.write for access in code.memory),
        "hasUnmodeledSideEffects": row.status == "unknown",
    }


def _text(row: InstructionResult) -> str:
    """As assemblers print it: one tab behind the mnemonic."""
    return "\t".join(row.text.split(None, 1))


def _pressure(region: McaRegion) -> str:
    ports = region.result.ports
    indexes = "".join(f"[{place}]".ljust(_PRESSURE_WIDTH) for place in range(len(ports.ports)))
    names = [f"[{place}]".ljust(6) + f"- {name}" for place, name in enumerate(resource_names(region))]
    lines = ["Resources:", *names, "\n\nResource pressure per iteration:", indexes.rstrip(), _row(ports.totals)]
    lines += ["\nResource pressure by instruction:", f"{indexes}Instructions:"]
    for row, used in zip(region.result.instructions, ports.per_instruction, strict=True):
        lines.append(f"{_row(used):<{_PRESSURE_WIDTH * len(ports.ports)}}{_text(row)}")
    return "\n".join(lines)


def resource_names(region: McaRegion) -> list[str]:
    """The ports and units as LLVM's model of the core calls them, where it has the same; letters and digits alone."""
    known = _LLVM_PORTS.get(region.machine.llvm_cpu, {})
    units = set(region.machine.pipeline.get("units", {}))
    return [_resource_name(name, {} if name in units else known) for name in region.result.ports.ports]


def _resource_name(port: str, known: Mapping[str, str]) -> str:
    if port in known:
        return known[port]
    begins = max((key for key in known if port.startswith(key)), key=len, default=None)
    if begins is not None:
        port = known[begins] + port[len(begins) :]
    elif port.isdecimal():
        port = f"Port{port}"
    return "".join(letter for letter in port if letter.isalnum())


def _row(cycles: Sequence[float]) -> str:
    cells = ((f"{each:.2f}" if each >= 0.005 else " -").ljust(_PRESSURE_WIDTH) for each in cycles)
    return "".join(cells)


def _timeline(region: McaRegion, most_cycles: int) -> str:
    simulated = region.result.simulated
    if simulated is None or simulated.timeline is None:
        return ""
    spans = list(_spans(simulated.timeline.uops))
    if not spans:
        return ""
    first = min(span.dispatched for span in spans)
    last = max(span.retired for span in spans)
    cycles = last - first + 1
    shown = min(cycles, most_cycles) if most_cycles > 0 else cycles
    digits = "".join(str(cycle % 10) for cycle in range(shown))
    upper = "".join(digit if cycle // 10 % 2 else " " for cycle, digit in enumerate(digits))
    lower = "".join(" " if cycle // 10 % 2 else digit for cycle, digit in enumerate(digits))
    lines = ["Timeline view:"]
    if shown > _TIMELINE_INDEX:
        lines.append(" " * _TIMELINE_INDEX + upper.rstrip())
    lines += [f"{'Index':<{_TIMELINE_INDEX}}{lower.rstrip()}", ""]
    rows = region.result.instructions
    for span in spans:
        if span.dispatched - first >= shown:
            continue
        cells = "".join(span.cell(first + cycle) or (" " if cycle % 5 else ".") for cycle in range(shown))
        index = f"[{span.iteration - spans[0].iteration},{span.instruction}]"
        lines.append(f"{index:<{_TIMELINE_INDEX}}{cells}   {_text(rows[span.instruction])}")
    return "\n".join([*lines, "", *_waits(region, spans)])


@dataclass(frozen=True)
class _Span:
    """The cycles of an instruction's micro-ops together."""

    iteration: int
    instruction: int
    dispatched: int
    ready: int
    started: int
    done: int
    """First cycle in which the result is there."""
    retired: int

    def cell(self, cycle: int) -> str:
        if not self.dispatched <= cycle <= self.retired:
            return ""
        if cycle == self.dispatched:
            return "D"
        if cycle == self.retired:
            return "R"
        if cycle < self.started:
            return "="
        if cycle < self.done - 1:
            return "e"
        return "E" if cycle == self.done - 1 else "-"


def _spans(uops: Sequence[TimelineUop]) -> Iterator[_Span]:
    groups: dict[tuple[int, int], list[TimelineUop]] = {}
    for uop in uops:
        groups.setdefault((uop.iteration, uop.instruction), []).append(uop)
    for (iteration, instruction), members in sorted(groups.items()):
        if any(member.retired < 0 for member in members):
            continue  # cut off at the end
        renamed = min(member.renamed for member in members)
        ran = [member for member in members if member.port]  # others are done when they are renamed
        started = min((member.dispatched for member in ran), default=renamed)
        yield _Span(
            iteration,
            instruction,
            renamed,
            min((member.ready for member in ran), default=renamed),
            started,
            max((member.completed for member in ran), default=renamed),
            max(member.retired for member in members),
        )


def _waits(region: McaRegion, spans: Sequence[_Span]) -> Iterator[str]:
    yield "\nAverage Wait times (based on the timeline view):"
    yield "[0]: Executions"
    yield "[1]: Average time spent waiting in a scheduler's queue"
    yield "[2]: Average time spent waiting in a scheduler's queue while ready"
    yield "[3]: Average time elapsed from WB until retire stage\n"
    yield "      [0]    [1]    [2]    [3]"
    for row in region.result.instructions:
        mine = [span for span in spans if span.instruction == row.index]
        if not mine:
            continue
        count = len(mine)
        queued = sum(max(0, span.started - span.dispatched) for span in mine) / count
        while_ready = sum(max(0, span.started - span.ready) for span in mine) / count
        retiring = sum(max(0, span.retired - span.done) for span in mine) / count
        yield f"{f'{row.index}.':<7}{count:<6}{queued:<7.1f}{while_ready:<7.1f}{retiring:<10.1f}{_text(row)}"


def mca_document(regions: Sequence[McaRegion], views: McaViews) -> dict[str, Any]:
    """All regions as llvm-mca's `-json` has them: the views that were asked for, by its names."""
    first = regions[0]
    return {
        "CodeRegions": [_region_document(region, views) for region in regions],
        "SimulationParameters": {"-mcpu": first.machine.name, "-iterations": views.iterations},
        "TargetInfo": {
            "CPUName": first.machine.name,
            "Resources": resource_names(first),
        },
    }


def _region_document(region: McaRegion, views: McaViews) -> dict[str, Any]:
    ports = region.result.ports
    out: dict[str, Any] = {"Name": region.name, "Instructions": [_text(row) for row in region.result.instructions]}
    if views.summary:
        out["SummaryView"] = summary_of(region, views.iterations)
    if views.instructions:
        rows = zip(region.result.instructions, region.code, strict=True)
        out["InstructionInfoView"] = {"InstructionList": [instruction_info_of(region, *each) for each in rows]}
    if views.pressure:
        uses = [*ports.per_instruction, ports.totals]  # the last one: of an iteration
        out["ResourcePressureView"] = {
            "ResourcePressureInfo": [
                {"InstructionIndex": i, "ResourceIndex": r, "ResourceUsage": used}
                for i, row in enumerate(uses)
                for r, used in enumerate(row)
                if used > 0
            ]
        }
    simulated = region.result.simulated
    if views.timeline and simulated is not None and simulated.timeline is not None:
        spans = list(_spans(simulated.timeline.uops))
        start = min((span.dispatched for span in spans), default=0)
        out["TimelineView"] = {
            "TimelineInfo": [
                {
                    "CycleDispatched": span.dispatched - start,
                    "CycleReady": span.ready - start,
                    "CycleIssued": span.started - start,
                    "CycleExecuted": span.done - start,
                    "CycleRetired": span.retired - start,
                }
                for span in spans
            ]
        }
    return out
