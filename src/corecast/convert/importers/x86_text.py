"""Example instructions of x86 from operand classes: a foreign database's entry is assembled and its form taken.

Registers of one example are distinct: an instruction with the same register twice may be an idiom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corecast import _core
from corecast.dataclass import dataclass

BASE, INDEX = "rsi", "rdi"
"""Registers of memory operands; no operand of an example uses them otherwise."""

FAMILIES = {
    "rax": ("rax", "eax", "ax", "al", "ah"),
    "rbx": ("rbx", "ebx", "bx", "bl", "bh"),
    "rcx": ("rcx", "ecx", "cx", "cl", "ch"),
    "rdx": ("rdx", "edx", "dx", "dl", "dh"),
    "rsi": ("rsi", "esi", "si", "sil", ""),
    "rdi": ("rdi", "edi", "di", "dil", ""),
    "rbp": ("rbp", "ebp", "bp", "bpl", ""),
    "rsp": ("rsp", "esp", "sp", "spl", ""),
    **{f"r{n}": (f"r{n}", f"r{n}d", f"r{n}w", f"r{n}b", "") for n in range(8, 16)},
}
_CANONICAL = {name: family for family, names in FAMILIES.items() for name in names if name}
_WIDTHS = {"r64": 0, "r32": 1, "r16": 2, "r8": 3, "r8h": 4}
_LEGACY = ("rbx", "rcx", "rdx", "rax")  # the four with a high byte, encodable beside it
_GENERAL = ("rbx", "rcx", "rdx", "r8", "r9", "r10", "r11")
_POINTERS = {
    8: "byte",
    16: "word",
    32: "dword",
    64: "qword",
    80: "tbyte",
    128: "xmmword",
    256: "ymmword",
    512: "zmmword",
}
_IMMEDIATES = {8: "0x12", 16: "0x1234", 32: "0x12345678", 64: "0x123456789abcdef0"}


def canonical_register(name: str) -> str:
    """The location that a register is part of, in `_core`'s names: "eax" -> "rax", "ymm3" -> "zmm3"; "" if unknown."""
    lower = name.lower()
    if lower[:3] in ("xmm", "ymm", "zmm") and lower[3:].isdigit():
        return "zmm" + lower[3:]
    if lower in _CANONICAL:
        return _CANONICAL[lower]
    return lower if _core.register_number("x86", lower) else ""


@dataclass
class ExampleRegisters:
    """Hands out registers that no other operand of the example has."""

    reserved: frozenset[str] = frozenset()
    """Canonical names that the instruction uses implicitly."""
    legacy_only: bool = False
    """A high-byte register takes part: no REX prefix, so no r8 to r15."""
    wide: bool = False
    """Of an EVEX instruction: 512 bits of memory are an access, not a cache line."""

    def __post_init__(self) -> None:
        self._used = set(self.reserved)
        self._vectors = 0

    def take(self, kind: str) -> str:
        """A register of class "r64", "r8h", "xmm", "mm", "k" ... as it is written.

        Raises:
            ValueError: a class without examples, or no register is left.
        """
        if kind in _WIDTHS:
            for family in _LEGACY if self.legacy_only or kind == "r8h" else _GENERAL:
                name = FAMILIES[family][_WIDTHS[kind]]
                if name and family not in self._used:
                    self._used.add(family)
                    return name
            raise ValueError(f"no {kind} register left")
        if kind in ("xmm", "ymm", "zmm", "mm", "k"):
            while True:
                self._vectors += 1
                name = f"{kind}{self._vectors}"
                if canonical_register(name) not in self._used:
                    return name
        raise ValueError(f"no example of register class {kind}")


def memory_text(width_bits: int, *, index: str = "", scale: int = 1, broadcast: int = 0) -> str:
    """A memory operand with the example base: "qword ptr [rsi]"; without a width where the assembler wants none."""
    pointer = _POINTERS.get(width_bits, "")
    address = f"[{BASE} + {scale}*{index}]" if index else f"[{BASE}]"
    text = f"{pointer} ptr {address}" if pointer else address
    return text + (f"{{1to{broadcast}}}" if broadcast else "")


def immediate_text(width_bits: int) -> str:
    """An immediate that needs all of its width."""
    return _IMMEDIATES.get(width_bits, _IMMEDIATES[8])


def assemble_each(lines: Sequence[str]) -> list[_core.Instruction | None]:
    """The instruction of every line, None where the line is illegal or holds more than one."""
    found: dict[int, list[_core.Instruction]] = {}
    for instruction in _core.assemble("x86", "\n".join(lines) + "\n", "intel").instructions:
        found.setdefault(instruction.line, []).append(instruction)
    result: list[_core.Instruction | None] = []
    for number in range(1, len(lines) + 1):
        group = found.get(number, [])
        result.append(group[0] if len(group) == 1 and not group[0].unknown else None)
    return result


def operand_with_register(instruction: _core.Instruction, name: str) -> _core.Operand | None:
    """The operand that names a location (canonical name): the explicit one where several do."""
    number = _core.register_number("x86", name)
    matches = [op for op in instruction.operands if any(use.reg == number for use in op.registers)]
    return min(matches, key=lambda op: op.implicit, default=None) if number else None


def distinct(values: Iterable[str]) -> list[str]:
    """Values in order, each once."""
    return list(dict.fromkeys(values))
