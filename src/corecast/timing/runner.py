"""Who executes and times code: this process, or a program on another machine or under an emulator, which is spoken to
line by line (cpp/tools/runner.cpp)."""

from __future__ import annotations

import shlex
import subprocess
import threading
from functools import cached_property
from pathlib import Path

from corecast import _core
from corecast.asm.code import Isa
from corecast.dataclass import dataclass, field
from corecast.errors import CorecastError, InputError
from corecast.hints import TYPE_CHECKING, Any, Protocol, cast
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.run.host import host_name, name_of_cpuinfo, usable_cores
from corecast.timing.verdict import Rejected

if TYPE_CHECKING:
    from corecast.machine import Machine
    from corecast.timing.blocks import PreparedBlock

CPUINFO = "/proc/cpuinfo"
_WITNESS_NOPS = 64
TICKS_PER_CYCLE = 20.0
"""Of the clock of a simulated core: fine enough for readings to be exact."""
_SIMULATED_SAMPLES = 8
"""A batch, as few as count: they are all alike."""
_DECODED_BYTES, _MOST_DECODED = 2500, 1000
"""Of unrolled code that is decoded anew, as the runner chooses its copies."""
_LIMIT_SECONDS = 60.0
"""Beyond what a request allows itself: an emulator may be slow."""


@dataclass(frozen=True)
class Terms:
    """How a block is measured."""

    cpu: int
    timeout_seconds: float
    batches: int
    known_rate: float = 0.0
    known_witness: float = 0.0


class Runner(Protocol):
    """Executes and times blocks."""

    @property
    def isa(self) -> Isa: ...

    @property
    def name(self) -> str:
        """Of the machine, for journals."""

    @property
    def is_here(self) -> bool:
        """Whether its cores are those of this machine."""

    @property
    def obstacle(self) -> str:
        """Why nothing can be measured, "" where it can."""

    @property
    def cores(self) -> tuple[int, ...]:
        """That it may use."""

    @property
    def width(self) -> float:
        """Micro-ops a cycle that the core can take in; 0: not known."""

    def read(self, path: str) -> str:
        """The text of a file of its system, "" where there is none."""

    def trace(self, block: _core.TimedBlock, copies: int, most_steps: int, terms: Terms) -> _core.Trace: ...

    def measure(self, block: PreparedBlock, timed: _core.TimedBlock, terms: Terms) -> _core.Measurement:
        """Raises Rejected where the core has no such instruction."""

    def another(self) -> Runner:
        """One like it that works at the same time."""

    def close(self) -> None: ...


@dataclass
class LocalRunner:
    """This process, or children of it."""

    clock: str = "timer"

    @property
    def isa(self) -> Isa:
        return cast(Isa, _core.measurable_isa())

    @property
    def name(self) -> str:
        return host_name()

    @property
    def is_here(self) -> bool:
        return True

    @property
    def obstacle(self) -> str:
        return _core.measuring_obstacle()

    @property
    def cores(self) -> tuple[int, ...]:
        return usable_cores()

    @property
    def width(self) -> float:
        from corecast.timing.widths import host_width

        return host_width()

    def read(self, path: str) -> str:
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def trace(self, block: _core.TimedBlock, copies: int, most_steps: int, terms: Terms) -> _core.Trace:
        return _core.trace_block(block, copies, most_steps, terms.cpu, terms.timeout_seconds)

    def measure(self, _block: PreparedBlock, timed: _core.TimedBlock, terms: Terms) -> _core.Measurement:
        return _core.measure_block(
            timed,
            cpu=terms.cpu,
            timeout_seconds=terms.timeout_seconds,
            most_batches=terms.batches,
            known_rate=terms.known_rate,
            known_witness=terms.known_witness,
            clock=self.clock,
        )

    def another(self) -> LocalRunner:
        return self

    def close(self) -> None:
        """There is nothing to end."""


def local_runner() -> LocalRunner:
    """This machine's. On x86 the time stamp counter is fine enough; elsewhere the counter of cycles is read where
    programs may."""
    counts = _core.measurable_isa() not in ("", "x86") and not _core.counter_obstacle()
    return LocalRunner("counter" if counts else "timer")


@dataclass
class RemoteRunner:
    """A program that answers line by line, which ends with this object."""

    command: tuple[str, ...]
    _process: subprocess.Popen[str] | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    @cached_property
    def _hello(self) -> dict[str, str]:
        words = self._ask("hello", 0.0).split()
        found = dict(word.partition("=")[::2] for word in words[1:])
        if words[:1] != ["hello"] or not {"isa", "obstacle", "counter_obstacle", "cores"} <= found.keys():
            raise self._error("answers like another program")
        return found

    @property
    def isa(self) -> Isa:
        return cast(Isa, self._hello["isa"])

    @property
    def name(self) -> str:
        return name_of_cpuinfo(self.read(CPUINFO), self.isa)

    @property
    def is_here(self) -> bool:
        return False

    @property
    def obstacle(self) -> str:
        return self._decoded(self._hello["obstacle"])

    @property
    def cores(self) -> tuple[int, ...]:
        return tuple(map(int, filter(None, self._hello["cores"].split(","))))

    @property
    def width(self) -> float:
        from corecast.timing.widths import width_of

        return width_of(self.read(CPUINFO))

    @property
    def clock(self) -> str:
        return "timer" if self._hello["counter_obstacle"] or self.isa == "x86" else "counter"

    def read(self, path: str) -> str:
        verb, _, digits = self._ask(f"read {path.encode().hex()}", 0.0).partition(" ")
        return self._decoded(digits) if verb == "text" else ""

    def trace(self, block: _core.TimedBlock, copies: int, most_steps: int, terms: Terms) -> _core.Trace:
        line = _core.trace_request(block, copies, most_steps, terms.cpu, terms.timeout_seconds)
        return _core.trace_of(self._answer(line, terms))

    def measure(self, _block: PreparedBlock, timed: _core.TimedBlock, terms: Terms) -> _core.Measurement:
        return self._measured(timed, terms, clock=self.clock)

    def _measured(self, timed: _core.TimedBlock, terms: Terms, **clock: Any) -> _core.Measurement:
        """`clock`: further arguments of the request, which say what counts the cycles."""
        line = _core.measure_request(
            timed,
            cpu=terms.cpu,
            timeout_seconds=terms.timeout_seconds,
            most_batches=terms.batches,
            known_rate=terms.known_rate,
            known_witness=terms.known_witness,
            **clock,
        )
        return _core.measurement_of(self._answer(line, terms))

    def another(self) -> RemoteRunner:
        return RemoteRunner(self.command)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _answer(self, line: str, terms: Terms) -> str:
        answer = self._ask(line, terms.timeout_seconds * (terms.batches + 1))
        verb, _, digits = answer.partition(" ")
        if verb == "error":
            raise CorecastError(f"{self._name}: {self._decoded(digits)}")
        return answer

    def _ask(self, line: str, seconds: float) -> str:
        with self._lock:
            process = self._process or self._start()
            assert process.stdin is not None
            assert process.stdout is not None
            alarm = threading.Timer(seconds + _LIMIT_SECONDS, process.kill)
            alarm.start()
            try:
                process.stdin.write(line + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
            except OSError:
                answer = ""
            except BaseException:
                self.close()  # its answer would be taken for that to the next request
                raise
            finally:
                alarm.cancel()
            if not answer.endswith("\n"):
                self.close()
                raise self._error("ended, or does not answer")
            return answer.rstrip("\n")

    def _start(self) -> subprocess.Popen[str]:
        try:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except OSError as error:
            raise self._error(error.strerror or str(error)) from None
        return self._process

    def _decoded(self, digits: str) -> str:
        try:
            return bytes.fromhex(digits).decode("utf-8", "replace")
        except ValueError:
            raise self._error("answers like another program") from None

    @property
    def _name(self) -> str:
        return f"runner '{shlex.join(self.command)}'"

    def _error(self, what: str) -> InputError:
        return InputError(f"{self._name}: {what}")


@dataclass
class SimulatedRunner(RemoteRunner):
    """Code is executed by a program, on whatever runs it; the clock is that of a simulated core."""

    machine: Machine | None = None
    ticks_per_cycle: float = TICKS_PER_CYCLE

    @property
    def _model(self) -> Machine:
        assert self.machine is not None
        return self.machine

    @property
    def name(self) -> str:
        return f"simulated {self._model.name}"

    @property
    def width(self) -> float:
        return self._model.core.rename_width

    def measure(self, block: PreparedBlock, timed: _core.TimedBlock, terms: Terms) -> _core.Measurement:
        copies = 1
        if not timed.is_loop:
            copies = timed.copies or max(1, min(_DECODED_BYTES // len(block.code), _MOST_DECODED))
            timed.copies = copies
        cycles = copies * self._simulated(block, timed)
        width = self.width or float(_WITNESS_NOPS)
        return self._measured(
            timed,
            terms,
            samples=_SIMULATED_SAMPLES,
            ticks_per_cycle=self.ticks_per_cycle,
            shorter=cycles,
            longer=cycles if timed.is_loop else 2 * cycles,
            witness=max(1.0, _WITNESS_NOPS / width),
        )

    def _simulated(self, block: PreparedBlock, timed: _core.TimedBlock) -> float:
        """Cycles of one execution."""
        instructions, core = list(block.instructions), self._model.core
        if timed.is_loop:
            instructions += instruction_set(block.isa).closing(instructions, timed.counter, False)
        if any(core.lacks(each) for each in instructions):
            raise Rejected("illegal")
        found = _core.simulate(core, instructions, "loop" if timed.is_loop else "unroll")
        if found.unknown:
            raise Rejected("illegal")
        return found.cycles_per_iteration

    def another(self) -> SimulatedRunner:
        return SimulatedRunner(self.command, self.machine, self.ticks_per_cycle)


def runner_of(command: str | None, machine: Machine | None = None) -> Runner:
    """This machine's runner, or the program that a command starts; `machine`: the simulated core behind its clock.

    Raises:
        InputError: the command is empty, does not run, or runs code of another instruction set than the machine's.
    """
    if command is None:
        if machine is not None:
            raise InputError("--on needs --runner: the program that executes the code")
        return local_runner()
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise InputError(f"--runner: {error}") from None
    if not words:
        raise InputError("--runner takes a command")
    if machine is None:
        return RemoteRunner(words)
    runner = SimulatedRunner(words, machine)
    try:
        if runner.isa != machine.isa:
            raise InputError(f"{machine.name} is a core of {machine.isa}, and the runner executes {runner.isa} code")
    except BaseException:
        runner.close()
        raise
    return runner
