"""Why there is no value: every reason, each with the sentence that reports it.

What cannot be timed, or says nothing when it was, is rejected. Code that makes kernels raises `CannotMeasureError`;
cores and measurements return the `Rejection`, which records hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, unique

from corecast.dataclass import dataclass
from corecast.errors import InputError

_PLACE = "{}"


@unique
class Reason(Enum):
    """A reason's value is its sentence, `{}` the place of the detail."""

    # The core ended the code.
    ILLEGAL = "ended with SIGILL (illegal instruction){}"
    SEGMENT = "ended with SIGSEGV (memory that cannot be accessed){}"
    BUS = "ended with SIGBUS{}"
    ARITHMETIC = "ended with SIGFPE (division by zero or overflow){}"
    SYSTEM_CALL = "ended with SIGSYS (system call){}"
    TRAP = "ended with SIGTRAP (trap){}"
    SIGNAL = "ended with {}"
    TIMEOUT = "did not end within {} s"
    # It ran, and its time says nothing.
    DISTURBED = "no sample was free of disturbances"
    X87_STACK = "overflows or underflows x87's register stack, which takes far longer than its instructions"
    X87_SUBNORMAL = "meets subnormal numbers in x87 registers, which takes far longer than its instructions"
    # It cannot run here.
    NO_AMX = "needs AMX that is not here: {}"
    AMX_REFUSED = "needs AMX, which is refused: {}"
    TILE_SETUP = "{}: code that changes the configuration of AMX tiles cannot be timed"
    RUNNER = "the timing itself failed: {}"
    LACKS = "needs {} does not have"
    NO_DATA = "needs {} has no data for"
    # There is no kernel of the form.
    NO_FORM = "no form of {}; see `corecast lookup`"
    OPERANDS = "'{}': no operands of that kind can be measured yet"
    OTHER_FORM = "assembles to another form: {}"
    BRANCH = "'{}' is a branch: code with branches inside cannot be timed"
    SYSTEM = "'{}' cannot be timed: it leaves user code, waits or changes modes"
    SHORT_ENCODING = "'{}' is a short encoding: it is timed as the instruction that it stands for"
    SIGNED_POINTER = "'{}' needs a signed pointer: it cannot be timed"
    COUNTED = "'{}' repeats rcx times: its time depends on the count"
    DISPLACEMENT = "'{}' has no displacement of four bytes"
    X87_ENVIRONMENT = "replaces the whole of x87's register stack"
    ASSEMBLER = "cannot be assembled: {}"
    REGISTERS = "the form leaves too few registers for its kernel"
    # No chain leads through the form.
    NO_HELPER = "no helper leads from {}"
    NO_HELPER_VALUE = "no helper makes {}"
    NO_HELPER_FLAG = "no helper reads one of its flags alone"
    NO_HELPER_ADDRESS = "no helper reaches memory where the form does"
    NO_HELPER_STORE = "no helper stores and loads {}"
    NO_BREAKER = "no helper breaks a dependency through {}"
    ALWAYS_CHAINED = "helpers from {} are always a chain with the form"
    HELPER_UNKNOWN = "helper '{}' cannot be measured on this core"
    # Its ports do not show.
    VARIANT = "'{}': a variant for certain operands, of which no kernels are made"
    MIXED_MEMORY = "'{}': memory of that kind cannot be mixed with others yet"
    STACK_POINTER = "'{}' moves the stack pointer"
    SETTINGS = "{} exclude each other"
    HIDDEN = "hidden by the front end"
    NOT_FOR_PORTS = "waits longer beside more blockers, hence not for ports"
    BEYOND_PORTS = "waits longer than ports explain"
    TOO_LONG = "the form takes too long: {} cycles of blockers"
    NOTHING_AGAINST = "nothing to compare it with"
    UNEXPLAINED = "no few uops explain the conflicts"
    NO_BLOCKER = "nothing that is known blocks a port of {}"
    # A property of the pipeline does not show.
    NO_KNEE = "the fillers never kept the second chain waiting"
    NO_LOAD_LATENCY = "the latency of a load is not known"
    # Neither.
    BROKEN = "the measurement failed: {}"
    OTHER = "{}"

    @property
    def word(self) -> str:
        """Its name in records."""
        return self.name.lower()


SIGNALS = {
    "SIGILL": Reason.ILLEGAL,
    "SIGSEGV": Reason.SEGMENT,
    "SIGBUS": Reason.BUS,
    "SIGFPE": Reason.ARITHMETIC,
    "SIGSYS": Reason.SYSTEM_CALL,
    "SIGTRAP": Reason.TRAP,
}
"""Those with a separate reason."""
_EARLIER: Mapping[Reason, tuple[str, ...]] = {
    Reason.X87_STACK: ("overflows or underflows x87's register stack: it has no time of its own",),
    Reason.X87_SUBNORMAL: ("meets subnormal numbers in x87 registers: it has no time of its own",),
    Reason.COUNTED: ("'{}' repeats as often as rcx says: it has no time of its own",),
    Reason.NOTHING_AGAINST: ("nothing to hold it against",),
}
"""Sentences of earlier versions, which records hold."""
NOT_ALLOWED = frozenset((Reason.NO_AMX, Reason.AMX_REFUSED, Reason.TILE_SETUP))
"""This machine does not let such code run, whatever the kernel."""

PASSING = frozenset((Reason.DISTURBED, Reason.RUNNER))
"""Another try may succeed."""
_OF_CODE = frozenset(
    (*SIGNALS.values(), Reason.SIGNAL, Reason.TIMEOUT, Reason.X87_STACK, Reason.X87_SUBNORMAL, Reason.NO_AMX)
) | {Reason.AMX_REFUSED, Reason.LACKS, Reason.NO_DATA}
"""Their sentences lack the subject, which is the code."""


@dataclass(frozen=True)
class Rejection:
    """Why there is no value."""

    reason: Reason
    """One of the reasons in docs/measuring-reference.md."""
    detail: str = ""
    """What stands for the place in the reason's sentence."""
    instruction: int | None = None
    """Index in the kernel of the one that it is about, where it is about one."""

    @property
    def message(self) -> str:
        """One sentence, without the subject where that is the code."""
        return self.reason.value.replace(_PLACE, self.detail)

    @property
    def sentence(self) -> str:
        """With the subject, for readers who see nothing else."""
        return f"the code {self.message}" if self.reason in _OF_CODE else self.message

    @classmethod
    def read(cls, message: str, word: str | None = None) -> Rejection:
        """What `message` and `word` of a record say; records of earlier versions have no word."""
        reasons = [each for each in Reason if word is None or each.word == word]
        sentences = ((each, text) for each in reasons for text in (each.value, *_EARLIER.get(each, ())))
        for reason, sentence in sentences:
            start, place, end = sentence.partition(_PLACE)
            if not place and message == start:
                return cls(reason)
            if place and len(message) >= len(start) + len(end) and message.startswith(start) and message.endswith(end):
                return cls(reason, message[len(start) : len(message) - len(end)])
        return cls(reasons[0], message) if len(reasons) == 1 else cls(Reason.OTHER, message)


def counts_text(counts: Mapping[Reason, int]) -> str:
    """Reasons by how many parts they are of, the commonest first."""
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0].word))
    return ", ".join(f"{count} {reason.word}" for reason, count in ordered)


class CannotMeasureError(InputError):
    """There is no kernel, or none with a result: its `rejection` says why."""

    def __init__(self, reason: Reason, detail: str = "", *, where: str = "") -> None:
        """`where`: which part of a measurement it is about, for the message."""
        self.rejection = Rejection(reason, detail)
        """Reason and detail."""
        super().__init__(f"{where}: {self.rejection.message}" if where else self.rejection.message)
        self._where = where

    def __reduce__(self) -> tuple[object, ...]:
        return _error_of, (self.rejection, self._where)


def _error_of(rejection: Rejection, where: str) -> CannotMeasureError:
    return CannotMeasureError(rejection.reason, rejection.detail, where=where)


def rejection_of(error: InputError) -> Rejection:
    """What an error says of what was to be measured."""
    return error.rejection if isinstance(error, CannotMeasureError) else Rejection(Reason.OTHER, error.message)
