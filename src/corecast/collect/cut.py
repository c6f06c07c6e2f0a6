"""Instructions that ran, cut into basic blocks.

How often each instruction ran shows where blocks start: code that is entered in the middle runs more often from there
on. Blocks end before branches and system instructions, which are no part of them, and where the next instruction did
not run.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from corecast.asm.code import Isa
from corecast.asm.system import is_system
from corecast.collect.blocks import EMPTY, NO_FILE, UNDECODABLE, Reasons
from corecast.dataclass import dataclass

_PIECE_BYTES = 1 << 16
"""Decoded at once, so that the instructions of a large file do not all exist at a time."""
_LONGEST = 16
"""Bytes of the longest instruction, rounded up."""
_GAP = 64
"""Bytes that did not run, after which decoding starts anew."""


@dataclass(frozen=True)
class Executed:
    """What ran of one module."""

    module: str
    """Path of its file, "" where it has none."""
    code: Callable[[int, int], bytes]
    """So many bytes of the module from an address on, fewer where it ends."""
    place: Callable[[int], tuple[str, str]]
    """Function and source line (file:line) of an address, each "" where unknown."""
    addresses: Sequence[int]
    """Of instructions, ascending, each once."""
    counts: Sequence[int]


class Step(NamedTuple):
    """One instruction: the code of an ordinary one, `ends` for a branch, a system instruction, or none at all."""

    address: int
    code: bytes
    ends: bool
    unknown: bool
    executions: int | None


class Piece(NamedTuple):
    """A block's code, where it stands, how often it ran."""

    address: int
    code: bytes
    executions: int | None


def cut(isa: Isa, executed: Executed, reasons: Reasons) -> Iterator[Piece]:
    """The blocks of what ran, by address."""
    return cut_steps(_steps(isa, executed, reasons), reasons)


def cut_steps(steps: Iterable[Step], reasons: Reasons, leaders: Collection[int] = ()) -> Iterator[Piece]:
    """Blocks of instructions in the order of their addresses; `leaders`: where blocks start in any case."""
    parts: list[bytes] = []
    start = end = 0
    count: int | None = 0
    for step in steps:
        if parts and (step.address != end or step.executions != count or step.address in leaders):
            yield Piece(start, b"".join(parts), count)
            parts = []
        if step.ends or step.unknown:
            if parts:
                yield Piece(start, b"".join(parts), count)
                parts = []
            if step.unknown:
                reasons.add(UNDECODABLE, step.executions)
            elif step.address != end or step.executions != count or step.address in leaders:
                reasons.add(EMPTY, step.executions)
        else:
            if not parts:
                start, count = step.address, step.executions
            parts.append(step.code)
        end = step.address + len(step.code)
        count = step.executions
    if parts:
        yield Piece(start, b"".join(parts), count)


def decode(isa: Isa, code: bytes, address: int) -> Iterator[tuple[Step, int]]:
    """Every instruction of code, without a count, beside the address that it branches to (-1: none that is known)."""
    from corecast import _core

    for each in _core.disassemble(isa, code, address).instructions:
        ends = each.branch != "none" or is_system(isa, each.mnemonic)
        yield Step(each.address, each.bytes, ends, each.unknown, None), each.target_address


def _steps(isa: Isa, executed: Executed, reasons: Reasons) -> Iterator[Step]:
    addresses, counts = executed.addresses, executed.counts
    at = 0
    while at < len(addresses):
        start = addresses[at]
        last = at + 1
        while (
            last < len(addresses)
            and addresses[last] - addresses[last - 1] < _GAP
            and addresses[last] - start < _PIECE_BYTES
        ):
            last += 1
        code = executed.code(start, addresses[last - 1] + _LONGEST - start)
        if not code:
            reasons.add(NO_FILE, sum(counts[at:last]))
            at = last
            continue
        before = at
        for step, _ in decode(isa, code, start):
            if at == last or step.address > addresses[at]:
                break  # beyond what ran, or out of step with it: decoded anew from the next one that ran
            if step.address == addresses[at]:
                yield step._replace(executions=counts[at])
                at += 1
        if at == before:  # the file is shorter than what ran
            reasons.add(NO_FILE, counts[at])
            at += 1


def merged(addresses: Sequence[int], counts: Sequence[int]) -> tuple[array[int], array[int], list[int]]:
    """Counts of instructions summed by address, ascending; beside them where the largest count of each was."""
    order = sorted(range(len(addresses)), key=addresses.__getitem__)
    found, sums = array("Q"), array("Q")
    largest: list[int] = []
    for index in order:
        if found and found[-1] == addresses[index]:
            sums[-1] += counts[index]
            if counts[index] > counts[largest[-1]]:
                largest[-1] = index
        else:
            found.append(addresses[index])
            sums.append(counts[index])
            largest.append(index)
    return found, sums, largest
