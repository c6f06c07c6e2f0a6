"""The core that this program runs on."""

from __future__ import annotations

import os
import platform
from bisect import insort
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from corecast import _core
from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field, replace
from corecast.errors import InputError
from corecast.hints import ClassVar, Literal, cast
from corecast.measure.isa.x86.tiles import tile_problem
from corecast.measure.plan.kernels import TimedKernel
from corecast.measure.rejection import SIGNALS, Reason, Rejection
from corecast.measure.run.core import Outcome, Timing
from corecast.measure.thresholds import HOST_LOOP_CYCLES, HOST_UNEVEN

_X87_STACK, _X87_SUBNORMAL = 1 << 6, 1 << 1 | 1 << 4
"""Bits of x87's status word: stack fault; denormal operand, underflow."""
SIMD_SUBNORMAL = 1 << 1 | 1 << 4
"""Bits of MXCSR: denormal operand, underflow."""


@dataclass
class HostCore:
    """Times kernels in child processes of this one.

    It remembers how fast the reference and the witness ran. Where the reference does not run as fast again, something
    shares the core, or the clock has become slower: that measurement is not stable. After MISSES such in succession it
    is the clock. Of the witness a low quantile counts, for a look that was too fast by chance would make all others
    slow.
    """

    MISSES: ClassVar[int] = 8
    """Measurements in succession with slow references after which the clock counts as slower."""
    FIRST_LOOKS: ClassVar[int] = 3
    """Looks at the reference before the first measurement."""
    TOO_FAST: ClassVar[float] = 0.1
    """Part of all looks at the witness."""

    cpu: int = -1
    """The system's number of the core; -1: the one that the caller runs on."""
    real_time: bool = True
    """Asks for real-time priority, where the system grants it."""
    timeout_seconds: float = 5.0
    """For a batch of samples."""
    batches: int = 16
    """At most."""
    counts_cycles: bool = False
    """The clock is the system's counter of the core's cycles; else one that always runs."""
    _rate: float = field(default=0.0, init=False, repr=False)
    """Ticks per cycle."""
    _witnesses: dict[bool, list[float]] = field(default_factory=dict, init=False, repr=False)
    """Cycles of code that needs the whole width of the core, ascending; of loops (true) and of other kernels, whose
    witnesses differ."""
    _misses: int = field(default=0, init=False, repr=False)

    @property
    def isa(self) -> Isa:
        """Instruction set of this machine."""
        return cast(Isa, _core.measurable_isa())

    @property
    def clock(self) -> str:
        """What time is read from: rdtsc, cntvct_el0, perf rdpmc and the like."""
        return _core.measuring_clock(self._clock)

    @property
    def _clock(self) -> str:
        return "counter" if self.counts_cycles else "timer"

    @cached_property
    def name(self) -> str:
        """For records: the CPU's own name."""
        return host_name()

    def time(self, kernel: TimedKernel) -> Outcome:
        """Time the kernel in batches of samples until two agree; a rejection says why there is no value."""
        problem = tile_problem(kernel.texts) if kernel.isa == "x86" else None
        if problem is not None:
            return problem
        if self._rate == 0 or kernel.is_loop not in self._witnesses:
            self._look_around(kernel)
        measured, alone = self._measure_alone(kernel)
        even = _is_even(measured)
        for copies in _other_copies(measured) if not kernel.is_loop and not even else ():
            other, other_alone = self._measure_alone(kernel, copies)
            if other.estimate.stable and _is_even(other):
                measured, alone, even = other, other_alone, True
                break
        self._remember(measured.estimate, self._witnesses[kernel.is_loop])
        rejection = self._rejection(measured, kernel)
        if rejection is not None:
            return rejection
        timing = Timing.of_estimate(
            measured.estimate, (measured.short_copies, measured.long_copies), measured.iterations
        )
        subnormal = bool(measured.simd_status & SIMD_SUBNORMAL) and kernel.isa == "x86"
        conditions = {
            **({"subnormal": True} if subnormal else {}),
            "pinned": measured.pinned,
            "real_time": measured.real_time,
            "confined": measured.confined,
        }
        return replace(timing, stable=timing.stable and alone and even, conditions=conditions)

    def _look_around(self, kernel: TimedKernel) -> None:
        """How fast the reference can run, and how much of the core there is, is not known from one look."""
        looks = [self._measure(kernel).estimate for _ in range(self.FIRST_LOOKS)]
        usable = [look for look in looks if look.kept > 0 and look.ticks_per_cycle > 0]
        rates = [look.ticks_per_cycle for look in usable]
        if self._rate > 0:
            rates.append(self._rate)
        self._rate = min(rates, default=0.0)
        self._witnesses[kernel.is_loop] = sorted(look.witness_cycles for look in usable if look.witness_cycles > 0)

    def _witness(self, kernel: TimedKernel) -> float:
        """Cycles that it takes while nobody else is there; 0: not known."""
        known = self._witnesses[kernel.is_loop]
        return known[int(len(known) * self.TOO_FAST)] if known else 0.0

    def _measure_alone(self, kernel: TimedKernel, copies: int = 0) -> tuple[_core.Measurement, bool]:
        """Samples of a core that nobody shares. If there are none, others, and that it is so."""
        witness = self._witness(kernel)
        measured = self._measure(kernel, copies, witness)
        if measured.end == "failed" and measured.estimate.batches > 0 and witness > 0:
            return self._measure(kernel, copies), False
        return measured, True

    def _measure(self, kernel: TimedKernel, copies: int = 0, witness: float = 0.0) -> _core.Measurement:
        return _core.measure(
            kernel.code,
            kernel.values.to_core(),
            counter=kernel.counter,
            is_loop=kernel.is_loop,
            copies=copies or kernel.copies,
            cpu=self.cpu,
            real_time=self.real_time,
            timeout_seconds=self.timeout_seconds,
            most_batches=self.batches,
            known_rate=self._rate,
            known_witness=witness,
            setting=kernel.setting,
            keeps_flags=kernel.keeps_flags,
            clock=self._clock,
            relocations=[(each.field, each.end, each.target) for each in kernel.relatives],
            most_iterations=kernel.most_iterations,
            drains=kernel.most_iterations > 0,
            data_pages=kernel.data_pages,
        )

    def _remember(self, estimate: _core.Estimate, witnesses: list[float]) -> None:
        if estimate.kept == 0:
            return
        self._misses = 0 if estimate.at_known_rate else self._misses + 1
        faster = estimate.stable and estimate.ticks_per_cycle < self._rate
        if faster or self._misses == self.MISSES:
            self._rate, self._misses = estimate.ticks_per_cycle, 0
        if estimate.stable and estimate.witness_cycles > 0:
            insort(witnesses, estimate.witness_cycles)

    def _rejection(self, measured: _core.Measurement, kernel: TimedKernel) -> Rejection | None:
        if measured.end == "done":
            return _x87_rejection(measured.x87_status)
        if measured.end == "timeout":
            return Rejection(Reason.TIMEOUT, f"{self.timeout_seconds:g}")
        if measured.end == "failed":
            if measured.tiles_refused:
                return Rejection(Reason.AMX_REFUSED, measured.message)
            if measured.estimate.batches > 0 and measured.estimate.kept == 0:
                return Rejection(Reason.DISTURBED)
            return Rejection(Reason.RUNNER, measured.message)
        index = kernel.instruction_at(measured.fault_offset)
        where = f" in '{kernel.texts[index]}'" if index is not None else ""
        if measured.signal in ("SIGSEGV", "SIGBUS"):
            where += f" at address {measured.address:#x}"
        reason = SIGNALS.get(measured.signal)
        if reason is None:
            return Rejection(Reason.SIGNAL, f"{measured.signal}{where}", index)
        return Rejection(reason, where, index)


def _x87_rejection(status: int) -> Rejection | None:
    """A time that says something about exceptions of x87, which cores handle in hundreds of cycles."""
    if status & _X87_STACK:
        return Rejection(Reason.X87_STACK)
    return Rejection(Reason.X87_SUBNORMAL) if status & _X87_SUBNORMAL else None


def _is_even(measured: _core.Measurement) -> bool:
    """Whether the longer of the unrolled loops took as long for each copy as the shorter. Else their difference means
    nothing: some code settles in one of several ways to run, each loop in its own."""
    estimate = measured.estimate
    copies = measured.short_copies * estimate.cycles
    return measured.end != "done" or abs(estimate.overhead_cycles) <= HOST_LOOP_CYCLES + HOST_UNEVEN * copies


def _other_copies(measured: _core.Measurement) -> tuple[int, ...]:
    """Unroll factors beside that which was tried."""
    tried = measured.short_copies
    return tuple(copies for copies in (tried * 3 // 4, tried + 1, tried // 2) if 0 < copies != tried)


ClockChoice = Literal["auto", "timer", "perf"]


def host_core(
    cpu: int | None = None, *, real_time: bool = True, timeout_seconds: float = 5.0, clock: ClockChoice = "auto"
) -> HostCore:
    """The host's core, where it can be measured.

    Args:
        clock: perf: the system's counter of the core's cycles; timer: a clock that always runs; auto: the counter where
            programs may read it.

    Raises:
        InputError: it cannot, or has no such core or clock.
    """
    obstacle = _core.measuring_obstacle()
    if obstacle:
        raise InputError(obstacle)
    if cpu is not None:
        require_cores((cpu,))
    no_counter = "timer was asked for" if clock == "timer" else _core.counter_obstacle()
    if clock == "perf" and no_counter:
        raise InputError(f"no clock 'perf' here: {no_counter}")
    return HostCore(-1 if cpu is None else cpu, real_time, timeout_seconds, counts_cycles=not no_counter)


def usable_cores() -> tuple[int, ...]:
    """Of this machine, that this process may use."""
    return tuple(sorted(os.sched_getaffinity(0)))


def require_cores(wanted: Iterable[int], allowed: Sequence[int] | None = None) -> None:
    """Raises InputError where one does not exist, or may not be used; `allowed`: by default this process's."""
    allowed = usable_cores() if allowed is None else allowed
    missing = [core for core in wanted if core not in allowed]
    if missing:
        usable = f"core {allowed[0]}" if len(allowed) == 1 else f"cores {', '.join(map(str, allowed))}"
        raise InputError(f"no core {missing[0]} for this process: it may use {usable}")


def host_name() -> str:
    """The CPU's own name with what identifies it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or platform.machine()
    return name_of_cpuinfo(text, platform.machine())


def name_of_cpuinfo(text: str, machine: str) -> str:
    """The CPU's name in the text of /proc/cpuinfo, or else the machine's, with what identifies it."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    name = fields.get("model name") or machine
    numbers = [f"{key} {fields[key]}" for key in ("cpu family", "model", "stepping", "CPU part") if key in fields]
    return f"{name} ({', '.join(numbers)})" if numbers else name
