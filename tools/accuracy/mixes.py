"""PMEvo's mixes as the loops that were timed: copies of a mix up to fifty instructions, a counter and a branch.

The tables hold one copy. What was timed wrote the registers of a kind one after the other, and each instruction read
those behind the one that it wrote, which were written longest ago; every access of x86 code went to another cache line.
So the paper's artefact says (Ritter and Hack, PLDI 2020).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from corecast.machine.types import Isa

INSTRUCTIONS: Final = 50
"""Of a loop, without what counts: whole copies, at least so many."""
LINE: Final = 64
LAST_OFFSET: Final = 4032
AARCH64: Final = re.compile(r"\b([xwvqdshb])(\d+)\b")
X86: Final = re.compile(r"\b(?:([xy]mm)(\d+)|(r[bcd]x|r\d+))\b")
WRITTEN_X86: Final = ("rbx", "rcx", "rdx", "r8", "r9")
"""What the table calls the general registers that a copy writes; the others are read."""
GENERAL_X86: Final = ("rbx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12")
OFFSET: Final = re.compile(r"\[r15 \+ \d+\]")


@dataclass
class _Turns:
    """Registers of each kind, in turn."""

    names: dict[str, tuple[str, ...]]
    written: dict[str, int] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)

    def write(self, kind: str) -> str:
        return self._next(self.written, kind)

    def begin_reading(self) -> None:
        self.read = dict(self.written)

    def next_read(self, kind: str) -> str:
        return self._next(self.read, kind)

    def _next(self, places: dict[str, int], kind: str) -> str:
        place = places.get(kind, 0)
        places[kind] = (place + 1) % len(self.names[kind])
        return self.names[kind][place]


@dataclass(frozen=True)
class Loop:
    syntax: tuple[str, ...]
    """Directives that the instructions need."""
    instructions: tuple[str, ...]
    """All but the two that compare and branch."""
    closing: tuple[str, str]
    copies: int
    """Of the mix, in an iteration."""

    @property
    def text(self) -> str:
        """The whole loop."""
        return "\n".join([*self.syntax, ".p2align 4", "1:", *self.instructions, *self.closing, ""])


def loop(mix: str, isa: Isa) -> Loop:
    """`mix`: instructions with semicolons in between, as in the tables."""
    instructions = [each.strip() for each in mix.split(";")]
    copies = -(-INSTRUCTIONS // len(instructions))
    return (_aarch64 if isa == "aarch64" else _x86)(instructions * copies, copies)


def _aarch64(instructions: list[str], copies: int) -> Loop:
    names = {"x": tuple(str(place) for place in range(2, 28)), "v": tuple(str(place) for place in range(32))}
    turns = _Turns(names)

    def kind(found: re.Match[str]) -> str:
        return "x" if found[1] in "xw" else "v"

    def is_written(found: re.Match[str]) -> bool:
        return int(found[2]) < (13 if kind(found) == "x" else 20)

    def fixed(found: re.Match[str]) -> str | None:
        return "x28" if found[0] == "x19" else None  # the base of memory

    def name(found: re.Match[str], register: str) -> str:
        return found[1] + register

    body = [_with_registers(each, AARCH64, turns, _Naming(kind, is_written, fixed, name)) for each in instructions]
    return Loop((), (*body, "add w0, w0, #1"), ("cmp w0, w1", "b.lt 1b"), copies)


def _x86(instructions: list[str], copies: int) -> Loop:
    turns = _Turns({"general": GENERAL_X86, "vector": tuple(str(place) for place in range(16))})

    def kind(found: re.Match[str]) -> str:
        return "vector" if found[1] else "general"

    def is_written(found: re.Match[str]) -> bool:
        return int(found[2]) < 10 if found[1] else found[3] in WRITTEN_X86

    def fixed(found: re.Match[str]) -> str | None:
        return "r14" if found[3] == "r15" else None

    def name(found: re.Match[str], register: str) -> str:
        return (found[1] or "") + register

    body = []
    offset = LINE
    for each in instructions:
        text = each.lower()
        if OFFSET.search(text):
            text = OFFSET.sub(f"[r15 + {offset}]", text)
            offset = LINE if offset >= LAST_OFFSET else offset + LINE
        body.append(_with_registers(text, X86, turns, _Naming(kind, is_written, fixed, name)))
    return Loop((".intel_syntax noprefix",), tuple(body), ("sub r15, 1", "jnz 1b"), copies)


@dataclass(frozen=True)
class _Naming:
    """What a register of the table stands for."""

    kind: Callable[[re.Match[str]], str]
    is_written: Callable[[re.Match[str]], bool]
    fixed: Callable[[re.Match[str]], str | None]
    name: Callable[[re.Match[str], str], str]


def _with_registers(instruction: str, pattern: re.Pattern[str], turns: _Turns, naming: _Naming) -> str:
    mnemonic, _, operands = instruction.partition(" ")
    found = list(pattern.finditer(operands))
    names = [naming.fixed(each) for each in found]
    for place, each in enumerate(found):
        if names[place] is None and naming.is_written(each):
            names[place] = naming.name(each, turns.write(naming.kind(each)))
    turns.begin_reading()
    for place, each in enumerate(found):
        if names[place] is None:
            names[place] = naming.name(each, turns.next_read(naming.kind(each)))
    chosen = iter(names)
    return f"{mnemonic} " + pattern.sub(lambda _: next(chosen) or "", operands)
