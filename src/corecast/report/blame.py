"""What a report points at: the ports that limit a loop, and the instruction that costs most."""

from __future__ import annotations

from corecast.analysis.results import DependencyPath, RegionResult
from corecast.analysis.simulated import FRONT_END_CAUSES, StallShare
from corecast.dataclass import dataclass, replace
from corecast.hints import Iterable

EXPLAINS = 0.95
"""A static figure at least this part of the forecast is what limits it."""
_LEAST = 0.005
_CAUSES = {
    "ports": frozenset({"port_busy"}),
    "unit": frozenset({"unit_busy"}),
    "frontend": FRONT_END_CAUSES,
    "dependency": frozenset({"operand_latency"}),
}
_STALLED = {
    "ports": "waits longest for its port",
    "unit": "waits longest for the unit",
    "frontend": "the front end is held up before it",
    "dependency": "its latency delays the iterations most",
}


@dataclass(frozen=True)
class Blame:
    """The instructions that a report marks; none where nobody can be blamed."""

    rows: frozenset[int] = frozenset()
    reason: str = ""
    """Why they are, as a legend says it."""


def binding_resources(region: RegionResult) -> frozenset[str]:
    """The ports or units that limit the forecast; none where something else does, or unknown instructions may."""
    found = region.prediction
    if region.uncounted or region.withheld or found.cycles_per_iteration <= 0:
        return frozenset()
    known = frozenset(region.ports.ports)
    if found.bottleneck == "unit":
        return known & {found.detail}
    if found.bottleneck != "ports":
        return frozenset()
    if region.simulated is None:
        return frozenset(region.ports.limiting_ports)
    binding = frozenset(region.simulated.binding_ports) or frozenset({found.detail})
    if not region.simulated.binding_ports and binding & set(region.ports.limiting_ports):
        binding |= set(region.ports.limiting_ports)
    return binding & known


def blame(region: RegionResult) -> Blame:
    """Whose latency, port or place in the code costs most of the forecast."""
    name = region.prediction.bottleneck
    if region.uncounted or region.withheld or region.memory_bound or region.prediction.cycles_per_iteration <= 0:
        return Blame()
    chain = limiting_chain(region) if name == "dependency" else None
    if chain is not None:
        amounts = link_cycles(chain)
        most = max(amounts.values())
        rows = frozenset(row for row, amount in amounts.items() if amount >= most - _LEAST)
        return Blame(rows, "takes most of the dependency chain")
    stalled = longest_stall(region, _CAUSES.get(name, frozenset()))
    if stalled is not None and stalled.instruction is not None:
        return Blame(frozenset({stalled.instruction}), _STALLED[name])
    return _busiest(region, binding_resources(region))


def limiting_chain(region: RegionResult) -> DependencyPath | None:
    """The slowest loop-carried chain, where its cycles explain the forecast."""
    chains = region.dependencies.loop_carried
    if chains and chains[0].cycles >= region.prediction.cycles_per_iteration * EXPLAINS:
        return chains[0]
    return None


def loop_carried_rows(region: RegionResult) -> frozenset[int]:
    """Instructions of the slowest loop-carried chain, whatever limits the forecast."""
    chains = region.dependencies.loop_carried
    return chains[0].members if chains else frozenset()


def link_cycles(chain: DependencyPath) -> dict[int, float]:
    """Cycles per iteration that each instruction of a chain adds."""
    amounts: dict[int, float] = {}
    for row, amount in zip(chain.instructions, chain.instruction_cycles, strict=True):
        amounts[row] = amounts.get(row, 0.0) + amount / chain.distance
    return amounts


def longest_stall(region: RegionResult, causes: Iterable[str]) -> StallShare | None:
    """The instruction that is blamed for most of the simulated cycles with one of these causes: its largest share, with
    the cycles of all of them."""
    if region.simulated is None:
        return None
    largest: dict[int, StallShare] = {}
    for share in region.simulated.ranked_stalls:
        if share.cause in causes and share.instruction is not None:
            first = largest.setdefault(share.instruction, share)
            if first is not share:
                largest[share.instruction] = replace(first, cycles=first.cycles + share.cycles)
    return max(largest.values(), key=lambda share: share.cycles, default=None)


def _busiest(region: RegionResult, resources: frozenset[str]) -> Blame:
    columns = [index for index, name in enumerate(region.ports.ports) if name in resources]
    work = [sum(cells[column] for column in columns) for cells in region.ports.per_instruction]
    most = max(work, default=0.0)
    if most < _LEAST:
        return Blame()
    rows = frozenset(row for row, amount in enumerate(work) if amount >= most - _LEAST)
    return Blame(rows, "has most work for the limiting ports")
