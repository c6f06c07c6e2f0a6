"""How keys of x86's forms become text: operands with slots, and the names of registers in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from corecast import _core
from corecast.dataclass import replace
from corecast.measure.isa.forms import Kind, Slot, Spelling, distinct_of
from corecast.measure.isa.x86.registers import GENERAL, TILES
from corecast.measure.isa.x86.tiles import TILE_MOVES
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.pattern import lazy_pattern

_GENERAL_NAMES = {
    64: GENERAL,
    32: ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", *(f"r{n}d" for n in range(8, 16))),
    16: ("ax", "cx", "dx", "bx", "sp", "bp", "si", "di", *(f"r{n}w" for n in range(8, 16))),
    8: ("al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", *(f"r{n}b" for n in range(8, 16))),
}
_HIGH_NAMES = ("ah", "ch", "dh", "bh")
_VECTOR_LETTERS = {128: "x", 256: "y", 512: "z"}
_SIZES = {8: "byte", 16: "word", 32: "dword", 64: "qword", 80: "tbyte", 128: "xmmword", 256: "ymmword", 512: "zmmword"}
_PREFIXES: dict[Kind, str] = {"mask": "k", "mm": "mm", "tile": "tmm"}
_IMMEDIATES = {"i8": "7", "i16": "0x1234", "i32": "0x123456", "i64": "0x123456789abcd"}
"""Neither 0 nor 1, and of the size that the key asks for."""
_STACK_POINTER = 4
_HIGH_REGISTERS = 4
"""Number of registers, the first ones, that have a high byte."""
_COUNTER = 15
"""Counts the loop that times a kernel."""
_STRING = lazy_pattern(r"(rep\w* )?(?P<stem>movs|stos|lods|scas|cmps|ins|outs)[bwdq]")
_TO_RSI = ("lods", "cmps", "outs")
"""String instructions whose first access is through rsi; that of the others is through rdi."""
_PLAIN_MEMORY = lazy_pattern(r"m(8|16|32|64|80|128|256|512)")
_KEY = lazy_pattern(r"(?P<base>[^{]*)(?P<mask>\{k\})?(?P<zero>\{z\})?")


def _split(key: str) -> tuple[str, list[str]]:
    """Mnemonic, with its prefix, and operands."""
    words = key.split(" ")
    count = 2 if words[0] in ("lock", "rep", "repe", "repne", "repz", "repnz") and len(words) > 1 else 1
    rest = " ".join(words[count:])
    return " ".join(words[:count]), rest.split(", ") if rest else []


def spellings(key: str) -> Iterator[Spelling]:
    """Several where the key leaves the element's size open.

    Raises:
        CannotMeasureError: forms of that kind cannot be measured.
    """
    mnemonic, operands = _split(key)
    string = _STRING.fullmatch(mnemonic)
    if string is not None and not any("mm" in operand for operand in operands):
        if string[1]:
            raise CannotMeasureError(Reason.COUNTED, key)
        yield Spelling(mnemonic, tuple(_string_operands(string["stem"], operands)), ())
        return
    widths: tuple[int, ...] = (64, 32, 16) if any("bcst" in operand for operand in operands) else (0,)
    for element in widths:
        texts: list[str] = []
        slots: list[Slot] = []
        for number, operand in enumerate(operands, start=1):
            if mnemonic == "movabs" and _PLAIN_MEMORY.fullmatch(operand):
                text: str | None = f"{_SIZES[int(operand[1:])]} ptr [{_core.measuring_data_address}]"
            else:
                text = _operand(operand, str(number), element, slots)
            if text is None:
                break
            if mnemonic.startswith(TILE_MOVES) and operand == "m":
                slots.append(Slot("index", "general", 64))  # the distance of rows
                text = "[{addr} + {index}*1 + {displacement}]"
            if mnemonic == "lea":  # of a base alone it is a move
                text = text.replace("{displacement}", "{displacement_not_0}")
            texts.append(text)
        else:
            yield Spelling(mnemonic, tuple(texts), _beside_high(slots))


def _beside_high(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """ah to bh stand beside no register that needs a REX prefix: neither r8 to r15 nor spl to dil."""
    if not any(slot.kind == "high" for slot in slots):
        return tuple(slots)
    limits = {"general": 8, "high": 4}
    return tuple(replace(slot, limit=4 if slot.bits == 8 else limits.get(slot.kind, slot.limit)) for slot in slots)


def _string_operands(stem: str, operands: Sequence[str]) -> Iterator[str]:
    """Their addresses are registers that the instruction fixes, and moves on."""
    bases = iter(("rsi", "rdi") if stem in _TO_RSI else ("rdi", "rsi"))
    for operand in operands:
        yield f"{_SIZES[int(operand[1:])]} ptr [{next(bases)}]" if _PLAIN_MEMORY.fullmatch(operand) else operand


def register_text(slot: Slot, number: int) -> str:
    if slot.kind == "general":
        return _GENERAL_NAMES[slot.bits][number]
    if slot.kind == "high":
        return _HIGH_NAMES[number]
    if slot.kind == "vector":
        return f"{_VECTOR_LETTERS[slot.bits]}mm{number}"
    return f"{_PREFIXES[slot.kind]}{number}"


def distinct(slots: Sequence[Slot]) -> dict[str, int]:
    """A different register for each slot."""
    low = any(slot.kind == "high" for slot in slots)  # ah to bh cannot stand beside registers that need REX
    free = {
        "general": (1, 0) if low else (3, 5, 6, 7, 8, 9, 10, 11),
        "high": (3, 2),
        "vector": range(2, 16),
        "mask": range(1, 8),
        "mm": range(8),
        "tile": range(TILES),
    }
    return distinct_of(slots, free)


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
        elif base == "sreg" and number != "1":  # writing one loads a descriptor of the system's
            text = "ds"
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
    elif base == "tmm":
        slots.append(Slot(number, "tile", 8192))
    else:
        return None
    return "{" + number + "}"


def _memory(base: str, element: int, slots: list[Slot]) -> str | None:
    broadcast = re.fullmatch(r"m(\d+)bcst", base)
    plain = _PLAIN_MEMORY.fullmatch(base)
    if broadcast:
        prefix, suffix = f"{_SIZES[element]} ptr ", "{1to" + str(int(broadcast[1]) // element) + "}"
    elif plain:
        prefix, suffix = f"{_SIZES[int(plain[1])]} ptr ", ""
    elif base in ("m", "m3"):
        prefix, suffix = "", ""
    elif base in ("vmxmm", "vmymm", "vmzmm"):
        slots.append(Slot("addr", "general", 64))
        slots.append(Slot("index", "vector", {"x": 128, "y": 256, "z": 512}[base[2]]))
        return "[{addr} + {index} + {displacement}]"
    else:
        return None
    slots.append(Slot("addr", "general", 64))
    if base == "m3":
        slots.append(Slot("index", "general", 64))
        return "[{addr} + {index} + {displacement_not_0}]"  # the form is that of three components
    return f"{prefix}[{{addr}} + {{displacement}}]{suffix}"


def pools(slots: Sequence[Slot]) -> dict[str, list[int]]:
    """Registers by kind that kernels of a form with such slots may use, the best first."""
    free = [number for number in range(15, -1, -1) if number not in (_STACK_POINTER, _COUNTER)]
    if any(slot.kind == "high" for slot in slots):  # whose registers are few: helpers have the others
        free.sort(key=lambda number: (number < _HIGH_REGISTERS, -number))
    return {
        "general": free,
        "vector": list(range(15, -1, -1)),
        "mask": list(range(7, 0, -1)),
        "mm": list(range(7, -1, -1)),
        "tile": list(range(TILES)),
    }
