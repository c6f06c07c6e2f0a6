"""Helper instructions: breakers end a dependency, links carry one from an operand of one kind to one of another.

What links cost is measured on the core itself. A link within a kind makes a chain alone: its latency is exact. Two
links there and back make a chain together: each takes at least one cycle, so each lies between 1 and their sum less 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from corecast import _core
from corecast.asm.code import Isa
from corecast.errors import InputError
from corecast.measure.core import Core
from corecast.measure.forms import Slot
from corecast.measure.instruction_sets import instruction_set
from corecast.measure.kernels import TimedKernel, of_instructions, start_values
from corecast.measure.roles import EndKind

LEAST_LATENCY = 1.0
"""Of an instruction that is executed. Moves that renaming does are no helpers."""
_CHAIN_REGISTERS = {"general": 8, "vector": 8}
"""In chains of links alone; a group of RISC-V's vectors can start there."""
_CHAIN_REGISTER = 3
"""Of the other kinds."""
_SCRATCH_REGISTER = 6


@dataclass(frozen=True)
class Interval:
    low: float
    high: float

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    @property
    def exact(self) -> bool:
        return self.high - self.low < 0.1


@dataclass(frozen=True)
class Link:
    """An instruction with one source and one destination of interest; {to} and {from} are register numbers, but names
    of general registers; {scratch} is a general register that holds the value that {to} starts with."""

    name: str
    source: EndKind
    target: EndKind
    template: str
    in_place: bool = False
    """Source and destination are one register."""
    reads_target: bool = False
    """The destination is read, too, but is not the source."""

    @property
    def uses_scratch(self) -> bool:
        return "{scratch}" in self.template

    def text(self, isa: Isa, source: int, target: int, scratch: int) -> str:
        name = instruction_set(isa).general_name
        name32 = instruction_set(isa).register_text
        names = {
            "from": name(source) if self.source == "general" else str(source),
            "to": name(target) if self.target == "general" else str(target),
            "from32": name32(Slot("", "general", 32), source) if self.source == "general" else "",
            "scratch": name(scratch),
        }
        return self.template.format(**names)


@dataclass(frozen=True)
class LinkTable:
    """The links of an instruction set."""

    within: Mapping[EndKind, tuple[Link, ...]]
    """From a kind to itself."""
    value: tuple[Link, ...]
    """Make of a general register, whatever it holds, one that holds the value that it should have, though it still
    depends on what was there: neither addresses nor divisors nor shift counts wander."""
    across: tuple[Link, ...]


def find_path(
    table: LinkTable, source: EndKind, target: EndKind, from_flags: Callable[[], Link] | None = None
) -> tuple[Link, ...]:
    """Links from one kind to another.

    Raises:
        InputError: no helper starts or ends there.
    """
    if source == target and source in table.within:
        return table.within[source]
    if target != "general" and any((link.source, link.target) == (source, target) for link in table.across):
        return (find_link(table, source, target),)
    links: list[Link] = []
    if source == "flags" and from_flags is not None:
        links.append(from_flags())
    elif source != "general":
        links.append(find_link(table, source, "general"))
    if target != "general":
        links.append(find_link(table, "general", target))
    elif source != "flags":
        links += table.value
    return tuple(links)


def find_link(table: LinkTable, source: EndKind, target: EndKind) -> Link:
    """
    Raises:
        InputError: no helper leads from one to the other.
    """
    for link in table.across:
        if (link.source, link.target) == (source, target):
            return link
    raise InputError(f"no helper leads from {source} to {target}")


def assembled(isa: Isa, text: str, setting: str = "") -> tuple[_core.Instruction, ...]:
    """Helper text as instructions, behind `setting`, an instruction that is not among them.

    Raises:
        InputError: it is not legal.
    """
    listing = _core.assemble(isa, f"{setting}\n{text}", "intel" if isa == "x86" else "")
    if listing.problems:
        raise InputError(f"'{text}': {listing.problems[0].message}")
    return tuple(listing.instructions[1 if setting else 0 :])


def helper_kernel(isa: Isa, lines: Sequence[str], setting: str = "") -> TimedKernel:
    instructions = assembled(isa, "\n".join(lines), setting)
    return of_instructions(instructions, isa, values=start_values(instructions, isa), setting=setting)


@dataclass
class Links:
    """What links cost on a core, measured when they are first asked for."""

    core: Core
    _known: dict[tuple[str, str], Interval] = field(default_factory=dict)

    def cost(self, link: Link, setting: str = "") -> Interval:
        """
        Args:
            link: which.
            setting: what is executed before, once: of a form that needs one.

        Raises:
            InputError: it cannot be measured on this core.
        """
        key = (link.name, setting)
        if key not in self._known:
            measure = self._alone if link.source == link.target else self._there_and_back
            self._known[key] = measure(link, setting)
        return self._known[key]

    def _alone(self, link: Link, setting: str) -> Interval:
        cycles = self._cycles([self._text(link)], setting)
        return Interval(cycles, cycles)

    def _there_and_back(self, link: Link, setting: str) -> Interval:
        back = instruction_set(self.core.isa).way_back(link)
        total = self._cycles([self._text(link), self._text(back)], setting)
        return Interval(LEAST_LATENCY, max(LEAST_LATENCY, total - LEAST_LATENCY))

    def _text(self, link: Link) -> str:
        source, target = (_CHAIN_REGISTERS.get(kind, _CHAIN_REGISTER) for kind in (link.source, link.target))
        return link.text(self.core.isa, source, target, _SCRATCH_REGISTER)

    def _cycles(self, lines: Sequence[str], setting: str) -> float:
        timing = self.core.time(helper_kernel(self.core.isa, lines, setting))
        if timing.failure is not None:
            raise InputError(f"helper '{'; '.join(lines)}' {timing.failure.message}")
        return timing.cycles
