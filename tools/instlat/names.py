"""Instructions as InstLatx64 names them ("VPADDD xmm1, xmm1, xmm2"), as text for the assembler."""

from __future__ import annotations

import re

from corecast.convert.importers.x86_text import (
    FAMILIES,
    ExampleRegisters,
    canonical_register,
    immediate_text,
    memory_text,
)

_REGISTER = re.compile(r"(?P<kind>[xyz]mm|[xyz]m|mm|[xyz]|k|st|r)(?P<number>\d*)(?:_(?P<width>8|16|32|64))?$")
_WHOLE = {"xm": "xmm", "ym": "ymm", "zm": "zmm", "x": "xmm", "y": "ymm", "z": "zmm"}
_MASK = re.compile(r"\{k\}(\{z\})?$")
_IMMEDIATE = re.compile(r"i(?:m|mm)?(8|16|32|64)$")
_MEMORY = re.compile(r"\[(?:m|mem)(8|16|32|64|128|256|512)?\]$")
_GATHERED = re.compile(r"\[([xyz])m(32|64)\]$")
_WIDTHS = ("r64", "r32", "r16", "r8")
_FIXED = ("al", "ax", "eax", "rax", "cl", "1", "st")


def example(name: str) -> tuple[str, bool] | None:
    """Text of an instruction of the name, and whether its registers are all one; None for what has no single form.

    Sums of two instructions, store-forwarding pairs, unaligned accesses and divisions of stated operands have none.
    """
    mnemonic, _, rest = name.strip().partition(" ")
    prefix = ""
    if mnemonic == "LOCK":
        prefix = "lock "
        mnemonic, _, rest = rest.partition(" ")
    if "+" in name or not re.fullmatch(r"[A-Z][A-Z0-9]*", mnemonic):
        return None
    rest = re.sub(r"<,\w+>$", "", rest).replace(" {", "{").strip()
    registers = ExampleRegisters()
    taken: dict[tuple[str, str], str] = {}
    try:
        texts = [_operand(part.strip(), registers, taken) for part in rest.split(",")] if rest else []
    except ValueError:
        return None
    registers_named = [canonical_register(text.partition("{")[0]) for text in texts if text not in _FIXED]
    named = [register for register in registers_named if register]
    same = len(named) > 1 and len(set(named)) == 1
    return f"{prefix}{mnemonic.lower()} {', '.join(texts)}".strip(), same


def _operand(name: str, registers: ExampleRegisters, taken: dict[tuple[str, str], str]) -> str:
    mask = _MASK.search(name)
    plain = name[: mask.start()] if mask else name
    suffix = "" if mask is None else "{k7}" + (mask[1] or "")
    if plain in _FIXED:
        return plain
    if match := _IMMEDIATE.fullmatch(plain):
        return immediate_text(int(match[1]))
    if match := _MEMORY.fullmatch(plain):
        return memory_text(int(match[1] or 0))
    if match := _GATHERED.fullmatch(plain):
        return f"[rsi + {match[1]}mm15]"
    match = _REGISTER.fullmatch(plain)
    if match is None:
        raise ValueError(f"no operand {name}")
    kind, number = match["kind"], match["number"]
    if kind == "r":
        kind, number = (f"r{match['width']}", number) if match["width"] else (f"r{number}", "")
    kind = _WHOLE.get(kind, kind)
    family = "v" if kind.endswith("mm") and kind != "mm" else "r" if kind[0] == "r" else kind
    # Without numbers all of a kind are one register, whatever their widths.
    first = taken.get((family, number))
    if first is None:
        first = taken[family, number] = registers.take(kind)
    elif family == "v":
        first = kind + first[3:]
    elif family == "r":
        first = FAMILIES[canonical_register(first)][_WIDTHS.index(kind)]
    return first + suffix
