"""What two changes of the code would bring, computed rather than guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corecast.analysis.accumulators import accumulators_for
from corecast.analysis.advice import Advice
from corecast.analysis.balance import balance_of
from corecast.analysis.options import AnalyzeOptions

if TYPE_CHECKING:
    from corecast.analysis.results import RegionResult
    from corecast.asm import Kernel
    from corecast.machine import Machine


def with_advice(
    region: RegionResult, kernel: Kernel, machine: Machine, options: AnalyzeOptions | None = None
) -> RegionResult:
    """The region with what would make it faster, as far as its bounds tell."""
    options = options or AnalyzeOptions()
    found = Advice(
        accumulators_for(region, kernel, machine, options) if region.prediction.bottleneck == "dependency" else None,
        balance_of(region, kernel, machine, options) if region.prediction.bottleneck == "ports" else None,
    )
    return replace(region, advice=found)
