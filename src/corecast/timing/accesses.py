"""The memory that a block touches, from a trace of its first executions: what of it would spoil a measurement."""

from __future__ import annotations

import struct
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import gcd
from typing import NamedTuple

from corecast import _core
from corecast.dataclass import dataclass
from corecast.measure.isa.x86.tiles import ROW_BYTES, ROWS, moves_tile
from corecast.pattern import lazy_pattern
from corecast.timing.blocks import DATA_PAGES, LINE_BYTES, PreparedBlock
from corecast.timing.registers import numbers as numbers_of
from corecast.timing.verdict import Rejected

_STEP = struct.Struct("<33Q")
STEP_BYTES = _STEP.size
_PAGE = 4096
_PAGE_LINES = _PAGE // LINE_BYTES
FEWEST_WAYS = 8
"""Of first-level caches, one page each."""
_WAYS_OF_OTHERS = 2
"""That a block must leave to what is around it."""
_HIGHEST = 1 << 47
"""Of addresses that programs have."""
_STORES = 48
"""That a load is compared with: no core holds many more at a time."""
_WORD = 1 << 64
_LEAST_VECTOR_BYTES = 16
_EXTENDED = lazy_pattern(r"\[[^\]]*, w\d+, ([su]xtw)")
_ALIGNED = 16
"""Width from which on instructions may ask for alignment."""


class Root(NamedTuple):
    """A value that is not known from others: what a register held at first, or what a step wrote."""

    step: int
    register: int


Terms = tuple[tuple[Root, int], ...]
"""Roots with their coefficients: two addresses with the same terms differ by a constant whatever values there are."""
_FIXED: Terms = ()


@dataclass(frozen=True)
class Access:
    """One access of one instruction in one execution."""

    key: tuple[int, int]
    """Instruction, and which of its accesses."""
    address: int
    width: int
    read: bool
    write: bool
    terms: Terms


def accesses(block: PreparedBlock, steps: bytes) -> Iterator[Access]:
    """Every access of a trace, in order."""
    size = len(block.code)
    index_at = {start: index for index, start in enumerate(block.starts)}
    relative = {relative.end: relative.target for relative in block.relatives}
    numbers = numbers_of(block.isa)
    pages = dict(block.pages)
    known: dict[int, Terms] = {number: ((Root(-1, number), 1),) for number in numbers.values()}
    for number, (offset, *general) in enumerate(_STEP.iter_unpack(steps)):
        index = index_at.get(offset % size)
        if index is None:
            raise Rejected("flags")
        instruction = block.instructions[index]
        for place, access in enumerate(instruction.memory):
            if access.pc_relative:
                address, terms = relative[block.starts[index] + instruction.length_bytes], _FIXED
            elif access.segment or not {access.base, access.index} <= numbers.keys() | {0}:
                continue  # data of each thread: where it lies is not known
            elif moves_tile(instruction):
                for row in range(ROWS):
                    address, terms = _address(access, general, known, numbers, row * access.scale)
                    yield Access((index, row), address, ROW_BYTES, access.read, access.write, terms)
                continue
            else:
                address, terms = _address(access, general, known, numbers, access.scale, _narrow(instruction))
            width = access.width_bytes or _vector_bytes(block)
            yield Access((index, place), address % _WORD, width, access.read, access.write, terms)
        _follow(instruction, number, known, numbers)
        if block.starts[index] in pages:  # a constant of the program
            known.update({numbers[use.reg]: _FIXED for use in _written(instruction) if use.reg in numbers})


def _vector_bytes(block: PreparedBlock) -> int:
    """Of an access whose width is the vectors': the least that they have; of x86 it is not known."""
    return 0 if block.isa == "x86" else _LEAST_VECTOR_BYTES


def _narrow(instruction: _core.Instruction) -> str:
    """How AArch64 makes an index of 32 bits wider: sxtw, uxtw or ""."""
    found = _EXTENDED.search(instruction.text) if instruction.memory else None
    return found[1] if found else ""


def _extended(value: int, how: str) -> int:
    if not how:
        return value
    low = value & 0xFFFF_FFFF
    return low - (1 << 32) if how == "sxtw" and low >> 31 else low


def _address(
    access: _core.MemoryAccess,
    general: Sequence[int],
    known: Mapping[int, Terms],
    numbers: Mapping[int, int],
    scale: int,
    narrow: str = "",
) -> tuple[int, Terms]:
    """`scale`: what the index counts for; of a tile's row so many times the row's number. What is written back after
    the access does not count."""
    address, parts = 0 if access.write_back == "post" else access.displacement, dict[Root, int]()
    for register, factor, how in ((access.base, 1, ""), (access.index, scale, narrow)):
        if not register:
            continue
        which = numbers[register]
        address += _extended(general[which], how) * factor
        for root, coefficient in known[which]:
            parts[root] = parts.get(root, 0) + coefficient * factor
    return address % _WORD, _terms(parts)


def _terms(parts: Mapping[Root, int]) -> Terms:
    return tuple(sorted((root, factor % _WORD) for root, factor in parts.items() if factor % _WORD))


def _written(instruction: _core.Instruction) -> Iterator[_core.RegisterUse]:
    return (use for operand in instruction.operands for use in operand.registers if use.write)


def _follow(instruction: _core.Instruction, step: int, known: dict[int, Terms], numbers: Mapping[int, int]) -> None:
    """What general registers are known to hold after an instruction."""
    changes: dict[int, Terms] = {}
    for use in _written(instruction):
        if use.reg in numbers:
            number = numbers[use.reg]
            changes[number] = ((Root(step, number), 1),)
    for value in instruction.affine:
        if value.reg not in numbers:
            continue
        parts = dict[Root, int]()
        for term in value.terms:
            if term.reg not in numbers:
                break
            for root, factor in known[numbers[term.reg]]:
                parts[root] = parts.get(root, 0) + factor * term.coefficient
        else:
            changes[numbers[value.reg]] = _terms(parts)
    known.update(changes)


@dataclass(frozen=True)
class Reach:
    """How the addresses of a block go on."""

    streams: frozenset[tuple[int, int]] = frozenset()
    """Of each access the address of an execution, and the largest step to that of the next."""

    @property
    def drift_bytes(self) -> int:
        return max((abs(step) for _, step in self.streams), default=0)

    def fits(self, executions: int, ways: int = FEWEST_WAYS) -> bool:
        """Whether so many executions keep to separate pages, and to the first-level cache, whose sets go by the
        bits of addresses within a page.

        Args:
            ways: of the cache.
        """
        lines = {
            (start + turn * step) % _WORD // LINE_BYTES
            for start, step in self.streams
            for turn in range(executions if step else 1)
        }
        pages = {line // _PAGE_LINES for line in lines}
        fullest = max(Counter(line % _PAGE_LINES for line in lines).values(), default=0)
        return len(pages) <= DATA_PAGES and fullest <= ways - _WAYS_OF_OTHERS


def judge(block: PreparedBlock, steps: bytes) -> Reach:
    """Raises Rejected where an access would spoil the measurement; else how far addresses move."""
    reach, hindrances = examine(block, steps)
    if hindrances:
        raise Rejected(hindrances[0])
    return reach


def examine(block: PreparedBlock, steps: bytes) -> tuple[Reach, tuple[str, ...]]:
    """How far addresses move, and for what reasons accesses would spoil a measurement, each once."""
    hindrances: dict[str, None] = {}
    stores: deque[Access] = deque(maxlen=_STORES)
    places: dict[tuple[int, int], list[int]] = {}
    widths: dict[tuple[int, int], int] = {}
    for access in accesses(block, steps):
        hindrances.update(dict.fromkeys(_place_hindrances(access.address, access.width)))
        if access.read:
            hindrances.update(dict.fromkeys(filter(None, (_pair_hindrance(store, access) for store in stores))))
        if access.write:
            stores.append(access)
        places.setdefault(access.key, []).append(access.address)
        widths[access.key] = access.width
    streams: set[tuple[int, int]] = set()
    for key, addresses in places.items():
        moves = {later - earlier for earlier, later in pairwise(addresses[1:])}
        steps_of = {(move + _WORD // 2) % _WORD - _WORD // 2 for move in moves}
        streams.add((addresses[-1], max(steps_of, key=abs, default=0)))
        if len(moves) == 1:  # it goes on like this
            move = moves.pop()
            period = LINE_BYTES // gcd(LINE_BYTES, move % LINE_BYTES)
            if any(_crosses_line(addresses[-1] + turn * move, widths[key]) for turn in range(period)):
                hindrances["unaligned"] = None
    return Reach(frozenset(streams)), tuple(hindrances)


def fault_reason(block: PreparedBlock, steps: bytes) -> str:
    """Why the last instruction of a trace faulted, though its addresses are such as programs have."""
    index = 0
    for offset, *_ in _STEP.iter_unpack(steps[-_STEP.size :]):
        index = block.starts.index(offset % len(block.code))
    if not block.instructions[index].memory:
        return "system"
    found = next(iter(deque(accesses(block, steps), maxlen=1)), None)
    if found is None or found.key[0] != index:  # its address has a segment: where it leads is not known
        return "memory"
    return "unaligned" if found.width >= _ALIGNED and found.address % found.width else "memory"


def _place_hindrances(address: int, width: int) -> Iterator[str]:
    if not _PAGE <= address < _HIGHEST:
        yield "memory"
    if address % _PAGE + width > _PAGE:
        yield "page_split"
    elif _crosses_line(address, width):
        yield "unaligned"


def _crosses_line(address: int, width: int) -> bool:
    return address % LINE_BYTES + width > LINE_BYTES


def _pair_hindrance(store: Access, load: Access) -> str:
    distance = load.address - store.address
    if -load.width < distance < store.width:
        if store.terms != load.terms:
            return "aliasing"
        return "forwarding" if distance < 0 or distance + load.width > store.width else ""
    low = (distance + load.width - 1) % _PAGE
    # The same place of another page: cores compare the low bits first.
    return "aliasing" if low < load.width + store.width - 1 and store.terms != load.terms else ""
