"""A row's code as a block that can run."""

from __future__ import annotations

from corecast import _core
from corecast.asm.system import is_system
from corecast.dataclass import dataclass
from corecast.measure.isa.x86.registers import GENERAL
from corecast.measure.isa.x86.relatives import Relative, relatives
from corecast.measure.isa.x86.tiles import TILE_BYTES, moves_tile
from corecast.measure.plan.kernels import StartValues, free_counter, start_values
from corecast.timing.verdict import Mode, Rejected

LINE_BYTES, _PAGE_BYTES = 64, 4096
MOST_BYTES = 32 << 10
"""Of a block's code: what first-level caches of instructions hold."""
_WORD_BYTES = 8
DATA_PAGES = 32
"""Of memory, for all addresses of a block: fewer than first-level TLBs hold."""
_BASE, _STACK, _SLOT = 0x1234_5600, 0x2234_5A00, 0x0101_0100
_NUMBER = 0x3FF1_2345_3FF1_2345
"""1.0711 as a double, 1.884 as a float."""
_DIVISIONS = ("div", "idiv")


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

    def candidates(self) -> list[_core.StartValues]:
        """What registers and memory start with, the best first."""
        return [self._values(general) for general in self.register_values()]

    def register_values(self) -> list[dict[int, int]]:
        """Values for the general registers, the best first: each its own place in a page of its own and within a line,
        for a cache's banks serve a few accesses at a time; all at the start of a line; all the same. Tiles of different
        bases do not overlap within a page, as far as there is room."""
        spread = {number: _BASE + number * _SLOT for number in range(len(GENERAL))}
        banks = {number: value + number * self._grain() % LINE_BYTES for number, value in spread.items()}
        same = dict.fromkeys(range(len(GENERAL)), _BASE)
        found = [self._apart(spread), spread] if any(map(moves_tile, self.instructions)) else [banks, spread, same]
        if any(each.mnemonic in _DIVISIONS for each in self.instructions):
            found.insert(0, {**found[0], GENERAL.index("rdx"): 0})  # the upper half of what is divided
        return [general | dict(self._suitable().general) for general in found]

    def _suitable(self) -> StartValues:
        return start_values(self.instructions, "x86")

    def _apart(self, general: dict[int, int]) -> dict[int, int]:
        """Bases of tiles at places of their own in their pages, a tile further each."""
        bases = {access.base for each in self.instructions if moves_tile(each) for access in each.memory}
        numbers = [number for number in general if _core.register_number("x86", GENERAL[number]) in bases]
        return general | {
            number: general[number] // _PAGE_BYTES * _PAGE_BYTES + order * TILE_BYTES % _PAGE_BYTES
            for order, number in enumerate(numbers)
        }

    def _grain(self) -> int:
        """Bytes that the widest access may ask its address to be a multiple of."""
        widest = max((access.width_bytes for each in self.instructions for access in each.memory), default=0)
        return min(LINE_BYTES, max(_WORD_BYTES, 1 << (widest - 1).bit_length() if widest else 0))

    def _values(self, general: dict[int, int]) -> _core.StartValues:
        chosen = self._suitable()
        values = chosen.to_core()
        values.set_general(general)
        values.stack = _STACK
        values.set_vector(dict.fromkeys(range(32), _NUMBER))
        values.memory = _BASE if chosen.pointers else _NUMBER
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
        return block


def prepare(code: bytes, address: int, mode: Mode) -> PreparedBlock:
    """Raises Rejected for code that cannot be timed."""
    if len(code) > MOST_BYTES:
        raise Rejected("size")
    instructions = tuple(_core.disassemble("x86", code, address).instructions)
    starts: list[int] = []
    at = 0
    for each in instructions:
        if each.unknown:
            raise Rejected("undecodable")
        if each.branch != "none":
            raise Rejected("branch")
        if is_system("x86", each.mnemonic):
            raise Rejected("system")
        if any(access.vector_index for access in each.memory):
            raise Rejected("gather")
        starts.append(at)
        at += each.length_bytes
    counter = free_counter(instructions, "x86")
    if counter < 0 and mode == "loop":
        raise Rejected("counter")
    return PreparedBlock(
        code, instructions, tuple(starts), address % LINE_BYTES, relatives(instructions, address), counter
    )
