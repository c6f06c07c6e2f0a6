"""Where a kernel's pointers lead while `corecast measure kernel` times it, and what its numbers are (x86).

Each register that addresses memory gets a separate region, like the arrays of a program: loads do not meet stores of
other arrays. Registers start again before the data that a run has touched outgrows the first-level cache. A trace of
the first executions says what would spoil the measurement all the same.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence

from corecast import _core
from corecast.dataclass import dataclass, field, replace
from corecast.errors import InputError
from corecast.measure.isa.x86.registers import GENERAL
from corecast.measure.isa.x86.tiles import moves_tile
from corecast.measure.plan.kernels import StartValues, TimedKernel
from corecast.pattern import lazy_pattern
from corecast.timing.accesses import Reach, examine
from corecast.timing.blocks import DATA_PAGES, LINE_BYTES, PreparedBlock
from corecast.timing.cores import caches_of, data_ways
from corecast.timing.timer import FEWEST_TURNS, TURNS, most_turns
from corecast.timing.verdict import Rejected

_REGION, _REGIONS_START = 0x0100_0000, 0x4100_0000
_LOADED, _LOADED_TILES = 0x400, 0x800
"""Of a page, where arrays start that are only read; those that are written start before: a load that runs ahead of
older stores by less than most of a page is at other places of its page than they are, which cores compare first."""
_TRACED_INSTRUCTIONS, _MOST_COPIES, _MOST_STEPS = 192, 24, 2048
_UNROLLED_BYTES, _MOST_UNROLLED = 512, 64
_DOUBLE, _FLOAT = 0x3FF0_0000_0532_1ABD, 0x3F80_0123_3F80_0123
"""1.00000002 and 1.000035: products and quotients of them stay in range for a long time, with all their digits."""
_SINGLE = lazy_pattern(r"\b\w+[sp]s\b")
_DOUBLES = lazy_pattern(r"\b\w+[sp]d\b")
_RELATION = lazy_pattern(r"(?P<register>\w+)=(?P<other>\w+?)(?P<offset>[+-]\w+)?")
_NUMBERS = ("fp64", "fp32", "int")
_WORDS = {
    "aliasing": "a load meets a store through another register, or at the same place of another page: choose the "
    "registers' distances with --pointers",
    "forwarding": "a load takes a part from a store, and a part from memory",
    "page_split": "an access crosses a page",
    "unaligned": "an access crosses a line of the cache",
    "memory": "an address is one that no program has",
}


@dataclass(frozen=True)
class DataOptions:
    """What the user says of a kernel's data."""

    pointers: Sequence[str] = ()
    """`same`, `apart`, or relations such as rdi=rsi+64."""
    values: Sequence[str] = ()
    """Such as fp64=1.5, int=3, rcx=10, xmm1=2.0."""


@dataclass
class _Data:
    general: dict[int, int] = field(default_factory=dict)
    vector: dict[int, int] = field(default_factory=dict)
    memory: int | None = None


def with_data(kernel: TimedKernel, options: DataOptions, cpu: int) -> tuple[TimedKernel, tuple[str, ...]]:
    """The kernel with places for its data, and warnings.

    Args:
        kernel: of x86.
        options: what the user asks for.
        cpu: the core to trace it on.

    Raises:
        InputError: the options name no register, or no number.
    """
    instructions = tuple(_core.disassemble("x86", kernel.code, 0).instructions)
    data = _Data(dict(kernel.values.general), dict(kernel.values.vector), kernel.values.memory)
    _number(instructions, data, kernel.values)
    data.general.update(_places(instructions))
    for text in options.pointers:
        _relate(text, data, instructions)
    for text in options.values:
        _set(text, data)
    values = replace(kernel.values, general=data.general, vector=data.vector, memory=data.memory)
    if options.values and kernel.values.pointers and data.memory is not None:
        values = replace(values, pointers=False)
    return _bounded(replace(kernel, values=values, data_pages=DATA_PAGES), instructions, cpu)


def _addressing(instructions: Sequence[_core.Instruction]) -> dict[int, bool]:
    """Numbers of the registers that address memory as a base, and whether what they address is written."""
    numbers = {_core.register_number("x86", name): number for number, name in enumerate(GENERAL)}
    found: dict[int, bool] = {}
    for each in instructions:
        for access in each.memory:
            if access.base in numbers:
                number = numbers[access.base]
                found[number] = found.get(number, False) or access.write
    found.pop(GENERAL.index("rsp"), None)
    return found


def _places(instructions: Sequence[_core.Instruction]) -> dict[int, int]:
    written = _addressing(instructions)
    loaded = _LOADED_TILES if any(map(moves_tile, instructions)) else _LOADED
    places = {}
    for order, number in enumerate(sorted(written)):
        start = 0 if written[number] else loaded
        places[number] = _REGIONS_START + order * _REGION + start + order * LINE_BYTES
    return places


def _number(instructions: Sequence[_core.Instruction], data: _Data, values: StartValues) -> None:
    """Numbers near 1 of the kind that the code computes with, where it does not load addresses."""
    texts = [each.text for each in instructions]
    single = any(map(_SINGLE.search, texts)) and not any(map(_DOUBLES.search, texts))
    number = _FLOAT if single else _DOUBLE
    data.vector = {**dict.fromkeys(range(32), number), **data.vector}
    if data.memory is None and not values.pointers:
        data.memory = number


def _relate(text: str, data: _Data, instructions: Sequence[_core.Instruction]) -> None:
    used = _addressing(instructions)
    if text == "apart":
        return
    if text == "same":
        data.general.update(dict.fromkeys(used, _REGIONS_START))
        return
    found = _RELATION.fullmatch(text)
    if found is None or found["register"] not in GENERAL or found["other"] not in GENERAL:
        raise InputError(f"--pointers takes same, apart or a relation such as rdi=rsi+64, not '{text}'")
    try:
        offset = int(found["offset"] or "0", 0)
    except ValueError:
        raise InputError(f"--pointers {text}: '{found['offset']}' is not a number of bytes") from None
    other = GENERAL.index(found["other"])
    if other not in data.general:
        data.general[other] = _core.measuring_data_address
    data.general[GENERAL.index(found["register"])] = data.general[other] + offset


def _set(text: str, data: _Data) -> None:
    name, _, number = text.partition("=")
    vector = re.fullmatch(r"[xyz]mm(\d+)", name)
    try:
        if name == "fp32":
            found = int.from_bytes(struct.pack("<f", float(number)) * 2, "little")
        elif name == "fp64" or vector is not None:
            found = int.from_bytes(struct.pack("<d", float(number)), "little")
        elif name == "int" or name in GENERAL:
            found = int(number, 0) % (1 << 64)
        else:
            known = f"{', '.join(_NUMBERS)}, a register of 64 bits, or a vector register"
            raise InputError(f"--values {text}: the name is one of {known}")
    except (ValueError, OverflowError):
        raise InputError(f"--values {text}: '{number}' is no such number") from None
    if name in _NUMBERS:
        data.vector, data.memory = dict.fromkeys(range(32), found), found
    elif vector is not None and int(vector[1]) < len(data.vector):
        data.vector[int(vector[1])] = found
    elif name in GENERAL and name != "rsp":
        data.general[GENERAL.index(name)] = found
    else:
        raise InputError(f"--values {text}: there is no such register")


def _bounded(
    kernel: TimedKernel, instructions: tuple[_core.Instruction, ...], cpu: int
) -> tuple[TimedKernel, tuple[str, ...]]:
    """The kernel with as many iterations a run as its data stays in the cache for."""
    starts, at = [], 0
    for each in instructions:
        starts.append(at)
        at += each.length_bytes
    block = PreparedBlock(kernel.code, instructions, tuple(starts), 0, kernel.relatives, kernel.counter)
    timed = _core.TimedBlock(kernel.code, kernel.values.to_core())
    timed.counter, timed.data_pages = kernel.counter, DATA_PAGES
    for relative in kernel.relatives:
        timed.relocate(relative.field, relative.end, relative.target)
    copies = max(3, min(_MOST_COPIES, _TRACED_INSTRUCTIONS // len(instructions)))
    trace = _core.trace_block(timed, copies, _MOST_STEPS, cpu)
    if trace.end != "done":
        return kernel, ()  # what is wrong shows when it is timed
    try:
        reach, hindrances = examine(block, trace.steps)
    except Rejected:
        return kernel, ()
    notes = tuple(_WORDS[each] for each in hindrances)
    if not reach.drift_bytes:
        return kernel, notes
    limited = _limited(kernel, reach, data_ways(caches_of(cpu)))
    if limited is None:
        return kernel, (*notes, "the data of eight iterations does not stay in the first-level cache")
    return limited, notes


def _limited(kernel: TimedKernel, reach: Reach, ways: int) -> TimedKernel | None:
    try:
        turns = most_turns(TURNS, reach, ways)
    except Rejected:
        return None
    if kernel.is_loop:
        return replace(kernel, most_iterations=turns)
    copies = max(1, min(_MOST_UNROLLED, _UNROLLED_BYTES // len(kernel.code), max(1, turns // FEWEST_TURNS)))
    return replace(kernel, copies=copies, most_iterations=max(1, turns // copies))


def value_warnings(conditions: Mapping[str, bool]) -> tuple[str, ...]:
    """What the exceptions that code met say of its cycles."""
    if not conditions.get("subnormal"):
        return ()
    return (
        "operands or results became subnormal: on many cores the cycles are those of such numbers; choose others with "
        "--values, as --values fp64=1.0",
    )
