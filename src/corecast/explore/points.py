"""One variant of a core with one kernel: what the simulation says of it."""

from __future__ import annotations

from collections.abc import Mapping

from corecast import _core
from corecast.analysis.options import AnalyzeOptions
from corecast.analysis.work.amounts import work_of
from corecast.analysis.work.memory import Bandwidth
from corecast.asm.nest import repeated
from corecast.dataclass import dataclass, field
from corecast.errors import CorecastError
from corecast.hints import TYPE_CHECKING
from corecast.machine import variant
from corecast.simulate import simulate_kernel

if TYPE_CHECKING:
    from corecast.analysis.elements import Elements, Trips
    from corecast.asm import Kernel, RegionOptions
    from corecast.explore.sweeps import Settings
    from corecast.machine import Machine

BUFFER_EVENTS = {
    "ROBFullEvents": ("rename.ROBFullEvents",),
    "iqFullEvents": ("rename.IQFullEvents",),
    "lsqFullEvents": ("rename.LQFullEvents", "rename.SQFullEvents"),
    "fullRegistersEvents": ("rename.fullRegistersEvents",),
}
"""Cycles in which a buffer had no room, by gem5's names, from the simulator's counters."""


@dataclass(frozen=True)
class Subject:
    """A kernel that is looked at, with what an iteration of it works on."""

    name: str
    """For tables and plots."""
    kernel: Kernel
    """The loop; of a loop around another, the outer one."""
    elements: Elements | None = None
    """Elements per iteration; None: not known."""
    inner: range = range(0)
    """Instructions of an inner loop that the kernel runs through as often as `trips` says."""
    trips: Trips | None = None
    """How often the inner loop runs; None: there is none."""
    region: tuple[RegionOptions, int] | None = None
    """How its file was read, and which of the regions it is; None where other processes cannot read it anew."""

    def kernel_at(self, vector_bits: float) -> Kernel:
        """The kernel for vectors of that length."""
        if self.trips is None:
            return self.kernel
        return repeated(self.kernel, self.inner, self.trips.count(vector_bits))


@dataclass(frozen=True)
class Setup:
    """What all points have in common."""

    options: AnalyzeOptions = field(default_factory=AnalyzeOptions)
    """As for `corecast.analyze`."""
    bandwidth: Bandwidth | None = None
    """What can be streamed; None: any amount."""


@dataclass(frozen=True)
class PointResult:
    """A kernel on a variant of a core: figures of one iteration in the steady state."""

    kernel: str
    """Name of the subject."""
    settings: Settings
    """Keys of pipeline.toml with the values at this point."""
    error: str = ""
    """Why there are no figures, "" where there are."""
    cycles_per_iteration: float = 0.0
    """Simulated core cycles, or those of the bandwidth where it is slower."""
    elements: float = 0.0
    """Of one iteration; 0 where they are not known."""
    vector_bits: float = 0.0
    """Length of vectors at this point, in bits."""
    instructions: int = 0
    """Per iteration."""
    uops: float = 0.0
    """Micro-ops sent to ports per iteration."""
    bottleneck: str = ""
    """ "ports", "frontend", "dependency", "unit", "load_banks", "activity" or "memory"."""
    detail: str = ""
    """Ports, unit or part of the front end behind the bottleneck; "bandwidth" for memory."""
    counters: Mapping[str, float] | None = None
    """Counters of the simulation per iteration, by gem5's names; None after an error."""
    stalls: Mapping[str, float] | None = None
    """Cycles by what rename did or waited for; "none": a full group moved."""
    memory_cycles: float = 0.0
    """Of what an iteration streams, at the bandwidth; 0 where none was given."""
    flops: float = 0.0
    """Floating-point operations per iteration."""
    bytes: float = 0.0
    """Loaded and stored."""

    @property
    def core_cycles(self) -> float:
        """Without the limit of a bandwidth."""
        return sum((self.stalls or {}).values())

    @property
    def flops_per_cycle(self) -> float:
        """Floating-point operations per core cycle; 0 without cycles."""
        return self.flops / self.cycles_per_iteration if self.cycles_per_iteration else 0.0

    @property
    def cycles_per_element(self) -> float | None:
        """Core cycles per element; None where the elements are not known."""
        return self.cycles_per_iteration / self.elements if self.elements else None

    @property
    def ipc(self) -> float | None:
        """Instructions per core cycle; None after an error."""
        return self.instructions / self.cycles_per_iteration if self.cycles_per_iteration else None

    @property
    def work_cycles(self) -> float:
        """Cycles for the same work: of an element where elements are known, else of an iteration."""
        return self.cycles_per_element or self.cycles_per_iteration

    def stall_shares(self) -> dict[str, float]:
        """Parts of all cycles, largest first; cycles with a full group are not among them."""
        total = self.core_cycles or 1
        found = {
            cause: cycles / total for cause, cycles in (self.stalls or {}).items() if cause != "none" and cycles > 0
        }
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def buffer_events(self) -> dict[str, float]:
        """Cycles of an iteration in which rename found a buffer full."""
        counters = self.counters or {}
        return {name: sum(counters.get(part, 0.0) for part in parts) for name, parts in BUFFER_EVENTS.items()}

    def busy_events(self) -> dict[str, float]:
        """Cycles that micro-ops of an iteration waited for their unit: `fuBusy`, then by class."""
        counters = self.counters or {}
        found = {"fuBusy": counters.get("fuBusy", 0.0)}
        found.update({name: value for name, value in counters.items() if name.startswith("statFuBusy::")})
        return found


def look_at(subject: Subject, machine: Machine, settings: Settings, setup: Setup) -> PointResult:
    """One point. Settings that the core cannot have are reported in the result, so that the other points go on."""
    try:
        core = variant(machine, settings)
        bits = core.core.vector_bits
        kernel = subject.kernel_at(bits)
        found = simulate_kernel(kernel, core, setup.options)
    except CorecastError as error:
        return PointResult(subject.name, settings, error=error.message)
    if setup.options.unknown != "skip" and _core.too_many_unknown(found.unknown, len(kernel.instructions)):
        why = f"no data for {found.unknown} of {len(kernel.instructions)} instructions: too many for a forecast"
        return PointResult(subject.name, settings, error=why)
    work = work_of(kernel, bits)
    memory = setup.bandwidth.cycles(kernel, bits) if setup.bandwidth is not None else 0.0
    bound = memory > found.cycles_per_iteration
    return PointResult(
        subject.name,
        settings,
        cycles_per_iteration=max(memory, found.cycles_per_iteration),
        elements=subject.elements.count(bits) if subject.elements is not None else 0.0,
        vector_bits=bits,
        instructions=len(kernel.instructions),
        uops=sum(found.port_uops.values()),
        bottleneck="memory" if bound else found.bottleneck,
        detail="bandwidth" if bound else found.detail,
        counters=found.counters,
        stalls=found.stalls,
        memory_cycles=memory,
        flops=work.flops,
        bytes=work.bytes,
    )
