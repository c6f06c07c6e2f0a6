"""Which changes of the code make a loop faster: they are made, shown to be legal, and timed as the loop itself was."""

from __future__ import annotations

from corecast.analysis.advice.costs import Costs
from corecast.analysis.advice.types import Advice, Regrouped
from corecast.analysis.kernels import prepare_kernel, start_address
from corecast.analysis.options import AnalyzeOptions
from corecast.dataclass import replace
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast import _core
    from corecast.analysis.advice.reductions import Line
    from corecast.analysis.results import RegionResult
    from corecast.analysis.work.memory import DataPlaces
    from corecast.asm import Kernel

_LEAST_GAIN = 1.02
_AS_LONG = 0.98
"""A chain that takes this part of the forecast limits it, whatever else does."""
_MOST_INSTRUCTIONS = 500


def with_advice(
    region: RegionResult, kernel: Kernel, places: DataPlaces, options: AnalyzeOptions | None = None
) -> RegionResult:
    """The region with what would make it faster, where something does.

    Args:
        region: the answer, by the method that the advice is to use, too.
        kernel: the code.
        places: the machine under the user's options.
        options: those of the answer.
    """
    options = options or AnalyzeOptions()
    costs = Costs(kernel, places, region.prediction.method, options)
    return replace(region, advice=_advice(region, kernel, costs, options))


def _advice(region: RegionResult, kernel: Kernel, costs: Costs, options: AnalyzeOptions) -> Advice:
    prediction = region.prediction
    mode, instructions, _ = prepare_kernel(kernel, costs.machine, options)
    if costs.memory_cycles >= prediction.cycles_per_iteration or len(instructions) > _MOST_INSTRUCTIONS:
        return Advice()
    if prediction.bottleneck == "ports":
        from corecast.analysis.advice.balance import balance_of

        return Advice(balance=balance_of(region, kernel, costs, options))
    chains = region.dependencies.loop_carried
    if mode != "loop" or not chains:
        return Advice()
    waits = prediction.bottleneck == "dependency" or chains[0].cycles >= _AS_LONG * prediction.cycles_per_iteration
    if not waits:
        return Advice()
    line = _line(kernel, instructions)
    if line is None:
        return Advice()
    before = prediction.cycles_per_iteration
    if start_address(kernel, options) is not None:  # changed code is timed as if its addresses had no effects
        before = min(before, costs.of(instructions).cycles)
    return _of_chains(region, line, costs, before)


def _of_chains(region: RegionResult, line: Line, costs: Costs, before: float) -> Advice:
    """More accumulators for reductions; else other recurrences with their own operand last."""
    from corecast.analysis.advice.accumulators import accumulators_for

    found = accumulators_for(region, line, costs, before)
    if found is not None:
        return Advice(found) if found.gain >= _LEAST_GAIN else Advice()
    from corecast.analysis.advice.regrouping import regroup

    chains = region.dependencies.loop_carried
    regrouped = regroup(line, [chain.instructions for chain in chains if 2 * chain.cycles >= chains[0].cycles])
    if regrouped is None:
        return Advice()
    cost = costs.of(regrouped.rewritten.instructions)
    if before < _LEAST_GAIN * cost.cycles:
        return Advice()
    return Advice(regrouped=Regrouped(regrouped.instructions, cost.cycles, cost.bound, before / cost.cycles))


def _line(kernel: Kernel, instructions: tuple[_core.Instruction, ...]) -> Line | None:
    """One iteration; None where other ways through the loop are not in sight."""
    from corecast.analysis.advice.reductions import Line

    branches = any(each.branch != "none" for each in instructions[:-1])
    if branches and kernel.skipped_blocks != 0:
        return None
    return Line(instructions, kernel.isa, branches, kernel.read_behind)
