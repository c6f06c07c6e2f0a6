"""One block on one core: traced, judged, timed."""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Iterable

from corecast import _core
from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field, replace
from corecast.errors import CorecastError, InputError
from corecast.measure.isa.x86.tiles import tile_problem
from corecast.timing.accesses import STEP_BYTES, Reach, fault_reason, judge
from corecast.timing.blocks import PreparedBlock, prepare
from corecast.timing.cores import caches_of, data_ways
from corecast.timing.runner import Runner, Terms, local_runner
from corecast.timing.verdict import Mode, Rejected, Verdict
from corecast.timing.visits import SPREAD
from corecast.timing.widths import is_too_fast

_TRACED_INSTRUCTIONS = 192
_MOST_TRACED_COPIES = 24
_MOST_STEPS = 2048
FEWEST_TURNS = 8
TURNS = (4096, 2048, 1024, 512, 256, 64, 32, 16, FEWEST_TURNS)
"""Of a loop whose addresses move on, until they start again. Not 128: the end of that many turns a Zen 4 foresees, that
of twice as many it does not."""
_STACK_FAULT, _X87_SUBNORMAL = 1 << 6, 1 << 1 | 1 << 4
_ENDED_BY_OTHERS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGKILL")
_BY_SIGNAL = {"SIGFPE": "division", "SIGILL": "illegal", "SIGSYS": "system", "SIGTRAP": "system"}
_ADDITION: dict[Isa, str] = {"x86": "4801d8", "aarch64": "2100028b", "riscv64": "3305b500"}
_LOOKS = 10
_LOOK_PAUSE_SECONDS = 0.2


class Interrupted(Exception):
    """The block did nothing wrong: its process was ended from outside."""


@dataclass
class Clock:
    """How fast a core ever ran: what shares it, or slows it, shows beside that."""

    rate: float = 0.0
    """Ticks per cycle."""
    witness: float = 0.0
    """Cycles of code that needs the whole core."""
    misses: int = 0
    _witnesses: list[float] = field(default_factory=list, repr=False)
    """All looks at that code, ascending."""

    MISSES = 12
    TOO_FAST = 0.1
    """Part of all looks at the witness."""

    def remember(self, estimate: _core.Estimate) -> None:
        """Where the core is left alone, but was not as fast for long, its clock has become slower."""
        if estimate.kept == 0:
            return
        if not estimate.at_known_rate:
            self.misses += 1
            if self.misses >= self.MISSES:
                self.rate, self.misses = estimate.ticks_per_cycle, 0
            return
        self.misses = 0
        if estimate.stable:
            rate, witness = estimate.ticks_per_cycle, estimate.witness_cycles
            self.rate = min(self.rate or rate, rate)
            self.see(witness)

    def see(self, witness: float) -> None:
        """A low quantile of all looks counts: beside one that was too fast by chance all others would be slow, and no
        block would count any more. Behind vector code a Granite Rapids executes the witness's no-operations a quarter
        faster at times."""
        if witness <= 0:
            return
        if not self._witnesses and self.witness > 0:
            self._witnesses.append(self.witness)
        insort(self._witnesses, witness)
        self.witness = self._witnesses[int(len(self._witnesses) * self.TOO_FAST)]


@dataclass
class BlockTimer:
    """Times blocks on one core of this machine."""

    cpu: int
    mode: Mode
    timeout_seconds: float = 2.0
    batches: int = 8
    width: float | None = None
    """Micro-ops a cycle that the core can take in; 0: not known; None: as the runner knows."""
    clock: Clock = field(default_factory=Clock)
    runner: Runner = field(default_factory=local_runner)

    def __post_init__(self) -> None:
        if self.width is None:
            self.width = self.runner.width
        self._ways = data_ways(caches_of(self.cpu) if self.runner.is_here else ())

    def calibrate(self) -> None:
        """Learns how fast the core is when it is left alone.

        Raises:
            InputError: this machine cannot be measured.
        """
        if self.runner.obstacle:
            raise InputError(self.runner.obstacle)
        looks = [self._look()]
        for _ in range(_LOOKS - 1):
            time.sleep(_LOOK_PAUSE_SECONDS)  # a neighbour may be busy for a while
            looks.append(self._look())
        usable = [look.estimate for look in looks if look.estimate.kept and look.estimate.ticks_per_cycle]
        if not usable:
            raise InputError("this machine is too busy to be measured")
        self.clock.rate = min(estimate.ticks_per_cycle for estimate in usable)
        for estimate in usable:
            self.clock.see(estimate.witness_cycles)

    def pace(self) -> float:
        """Cycles of the witness now: how much of the core there is."""
        return min(self._look().estimate.witness_cycles for _ in range(3))

    def _look(self) -> _core.Measurement:
        """At the clock and the witness, with nothing known before."""
        block = prepare(bytes.fromhex(_ADDITION[self.runner.isa]), 0, self.mode, self.runner.isa)
        return self._measure(block, block.timed(block.candidates()[0], self.mode), known=False)

    def time(self, code: bytes, address: int) -> Verdict:
        """Raises Interrupted where the block's process was ended from outside."""
        try:
            block = prepare(code, address, self.mode, self.runner.isa)
            texts = [each.text for each in block.instructions]
            problem = tile_problem(texts) if block.isa == "x86" else None
            if problem is not None:
                raise Rejected(problem.reason.word)
            values, reach, step = self._suitable(block)
            return replace(self._time(block, values, reach), register_step=step)
        except Rejected as rejected:
            return Verdict(reason=rejected.reason)

    def _suitable(self, block: PreparedBlock) -> tuple[_core.StartValues, Reach, int | None]:
        """The first start values with which nothing spoils the measurement, and their step from register to register;
        if there are none, why the first do not."""
        first: Rejected | None = None
        for values, step in zip(block.candidates(), block.register_steps(), strict=True):
            try:
                return values, self._trace(block, values), step
            except Rejected as rejected:
                first = first or rejected
        assert first is not None
        raise first

    def _trace(self, block: PreparedBlock, values: _core.StartValues) -> Reach:
        count = len(block.instructions)
        copies = max(3, min(_MOST_TRACED_COPIES, _TRACED_INSTRUCTIONS // count))
        trace = self.runner.trace(block.timed(values, "unroll"), copies, _MOST_STEPS, self._terms(known=False))
        if trace.tiles_refused:
            raise Rejected("amx_refused")
        if trace.end == "failed":
            raise CorecastError(trace.message)
        reach = judge(block, trace.steps)
        if trace.end != "done":
            if trace.signal == "SIGSEGV":
                raise Rejected(fault_reason(block, trace.steps))
            raise _reason_of(trace.end, trace.signal)
        if not trace.complete and len(trace.steps) < _MOST_STEPS * STEP_BYTES:
            raise Rejected("flags")
        return reach

    def _time(self, block: PreparedBlock, values: _core.StartValues, reach: Reach) -> Verdict:
        timed = block.timed(values, self.mode)
        if reach.drift_bytes and self.mode == "loop":
            timed.most_iterations = most_turns(TURNS, reach, self._ways)
            timed.drains = True
        elif reach.drift_bytes:
            copies = max(FEWEST_TURNS, _core.decoded_bytes() // len(block.code))
            timed.copies = most_turns([copies >> halved for halved in range(copies.bit_length())], reach, self._ways)
        witness = self.clock.witness
        measured = self._measure(block, timed)
        estimate = measured.estimate
        if measured.tiles_refused:
            raise Rejected("amx_refused")
        if measured.end == "failed" and estimate.batches == 0:
            raise CorecastError(measured.message)
        if measured.end not in ("done", "failed"):
            raise _reason_of(measured.end, measured.signal)
        if measured.x87_status & _STACK_FAULT:
            raise Rejected("x87")
        if measured.x87_status & _X87_SUBNORMAL:
            raise Rejected("subnormal")
        self.clock.remember(estimate)
        if measured.end == "failed" or not estimate.at_known_rate:
            raise Rejected("disturbed")
        if not estimate.stable or estimate.cycles <= 0:
            raise Rejected("unstable")
        if is_too_fast(estimate.cycles, block.instructions, self.width or 0.0):
            raise Rejected("too_fast")
        spread = (estimate.high - estimate.low) / estimate.cycles
        if spread > SPREAD:
            raise Rejected("spread")
        return Verdict(estimate.cycles, spread, witness=witness)

    def _measure(self, block: PreparedBlock, timed: _core.TimedBlock, known: bool = True) -> _core.Measurement:
        return self.runner.measure(block, timed, self._terms(known))

    def _terms(self, known: bool) -> Terms:
        rate, witness = (self.clock.rate, self.clock.witness) if known else (0.0, 0.0)
        return Terms(self.cpu, self.timeout_seconds, self.batches, rate, witness)


def most_turns(turns: Iterable[int], reach: Reach, ways: int) -> int:
    """The first of these numbers with which a run of twice as many stays in a cache of so many ways.

    Raises:
        Rejected: there is none.
    """
    for each in turns:
        if each >= FEWEST_TURNS and reach.fits(2 * each, ways):
            return each
    raise Rejected("memory")


def _reason_of(end: str, signal: str) -> Exception:
    if end == "timeout":
        return Rejected("timeout")
    if signal in _ENDED_BY_OTHERS:
        return Interrupted()
    return Rejected(
        {"SIGFPE": "division", "SIGILL": "illegal", "SIGSYS": "system", "SIGTRAP": "system"}.get(signal, "memory")
    )
