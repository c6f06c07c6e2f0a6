"""Accesses through different registers: the forecast where a store and a later load meet after all."""

from __future__ import annotations

from corecast.analysis.results import Alternative, RegionResult
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast import _core
    from corecast.analysis.options import AnalyzeOptions
    from corecast.analysis.work.memory import DataPlaces
    from corecast.asm import Kernel

_WORTH_A_WORD = 0.02
"""Of the forecast: a smaller difference is not reported."""


def alternatives_of(
    region: RegionResult, kernel: Kernel, places: DataPlaces, options: AnalyzeOptions
) -> tuple[Alternative, ...]:
    """Of the meetings that the code leaves open the one that costs most, where it changes the forecast."""
    if options.alias != "none":
        return ()
    from corecast import _core

    least = region.prediction.cycles_per_iteration * (1 + _WORTH_A_WORD)
    found = _core.worst_meeting(places.machine.core, kernel.instructions, options.unknown)
    if found is None or found.dependency_cycles <= least:
        return ()
    cycles = _forecast(region, kernel, places, options, found.aliasing)
    return (Alternative(cycles, found.store, found.load, found.distance),) if cycles > least else ()


def _forecast(
    region: RegionResult, kernel: Kernel, places: DataPlaces, options: AnalyzeOptions, aliasing: _core.Aliasing
) -> float:
    """Cycles per iteration by the method of the region's forecast."""
    from corecast import _core
    from corecast.analysis.kernels import prepare_kernel, slots_before, start_address

    mode, instructions, _ = prepare_kernel(kernel, places.machine, options)
    start = start_address(kernel, options)
    before = slots_before(kernel, places.machine, options)
    if region.simulated is not None:
        return _core.simulate(
            places.machine.core,
            instructions,
            mode,
            start,
            options.unknown,
            aliasing=aliasing,
            slots_before=before,
        ).cycles_per_iteration
    return _core.analyze(
        places.machine.core, instructions, mode, options.unknown, start, options.ports == "uniform", aliasing, before
    ).cycles_per_iteration
