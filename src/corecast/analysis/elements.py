"""How many elements one iteration of a loop works on, so that vectors of different lengths compare."""

from __future__ import annotations

from corecast.dataclass import dataclass
from corecast.errors import InputError
from corecast.hints import TYPE_CHECKING
from corecast.pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corecast import _core
    from corecast.asm import Kernel

_ASKED = lazy_pattern(r"(\d{1,6})(?:x(8|16|32|64))?")
_MULTIPLE = lazy_pattern(r"mul #(\d+)")
_SVE_STEP = lazy_pattern(r"inc([bhwd])")
_SVE_BITS = {"b": 8, "h": 16, "w": 32, "s": 32, "d": 64}
_SVE_LANES = lazy_pattern(r"z\.([bhsd])\b")
_RVV_GROUP = lazy_pattern(r"@(m(f?)(\d)),e(\d+)")
_GIVEN = lazy_pattern(r"(?:(\d+(?:\.\d+)?)x)?(8|16|32|64)|=(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Elements:
    """Elements of an iteration: `vectors` full vectors of elements, or a fixed number."""

    vectors: float
    bits: int
    fixed: float
    reason: str
    """What told so."""

    def count(self, vector_bits: float) -> float:
        """Of one iteration, with vectors of that length and all lanes active."""
        return self.fixed or self.vectors * vector_bits / self.bits


@dataclass(frozen=True)
class ElementCount:
    """Elements of an iteration with vectors of one length, all lanes active."""

    elements: float
    """Per iteration."""
    vector_bits: float
    """Length of the vectors."""
    reason: str
    """What told so."""


@dataclass(frozen=True)
class Trips:
    """How often an inner loop runs: once per vector of a number of elements, or a fixed number of times."""

    elements: int
    bits: int

    def count(self, vector_bits: float) -> int:
        """With vectors of that length, the last of them not always full."""
        if not self.bits:
            return self.elements
        return max(1, -int(-self.elements * self.bits // vector_bits))


def elements_of(kernel: Kernel) -> Elements | None:
    """What the code says: the step of its counter, else one vector of the elements that it stores, adds or loads.

    None where no instruction has vectors of a length that the core decides.
    """
    if kernel.isa == "x86":  # whose vectors all have a length
        return None
    for instruction in kernel.instructions:
        step = _SVE_STEP.fullmatch(instruction.mnemonic)
        if step is not None and instruction.operands and _is_general(instruction):
            vectors = _multiple(instruction)
            return Elements(vectors, _SVE_BITS[step[1]], 0, f"{instruction.text} steps the counter")
    for instruction in _stores_first(kernel.instructions):
        group = _RVV_GROUP.search(instruction.form)
        if group is not None:
            registers = 1 / int(group[3]) if group[2] else float(group[3])
            return Elements(registers, int(group[4]), 0, f"one register group, as in {instruction.text}")
        lanes = _SVE_LANES.search(instruction.form)
        if lanes is not None:
            return Elements(1, _SVE_BITS[lanes[1]], 0, f"one vector, as in {instruction.text}")
    return None


def count_elements(kernel: Kernel, vector_bits: float, given: Elements | None = None) -> ElementCount | None:
    """Elements of an iteration: as given, else what the code says; None for loops without vectors of unsaid length."""
    found = given or elements_of(kernel)
    return None if found is None else ElementCount(found.count(vector_bits), vector_bits, found.reason)


def parse_elements(text: str) -> Elements:
    """`2x64`: two vectors of 64-bit elements; `64`: one; `=16`: sixteen, whatever the vectors' length.

    Raises:
        InputError: of another kind, or none at all.
    """
    found = _GIVEN.fullmatch(text.strip())
    number = float(found[1] or found[3] or 1) if found else 0
    if found is None or number <= 0:
        raise InputError(f"--elements is VECTORSxBITS, such as 2x64, or =COUNT, not '{text}'")
    if found[3]:
        return Elements(0, 0, number, "as given")
    return Elements(number, int(found[2]), 0, "as given")


def parse_trips(text: str) -> Trips:
    """`19x64`: over nineteen 64-bit elements; `19`: nineteen times, whatever the vectors' length.

    Raises:
        InputError: of another kind, or none at all.
    """
    found = _ASKED.fullmatch(text.strip())
    if found is None or int(found[1]) < 1:
        raise InputError(f"--trips is ELEMENTSxBITS, such as 19x64, or a number, not '{text}'")
    return Trips(int(found[1]), int(found[2] or 0))


def _is_general(instruction: _core.Instruction) -> bool:
    return instruction.text.split(None, 1)[1].lstrip()[0] in "xw"


def _multiple(instruction: _core.Instruction) -> float:
    found = _MULTIPLE.search(instruction.text)
    return float(found[1]) if found else 1.0


def _stores_first(instructions: Sequence[_core.Instruction]) -> list[_core.Instruction]:
    """What is stored tells the elements best, then what is computed, then what is loaded."""

    def order(instruction: _core.Instruction) -> int:
        if any(access.write for access in instruction.memory):
            return 0
        return 2 if instruction.memory else 1

    return sorted(instructions, key=order)
