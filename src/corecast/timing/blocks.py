"""A row's code as a block that can run."""

from __future__ import annotations

from collections.abc import Sequence

from corecast import _core
from corecast.asm.code import Isa
from corecast.asm.system import is_system
from corecast.dataclass import dataclass
from corecast.measure.isa.x86.registers import GENERAL
from corecast.measure.isa.x86.relatives import Relative, relatives
from corecast.measure.isa.x86.tiles import TILE_BYTES, moves_tile
from corecast.measure.plan.kernels import StartValues, free_counter, start_values
from corecast.timing.registers import kept_by_system, numbers
from corecast.timing.verdict import Mode, Rejected

LINE_BYTES, _PAGE_BYTES = 64, 4096
MOST_BYTES = 32 << 10
"""Of a block's code: what first-level caches of instructions hold."""
_WORD_BYTES = 8
DATA_PAGES = 32
"""Of memory, for all addresses of a block: fewer than first-level TLBs hold."""
_NUMBER = 0x3FF1_2345_3FF1_2345
"""1.0711 as a double, 1.884 as a float."""
_DIVISIONS = ("div", "idiv")
_PAGES_SPAN = 0x0100_0000
"""Bytes of pages that instructions name relative to themselves."""
_RELATIVE = ("adr", "auipc")
SMALLEST_INSTRUCTION: dict[Isa, int] = {"x86": 1, "aarch64": 4, "riscv64": 2}


@dataclass(frozen=True)
class PreparedBlock:
    """A block without anything that cannot be timed at sight."""

    code: bytes
    instructions: tuple[_core.Instruction, ...]
    starts: tuple[int, ...]
    """Of the instructions, from the block's start."""
    offset: int
    """Of the block's start from a multiple of a line."""
    relatives: tuple[Relative, ...]
    counter: int
    """Number of a register that the block leaves alone, -1: none."""
    isa: Isa = "x86"
    pages: tuple[tuple[int, int], ...] = ()
    """AArch64: places of instructions that give a page's address, and what it is in every copy."""

    def candidates(self) -> list[_core.StartValues]:
        """What registers and memory start with, the best first."""
        return [self._values(general) for general in self.register_values()]

    def register_steps(self) -> list[int | None]:
        """Of each of register_values(): bytes by which a register's place in a line lies behind that of the one before,
        modulo a line; None where the register's number alone does not tell its place."""
        if self.isa != "x86" or any(map(moves_tile, self.instructions)):
            return [None] * len(self.register_values())
        first = [self._grain() % LINE_BYTES] * (len(self.register_values()) - 2)
        return [*first, 0, 0]

    def register_values(self) -> list[dict[int, int]]:
        """Values for the general registers, the best first: each at a different place of a separate page and
        within a line, for a cache's banks serve a few accesses at a time; all at the start of a line; all the same.
        Tiles of different bases do not overlap within a page, as far as there is room."""
        base, step, _, _ = _core.block_data_places()
        spread = {number: base + number * step for number in numbers(self.isa).values()}
        banks = {number: value + number * self._grain() % LINE_BYTES for number, value in spread.items()}
        same = dict.fromkeys(numbers(self.isa).values(), base)
        found = [self._apart(spread), spread] if any(map(moves_tile, self.instructions)) else [banks, spread, same]
        if self.isa == "x86" and any(each.mnemonic in _DIVISIONS for each in self.instructions):
            found.insert(0, {**found[0], GENERAL.index("rdx"): 0})  # the upper half of what is divided
        return [general | dict(self._suitable().general) for general in found]

    def _suitable(self) -> StartValues:
        return start_values(self.instructions, self.isa)

    def _apart(self, general: dict[int, int]) -> dict[int, int]:
        """Bases of tiles at different places in their pages, a tile further each."""
        bases = {access.base for each in self.instructions if moves_tile(each) for access in each.memory}
        numbers = [number for number in general if _core.register_number("x86", GENERAL[number]) in bases]
        return general | {
            number: general[number] // _PAGE_BYTES * _PAGE_BYTES + order * TILE_BYTES % _PAGE_BYTES
            for order, number in enumerate(numbers)
        }

    def _grain(self) -> int:
        """Bytes that the widest access may ask its address to be a multiple of."""
        widest = max((access.width_bytes for each in self.instructions for access in each.memory), default=0)
        if any(not access.width_bytes for each in self.instructions for access in each.memory) and self.isa != "x86":
            return LINE_BYTES  # as wide as vectors are here
        return min(LINE_BYTES, max(_WORD_BYTES, 1 << (widest - 1).bit_length() if widest else 0))

    def _values(self, general: dict[int, int]) -> _core.StartValues:
        base, _, stack, _ = _core.block_data_places()
        chosen = self._suitable()
        values = chosen.to_core()
        values.set_general(general)
        values.stack = stack
        values.set_vector(dict.fromkeys(range(32), _NUMBER))
        values.memory = base if chosen.pointers else _NUMBER
        values.flush_subnormals = True
        return values

    def timed(self, values: _core.StartValues, mode: Mode) -> _core.TimedBlock:
        block = _core.TimedBlock(self.code, values)
        block.offset = self.offset
        block.counter = self.counter
        block.is_loop = mode == "loop"
        block.data_pages = DATA_PAGES
        block.decoded = mode == "unroll"
        for relative in self.relatives:
            block.relocate(relative.field, relative.end, relative.target)
        for place, page in self.pages:
            block.relocate_page(place, page)
        return block


def prepare(code: bytes, address: int, mode: Mode, isa: Isa = "x86") -> PreparedBlock:
    """Raises Rejected for code that cannot be timed."""
    if len(code) > MOST_BYTES:
        raise Rejected("size")
    instructions = tuple(_core.disassemble(isa, code, address).instructions)
    starts: list[int] = []
    at = 0
    for each in instructions:
        if each.unknown:
            raise Rejected("undecodable")
        if each.branch != "none":
            raise Rejected("branch")
        if is_system(isa, each.mnemonic):
            raise Rejected("system")
        if any(access.vector_index for access in each.memory):
            raise Rejected("gather")
        starts.append(at)
        at += each.length_bytes
    counter = free_counter(instructions, isa)
    if counter < 0 and mode == "loop":
        raise Rejected("counter")
    if _touches(instructions, kept_by_system(isa)):
        raise Rejected("reserved")
    leading = relatives(instructions, address) if isa == "x86" else ()
    pages = () if isa == "x86" else _pages(instructions, starts, address)
    offset = address % LINE_BYTES // SMALLEST_INSTRUCTION[isa] * SMALLEST_INSTRUCTION[isa]
    return PreparedBlock(code, instructions, tuple(starts), offset, leading, counter, isa, pages)


def _touches(instructions: Sequence[_core.Instruction], registers: frozenset[int]) -> bool:
    operands = (use.reg for each in instructions for operand in each.operands for use in operand.registers)
    addresses = (reg for each in instructions for access in each.memory for reg in (access.base, access.index))
    return not registers.isdisjoint({*operands, *addresses}) if registers else False


def _pages(
    instructions: Sequence[_core.Instruction], starts: Sequence[int], address: int
) -> tuple[tuple[int, int], ...]:
    """Where `adrp` leads to: pages as far apart as in the program.

    Raises:
        Rejected: another instruction has an address relative to itself.
    """
    *_, first = _core.block_data_places()
    found = []
    for each, start in zip(instructions, starts, strict=True):
        if each.mnemonic == "adrp":
            code = int.from_bytes(each.bytes, "little")
            pages = (code >> 5 & 0x7FFFF) << 2 | code >> 29 & 3
            target = (address + start) // _PAGE_BYTES + pages
            found.append((start, first + target * _PAGE_BYTES % _PAGES_SPAN))
        elif each.mnemonic in _RELATIVE or any(access.pc_relative for access in each.memory):
            raise Rejected("relative")
    return tuple(found)
