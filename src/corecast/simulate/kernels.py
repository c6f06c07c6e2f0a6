"""Simulating one kernel: the native core simulates, this module fills the result type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corecast import _core
from corecast.analysis.kernels import prepare_kernel, start_address
from corecast.analysis.options import AnalyzeOptions
from corecast.analysis.results import SimulationResult
from corecast.errors import UnknownFormError

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.machine import Machine


def simulate_kernel(kernel: Kernel, machine: Machine, options: AnalyzeOptions | None = None) -> SimulationResult:
    """Cycles per iteration of a kernel on a machine, simulated, and what the core waited for.

    Code whose alignment is not known counts as starting at a multiple of 64 bytes, and no branch as one that the uop
    cache cannot hold for its address.

    Raises:
        InputError: the kernel is empty or of another instruction set than the machine.
        UnknownFormError: an instruction without data, where `options.unknown` is "error".
        MachineModelError: a row of the model that is needed is malformed.
    """
    options = options or AnalyzeOptions()
    mode, instructions, _ = prepare_kernel(kernel, machine, options)
    try:
        found = _core.simulate(machine.core, instructions, mode, start_address(kernel, options), options.unknown)
    except UnknownFormError as error:
        raise UnknownFormError(error.message, kernel.file or None, error.line) from None
    return SimulationResult(
        cycles_per_iteration=found.cycles_per_iteration,
        bottleneck=found.bottleneck,
        stalls=found.stalls,
        counters=found.counters,
        port_uops=dict(zip(machine.core.resources, found.port_uops, strict=True)),
        periodic=found.periodic,
        simulated_cycles=found.simulated_cycles,
        measured_iterations=found.measured_iterations,
    )


def is_modelled(machine: Machine) -> bool:
    """Whether the model has what makes a simulation closer than the static bounds: a scheduler of known size."""
    return "scheduler_entries" in machine.pipeline.get("back_end", {})
