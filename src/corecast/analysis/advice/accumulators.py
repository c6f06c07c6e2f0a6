"""Reductions whose latency a loop waits for, and what several accumulators bring: the unrolled loop is timed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from corecast.analysis.advice.reductions import Line, Reduction, find_reductions
from corecast.analysis.advice.types import Accumulators, Unrolled
from corecast.analysis.advice.unrolling import Unrolling
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.analysis.advice.costs import Costs
    from corecast.analysis.results import RegionResult

_LISTED = (2, 4, 8)
_MOST_COPIES = 16
_MOST_INSTRUCTIONS = 600
_NEAR_BEST = 1.03
"""Fewer copies are chosen where more of them bring no more than that."""
_WORTH = 0.25
"""A latency that is a smaller part of the iteration's cycles is not looked at."""
_TIE = 1e-6


def accumulators_for(region: RegionResult, line: Line, costs: Costs, before: float) -> Accumulators | None:
    """What several accumulators bring; None where the slowest chain is not a reduction, or nothing is gained.

    `before` is what an iteration takes as it is.
    """
    chains = region.dependencies.loop_carried
    if not chains or chains[0].cycles < _WORTH * before:
        return None
    reductions = find_reductions(line)
    latencies = {each: _latency(region, each) for each in reductions}
    unrolling = Unrolling(line.instructions, line.isa) if any(latencies.values()) else None
    if unrolling is None or not unrolling.possible:
        return None
    rest = _rest(region, reductions, unrolling.control)
    binding = [each for each in reductions if latencies[each] > rest * (1 + _TIE)]
    if not binding:
        return None
    slowest = max(latencies[each] for each in binding)
    binding.sort(key=lambda each: -latencies[each])
    tried = _tried(unrolling, binding, costs, math.ceil(slowest / rest - _TIE) if rest > 0 else _MOST_COPIES)
    if not tried:
        return None
    best = min(each.cycles_per_iteration for each in tried)
    chosen = next(each for each in tried if each.cycles_per_iteration <= best * _NEAR_BEST)
    links = tuple(sorted({place for each in binding for place in each.links}))
    issue = _busiest(region, links)
    return Accumulators(
        instructions=links,
        latency_cycles=slowest,
        issue_cycles=issue,
        to_fill_units=math.ceil(slowest / issue - _TIE) if issue > 0 else chosen.times,
        unroll=chosen.times,
        unrolled=tuple(tried),
        operations=tuple(dict.fromkeys(each.kind for each in binding)),
        reductions=len(binding),
        reassociates=any(each.reassociates for each in binding),
        gain=before / chosen.cycles_per_iteration,
    )


def _tried(unrolling: Unrolling, reductions: Sequence[Reduction], costs: Costs, needed: int) -> list[Unrolled]:
    """The loop unrolled a few ways, up to the copies that should do, as far as registers go."""
    most = min(unrolling.most_copies(reductions), _MOST_COPIES, max(2, _MOST_INSTRUCTIONS // unrolling.length))
    wanted = min(max(2, needed), most)
    found: list[Unrolled] = []
    for times in sorted({wanted, *_LISTED}):
        if not 2 <= times <= most:
            continue
        rewritten = unrolling.copies(times, reductions)
        if rewritten is None:
            continue
        cost = costs.of(rewritten.instructions, times)
        found.append(Unrolled(times, cost.cycles, cost.cycles / times, cost.bound))
        if times >= wanted and cost.bound != "dependency":
            break
    return found


def _latency(region: RegionResult, reduction: Reduction) -> float:
    """Of the slowest chain that belongs to a reduction alone."""
    links = set(reduction.links)
    return max(
        (chain.cycles for chain in region.dependencies.loop_carried if links.issuperset(chain.instructions)),
        default=0.0,
    )


def _rest(region: RegionResult, reductions: Iterable[Reduction], control: frozenset[int]) -> float:
    """What binds an iteration where no reduction does, by the static bounds."""
    bounds = [value for name, value in region.static.bounds.items() if name != "dependency"]
    links = [set(each.links) for each in reductions]
    for chain in region.dependencies.loop_carried:
        places = set(chain.instructions)
        if not places <= control and not any(each.issuperset(places) for each in links):
            bounds.append(chain.cycles)
    return max(bounds, default=0.0)


def _busiest(region: RegionResult, places: Iterable[int]) -> float:
    """Cycles in which the ports could start some instructions, each on all ports that it may use."""
    pressure = region.uniform_ports
    rows = [pressure.per_instruction[place] for place in places if place < len(pressure.per_instruction)]
    return max((sum(column) for column in zip(*rows, strict=True)), default=0.0)
