"""Debug information of object files with its relocations applied.

In an object file every section starts at address 0 and debug sections hold only addends. Here section n is placed at
n << SECTION_SHIFT, so that an address says which section it is in. Relocation numbers: the psABI documents of x86-64,
AArch64 and RISC-V; kinds that debug information of code does not use (thread-local variables) are left alone.
"""

from __future__ import annotations

from corecast.asm.code import Isa
from corecast.hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corecast.asm.image import CodeImage

SECTION_SHIFT = 40
_SHF_COMPRESSED = 0x800

_RECIPES: dict[Isa, dict[int, tuple[str, int]]] = {
    "x86": {1: ("set", 64), 10: ("set", 32), 11: ("set", 32)},
    "aarch64": {257: ("set", 64), 258: ("set", 32)},
    "riscv64": {
        **{1: ("set", 32), 2: ("set", 64), 53: ("set", 6), 54: ("set", 8), 55: ("set", 16), 56: ("set", 32)},
        **{33: ("add", 8), 34: ("add", 16), 35: ("add", 32), 36: ("add", 64)},
        **{37: ("sub", 8), 38: ("sub", 16), 39: ("sub", 32), 40: ("sub", 64), 52: ("sub", 6)},
        **{60: ("set", 0), 61: ("sub", 0)},
    },
}
"""Relocation type -> operation and width in bits; 0 bits: a ULEB128 number that keeps its length."""


def placed_address(image: CodeImage, section: int, address: int) -> int:
    """Address in the relocated debug information of an address in a section."""
    return address + (section << SECTION_SHIFT) if image.relocatable else address


def relocated_content(image: CodeImage, elf: Any) -> bytes:
    """The file with its debug sections relocated; an executable as it is."""
    from corecast.asm.elf import relocation_entries

    if not image.relocatable:
        return image.content
    content = bytearray(image.content)
    headers = list(elf.iter_sections())
    recipes = _RECIPES[image.isa]
    for table in headers:
        if table["sh_type"] != "SHT_RELA" or table["sh_info"] >= len(headers):
            continue
        target = headers[table["sh_info"]]
        if not target.name.startswith(".debug") or target["sh_flags"] & _SHF_COMPRESSED:
            continue
        start, end = target["sh_offset"], min(target["sh_offset"] + target["sh_size"], len(content))
        for offset, symbol, kind, addend in relocation_entries(table, image.content):
            if kind in recipes and symbol < len(image.symbols):
                section, value = image.symbols[symbol]
                if section in image.sections:
                    value += section << SECTION_SHIFT
                _apply(content, start + offset, end, *recipes[kind], value + addend)
    return bytes(content)


def _apply(content: bytearray, place: int, end: int, operation: str, bits: int, value: int) -> None:
    if bits == 0:
        _apply_uleb(content, place, end, operation, value)
        return
    size = max(1, bits // 8)
    if place + size > end:
        return
    old = int.from_bytes(content[place : place + size], "little")
    mask = (1 << bits) - 1
    new = {"set": value, "add": old + value, "sub": old - value}[operation] & mask
    content[place : place + size] = ((old & ~mask) | new).to_bytes(size, "little")


def _apply_uleb(content: bytearray, place: int, end: int, operation: str, value: int) -> None:
    """A pair of SET and SUB: the bytes keep their number, whatever is above them is cut off."""
    length = 0
    while place + length < end and content[place + length] & 0x80:
        length += 1
    length += 1
    if place + length > end:
        return
    old = sum((content[place + i] & 0x7F) << (7 * i) for i in range(length))
    new = value if operation == "set" else old - value
    for i in range(length):
        more = 0x80 if i + 1 < length else 0
        content[place + i] = (new >> (7 * i)) & 0x7F | more
