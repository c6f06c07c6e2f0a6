"""Hand-made analysis results: reports are tested without the analysis that fills them in use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import (
    Bracket,
    Coverage,
    Dependencies,
    DependencyEdge,
    DependencyPath,
    EdgeKind,
    FrontendBound,
    InstructionResult,
    PortPressure,
    Prediction,
    RegionResult,
    SourceSpan,
    Status,
)


@dataclass(frozen=True)
class Row:
    """One instruction as a test writes it."""

    text: str
    ports: dict[str, float] = field(default_factory=dict)
    latency: float | None = 1.0
    status: Status = "known"
    note: str = ""
    nearest: tuple[str, ...] = ()
    form: str = ""


def path(steps: Sequence[tuple[int, float]], distance: int = 1) -> DependencyPath:
    total = sum(value for _, value in steps) / distance
    return DependencyPath(total, tuple(i for i, _ in steps), tuple(value for _, value in steps), distance)


def edge(producer: int, consumer: int, cycles: float, location: str, distance: int = 0,
         kind: EdgeKind = "register") -> DependencyEdge:  # fmt: skip
    return DependencyEdge(producer, consumer, cycles, distance, kind, location)


@dataclass(frozen=True)
class Parts:
    """What a region is made from, beside its rows."""

    ports: tuple[str, ...]
    edges: tuple[DependencyEdge, ...] = ()
    critical: DependencyPath = field(default_factory=lambda: path([]))
    chains: tuple[DependencyPath, ...] = ()
    frontend: FrontendBound = field(default_factory=lambda: FrontendBound(0.0, {}, "", 0.0, ()))
    warnings: tuple[str, ...] = ()
    name: str = "loop .L4"
    file: str = "loop.s"
    first_line: int = 10


def region(rows: Sequence[Row], parts: Parts) -> RegionResult:
    """A region with totals, bounds and prediction that follow from rows and parts."""
    cells = tuple(tuple(row.ports.get(port, 0.0) for port in parts.ports) for row in rows)
    totals = tuple(sum(column) for column in zip(*cells, strict=True)) if cells else (0.0,) * len(parts.ports)
    bound = max(totals)
    limiting = tuple(port for port, total in zip(parts.ports, totals, strict=True) if total > bound - 0.005)
    pressure = PortPressure("balanced", parts.ports, cells, totals, bound, limiting)
    dependencies = Dependencies(parts.edges, parts.critical, parts.chains)
    bounds = {"ports": bound, "frontend": parts.frontend.bound, "dependency": dependencies.bound}
    bottleneck = max(bounds, key=lambda name: bounds[name])
    lower = max(bound, parts.frontend.bound)
    expected = max(bounds.values())
    return RegionResult(
        name=parts.name,
        source=SourceSpan(parts.file, parts.first_line, parts.first_line + len(rows) - 1),
        mode="loop",
        static=Prediction(
            expected, bottleneck, "", bounds, Bracket(lower, expected, max(parts.critical.cycles, expected))
        ),
        ports=pressure,
        uniform_ports=replace(pressure, mode="uniform"),
        frontend=parts.frontend,
        dependencies=dependencies,
        instructions=tuple(_instruction(index, row, parts) for index, row in enumerate(rows)),
        coverage=_coverage(rows),
        warnings=parts.warnings,
    )


def _instruction(index: int, row: Row, parts: Parts) -> InstructionResult:
    form = row.form or row.text
    chain = parts.chains[0] if parts.chains else path([])
    return InstructionResult(
        index=index,
        line=parts.first_line + index,
        text=row.text,
        form=form,
        matched_form="" if row.status == "unknown" else form,
        status=row.status,
        uops=sum(row.ports.values()),
        port_pressure=row.ports,
        latency_cycles=row.latency,
        on_critical_path=_share(parts.critical, index),
        on_loop_carried=_share(chain, index),
        source="" if row.status == "unknown" else "test",
        confidence="" if row.status == "unknown" else "measured",
        nearest_forms=row.nearest,
        note=row.note,
    )


def _share(chain: DependencyPath, index: int) -> float:
    return dict(zip(chain.instructions, chain.instruction_cycles, strict=True)).get(index, 0.0)


def _coverage(rows: Sequence[Row]) -> Coverage:
    count = {status: sum(row.status == status for row in rows) for status in ("known", "derived", "unknown")}
    unknown = tuple(dict.fromkeys(row.form or row.text for row in rows if row.status == "unknown"))
    return Coverage(len(rows), count["known"], count["derived"], count["unknown"], unknown)


def analysis(*regions: RegionResult, warnings: tuple[str, ...] = ()) -> AnalysisResult:
    return AnalysisResult("skylake_x", "Intel Skylake-X", "x86", regions, "0.1.0", warnings)


EIGHT_PORTS = ("0", "1", "2", "3", "4", "5", "6", "7", "DIV")


def gauss_seidel() -> RegionResult:
    """A loop bound by its loop-carried chain, shaped as the Gauss-Seidel sweep of the 2019 paper."""
    load = {"2": 0.5, "3": 0.5}
    add = {"0": 0.5, "1": 0.5, **load}
    rows = (
        Row("vmovsd xmm2, qword ptr [r12 + r11 + 8]", load, 5),
        Row("inc r15", {"5": 0.25, "6": 0.75}),
        Row("vaddsd xmm3, xmm2, qword ptr [r12 + r13 + 16]", add, 4),
        Row("vaddsd xmm1, xmm3, xmm1", {"0": 0.5, "1": 0.5}, 4),
        Row("vmulsd xmm5, xmm0, xmm1", {"0": 0.5, "1": 0.5}, 4),
        Row("vmovsd qword ptr [r12 + r13 + 8], xmm5", {"2": 0.25, "3": 0.25, "7": 0.5, "4": 1.0}, 4),
        Row("vmovapd xmm1, xmm5", {}, 0, note="eliminated move"),
        Row("cmp r15, r14", {"5": 0.5, "6": 0.5}, note="macro-fused with the next"),
        Row("jb .L4", {}, None, note="macro-fused"),
    )
    parts = Parts(
        ports=EIGHT_PORTS,
        edges=(
            edge(0, 2, 5, "xmm2"),
            edge(2, 3, 4, "xmm3"),
            edge(3, 4, 4, "xmm1"),
            edge(4, 5, 4, "xmm5"),
            edge(4, 6, 4, "xmm5"),
            edge(6, 3, 0, "xmm1", distance=1),
            edge(1, 7, 1, "r15"),
            edge(7, 8, 1, "flags", kind="flags"),
            edge(1, 1, 1, "r15", distance=1),
        ),
        critical=path([(0, 5), (2, 4), (3, 4), (4, 4), (5, 1)]),
        chains=(path([(3, 4), (4, 4), (6, 0)]), path([(1, 1)])),
        frontend=FrontendBound(2.0, {"rename": 2.0, "retire": 1.75}, "rename", 8.0, ((7, 8),), "loop_buffer"),
    )
    return region(rows, parts)


def with_unknown() -> RegionResult:
    """A loop with one unknown form, one derived form and a warning."""
    rows = (
        Row("vaddpd zmm0, zmm0, zmmword ptr [rax]", {"0": 0.5, "5": 0.5, "2": 0.5, "3": 0.5}, 4, "derived",
            note="load and register form"),
        Row("vnewpd zmm1, zmm0, zmm2", {}, None, "unknown", nearest=("vaddpd zmm, zmm, zmm", "vmulpd zmm, zmm, zmm"),
            form="vnewpd zmm, zmm, zmm"),
        Row("jne .L7", {"6": 1.0}, 1),
    )  # fmt: skip
    return region(rows, Parts(EIGHT_PORTS, edges=(edge(0, 1, 4, "zmm0"),), critical=path([(0, 4)]),
                              warnings=("line 11: form unknown",), name="loop <&\"evil\"> .L7"))  # fmt: skip


def wide(count: int) -> RegionResult:
    """A loop on a core with `count` ports, all used, in groups of four that share alike."""
    names = tuple(f"{'VILB'[port // 4 % 4]}{port}" for port in range(count))
    rows = []
    for first in range(0, count, 4):
        group = names[first : first + 4]
        rows.append(Row(f"fmla v{first}.2d, v1.2d, v2.2d", {name: 1 / len(group) for name in group}, 4))
    return region(rows, Parts(names))


def large(count: int) -> RegionResult:
    """A region of `count` instructions: an unrolled loop with several accumulators and one long chain."""
    rows, edges = [], []
    for index in range(count):
        step = index % 5
        if step == 0:
            rows.append(Row(f"vmovupd ymm{index % 16}, ymmword ptr [rsi + rcx*8 + {index * 32}]",
                            {"2": 0.5, "3": 0.5}, 5))  # fmt: skip
            edges.append(edge(count - 1, index, 1, "rcx", distance=1, kind="address"))
        elif step == 4:
            rows.append(Row(f"vmovupd ymmword ptr [rdi + rcx*8 + {index * 32}], ymm3", {"4": 1.0, "7": 1.0}, 4))
            edges.append(edge(index - 1, index, 4, "ymm3"))
        else:
            rows.append(Row("vfmadd231pd ymm1, ymm2, ymm3", {"0": 0.5, "1": 0.5}, 4))
            edges.append(edge(index - 1, index, 4, "ymm1"))
            if step == 2 and index >= 5:
                edges.append(edge(index - 5, index, 4, "ymm2"))
    spine = list(range(2, count, 5))
    edges.append(edge(spine[-1], spine[0], 4, "ymm2", distance=1))
    chain = path([(index, 4.0) for index in spine])
    return region(rows, Parts(EIGHT_PORTS, edges=tuple(edges), critical=chain, chains=(chain,)))
