"""Simulating one kernel: the native core simulates, this module fills the result type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corecast import _core
from corecast.analysis.kernels import start_address, with_closing_branch
from corecast.analysis.options import AnalyzeOptions
from corecast.analysis.results import LoopMode, SimulationResult
from corecast.errors import InputError, UnknownFormError

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.machine import Machine


def simulate_kernel(kernel: Kernel, machine: Machine, options: AnalyzeOptions | None = None) -> SimulationResult:
    """Cycles per iteration of a kernel on a machine, simulated, and what the core waited for.

    Code whose alignment is not known counts as starting at a multiple of 64 bytes.

    Raises:
        InputError: the kernel is empty or of another instruction set than the machine.
        UnknownFormError: an instruction without data, where `options.unknown` is "error".
        MachineModelError: a row of the model that is needed is malformed.
    """
    options = options or AnalyzeOptions()
    if kernel.isa != machine.isa:
        raise InputError(
            f"the code is {kernel.isa}, but {machine.name} is a core of {machine.isa}", kernel.file or None
        )
    if not kernel.instructions:
        raise InputError(f"{kernel.name} holds no instructions", kernel.file or None)
    mode: LoopMode = options.mode or ("loop" if kernel.is_loop else "unroll")
    instructions, _ = with_closing_branch(kernel, mode)
    try:
        found = _core.simulate(machine.core, instructions, mode, start_address(kernel, options) or 0, options.unknown)
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
