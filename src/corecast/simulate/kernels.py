"""Simulating one kernel: the native core simulates, this module fills the result type."""

from __future__ import annotations

from corecast import _core
from corecast.analysis.kernels import assumed_aliasing, prepare_kernel, slots_before, start_address
from corecast.analysis.options import AnalyzeOptions
from corecast.analysis.simulated import BUFFERS, SimulationResult, StallShare, Timeline, TimelineCycle, TimelineUop
from corecast.errors import InputError, UnknownFormError, UnsupportedInstructionError
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corecast.asm import Kernel
    from corecast.machine import Machine

MOST_ITERATIONS = 1000
"""Of a timeline."""


def simulate_kernel(
    kernel: Kernel,
    machine: Machine,
    options: AnalyzeOptions | None = None,
) -> SimulationResult:
    """Cycles per iteration of a kernel on a machine, simulated, and what the core waited for.

    Code whose alignment is not known counts as starting at a multiple of 64 bytes, and no branch as one that the uop
    cache cannot hold for its address.

    Args:
        kernel: what is simulated.
        machine: on which core.
        options: mode, what to do with unknown instructions, and the timeline to record.

    Raises:
        InputError: the kernel is empty or of another instruction set than the machine, or the timeline is too long.
        UnsupportedInstructionError: an instruction of an ISA extension that the core does not have, unless
            `options.unknown` is "skip".
        UnknownFormError: an instruction without data, where `options.unknown` is "error".
        MachineModelError: a row of the model that is needed is malformed.
    """
    options = options or AnalyzeOptions()
    timeline, timeline_from = options.timeline, options.timeline_from
    if not 0 <= timeline <= MOST_ITERATIONS:
        raise InputError(f"a timeline has 1 to {MOST_ITERATIONS} iterations, not {timeline}")
    if timeline_from is not None and not 0 <= timeline_from < MOST_ITERATIONS:
        raise InputError(f"a timeline begins with iteration 0 to {MOST_ITERATIONS - 1}, not {timeline_from}")
    mode, instructions, _ = prepare_kernel(kernel, machine, options)
    start = start_address(kernel, options)
    aliasing = assumed_aliasing(kernel, machine, options)
    try:
        before = slots_before(kernel, machine, options)
        seen = _core.observe(
            machine.core, instructions, mode, start, options.unknown, timeline, timeline_from, aliasing, before
        )
    except (UnknownFormError, UnsupportedInstructionError) as error:
        raise type(error)(error.message, kernel.file or None, error.line) from None
    found, resources = seen.simulation, machine.core.resources
    return SimulationResult(
        cycles_per_iteration=found.cycles_per_iteration,
        bottleneck=found.bottleneck,
        stalls=found.stalls,
        counters=found.counters,
        port_uops=dict(zip(resources, found.port_uops, strict=True)),
        periodic=found.periodic,
        simulated_cycles=found.simulated_cycles,
        measured_iterations=found.measured_iterations,
        ranked_stalls=tuple(_share(share, resources) for share in seen.stalls),
        stalls_by_instruction=_by_instruction(seen.stalls, len(instructions)),
        binding_ports=tuple(resources[place] for place in found.binding_ports),
        whole_pipeline=machine.core.pipeline_detail == "full",
        timeline=_timeline(seen.timeline, machine) if timeline else None,
        unknown=found.unknown,
    )


def _name(resource: int | None, resources: Sequence[str]) -> str:
    """A port or unit; beyond the machine's own there is one for each form that is known by its throughput alone."""
    if resource is None:
        return ""
    return resources[resource] if resource < len(resources) else "throughput"


def _share(share: _core.StallShare, resources: Sequence[str]) -> StallShare:
    return StallShare(
        cycles=share.cycles,
        cause=share.cause,
        full=share.full,
        instruction=share.instruction,
        waiting=share.waiting,
        resource=_name(share.resource, resources),
    )


def _by_instruction(shares: Sequence[_core.StallShare], count: int) -> tuple[float, ...]:
    sums = [0.0] * count
    for share in shares:
        if share.instruction is not None:
            sums[share.instruction] += share.cycles
    return tuple(sums)


def _timeline(seen: _core.Timeline, machine: Machine) -> Timeline:
    resources = machine.core.resources
    return Timeline(
        first_iteration=seen.first_iteration,
        first_cycle=seen.first_cycle,
        scheduler_delay=seen.scheduler_delay,
        uops=tuple(_uop(uop, resources) for uop in seen.uops),
        cycles=tuple(
            TimelineCycle(
                cycle.cause,
                cycle.full,
                cycle.instruction,
                _name(cycle.resource, resources),
                {name: getattr(cycle.occupancy, name) for name in BUFFERS},
                tuple(resources[port] for port in cycle.started),
            )
            for cycle in seen.cycles
        ),
        cut=seen.cut,
        capacities={name: _capacity(machine, name) for name in BUFFERS},
    )


def _capacity(machine: Machine, buffer: str) -> int | None:
    entries = machine.parameter(f"{buffer}.entries")
    if buffer == "load_queue":  # what counts is when entries are given back
        entries = machine.parameter("load_queue.loads_in_flight") or entries
    parts = machine.parameter("schedulers")
    if buffer == "scheduler" and entries is None and parts:
        entries = sum(part["entries"] for part in parts)
    return None if entries is None else int(entries)


def _uop(uop: _core.TimelineUop, resources: Sequence[str]) -> TimelineUop:
    producer = uop.from_instruction
    return TimelineUop(
        iteration=uop.iteration,
        instruction=uop.instruction,
        uop=uop.uop,
        port=_name(uop.port, resources),
        eliminated=uop.eliminated,
        delivered=uop.delivered,
        renamed=uop.renamed,
        ready=uop.ready,
        dispatched=uop.dispatched,
        completed=uop.completed,
        retired=uop.retired,
        waited=uop.waited,
        from_iteration=None if producer is None else uop.from_iteration,
        from_instruction=producer,
        resource=_name(uop.resource, resources),
    )
