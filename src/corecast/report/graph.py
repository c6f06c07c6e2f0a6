"""The dependency graph as reports draw it, and its dot text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from corecast.analysis.analysis_result import AnalysisResult
from corecast.analysis.results import DependencyEdge, DependencyPath, RegionResult
from corecast.dataclass import dataclass
from corecast.report.blame import loop_carried_rows
from corecast.report.wording import row_name, short_cycles


@dataclass(frozen=True)
class Arrow:
    """All dependencies between two instructions at one distance, drawn as one."""

    producer: int
    consumer: int
    distance: int
    cycles: float
    """The largest of them."""
    kind: str
    """Kind of the one with the most cycles."""
    locations: tuple[str, ...]
    on_critical_path: bool
    on_loop_carried: bool

    @property
    def label(self) -> str:
        places = ", ".join(self.locations)
        later = f", {self.distance} iteration{'s' * (self.distance > 1)} later" if self.distance else ""
        noun = "cycle" if self.cycles == 1 else "cycles"
        return f"{places}: {short_cycles(self.cycles)} {noun}{later}"


def arrows(region: RegionResult) -> tuple[Arrow, ...]:
    """The edges of a region, parallel ones merged, in program order; marked where they lie on the two paths."""
    merged: dict[tuple[int, int, int], list[DependencyEdge]] = {}
    for edge in region.dependencies.edges:
        merged.setdefault((edge.producer, edge.consumer, edge.distance), []).append(edge)
    chains = region.dependencies.loop_carried
    critical = _steps(region.dependencies.critical_path, closed=False)
    carried = _steps(chains[0], closed=True) if chains else frozenset()
    result = []
    for (producer, consumer, distance), edges in sorted(merged.items()):
        slowest = max(edges, key=lambda edge: edge.cycles)
        result.append(
            Arrow(
                producer=producer,
                consumer=consumer,
                distance=distance,
                cycles=slowest.cycles,
                kind=slowest.kind,
                locations=tuple(dict.fromkeys(edge.location for edge in edges)),
                on_critical_path=distance == 0 and (producer, consumer) in critical,
                on_loop_carried=(producer, consumer) in carried and (distance == 0) == (producer < consumer),
            )
        )
    return tuple(result)


def _steps(path: DependencyPath, closed: bool) -> frozenset[tuple[int, int]]:
    """Producer and consumer pairs along a path; a closed one returns to its start."""
    nodes = path.instructions
    steps = set(pairwise(nodes))
    if closed and nodes:
        steps.add((nodes[-1], nodes[0]))
    return frozenset(steps)


def render_dot(result: AnalysisResult) -> str:
    """One `digraph` a region, in the dot language."""
    return "\n".join("\n".join(_digraph(region)) + "\n" for region in result.regions)


def _digraph(region: RegionResult) -> Iterator[str]:
    yield f"digraph {_quoted(region.name or 'region')} {{"
    yield '  node [shape=box, style=filled, fillcolor=white, fontname="monospace", fontsize=10];'
    yield '  edge [fontname="monospace", fontsize=9];'
    critical = frozenset(region.dependencies.critical_path.instructions)
    carried = loop_carried_rows(region)
    for row in region.instructions:
        fill = _fill(row.index in critical, row.index in carried, row.status == "unknown")
        label = _quoted(f"{row_name(region, row.index)}: {' '.join(row.text.split())}")
        yield f"  i{row.index} [label={label}{fill}];"
    for arrow in arrows(region):
        attributes = [f"label={_quoted(short_cycles(arrow.cycles))}", f"tooltip={_quoted(arrow.label)}"]
        if arrow.distance:
            attributes.append("style=dashed, constraint=false")
        if arrow.on_loop_carried:
            attributes.append('color="#b5179e", penwidth=2')
        elif arrow.on_critical_path:
            attributes.append('color="#d97706", penwidth=2')
        yield f"  i{arrow.producer} -> i{arrow.consumer} [{', '.join(attributes)}];"
    yield "}"


def _fill(critical: bool, carried: bool, unknown: bool) -> str:
    if unknown:
        return ', fillcolor="#fecaca"'
    if carried:
        return ', fillcolor="#f5d0fe"'
    return ', fillcolor="#fde68a"' if critical else ""


def _quoted(text: str) -> str:
    """A dot string; backslashes are doubled since dot reads \\l, \\n and the like in labels."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else " " for c in escaped) + '"'
