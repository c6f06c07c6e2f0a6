"""The interval of a region's forecast: what measured code of its class says."""

from __future__ import annotations

from corecast.analysis.kernels import prepare_kernel, start_address
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.analysis.options import AnalyzeOptions
    from corecast.analysis.results import RegionResult
    from corecast.asm import Kernel
    from corecast.machine import Machine
    from corecast.machine.intervals import Interval


def interval_of(region: RegionResult, kernel: Kernel, machine: Machine, options: AnalyzeOptions) -> Interval | None:
    """Of the core's answer, simulated or not; None where it is a lower bound, or nothing is known of such code."""
    from corecast.machine.intervals import class_key, intervals_of

    number = class_number(region, kernel, machine, options)
    if number is None:
        return None
    found = region.core
    ratios = intervals_of(machine).find(found.method, class_key(number))
    return None if ratios is None else ratios.interval(found.cycles_per_iteration)


def class_number(region: RegionResult, kernel: Kernel, machine: Machine, options: AnalyzeOptions) -> int | None:
    """The class of the core's answer (`_core.prediction_class`); None where it is a lower bound."""
    from corecast import _core

    mode, instructions, _ = prepare_kernel(kernel, machine, options)
    found = region.core
    return _core.prediction_class(
        machine.core,
        instructions,
        mode,
        options.unknown,
        kernel.instructions[-1].branch != "none",
        start_address(kernel, options) is not None,
        found.cycles_per_iteration,
        found.bottleneck,
    )
