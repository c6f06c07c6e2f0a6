"""Everything that corecast raises on purpose.

    CorecastError
    ├── InputError              what the user gave cannot be read
    │   ├── SyntaxProblem       an illegal line of assembly, a bad hex string
    │   ├── UnsupportedInstructionError   an instruction of an extension that the core does not have
    │   ├── MarkerError         marker, function, label or line range missing or unbalanced
    │   └── ObjectFileError     not an object file, or one that cannot be used
    ├── UnknownCpuError         no machine model of that name
    ├── MachineModelError       a machine model's file is wrong
    │   └── MachineModelErrors  in several places
    ├── UnknownFormError        no data for an instruction form, where the user asked for an error
    ├── SimulationLimitError    a region with too many micro-ops to simulate
    ├── MissingPackageError     an optional package is not installed (also an ImportError)
    └── CompilerError           the compiler could not be run, or failed

`str(error)` is one line, `file:line: message` as far as known; of MachineModelErrors it is one for each fault. Only the
command line turns errors into exit codes.
"""

from __future__ import annotations

from corecast.hints import Sequence


class CorecastError(Exception):
    """Base of all; `file` and `line` (from 1) say where in the user's input, None where there is no such place."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        # All three in args: errors travel between worker processes, and pickle rebuilds an exception from args.
        super().__init__(message, file, line)
        self.message = " ".join(message.split())
        """One line, without the place."""
        self.file = file
        """The user's file, None where there is none."""
        self.line = line
        """Line in it, from 1."""

    def __str__(self) -> str:
        if self.file is not None and self.line is not None:
            return f"{self.file}:{self.line}: {self.message}"
        if self.file is not None:
            return f"{self.file}: {self.message}"
        if self.line is not None:
            return f"line {self.line}: {self.message}"
        return self.message


class InputError(CorecastError):
    """What the user gave cannot be read."""


class SyntaxProblem(InputError):
    """An illegal line of assembly or a bad hex string."""


class UnsupportedInstructionError(InputError):
    """An instruction belongs to an ISA extension that the core does not have."""


class MarkerError(InputError):
    """A marker, function, label or line range is missing or unbalanced."""


class ObjectFileError(InputError):
    """Not an object file, or one that cannot be used: damaged, of another instruction set, without code."""


class UnknownCpuError(CorecastError):
    """No machine model has that name."""


class MachineModelError(CorecastError):
    """A file of a machine model is missing or wrong."""


class MachineModelErrors(MachineModelError):
    """Several faults of a machine model; message, file and line are those of the first."""

    def __init__(
        self,
        message: str,
        file: str | None = None,
        line: int | None = None,
        faults: Sequence[MachineModelError] = (),
    ) -> None:
        super().__init__(message, file, line)
        self.args = (message, file, line, tuple(faults))
        self.faults = tuple(faults)
        """All faults, in the order in which they were found."""

    @classmethod
    def of(cls, faults: Sequence[MachineModelError]) -> MachineModelErrors:
        """The error of these faults, at least one."""
        return cls(faults[0].message, faults[0].file, faults[0].line, faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults)) or super().__str__()


class UnknownFormError(CorecastError):
    """No data for an instruction form, and the user asked for an error rather than a guess."""


class SimulationLimitError(CorecastError):
    """A region has more micro-ops than can be simulated; the method bounds answers."""


class MissingPackageError(CorecastError, ImportError):
    """A package that corecast can do without is needed here, and not installed; the message says how to install it."""


class CompilerError(CorecastError):
    """The compiler could not be run, or failed on the source."""


class Terminated(KeyboardInterrupt):
    """A signal other than an interrupt asks the process to end: everything is cleaned up as after an interrupt."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        """Of the signal."""


def did_you_mean(words: Sequence[str]) -> str:
    """The end of a message about a name that nothing has: "; did you mean a, b or c?"; "" without words."""
    if not words:
        return ""
    listed = " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    return f"; did you mean {listed}?"
