"""What is evaluated: measured code, and the answers of a predictor."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from math import nan
from sys import intern

from corecast.dataclass import dataclass, field
from corecast.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from corecast.asm import Kernel
    from corecast.machine import Machine


@dataclass
class Answers:
    """A predictor's answers, one for each case, in their order."""

    cycles: array[float] = field(default_factory=lambda: array("d"))
    """NaN where there is none."""
    statuses: list[str] = field(default_factory=list)
    """ok; bound: a lower bound, as something is unknown; unknown: too much is unknown for an answer; error: no answer,
    after a colon why."""
    lows: array[float] = field(default_factory=lambda: array("d"))
    """Lower ends of intervals, NaN where there is none; empty where the predictor gives none."""
    highs: array[float] = field(default_factory=lambda: array("d"))
    """Upper ends, likewise."""

    def add(self, cycles: float | None, status: str) -> None:
        """Appends an answer; None: no cycles."""
        self.cycles.append(nan if cycles is None else cycles)
        self.statuses.append(status)

    def extend(self, others: Answers) -> None:
        """Adds the answers for the cases that follow."""
        self.cycles.extend(others.cycles)
        self.statuses.extend(map(intern, others.statuses))
        self.lows.extend(others.lows)
        self.highs.extend(others.highs)

    def interval(self, index: int) -> tuple[float, float] | None:
        """Where the measurement is expected; None where the answer does not say."""
        if len(self.lows) != len(self.cycles) or self.lows[index] != self.lows[index]:
            return None
        return self.lows[index], self.highs[index]

    def counts(self, index: int) -> bool:
        """Whether the answer enters the errors: only what is known through and through does."""
        return self.statuses[index] == "ok" and self.cycles[index] > 0


@dataclass
class Cases:
    """Measured code by column. Blocks hold encoded code, kernels their instructions."""

    measured: array[float] = field(default_factory=lambda: array("d"))
    """Core cycles of one execution, or of one iteration."""
    names: list[str] = field(default_factory=list)
    """What tells cases apart: the hexadecimal code of blocks, the files of kernels."""
    groups: list[str] = field(default_factory=list)
    """The application, or the kernel's core; "" where there is none."""
    codes: list[str] = field(default_factory=list)
    """Blocks: hexadecimal digits."""
    addresses: list[str] | None = None
    """Blocks: where each starts; None: all at 0."""
    register_steps: list[int] | None = None
    """Blocks: bytes by which a general register pointed further into a line of the cache than the one before; None: all
    registers pointed to starts of lines."""
    codes_before: list[str] | None = None
    """Blocks: hexadecimal digits of the code that ends where each starts; None: of none is anything known."""
    weights: array[float] | None = None
    """How often each was executed; None where that is not known."""
    repeated: int = 0
    """Rows that were left out: the same code, start and group as a row before."""
    foreign: int = 0
    """Rows that were left out: code of another instruction set than the core's."""
    kernels: list[Kernel | None] = field(default_factory=list)
    """Kernels: None where one cannot be read."""
    machines: list[Machine] = field(default_factory=list)
    """Kernels: the core of each."""
    problems: dict[int, str] = field(default_factory=dict)
    """Why a kernel cannot be read."""
    published: dict[str, Answers] = field(default_factory=dict)
    """Predictions that came with the measurements, by tool."""
    file: str = ""
    """Where the measurements came from."""

    def __len__(self) -> int:
        return len(self.measured)

    @property
    def are_kernels(self) -> bool:
        """Whether the cases are kernels in files, not encoded blocks."""
        return bool(self.kernels)

    def part(self, start: int, stop: int) -> Cases:
        """The blocks from `start` up to, without, `stop`, with what predictors need to know of them."""
        codes = self.codes[start:stop]
        addresses = None if self.addresses is None else self.addresses[start:stop]
        steps = None if self.register_steps is None else self.register_steps[start:stop]
        before = None if self.codes_before is None else self.codes_before[start:stop]
        groups = self.groups[start:stop]
        return Cases(self.measured[start:stop], codes, groups, codes, addresses, steps, before, file=self.file)

    def by_group(self, least: int = 1) -> dict[str, Sequence[int]]:
        """Places of each group's cases, large groups first; those below `least` are one: "others"."""
        groups = places_by(self.groups)
        large = {name: places for name, places in groups.items() if len(places) >= least}
        ordered: dict[str, Sequence[int]] = dict(sorted(large.items(), key=lambda item: (-len(item[1]), item[0])))
        if rest := sorted(place for name, places in groups.items() if name not in large for place in places):
            ordered["others"] = rest
        return ordered


def places_by(labels: Iterable[str]) -> dict[str, array[int]]:
    """The places that bear each label."""
    groups: dict[str, array[int]] = {}
    for place, label in enumerate(labels):
        groups.setdefault(label, array("I")).append(place)
    return groups
