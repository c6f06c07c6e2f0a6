"""What LLVM's opcodes cost on a core, in the terms of LLVM's scheduling models.

LLVM gives each definition of an opcode a latency, and each place that it reads an advance, by which this source may
come later than issue, or earlier where it is negative; our rows have a latency per pair. The latency of a definition is
the longest of its pairs, the advance of a source the least that it comes later in any of them, so that no pair is
shorter than the row says. Where registers meet data from memory, their pairs make the latency, and the address comes
earlier: llvm-mca issues an instruction as a whole, when it knows of every source when it comes, which would delay a
chain through the registers. What a slow address takes longer is lost there. A source that no result depends on may come
whenever it comes. Cycles are whole numbers there: ours are rounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from corecast import _core
from corecast.convert.exporters.llvm.front_end import DECODE, FETCH, RENAME, FrontEnd, front_end_of
from corecast.dataclass import dataclass
from corecast.hints import Any
from corecast.machine.rows import endpoint_name
from corecast.machine.types import Machine

_Case = tuple[tuple[_core.OpcodeTest, ...], "Cost"]
FREE = 99
"""Cycles of advance of a source that no result depends on."""
TURN = "Turn"
"""A unit that conditional branches take: a loop makes one turn a cycle at most, as its counter waits for itself."""
_POINTERS = frozenset({"mov r64, m64", "mov r32, m32", "movsxd r64, m32", "pop r64", "mov rax, m64", "mov eax, m32"})
"""Forms that load an address for a fast chase."""
_FLAGS, _MEMORY, _ADDRESS, _INDEX, _IMPLICIT = 67, 64, 65, 66, 128


@dataclass(frozen=True)
class Cost:
    """What LLVM's first write of an instruction says: all but the latencies of further definitions."""

    latency: int
    uops: int
    """Slots of rename."""
    uses: tuple[tuple[tuple[str, ...], int], ...]
    """Cycles by port set, or unit."""
    front_end: tuple[tuple[str, int], ...] = ()
    """Slots, bytes or decoders by unit of the front end."""
    ends_group: bool = False
    """What follows begins a new group."""
    loads_pointer: bool = False
    """A load that needs its address from it gets it sooner, where the core has that."""


@dataclass(frozen=True)
class Variant:
    """A cost that counts where the MCInst passes all the tests of an alternative."""

    alternatives: tuple[tuple[_core.OpcodeTest, ...], ...]
    cost: Cost


@dataclass(frozen=True)
class BaseRegister:
    """The base of an address."""

    place: int
    """Among what is read."""
    index: int
    """Operand of LLVM's with the index."""
    displacement: int
    """Operand of LLVM's with the displacement."""


@dataclass(frozen=True)
class OpcodeClass:
    """An opcode that the model knows."""

    names: tuple[str, ...]
    """LLVM's, those for the compiler alone behind that of the assembler."""
    cost: Cost
    further: tuple[int, ...]
    """Latencies of the definitions behind the first."""
    advances: tuple[int, ...]
    """Cycles by place of what is read."""
    variants: tuple[Variant, ...]
    zero_idiom: tuple[tuple[int, int], ...]
    """Places that hold one register in a zero idiom; none: it is never one."""
    breaks_dependency: tuple[tuple[int, int], ...]
    """Likewise where the result depends on no source, but takes a micro-op."""
    base: BaseRegister | None
    """Where a loaded pointer may come sooner."""
    confidence: str


@dataclass(frozen=True)
class Classes:
    """Every opcode of an instruction set: what is known, and how many are not."""

    known: tuple[OpcodeClass, ...]
    without_figures: int
    """Opcodes that the core executes."""
    not_of_the_core: int
    front_end: FrontEnd


def classes_of(machine: Machine, mode: str = "loop") -> Classes:
    """Looks every opcode up, as an analysis of code of that mode would."""
    costing = _Costing(machine, mode)
    known: list[OpcodeClass] = []
    without_figures = lacking = 0
    for shape in _core.opcode_shapes(machine.isa):
        if machine.core.lacks(shape.cases[0].instruction):
            lacking += 1
            continue
        found = costing.opcode(shape)
        if found is None:
            without_figures += 1
        else:
            known.append(found)
    return Classes(tuple(known), without_figures, lacking, costing.front_end)


class _Costing:
    def __init__(self, machine: Machine, mode: str) -> None:
        self._machine = machine
        self._stack_engine = machine.isa == "x86" and machine.parameter("stack_engine.enabled") is not False
        self._load = float(machine.parameter("loads.latency_cycles") or 0)
        self._slow_address = float(machine.parameter("loads.complex_address_cycles") or 0)
        self._fused = _fused_branches(machine)
        self._taken = tuple(machine.parameter("ports.taken_branch") or ())
        self._pointers = _POINTERS if machine.parameter("pointer_chasing.fast") else frozenset()
        self.front_end = front_end_of(machine, mode, free_branches=bool(self._fused))

    def opcode(self, shape: _core.OpcodeShape) -> OpcodeClass | None:
        plain = shape.cases[0].instruction
        row = self._row(plain)
        if row is None:
            return None
        latencies, advances = self._times(shape, plain, row)
        cost = self._cost(plain, row, latencies)
        variants: list[_Case] = []
        idiom: tuple[tuple[int, int], ...] = ()
        breaks: tuple[tuple[int, int], ...] = ()
        for case in shape.cases[1:]:
            other = self._row(case.instruction)
            if other is None:
                continue
            places = tuple((test.operand, test.value) for test in case.tests if test.kind == "same_register")
            if places and "zero_idiom" in other["flags"]:
                idiom = places
            elif places and "dep_breaking" in other["flags"]:
                breaks = places
            times, _ = self._times(shape, case.instruction, other)
            variants.append((tuple(case.tests), self._cost(case.instruction, other, times)))
        return OpcodeClass(
            names=(shape.opcode, *shape.twins),
            cost=cost,
            further=_without_longest(latencies),
            advances=_trimmed(advances),
            variants=_merged(_needed(cost, variants)),
            zero_idiom=idiom,
            breaks_dependency=breaks,
            base=_base_register(shape, advances),
            confidence=str(row["confidence"]),
        )

    def _row(self, instruction: _core.Instruction) -> Mapping[str, Any] | None:
        """What the model says; None where it has no ports or no latency."""
        if instruction.form in self._fused:
            return {"ports": (), "blocking": (), "latency": (), "flags": (), "confidence": "derived", "fused": True}
        _, row, _ = self._machine.core.lookup(instruction)
        return row if row is not None and row["ports"] is not None and row["latency"] is not None else None

    def _cost(self, instruction: _core.Instruction, row: Mapping[str, Any], latencies: Sequence[float]) -> Cost:
        cycles: dict[tuple[str, ...], float] = {}
        for count, own in (*row["ports"], *row["blocking"]):
            taken = instruction.branch == "conditional" and set(self._taken) <= set(own)
            ports = self._taken or own if taken else own  # a loop's
            cycles[tuple(ports)] = cycles.get(tuple(ports), 0.0) + count
        if instruction.branch == "conditional":
            cycles[(TURN,)] = 1.0
        uses = tuple((ports, whole) for ports, count in sorted(cycles.items()) if (whole := _whole(count)) > 0)
        ends_group = self.front_end.branches_end_groups and instruction.branch != "none"
        if "fused" in row:
            return Cost(0, 0, (), ends_group=ends_group)
        slots = _core.analyze(self._machine.core, [instruction], mode="unroll").instructions[0].fused_uops
        uops = max(_whole(slots), 1 if uses else 0)
        amounts = {RENAME: uops, FETCH: instruction.length_bytes, DECODE: 1} if uops else {}
        return Cost(
            latency=_whole(latencies[0]) if latencies else 0,
            uops=uops,
            uses=uses,
            front_end=tuple((unit, amounts[unit]) for unit in self.front_end.units if unit in amounts),
            ends_group=ends_group,
            loads_pointer=instruction.form in self._pointers,
        )

    def _times(
        self, shape: _core.OpcodeShape, instruction: _core.Instruction, row: Mapping[str, Any]
    ) -> tuple[list[float], list[int]]:
        """Latencies of the definitions, and advances by place."""
        pairs = {
            (source, target): cycles
            for target in {each for each in shape.writes if each}
            for source in {each for each in shape.reads if each}
            if (cycles := self._pair(instruction, row, source, target)) is not None
        }
        latencies = [self._latency(row, target, pairs) for target in shape.writes]
        by_target = dict(zip(shape.writes, latencies, strict=True))
        advances = []
        for source in shape.reads:
            later = [by_target[target] - cycles for (other, target), cycles in pairs.items() if other == source]
            independent = source != 0 and any(shape.writes) and bool(row["latency"])
            advances.append(math.floor(min(later)) if later else FREE if independent else 0)
        return latencies, advances

    def _latency(self, row: Mapping[str, Any], target: int, pairs: Mapping[tuple[int, int], float]) -> float:
        found = {source: cycles for (source, other), cycles in pairs.items() if other == target}
        beside = [cycles for source, cycles in found.items() if source not in (_ADDRESS, _INDEX)]
        if found:
            return max(beside or found.values())
        name = endpoint_name(self._machine.isa, target)
        return max((float(cycles) for _, to, cycles in row["latency"] if target and to == name), default=0.0)

    def _pair(self, instruction: _core.Instruction, row: Mapping[str, Any], source: int, target: int) -> float | None:
        """Cycles from a source to a result, as an analysis takes them; None: the result does not depend on it."""
        isa = self._machine.isa
        rules = row["latency"]
        if source == _MEMORY:
            return None
        if not rules:
            return 0.0 if "eliminated" in row["flags"] else None
        from_address = source in (_ADDRESS, _INDEX)
        if target == _ADDRESS and not from_address:
            return None
        implicit = source >= _IMPLICIT or target >= _IMPLICIT
        names = (endpoint_name(isa, source), endpoint_name(isa, target))
        if self._stack_engine and target >= _IMPLICIT and names[1] == "rsp":
            return 0.0 if names[0] == "rsp" else None
        cycles = _rule(rules, *names)
        if cycles is None and from_address:
            cycles = _rule(rules, "addr" if source == _INDEX else "index", names[1])
        if cycles is None and from_address and (behind := _rule(rules, "mem", names[1])) is not None:
            cycles = behind + self._load
        if cycles is None:
            if any(to == names[1] for _, to, _ in rules):
                return None
            longest = max((float(each) for _, to, each in rules if to != "mem"), default=1.0)
            return 1.0 if implicit or target == _ADDRESS else longest
        if from_address and target != _ADDRESS and self._is_slow(instruction):
            cycles += self._slow_address
        return cycles

    def _is_slow(self, instruction: _core.Instruction) -> bool:
        return self._slow_address > 0 and any(
            access.index and not access.vector_index and (access.scale > 1 or (access.base and access.displacement))
            for access in instruction.memory
        )


def _base_register(shape: _core.OpcodeShape, advances: Sequence[int]) -> BaseRegister | None:
    """The base of what an instruction loads, where it has no advance already: LLVM gives one register one of them."""
    if _ADDRESS not in shape.reads or not any(access.read for access in shape.cases[0].instruction.memory):
        return None
    place = list(shape.reads).index(_ADDRESS)
    if place < len(advances) and advances[place] != 0:
        return None
    tests = [test for case in shape.cases[1:] for test in case.tests]
    index = max((test.operand for test in tests if test.kind == "present_register"), default=None)
    return BaseRegister(place, index, index + 1) if index is not None else None


def _rule(rules: Sequence[tuple[str, str, float]], source: str, target: str) -> float | None:
    """The rule of a pair, the most specific first."""
    for wanted in ((source, target), ("*", target), (source, "*"), ("*", "*")):
        for own_source, own_target, cycles in rules:
            if (own_source, own_target) == wanted:
                return float(cycles)
    return None


def _counts_in_rename(machine: Machine) -> bool:
    """Whether rename counts loops without a micro-op: then the branch keeps a loop from several turns a cycle."""
    row = machine.core.find("dec r64")
    return row is not None and row["ports"] == ()


def _fused_branches(machine: Machine) -> frozenset[str]:
    """Conditional branches that fuse with a comparison, which then stands for both: LLVM's models know no pairs."""
    texts = {"x86": ("test rax, rax", "cmp rax, rbx"), "aarch64": ("cmp x0, x1",), "riscv64": ()}[machine.isa]
    branch = {"x86": "j{} .L", "aarch64": "b.{} .L", "riscv64": ""}[machine.isa]
    conditions = {
        "x86": ("o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"),
        "aarch64": ("eq",),
        "riscv64": (),
    }[machine.isa]
    syntax = "intel" if machine.isa == "x86" else ""
    found: set[str] = set()
    if _counts_in_rename(machine):
        return frozenset()
    for condition in conditions:
        for text in texts:
            pair = _core.assemble(machine.isa, f".L:\n{text}\n{branch.format(condition)}\n", syntax).instructions
            if _core.analyze(machine.core, pair, mode="unroll").instructions[1].fused_second:
                found.add(pair[1].form)
    return frozenset(found)


def _needed(plain: Cost, cases: Sequence[_Case]) -> list[_Case]:
    """Cases without those that cost what the ones that are tried after them and the plain instruction cost."""
    kept: list[_Case] = []
    for tests, cost in reversed(cases):
        following = [other for others, other in kept if not _exclude(tests, others)]
        if any(other != cost for other in (*following, plain)):
            kept.append((tests, cost))
    return kept[::-1]


def _merged(cases: Sequence[_Case]) -> tuple[Variant, ...]:
    """Neighbours of one cost as alternatives of one variant; so are cases that exclude all between them."""
    found: list[tuple[Cost, list[tuple[_core.OpcodeTest, ...]]]] = []
    for tests, cost in cases:
        at = len(found)
        while at > 0 and found[at - 1][0] != cost and all(_exclude(tests, other) for other in found[at - 1][1]):
            at -= 1
        if at > 0 and found[at - 1][0] == cost:
            found[at - 1][1].append(tests)
        else:
            found.append((cost, [tests]))
    return tuple(Variant(tuple(alternatives), cost) for cost, alternatives in found)


def _exclude(first: Sequence[_core.OpcodeTest], second: Sequence[_core.OpcodeTest]) -> bool:
    """Whether no instruction passes both."""
    return any(
        one.kind == other.kind == "immediate" and one.operand == other.operand and one.value != other.value
        for one in first
        for other in second
    )


def _without_longest(latencies: Sequence[float]) -> tuple[int, ...]:
    """Latencies behind the first, as far as LLVM's default, the longest of those listed, is not theirs."""
    whole = [_whole(each) for each in latencies]
    while len(whole) > 1 and whole[-1] == max(whole[:-1]):
        whole.pop()
    return tuple(whole[1:])


def _trimmed(advances: Sequence[int]) -> tuple[int, ...]:
    last = max((place for place, cycles in enumerate(advances) if cycles), default=-1)
    return tuple(advances[: last + 1])


def _whole(cycles: float) -> int:
    """To the nearest whole number, halves up."""
    return math.floor(cycles + 0.5)
