"""What is calibrated: this machine's core, or a simulated one in its place."""

from __future__ import annotations

import time
from hashlib import sha256

from corecast import _core
from corecast.asm.code import Isa
from corecast.calibrate.code import Block
from corecast.dataclass import dataclass, field, replace
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING, Protocol
from corecast.measure.plan.kernels import TimedKernel, of_instructions
from corecast.measure.rejection import Reason, Rejection
from corecast.measure.run.core import Core, Outcome, Relay, Timing
from corecast.measure.run.host import HostCore, host_core
from corecast.measure.run.simulated import SimulatedCore
from corecast.measure.run.worker import WorkerCore
from corecast.prediction import predict
from corecast.timing.blocks import prepare
from corecast.timing.cores import choose_cores
from corecast.timing.pointers import DataOptions, with_data
from corecast.timing.timer import BlockTimer, Interrupted
from corecast.timing.verdict import Mode, Rejected, Verdict
from corecast.timing.visits import SPREAD

if TYPE_CHECKING:
    from corecast.machine import Machine

KERNEL_BATCHES = 8
"""Of a compiled loop, at most."""
VISIT_SECONDS, KERNEL_SECONDS = 0.02, 0.05
"""That a timing on a simulated core counts as: runs are the same however fast the simulation is."""
_NEAR = 0.3
"""From the lowest to the highest quarter of samples, of their middle."""
_REJECTED_BY_NOTE = (
    ("a load meets", "aliasing"),
    ("a load takes", "forwarding"),
    ("an access crosses a page", "page_split"),
    ("an access crosses", "unaligned"),
    ("an address", "memory"),
    ("the data of", "memory"),
)

_VERDICTS = {
    Reason.ILLEGAL: "illegal",
    Reason.TIMEOUT: "timeout",
    **dict.fromkeys((Reason.SEGMENT, Reason.BUS), "memory"),
    Reason.ARITHMETIC: "division",
    **dict.fromkeys((Reason.SYSTEM_CALL, Reason.TRAP, Reason.SIGNAL), "system"),
    Reason.DISTURBED: "disturbed",
    Reason.X87_STACK: "x87",
    Reason.X87_SUBNORMAL: "subnormal",
}
"""Of kernels, in the words of blocks (corecast.timing.verdict)."""


class Bench(Protocol):
    """A core that blocks, kernels and forms can be timed on."""

    @property
    def identity(self) -> str:
        """What tells this machine from others."""

    @property
    def core(self) -> Core: ...

    @property
    def features(self) -> frozenset[str]:
        """Of the core, by Linux's names."""

    def now(self) -> float:
        """Seconds on the clock that the budget is counted on."""

    def visit(self, block: Block) -> Verdict:
        """Times a block once."""

    def middle(self, block: Block) -> float | None:
        """Cycles of a compiled loop that takes now more, now less: of the middle of its samples, if they are near."""

    def patience(self, batches: int) -> None:
        """How many batches of samples a kernel may have from now on."""

    def close(self) -> None: ...


class HostBench:
    """This machine."""

    def __init__(self, cpu: int | None = None) -> None:
        """
        Raises:
            InputError: it cannot be measured, or has no such core.
        """
        if _core.measurable_isa() != "x86":
            raise InputError("calibrate times x86-64 machines only so far; `corecast measure` times others")
        (self.cpu, *_) = choose_cores(None if cpu is None else (cpu,))
        self._worker = WorkerCore(host_core(self.cpu))
        self._timers: dict[Mode, BlockTimer] = {}

    @property
    def identity(self) -> str:
        return self._worker.name

    @property
    def core(self) -> Core:
        return self._worker

    @property
    def host(self) -> HostCore:
        return self._worker.core

    @property
    def features(self) -> frozenset[str]:
        from corecast.machine.host import recognized_host

        found = recognized_host()
        return found.host.features if found is not None else frozenset()

    def now(self) -> float:
        return time.monotonic()

    def patience(self, batches: int) -> None:
        self._worker.batches = batches

    def visit(self, block: Block) -> Verdict:
        try:
            if block.kind == "compiled":
                timing = self._kernel(block)
                return _stamped(timing if isinstance(timing, Verdict) else _verdict(timing))
            return _stamped(self._timer(block.mode).time(bytes.fromhex(block.hex), int(block.address or "0", 0)))
        except Interrupted:
            return _stamped(Verdict(reason="disturbed"))

    def _timer(self, mode: Mode) -> BlockTimer:
        if mode not in self._timers:
            self._timers[mode] = BlockTimer(self.cpu, mode, width=0.0)
            self._timers[mode].calibrate()
        return self._timers[mode]

    def middle(self, block: Block) -> float | None:
        timing = self._kernel(block)
        is_near = isinstance(timing, Timing) and timing.high_cycles - timing.low_cycles <= _NEAR * timing.cycles
        return timing.cycles if isinstance(timing, Timing) and is_near else None

    def _kernel(self, block: Block) -> Outcome | Verdict:
        """A compiled loop, with arrays for its pointers."""
        try:
            instructions = prepare(bytes.fromhex(block.hex), 0, "loop").instructions
        except Rejected as rejected:
            return Verdict(reason=rejected.reason)
        kernel, notes = with_data(of_instructions(instructions, "x86", is_loop=True), DataOptions(), self.cpu)
        for start, reason in _REJECTED_BY_NOTE:
            if any(note.startswith(start) for note in notes):
                return Verdict(reason=reason)
        self.patience(KERNEL_BATCHES)
        return self._worker.time(kernel)

    def close(self) -> None:
        self._worker.close()


def _verdict(timing: Outcome) -> Verdict:
    if isinstance(timing, Rejection):
        return Verdict(reason=_VERDICTS.get(timing.reason, "failed"))
    if timing.conditions.get("subnormal"):
        return Verdict(reason="subnormal")
    if not timing.stable or timing.cycles <= 0:
        return Verdict(reason="unstable")
    spread = (timing.high_cycles - timing.low_cycles) / timing.cycles
    return Verdict(timing.cycles, spread) if spread <= SPREAD else Verdict(reason="spread")


def _stamped(verdict: Verdict) -> Verdict:
    return replace(verdict, seconds=time.time())


@dataclass
class _CountedCore(Relay[SimulatedCore]):
    """A simulated core whose timings take time."""

    seconds: float = 0.0

    def time(self, kernel: TimedKernel) -> Outcome:
        self.seconds += KERNEL_SECONDS
        return self.core.time(kernel)


@dataclass
class SimulatedBench:
    """A machine model in place of this machine. Its clock counts timings, so that every run is the same."""

    machine: Machine
    _counted: _CountedCore = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.machine.isa != "x86":
            raise InputError(f"calibrate is for x86 so far, and {self.machine.name} is a core of {self.machine.isa}")
        self._counted = _CountedCore(SimulatedCore(self.machine))

    @property
    def identity(self) -> str:
        digest = sha256(repr(sorted(self.machine.pipeline.items())).encode()).hexdigest()[:8]
        return f"{self._counted.name} ({digest})"

    @property
    def core(self) -> Core:
        return self._counted

    @property
    def isa(self) -> Isa:
        return self.machine.isa

    @property
    def features(self) -> frozenset[str]:
        known = self.machine.extensions
        names = _core.extension_names("x86") if known is None else known
        return frozenset(name.replace(".", "_") for name in names)

    def now(self) -> float:
        return self._counted.seconds

    def visit(self, block: Block) -> Verdict:
        self._counted.seconds += VISIT_SECONDS
        found = predict([block.hex], self.machine, block.mode, "simulate", 1, addresses=[block.address])
        if found.statuses[0] != "ok":
            return Verdict(reason="illegal")
        return Verdict(found.cycles[0], 0.0)

    def middle(self, block: Block) -> float | None:
        return self.visit(block).cycles

    def patience(self, batches: int) -> None:
        """A simulated core is as patient as it is."""

    def close(self) -> None:
        """There is nothing to end."""
