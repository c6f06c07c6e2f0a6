"""Helper instructions as templates: links carry a dependency from an operand of one kind to one of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast.dataclass import dataclass, field, replace
from corecast.measure.isa.forms import EndKind, RegisterNames, Slot
from corecast.measure.rejection import CannotMeasureError, Reason

Width = int | str
"""Of an access to memory: bits; of vectors whose length is the core's how their elements lie there, as the instruction
set's module names it."""


_MOST_LISTED = 4
"""Registers of one operand, of those that name each of them."""


@dataclass(frozen=True)
class Place:
    """Where links from and to memory find it."""

    address: int
    """The general register that holds the address."""
    displacement: int = 0
    mask: int = 0
    """The mask register, all set, where one governs which elements are meant."""
    spelling: str = "{}"
    """Of the address, with the register's name."""


@dataclass(frozen=True)
class Link:
    """An instruction with one source and one destination of interest; {to} and {from} are register numbers, but names
    of general registers ({from32} and so on: of their lower parts; {from_1} and so on: of vector registers behind it);
    {scratch} is a general register that holds the value that {to} starts with, {vector} and {zero} vector registers
    that hold that and 0; {address}, {displacement} and {mask} say where memory is."""

    name: str
    source: EndKind
    target: EndKind
    template: str
    in_place: bool = False
    """Source and destination are one register."""
    reads_target: bool = False
    """The destination is read, too, but is not the source."""
    width: Width = 0
    """Of what goes to memory or comes from there."""

    @property
    def of_memory(self) -> bool:
        return "memory" in (self.source, self.target)

    @property
    def uses_scratch(self) -> bool:
        return "{scratch}" in self.template

    @property
    def uses_mask(self) -> bool:
        return "{mask}" in self.template

    @property
    def uses_zero(self) -> bool:
        return "{zero}" in self.template

    @property
    def uses_vector(self) -> bool:
        return "{vector}" in self.template or self.uses_zero

    def repeated(self, times: int) -> Link:
        """So many in a row, of a link from a kind to itself."""
        again = self.template.replace("{from", "{to")
        text = "\n".join([self.template, *[again] * (times - 1)])
        return replace(self, name=f"{times} {self.name}", template=text)

    def text(self, known: RegisterNames, source: int, target: int, scratch: int = 0, place: Place | None = None) -> str:
        """`scratch`: the register that the template names beside the others."""
        names = {"from": str(source), "to": str(target), "scratch": known.general_name(scratch)}
        names |= {"vector": str(scratch), "zero": str(scratch)}
        names |= {"from_number": str(source), "to_number": str(target)}
        if place is not None:
            address = place.spelling.format(known.general_name(place.address))
            names |= {"address": address, "displacement": str(place.displacement)}
            names["mask"] = str(place.mask)
        for end, kind, number in (("from", self.source, source), ("to", self.target, target)):
            names |= {f"{end}_{offset}": str(number + offset) for offset in range(1, _MOST_LISTED)}
            if kind == "general":
                names[end] = known.general_name(number)
                for bits in (8, 16, 32, 64):
                    names[f"{end}{bits}"] = known.register_text(Slot("", "general", bits), number)
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
    memory: Mapping[tuple[EndKind, Width], tuple[Link, Link]]
    """By kind of register and width: a store and a load."""
    zero: Mapping[EndKind, Link]
    """Make 0 of what a register of that kind holds."""
    vector_value: tuple[Link, ...] = ()
    """As `value`, from a vector register to another."""
    vector_address: tuple[Link, ...] = ()
    """The same of vectors of addresses."""
    steps: Mapping[EndKind, Link] = field(default_factory=dict)
    """From a kind to itself, between fences, where that is another than the first of `within`."""
    long_steps: Mapping[EndKind, Link] = field(default_factory=dict)
    """The same where chains are to become longer than what ports take: of more cycles than any other needs."""
    aside: Mapping[EndKind, Link] = field(default_factory=dict)
    """To general registers, past the ports that instructions of groups of registers keep busy."""
    fill: Mapping[EndKind, Link] = field(default_factory=dict)
    """From a general register to all that a register of that kind holds."""
    from_flags: Mapping[str, Link] = field(default_factory=dict)
    """To general registers, by the flag that each reads alone, the best first."""

    def path(self, source: EndKind, target: EndKind, flags: Sequence[str]) -> tuple[Link, ...]:
        """Links from one kind to another; `flags` are those that may be read.

        Raises:
            CannotMeasureError: no helper starts or ends there.
        """
        if source == target and source in self.within:
            return self.within[source]
        if target != "general" and any((link.source, link.target) == (source, target) for link in self.across):
            return (self._across(source, target),)
        links: list[Link] = []
        if source == "flags":
            links.append(self._from_flags(flags))
        elif source != "general":
            links.append(self._across(source, "general"))
        if target != "general":
            links.append(self._across("general", target))
        elif source != "flags":
            links += self.value
        return tuple(links)

    def values(self, kind: EndKind) -> tuple[Link, ...]:
        """Links that lead from a register of some kind to another and make it hold what it should."""
        if kind == "general":
            return self.path("general", "general", ())
        return self.vector_value if kind == "vector" else ()

    def way_back(self, link: Link) -> Link:
        """The link from where one leads to where it starts."""
        if link.target == "flags":
            return self._from_flags(tuple(self.from_flags))
        return self._across(link.target, link.source)

    def there_and_back(self, kind: EndKind, other: EndKind) -> tuple[Link, Link]:
        """Links from a kind of register to another and back.

        Raises:
            CannotMeasureError: there are none.
        """
        return self._across(kind, other), self._across(other, kind)

    def step(self, kind: EndKind) -> Link | None:
        """A link from a kind to itself, as chains between fences are made of."""
        return self.steps.get(kind) or next(iter(self.within.get(kind, ())), None)

    def long_step(self, kind: EndKind) -> Link | None:
        """A link from a kind to itself that takes long in a chain, beside its throughput."""
        return self.long_steps.get(kind) or self.step(kind)

    def to_zero(self, kind: EndKind) -> Link:
        """The link that makes 0 of what a register of that kind holds: for what is added to addresses.

        Raises:
            CannotMeasureError: there is none.
        """
        if kind not in self.zero:
            raise CannotMeasureError(Reason.NO_HELPER_VALUE, f"0 of {kind}")
        return self.zero[kind]

    def to_addresses(self) -> tuple[Link, ...]:
        """Links that make a vector of addresses of a vector.

        Raises:
            CannotMeasureError: there are none.
        """
        if not self.vector_address:
            raise CannotMeasureError(Reason.NO_HELPER_VALUE, "addresses of a vector")
        return self.vector_address

    def store_and_load(self, kind: EndKind, width: Width) -> tuple[Link, Link]:
        """A store of that width from a kind of register, and a load to it.

        Raises:
            CannotMeasureError: there are none.
        """
        if (kind, width) not in self.memory:
            raise CannotMeasureError(Reason.NO_HELPER_STORE, f"{_told(width)} of {kind}")
        return self.memory[kind, width]

    def to_memory(self, kind: EndKind, width: Width, flags: Sequence[str]) -> tuple[Link, ...]:
        """Links from a kind of register to memory of that width."""
        middle = self.beside_memory(kind, width)
        before = self.path(kind, middle, flags) if middle != kind else ()
        return (*(link for link in before if not link.in_place), self.store_and_load(middle, width)[0])

    def from_memory(self, kind: EndKind, width: Width) -> tuple[Link, ...]:
        """Links from memory of that width to a kind of register."""
        middle = self.beside_memory(kind, width)
        return (self.store_and_load(middle, width)[1], *(self.path(middle, kind, ()) if middle != kind else ()))

    def beside_memory(self, kind: EndKind, width: Width) -> EndKind:
        """The kind of register that is stored and loaded in place of another."""
        kinds: tuple[EndKind, ...] = (kind, "general", "vector")
        return next((each for each in kinds if (each, width) in self.memory), kind)

    def _across(self, source: EndKind, target: EndKind) -> Link:
        for link in self.across:
            if (link.source, link.target) == (source, target):
                return link
        raise CannotMeasureError(Reason.NO_HELPER, f"{source} to {target}")

    def _from_flags(self, flags: Sequence[str]) -> Link:
        link = next((link for flag, link in self.from_flags.items() if flag in flags), None)
        if link is None:
            raise CannotMeasureError(Reason.NO_HELPER_FLAG)
        return link


def _told(width: Width) -> str:
    return f"{width} bits" if isinstance(width, int) else f"vectors of {width}"
