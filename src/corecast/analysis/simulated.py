"""Result types of the simulation: what was seen, by reason and cycle by cycle. `corecast.simulate` fills them.

Instruction indices count from 0 within the region. Shares and counters are per iteration, in the steady state; the
cycles of a timeline count from the start of the simulation.
"""

from __future__ import annotations

from corecast.dataclass import dataclass, field
from corecast.views import Viewed

_NEARLY_ALL = 0.9
BUFFERS = ("uop_queue", "scheduler", "reorder_buffer", "load_queue", "store_queue")
"""Those whose occupancy a timeline has; several schedulers count together."""

FRONT_END_CAUSES = frozenset(
    {"predecode", "decode", "microcode", "uop_cache", "loop_buffer", "fetch", "split_group", "serializing"}
)
"""Causes of a `StallShare` that belong to the front end."""


@dataclass(frozen=True)
class StallShare:
    """Cycles in which rename did not move a full group, for one reason."""

    cycles: float
    """Per iteration."""
    cause: str
    """ "none" (a full group moved), a part of the front end, "serializing", "activity", or why a buffer was full:
    "operand_latency", "port_busy", "unit_busy", "store_commit", "retire_width"."""
    full: str
    """The buffer without room, "" where that was not it."""
    instruction: int | None
    """Who is blamed: whose latency, who waits for the port or unit, who was not delivered. None for full groups."""
    waiting: int | None
    """The oldest instruction that was not done while the buffer was full."""
    resource: str
    """Port or unit, "" where it was none."""


@dataclass(frozen=True)
class TimelineUop:
    """A micro-op's way through the core."""

    iteration: int
    """From 0."""
    instruction: int
    """Index in the region."""
    uop: int
    """Of the instruction, from 0."""
    port: str
    """"" where it needs none."""
    eliminated: bool
    """Whether rename did it alone, without a port."""
    delivered: int
    """Cycle in which the front end delivered it."""
    renamed: int
    """Cycle of its rename."""
    ready: int
    """Cycle in which its last operand was there."""
    dispatched: int
    """Cycle in which it went to its port."""
    completed: int
    """Cycle in which its result was there."""
    retired: int
    """Cycle of its retirement."""
    waited: str
    """Its longest wait after rename: "operand", "port", "unit", "forwarding" (of a store's data), or ""."""
    from_iteration: int | None
    """Iteration of the instruction that `from_instruction` names."""
    from_instruction: int | None
    """Who made the operand that came last, or the value that was forwarded; None where it waited for no other."""
    resource: str
    """The port or unit that was busy when it was ready, "" where none was."""


@dataclass(frozen=True)
class AverageWaits:
    """Of an instruction's micro-ops in a timeline, in cycles."""

    instruction: int
    """Index in the region."""
    executions: int
    """Of the instruction, that the timeline shows to their end."""
    queued_cycles: float
    """From rename until a micro-op is dispatched to its port; of micro-ops that need one."""
    ready_cycles: float
    """Of these, the ones in which all operands were there: it waited for a port or unit."""
    retire_cycles: float
    """From the result until retirement."""
    waited: str
    """What most of the queued cycles were waited for: "operand", "port", "unit", "forwarding", or "" for nothing."""
    from_instruction: int | None
    """Whose result that was, where it was an operand."""
    resource: str
    """Port or unit, where it was one."""


@dataclass(frozen=True)
class TimelineCycle:
    """Why rename did not move a full group in this cycle."""

    cause: str
    """As of a StallShare."""
    full: str
    """The buffer without room; "" where that was not it."""
    instruction: int | None
    """Index of the instruction that is blamed; None for full groups."""
    resource: str
    """Port or unit; "" where it was none."""
    occupancy: dict[str, int]
    """Entries of each of `BUFFERS` that are taken at the end of the cycle."""
    started: tuple[str, ...]
    """Ports that a micro-op was dispatched to, of whichever iteration."""


@dataclass(frozen=True)
class Timeline(Viewed):
    """Some iterations, micro-op by micro-op."""

    first_iteration: int
    """The first that is recorded, from 0."""
    first_cycle: int
    """The cycle in which it begins."""
    scheduler_delay: int
    """Cycles from rename until the scheduler sees a micro-op."""
    uops: tuple[TimelineUop, ...]
    """In program order, iteration by iteration."""
    cycles: tuple[TimelineCycle, ...]
    """From `first_cycle` on."""
    cut: bool
    """Fewer iterations than were asked for."""
    capacities: dict[str, int | None] = field(default_factory=dict)
    """Entries that each of `BUFFERS` has; None where the model has no limit."""

    def __repr__(self) -> str:
        return (
            f"<Timeline of {len(self.uops)} uops in {len(self.cycles)} cycles, from iteration {self.first_iteration}>"
        )

    def average_waits(self) -> tuple[AverageWaits, ...]:
        """Of every instruction that is shown to its end, in the code's order."""
        found: dict[int, list[TimelineUop]] = {}
        for uop in self.uops:
            if uop.retired >= 0:  # the others are cut off at the end
                found.setdefault(uop.instruction, []).append(uop)
        return tuple(_average_waits(instruction, uops) for instruction, uops in sorted(found.items()))


def _average_waits(instruction: int, uops: list[TimelineUop]) -> AverageWaits:
    queued = [uop for uop in uops if uop.port]
    reasons: dict[tuple[str, int | None, str], int] = {}
    for uop in queued:
        if uop.waited:
            operand = uop.waited in ("operand", "forwarding")
            reason = (uop.waited, uop.from_instruction if operand else None, "" if operand else uop.resource)
            reasons[reason] = reasons.get(reason, 0) + uop.dispatched - uop.renamed
    waited, producer, resource = max(reasons, key=lambda each: reasons[each], default=("", None, ""))
    return AverageWaits(
        instruction,
        len({uop.iteration for uop in uops}),
        _mean([uop.dispatched - uop.renamed for uop in queued]),
        _mean([max(0, uop.dispatched - max(uop.ready, uop.renamed)) for uop in queued]),
        _mean([uop.retired - uop.completed for uop in uops]),
        waited,
        producer,
        resource,
    )


def _mean(values: list[int]) -> float:
    return sum(values) / len(values) if values else 0.0


@dataclass(frozen=True)
class SimulationResult(Viewed):
    """What the simulator (corecast.simulate) found: per iteration, in the steady state; the timeline apart."""

    cycles_per_iteration: float
    """Core cycles in the steady state."""
    bottleneck: str
    """ "ports", "frontend", "dependency", "unit" (a divider and the like), "load_banks" or "activity" (too
    many wide vectors at once)."""
    stalls: dict[str, float]
    """Cycles by what rename did or waited for; they add up to `cycles_per_iteration`. "none": a full group moved."""
    counters: dict[str, float]
    """Micro-ops renamed and scheduled, moves eliminated, cycles in which a buffer was full; gem5's by its names."""
    port_uops: dict[str, float]
    """Micro-ops by port."""
    periodic: bool
    """The pipeline's state was seen to repeat: the figure is exact; else it is measured over `measured_iterations`."""
    simulated_cycles: int
    """Length of the simulation."""
    measured_iterations: int
    """Iterations that the figure was taken over."""
    ranked_stalls: tuple[StallShare, ...] = ()
    """Every cycle's reason, largest share first; they add up to `cycles_per_iteration`."""
    stalls_by_instruction: tuple[float, ...] = ()
    """Cycles that each instruction is blamed for; with the full groups they add up to `cycles_per_iteration`."""
    binding_ports: tuple[str, ...] = ()
    """Ports that are taken all the time by micro-ops that can run nowhere else."""
    whole_pipeline: bool = False
    """The model tells every part of the pipeline that the simulator has."""
    timeline: Timeline | None = None
    """Where one was asked for."""
    unknown: int = 0
    """Instructions without data, of which only the slot in rename counts."""

    def __repr__(self) -> str:
        return f"<SimulationResult {self.cycles_per_iteration:.2f} cycles per iteration, {self.bottleneck}>"

    @property
    def front_end_binds_too(self) -> bool:
        """Whether ports or units are at their limit and rename yet waits for hardly anything but the front end.

        Both limits are equal then: less of one alone makes the loop no faster.
        """
        if self.bottleneck not in ("ports", "unit"):
            return False
        supply = sum(self.stalls.get(cause, 0.0) for cause in (*FRONT_END_CAUSES, "none"))
        return supply >= _NEARLY_ALL * self.cycles_per_iteration

    @property
    def detail(self) -> str:
        """The port, unit or part of the front end behind the bottleneck, "" where there is none to name."""
        if self.bottleneck == "ports" and self.binding_ports:
            return ", ".join(self.binding_ports)
        names: dict[str, float] = {}
        for share in self.ranked_stalls:
            if _matches(share, self.bottleneck):
                name = share.resource or (share.cause if self.bottleneck == "frontend" else "")
                names[name] = names.get(name, 0.0) + share.cycles
        return max(names, key=lambda name: names[name], default="")


def _matches(share: StallShare, bottleneck: str) -> bool:
    if bottleneck == "frontend":
        return share.cause in FRONT_END_CAUSES
    return share.cause == {"ports": "port_busy", "unit": "unit_busy"}.get(bottleneck)
