"""Forms as templates: a key such as `imul r64, r64`, and instructions with chosen registers made of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from corecast import _core
from corecast.errors import InputError
from corecast.measure.x86 import GENERAL

Kind = Literal["general", "high", "vector", "mask", "mm"]
Registers = Mapping[str, int]
"""Register numbers by slot."""

_GENERAL_NAMES = {
    64: GENERAL,
    32: ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", *(f"r{n}d" for n in range(8, 16))),
    16: ("ax", "cx", "dx", "bx", "sp", "bp", "si", "di", *(f"r{n}w" for n in range(8, 16))),
    8: ("al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", *(f"r{n}b" for n in range(8, 16))),
}
_HIGH_NAMES = ("ah", "ch", "dh", "bh")
_VECTOR_LETTERS = {128: "x", 256: "y", 512: "z"}
_SIZES = {8: "byte", 16: "word", 32: "dword", 64: "qword", 80: "tbyte", 128: "xmmword", 256: "ymmword", 512: "zmmword"}
_IMMEDIATES = {"i8": "7", "i16": "0x1234", "i32": "0x123456", "i64": "0x123456789abcd"}
"""Neither 0 nor 1, and of the size that the key asks for."""
_KEY = re.compile(r"(?P<base>[^{]*)(?P<mask>\{k\})?(?P<zero>\{z\})?")
_VARIANTS = re.compile(r" @\w+$")


@dataclass(frozen=True)
class Slot:
    """A register of a form that can be chosen."""

    name: str
    """Number of the explicit operand ("1"), or addr, index, mask."""
    kind: Kind
    bits: int
    """Width of the register as the form names it."""

    def register(self, number: int) -> str:
        if self.kind == "general":
            return _GENERAL_NAMES[self.bits][number]
        if self.kind == "high":
            return _HIGH_NAMES[number]
        if self.kind == "vector":
            return f"{_VECTOR_LETTERS[self.bits]}mm{number}"
        return f"{'k' if self.kind == 'mask' else 'mm'}{number}"

    def location(self, number: int) -> int:
        """The location that register is, whatever its width."""
        name = {"general": GENERAL[number], "high": GENERAL[number % 4], "vector": f"zmm{number}"}
        return _core.register_number("x86", name.get(self.kind, self.register(number)))


@dataclass(frozen=True)
class Form:
    """A form of x86 that instructions can be made of."""

    key: str
    operands: tuple[str, ...]
    """Texts with {slot} for registers."""
    mnemonic: str
    slots: tuple[Slot, ...]

    def text(self, registers: Registers, displacement: int = 0) -> str:
        names = {slot.name: slot.register(registers[slot.name]) for slot in self.slots}
        filled = [_fill(operand, names, displacement) for operand in self.operands]
        return f"{self.mnemonic} {', '.join(filled)}".rstrip()

    def instruction(self, registers: Registers, displacement: int = 0) -> _core.Instruction:
        """The instruction with these registers.

        Raises:
            InputError: there is none.
        """
        made = _assemble(self.text(registers, displacement))
        if made is None or self.key not in (made.form, *made.alternative_forms):
            raise InputError(f"'{self.text(registers, displacement)}' is no {self.key}")
        return made

    @cached_property
    def example(self) -> _core.Instruction:
        """An instruction whose registers all differ: what the form reads and writes."""
        return self.instruction(distinct(self.slots))

    def slot(self, name: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.name == name), None)


def distinct(slots: Sequence[Slot]) -> dict[str, int]:
    """A different register for each slot."""
    chosen: dict[str, int] = {}
    free = {
        "general": iter((3, 5, 6, 7, 8, 9, 10, 11)),
        "high": iter((3, 2)),
        "vector": iter(range(2, 16)),
        "mask": iter(range(1, 8)),
        "mm": iter(range(8)),
    }
    low = any(slot.kind == "high" for slot in slots)  # ah to bh cannot stand beside registers that need REX
    if low:
        free["general"] = iter((1, 0))
    for slot in slots:
        chosen[slot.name] = next(free[slot.kind])
    return chosen


def parse_form(key: str) -> Form:
    """A form by its key, as `corecast lookup` writes it.

    Raises:
        InputError: the key names no form of which instructions can be made.
    """
    key = _VARIANTS.sub("", " ".join(key.split()))
    mnemonic, operands = _split(key)
    tried = False
    for texts, slots in _spellings(operands):
        form = Form(key, texts, mnemonic, slots)
        made = _assemble(form.text(distinct(slots)))
        tried = True
        if made is not None and key in (made.form, *made.alternative_forms):
            return form
    if not tried:
        raise InputError(f"'{key}': no operands of that kind can be measured yet")
    raise InputError(f"'{key}' is no form of x86; see `corecast lookup`")


def _split(key: str) -> tuple[str, list[str]]:
    """Mnemonic, with its prefix, and operands."""
    words = key.split(" ")
    count = 2 if words[0] in ("lock", "rep", "repe", "repne", "repz", "repnz") and len(words) > 1 else 1
    rest = " ".join(words[count:])
    return " ".join(words[:count]), rest.split(", ") if rest else []


def _spellings(operands: list[str]) -> list[tuple[tuple[str, ...], tuple[Slot, ...]]]:
    """Texts of the operands with their slots; several where the key leaves the element's size open."""
    widths: tuple[int, ...] = (64, 32, 16) if any("bcst" in operand for operand in operands) else (0,)
    found = []
    for element in widths:
        texts: list[str] = []
        slots: list[Slot] = []
        for number, operand in enumerate(operands, start=1):
            text = _operand(operand, str(number), element, slots)
            if text is None:
                break
            texts.append(text)
        else:
            found.append((tuple(texts), tuple(slots)))
    return found


def _operand(key: str, number: str, element: int, slots: list[Slot]) -> str | None:
    """The text of one operand, its slots added; None where there is none yet."""
    match = _KEY.fullmatch(key)
    if match is None:
        return key  # {rn-sae}
    base = match["base"]
    text = _register(base, number, slots) or _memory(base, element, slots)
    if text is None:
        if base in _IMMEDIATES:
            text = _IMMEDIATES[base]
        elif base in ("", "1") or _core.register_number("x86", base) or base in _FIXED or base.startswith("{"):
            text = base
        else:
            return None
    if match["mask"]:
        slots.append(Slot("mask", "mask", 64))
        text += " {{mask}}"
    return text + (match["zero"] or "")


_FIXED = {name for names in _GENERAL_NAMES.values() for name in names} | {"xmm0", "st", "{k}"}


def _register(base: str, number: str, slots: list[Slot]) -> str | None:
    general = re.fullmatch(r"r(8|16|32|64)", base)
    if general:
        slots.append(Slot(number, "general", int(general[1])))
    elif base == "r8h":
        slots.append(Slot(number, "high", 8))
    elif base in ("xmm", "ymm", "zmm"):
        slots.append(Slot(number, "vector", {"x": 128, "y": 256, "z": 512}[base[0]]))
    elif base == "k":
        slots.append(Slot(number, "mask", 64))
    elif base == "mm":
        slots.append(Slot(number, "mm", 64))
    else:
        return None
    return "{" + number + "}"


def _memory(base: str, element: int, slots: list[Slot]) -> str | None:
    broadcast = re.fullmatch(r"m(\d+)bcst", base)
    plain = re.fullmatch(r"m(8|16|32|64|80|128|256|512)", base)
    if broadcast:
        prefix, suffix = f"{_SIZES[element]} ptr ", "{1to" + str(int(broadcast[1]) // element) + "}"
    elif plain:
        prefix, suffix = f"{_SIZES[int(plain[1])]} ptr ", ""
    elif base in ("m", "m3"):
        prefix, suffix = "", ""
    else:
        return None
    slots.append(Slot("addr", "general", 64))
    if base == "m3":
        slots.append(Slot("index", "general", 64))
        return "[{addr} + {index} + {displacement}]"
    return f"{prefix}[{{addr}} + {{displacement}}]{suffix}"


def _fill(operand: str, names: Mapping[str, str], displacement: int) -> str:
    """Registers for {1}, {addr}...; other braces, as of masks and roundings, stay."""
    if operand.endswith("[{addr} + {index} + {displacement}]"):
        displacement = displacement or 16  # the form is that of three components
    filled = {**names, "displacement": str(displacement)}
    return re.sub(r"\{(\w+)\}", lambda match: filled.get(match[1], match[0]), operand)


def _assemble(text: str) -> _core.Instruction | None:
    listing = _core.assemble("x86", text, "intel")
    if listing.problems or len(listing.instructions) != 1 or listing.instructions[0].unknown:
        return None
    return listing.instructions[0]
