"""Building the kernel of one operand pair: registers, helpers and what keeps other operands apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corecast import _core
from corecast.dataclass import dataclass, replace
from corecast.errors import InputError
from corecast.hints import Literal
from corecast.measure.isa.forms import Form, Slot
from corecast.measure.isa.instruction_sets import instruction_set
from corecast.measure.isa.link_table import Link, Place
from corecast.measure.plan.forms.form_kernel import kernel_of, last_vector, start_value
from corecast.measure.plan.helpers import break_dependency
from corecast.measure.plan.kernels import TimedKernel, unrolled_to_forward
from corecast.measure.questions.pairs import ADDRESSES
from corecast.measure.questions.roles import End, Registers, ends, memory_width
from corecast.measure.rejection import CannotMeasureError, Reason

NOWHERE = ("flags", "memory")
"""Kinds that no helper leads from to themselves, but for counting."""
_GOVERNING = Slot("", "mask", 64, limit=8)
"""A mask register that can govern an instruction."""
FILLING = 0x3FF8_3FF8_3FF8_3FF8
"""As elements of any width between 1 and 2, as other vectors hold."""
_VECTOR_LENGTHS = "vl*"
"""What displacements begin with that count in lengths of a vector."""
Method = Literal["direct", "cross", "linked"]


@dataclass(frozen=True)
class Chain:
    """A kernel, and how a latency follows from its cycles."""

    source: End
    target: End
    method: Method
    kernel: TimedKernel
    links: tuple[Link, ...] = ()
    """Whose latencies are part of the cycles."""
    instances: int = 1
    """Of the form in the chain."""


class ChainBuilder:
    """Of one pair of a form; makes one chain."""

    def __init__(self, form: Form, source: End, target: End) -> None:
        self.form, self.source, self.target = form, source, target
        self.set = instruction_set(form.isa)
        self.ends = ends(form)
        self.registers = Registers(form, whole_groups=True)
        self.numbers: dict[str, int] = {}
        self.general: dict[int, int] = {}
        """Start values of general registers."""
        self.vector: dict[int, int] = {}
        """Of vector registers."""
        self.resets = self.set.value_dependent(form)
        """Whether operands get anew the values that the time depends on."""
        self.keeps = self.set.keeps_values(form, source.name)
        self.is_address = source.name in ADDRESSES and bool(form.example.memory)
        self.start_address: int | None = None
        """A register that holds it, where the form's own moves on."""
        self.address_copy: int | None = None
        """A register that holds it where instances get it anew."""

    def chain(self) -> Chain:
        source, target = self.source, self.target
        same_kind = source.kind == target.kind
        if self.resets and (source.kind in ("general", "memory") or not self.keeps):
            return self.linked()
        if source == target:
            return self._direct(None)
        if same_kind and not self.is_address and source.slot and target.slot:
            alike = "high" not in (source.slot.kind, target.slot.kind) and source.slot.span == target.slot.span
            alike = alike and self.set.may_overlap(self.form)
            if not target.reads and not source.writes and alike:
                return self._direct(source)
            if target.reads and not source.writes and source.slot.bits == target.slot.bits and alike:
                return self._cross()
        return self.linked()

    def same_register(self) -> Chain:
        return self._direct(self.source)

    def _direct(self, shared: End | None) -> Chain:
        """`shared` takes the target's register."""
        if shared is not None:
            self.numbers[self.target.name] = self.numbers[shared.name] = self._take_for(shared, self.target)
        for slot in self.form.slots:
            if slot.name not in self.numbers:
                self.numbers[slot.name] = self.registers.take(slot.kind, slot)
        lines = [*self._breakers(), *self._new_address(), self.form.text(self.numbers)]
        if self.source.kind == "memory" and (others := self._elsewhere()):
            lines += [*self._breakers(), *self._new_address(others), self.form.text(others)]
            return Chain(self.source, self.target, "cross", self._kernel(lines), instances=2)
        return Chain(self.source, self.target, "direct", self._kernel(lines))

    def _elsewhere(self) -> dict[str, int]:
        """Registers of a second instance, whose address is in another one; none where there is none left."""
        if "addr" not in self.numbers or any(end.name == "addr" and end.writes for end in self.ends):
            return {}
        try:
            return {**self.numbers, "addr": self.registers.take("general", self.form.slot("addr"))}
        except InputError:
            return {}

    def by_itself(self) -> Chain:
        for slot in self.form.slots:
            self.numbers[slot.name] = self.registers.take(slot.kind, slot)
        lines = [*self._breakers(every=True), self.form.text(self.numbers)]
        return Chain(self.source, self.target, "direct", self._kernel(lines))

    def _new_address(self, others: Mapping[str, int] | None = None) -> list[str]:
        """Gives a chain through memory its address anew. Cores that rename memory know by the register that a load gets
        what was stored, and it would not be forwarded; so other accesses of the chain use copies of it, too."""
        if self.source.kind != "memory" or "addr" not in self.numbers:
            return []
        if self.address_copy is None:
            self.address_copy = self._copy_of(self.numbers["addr"])
        return [self.set.breaker("general", (others or self.numbers)["addr"], self.address_copy)]

    def _take_for(self, *ends: End) -> int:
        """A register that can be each of these operands."""
        slots = [end.slot for end in ends if end.slot is not None]
        tightest = min(slots, key=lambda slot: slot.limit)
        return self.registers.take(tightest.kind, tightest)

    def _cross(self) -> Chain:
        for end in (self.target, self.source):
            self.numbers[end.name] = self._take_for(self.target, self.source)
        for slot in self.form.slots:
            if slot.name not in self.numbers:
                self.numbers[slot.name] = self.registers.take(slot.kind, slot)
        a, b = self.target.name, self.source.name
        swapped = {**self.numbers, a: self.numbers[b], b: self.numbers[a]}
        broken = self._breakers()
        lines = [*broken, self.form.text(self.numbers), *broken, self.form.text(swapped)]
        return Chain(self.source, self.target, "cross", self._kernel(lines), instances=2)

    def way(self) -> tuple[Link, ...]:
        """From the target back to the source."""
        flags = [_core.register_name(self.form.isa, location) for location in sorted(self.target.writes)]
        links = self._path(flags if self.target.kind == "flags" else ())
        if to_address := self._to_address():
            same_kind = self.source.kind == self.target.kind
            links = to_address if same_kind else (*links, *(replace(each, in_place=True) for each in to_address))
        return links

    def linked(self, links: Sequence[Link] | None = None, *, cut: bool = False, late: bool = False) -> Chain:
        """`late`: what keeps other operands apart stands amid the helpers, not in front of the form."""
        links = tuple(links) if links is not None else self.way()
        for slot in self.form.slots:
            self.numbers[slot.name] = self.registers.take(slot.kind, slot)
        goal = self._number(self.source)
        lines: list[str] = []
        at = self._number(self.target)
        if cut:
            at, goal = self._cut(at, goal)
        moving = [link for link in links if not link.in_place]
        longest = max(moving, key=lambda link: link.template.count("\n"))
        amid = range(0)
        for link, behind in zip(links, (*links[1:], None), strict=True):
            beside_memory = link.of_memory or (behind is not None and behind.of_memory)
            to = self._destination(link, at, goal, beside_memory, link is moving[-1])
            scratch = 0
            if link.uses_scratch:
                scratch = self._copy_of(goal) if self.source.kind != "memory" else self._copy_of_address()
            elif link.uses_vector:
                scratch = self._vector_scratch(link)
            place = None
            if link.of_memory:
                line, place = self._place(self.registers.take("general"), link)
                lines.append(line)
            if link.reads_target:  # which must not be what the form wrote there
                lines.append(self.set.breaker("general", to, scratch))
            text = link.text(self.set, at, to, scratch, place).split("\n")
            if link is longest:
                amid = range(len(lines) + 1, len(lines) + len(text) + 1)
            lines += text
            at = to
        broken, form = self._breakers(linked=True), self.form.text(self.numbers)
        lines = [form, *_amid(lines, amid, broken)] if late else [*broken, form, *lines]
        return Chain(self.source, self.target, "linked", self._kernel(lines), links=links)

    def _cut(self, at: int, goal: int) -> tuple[int, int]:
        """Registers that helpers start from and lead to in place of these: then the form is in no chain with them."""
        if self.target.kind not in NOWHERE:
            try:
                return self.registers.take(self.target.kind, self.target.slot), goal
            except InputError:
                if self.target.kind == self.source.kind and not self.source.writes:
                    return goal, goal
        if self.source.kind not in NOWHERE:
            return at, self.registers.take(self.source.kind, self.source.slot)
        raise CannotMeasureError(Reason.ALWAYS_CHAINED, f"{self.target.kind} to {self.source.kind}")

    def _path(self, flags: Sequence[str]) -> tuple[Link, ...]:
        source, target, links = self.source.kind, self.target.kind, self.set.LINKS
        if self.resets and source == target == "vector":
            return links.vector_value
        if "memory" not in (source, target):
            return links.path(target, source, flags)
        if self.form.slot("addr") is None:
            raise CannotMeasureError(Reason.NO_HELPER_ADDRESS)
        width = memory_width(self.form)
        if source == target:
            between = links.beside_memory("general", width)
            return (*links.from_memory(between, width), *links.to_memory(between, width, flags))
        if source == "memory":
            anew = links.values(target) if self.resets else ()
            return (*anew, *links.to_memory(target, width, flags))
        way = links.from_memory(source, width)
        if way[-1].of_memory and isinstance(width, str) and self.source.slot is None:
            way = (*way, links.within[source][0])  # RISC-V's mask is one register, data may be a group
        return way

    def _destination(self, link: Link, at: int, goal: int, beside_memory: bool, last: bool) -> int:
        """`beside_memory`: what is loaded, or stored next, is in as many registers as the form's data."""
        if link.in_place:
            return at
        if link.target in ("memory", "flags"):
            return 0
        data = self.form.slot("1") if beside_memory else None
        return goal if last else self.registers.take(link.target, data if data and data.kind == link.target else None)

    def _to_address(self) -> tuple[Link, ...]:
        """Links that end in a vector of addresses, or of what is added to one, where the source is such."""
        registers = self.source.reads if self.source.kind == "vector" else frozenset[int]()
        for access in self.form.example.memory:
            if access.index in registers:
                return (self.set.LINKS.to_zero("vector"),) if access.base else self.set.LINKS.to_addresses()
        return ()

    def _place(self, register: int, link: Link) -> tuple[str, Place]:
        """Text of the instruction that gives a register the form's address, and where a link finds memory with it."""
        line = self.set.address(self.form, register, self._base(), self.numbers.get("index", 0))
        mask = self.registers.take("mask", _GOVERNING) if link.uses_mask else 0
        return line, Place(register, self._displacement(), mask)

    def _base(self) -> int:
        """A register that holds the form's address at the beginning of each iteration."""
        if not any(end.name == "addr" and end.writes for end in self.ends):
            return self.numbers["addr"]
        if self.start_address is None:
            self.start_address = self._copy_of_address()
        return self.start_address

    def _copy_of(self, number: int) -> int:
        """A register with the value that a general register starts with."""
        scratch = self.registers.take("general")
        self.general[scratch] = start_value(self.form, number)
        return scratch

    def _copy_of_address(self) -> int:
        scratch = self.registers.take("general")
        self.general[scratch] = _core.measuring_data_address
        return scratch

    def _vector_scratch(self, link: Link) -> int:
        """A register with what the source starts with, or with 0."""
        scratch = self.registers.take("vector")
        if link.uses_zero:
            self.vector[scratch] = 0
        elif link in self.set.LINKS.vector_address:
            self.vector[scratch] = self.set.vector_base(self.form.example)
        elif (numbers := self.set.numbers(self.form, self.source.name)) is not None:
            self.vector[scratch] = numbers[self.source.kind == "memory" or self.source.slot == last_vector(self.form)]
        return scratch

    def _number(self, end: End) -> int:
        if end.slot is not None:
            return self.numbers[end.name]
        return end.number

    def _breakers(self, linked: bool = False, every: bool = False) -> list[str]:
        """For every operand that is read and written, and is not the one that the chain goes through; `every`: be it
        that one or not."""
        lines = []
        for end in self.ends:
            if not end.reads & end.writes or end.kind == "other" or (end == self.source and not every):
                continue
            if end.kind == "memory":
                # A second store to the place that the chain goes through confuses cores that rename memory.
                if end != self.target and self.form.slot("addr") is not None:
                    lines += self._store()
                continue
            if end == self.target and not (linked or every) and end.slot is not None:
                continue  # a cross chain's second operand
            number = self._number(end)
            if end.name == "addr":
                scratch = self._base()
            elif end.kind == "general":
                scratch = self._copy_of(number)
            else:
                try:
                    scratch = self.registers.take("general" if end.kind == "flags" else end.kind, end.slot)
                except InputError:
                    lines += self._filled(end, number)
                    continue
            lines += break_dependency(self.form, end, number, scratch)
        return lines

    def _filled(self, end: End, number: int) -> list[str]:
        """Gives an operand a value from a general register, where no other of its kind is left.

        Raises:
            InputError: nothing does.
        """
        link = self.set.LINKS.fill.get(end.kind)
        if link is None or end.slot is None:
            raise CannotMeasureError(Reason.REGISTERS)
        scratch = self.registers.take("general")
        self.general[scratch] = FILLING
        places = range(number, number + end.slot.span, self.form.spelling.group)
        return [link.text(self.set, scratch, place) for place in places]

    def _store(self) -> list[str]:
        """Ends a dependency through memory. Where the address is in the chain no core may know by it which store a load
        gets its data from, and not wait for the address: those that rename memory leave out what has an index."""
        width = memory_width(self.form)
        kind = self.set.LINKS.beside_memory("general", width)
        link = self.set.LINKS.store_and_load(kind, width)[0]
        if self.source.name in ADDRESSES:
            copy = self._copy_of(self.numbers["addr"])
            lines, place = [], Place(copy, self._displacement(), spelling=self.set.INDEX_ALONE)
        else:
            line, place = self._place(self.registers.take("general"), link)
            lines = [line]
        data = place.address if kind == "general" else self.registers.take(kind)
        return [*lines, link.text(self.set, data, 0, place=place)]

    def _displacement(self) -> int:
        """Of the form's access to memory."""
        accesses = self.form.instruction(self.numbers).memory
        if not accesses:
            return 0
        lengths = accesses[0].symbol.removeprefix(_VECTOR_LENGTHS)
        return int(lengths) if lengths != accesses[0].symbol else accesses[0].displacement

    def _kernel(self, lines: Sequence[str]) -> TimedKernel:
        kernel = kernel_of(self.form, lines, self.general, self.numbers, self.vector, self.source.name)
        return unrolled_to_forward(kernel) if "memory" in (self.source.kind, self.target.kind) else kernel


def _amid(lines: Sequence[str], places: range, others: Sequence[str]) -> list[str]:
    """Lines with others between them, as far from each other as these places allow."""
    after = [places[(index + 1) * len(places) // (len(others) + 1)] for index in range(len(others))]
    found: list[str] = []
    for index, line in enumerate(lines):
        found.append(line)
        found += [other for place, other in zip(after, others, strict=True) if place == index + 1]
    return found
