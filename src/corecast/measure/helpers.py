"""Helper instructions: breakers end a dependency, links carry one from an operand of one kind to one of another.

What links cost is measured on the core itself. A link within a kind makes a chain alone: its latency is exact. Two
links there and back make a chain together: each takes at least one cycle, so each lies between 1 and their sum less 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from corecast import _core
from corecast.errors import InputError
from corecast.measure.core import Core
from corecast.measure.kernels import TimedKernel, of_instructions, start_values
from corecast.measure.roles import EndKind
from corecast.measure.x86 import GENERAL

LEAST_LATENCY = 1.0
"""Of an instruction that is executed. Moves that renaming does are no helpers."""
CONDITIONS = {"cf": "b", "zf": "e", "sf": "s", "of": "o", "pf": "p"}
"""Suffixes of cmov by the one flag that they read."""


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
    """An instruction with one source and one destination of interest; {to} and {from} are register numbers."""

    name: str
    source: EndKind
    target: EndKind
    template: str

    def text(self, source: int, target: int, scratch: int) -> str:
        names = {
            "from": GENERAL[source] if self.source == "general" else str(source),
            "to": GENERAL[target] if self.target == "general" else str(target),
            "from32": _name32(source) if self.source == "general" else "",
            "scratch": GENERAL[scratch],
        }
        return self.template.format(**names)


COPY = Link("movsxd", "general", "general", "movsxd {to}, {from32}")
ZERO = Link("and", "general", "general", "and {to}, 0")
"""Depends on its register and makes it 0."""
VALUE = Link("or", "general", "general", "or {to}, {scratch}")
"""After ZERO: gives its register, which still depends on what was there, the value that `scratch` has."""
IN_PLACE = (ZERO, VALUE)
SELF_LINKS: dict[EndKind, Link] = {
    "vector": Link("vpshufd", "vector", "vector", "vpshufd xmm{to}, xmm{from}, 228"),
    "mask": Link("kmovq", "mask", "mask", "kmovq k{to}, k{from}"),
}
TO_FLAGS = Link("test", "general", "flags", "test {from}, {from}")
CROSS_LINKS = (
    TO_FLAGS,
    Link("vmovq xmm", "general", "vector", "vmovq xmm{to}, {from}"),
    Link("vmovq r64", "vector", "general", "vmovq {to}, xmm{from}"),
    Link("kmovq k", "general", "mask", "kmovq k{to}, {from}"),
    Link("kmovq r64", "mask", "general", "kmovq {to}, k{from}"),
    Link("vpmovq2m", "vector", "mask", "vpmovq2m k{to}, xmm{from}"),
    Link("vpmovm2q", "mask", "vector", "vpmovm2q xmm{to}, k{from}"),
    Link("movq mm", "general", "mm", "movq mm{to}, {from}"),
    Link("movq r64", "mm", "general", "movq {to}, mm{from}"),
)


def from_flags(flag: str) -> Link:
    return Link(f"cmov{CONDITIONS[flag]}", "flags", "general", f"cmov{CONDITIONS[flag]} {{to}}, {{scratch}}")


def path(source: EndKind, target: EndKind, flags: Sequence[str]) -> tuple[Link, ...]:
    """Links from one kind to another; `flags` are those that the form writes.

    What arrives in a general register through ZERO and VALUE has the value that it should have, so that neither
    addresses nor divisors nor shift counts wander.

    Raises:
        InputError: no helper starts or ends there.
    """
    if source == target and source in SELF_LINKS:
        return (SELF_LINKS[source],)
    if source == target == "general":
        return (COPY, ZERO, VALUE)
    if any((link.source, link.target) == (source, target) for link in CROSS_LINKS) and target != "general":
        return (_cross(source, target),)
    links: list[Link] = []
    if source == "flags":
        flag = next((flag for flag in CONDITIONS if flag in flags), None)
        if flag is None:
            raise InputError("no helper reads one of its flags alone")
        links.append(from_flags(flag))
    elif source != "general":
        links.append(_cross(source, "general"))
    if target != "general":
        links.append(_cross("general", target))
    elif source != "flags":
        links += [ZERO, VALUE]
    return tuple(links)


def _cross(source: EndKind, target: EndKind) -> Link:
    for link in CROSS_LINKS:
        if (link.source, link.target) == (source, target):
            return link
    raise InputError(f"no helper leads from {source} to {target}")


def breaker(kind: EndKind, number: int, scratch: int, bits: int = 64) -> str:
    """Text of an instruction that gives a location a value that depends on nothing but `scratch`.

    That is a register of its kind (for flags a general one) and holds the value that the location starts with.

    Raises:
        InputError: there is none for this kind.
    """
    if kind == "flags":
        return f"test {GENERAL[scratch]}, {GENERAL[scratch]}"
    if kind == "general":
        return f"mov {GENERAL[number]}, {GENERAL[scratch]}"
    if kind == "vector":
        letter = {128: "x", 256: "y", 512: "z"}.get(bits, "x")
        return f"vmovaps {letter}mm{number}, {letter}mm{scratch}"
    if kind == "mask":
        return f"kmovq k{number}, k{scratch}"
    if kind == "mm":
        return f"movq mm{number}, mm{scratch}"
    raise InputError(f"no helper breaks a dependency through {kind}")


@cache
def assembled(text: str) -> tuple[_core.Instruction, ...]:
    """Helper text as instructions.

    Raises:
        InputError: it is not legal.
    """
    listing = _core.assemble("x86", text, "intel")
    if listing.problems:
        raise InputError(f"'{text}': {listing.problems[0].message}")
    return tuple(listing.instructions)


def helper_kernel(lines: Sequence[str]) -> TimedKernel:
    instructions = assembled("\n".join(lines))
    return of_instructions(instructions, "x86", values=start_values(instructions))


@dataclass
class Links:
    """What links cost on a core, measured when they are first asked for."""

    core: Core
    _known: dict[str, Interval] = field(default_factory=dict)

    def cost(self, link: Link) -> Interval:
        """
        Raises:
            InputError: it cannot be measured on this core.
        """
        if link.name not in self._known:
            self._known[link.name] = self._alone(link) if link.source == link.target else self._there_and_back(link)
        return self._known[link.name]

    def _alone(self, link: Link) -> Interval:
        cycles = self._cycles([link.text(3, 3, 6)])
        return Interval(cycles, cycles)

    def _there_and_back(self, link: Link) -> Interval:
        if link.source == "flags":
            back: Link = TO_FLAGS
        elif link.target == "flags":
            back = from_flags("cf")
        else:
            back = _cross(link.target, link.source)
        total = self._cycles([link.text(3, 3, 6), back.text(3, 3, 6)])
        return Interval(LEAST_LATENCY, max(LEAST_LATENCY, total - LEAST_LATENCY))

    def _cycles(self, lines: Sequence[str]) -> float:
        timing = self.core.time(helper_kernel(lines))
        if timing.failure is not None:
            raise InputError(f"helper '{'; '.join(lines)}' {timing.failure.message}")
        return timing.cycles


def _name32(number: int) -> str:
    names = ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi")
    return names[number] if number < len(names) else f"r{number}d"
