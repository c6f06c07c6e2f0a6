"""How keys of RISC-V's forms become text. Forms of vectors need a `vsetvli` before them, and groups of registers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

from corecast import _core
from corecast.dataclass import replace
from corecast.measure.isa.forms import Slot, Spelling
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.pattern import lazy_pattern

_IMMEDIATES = ("16", "3", "1", "8", "32", "0", "-1", "5", "0x12345")
"""What `i` may be: the first that the form takes."""
_MOST_SPELLINGS = 100
_NOT_TIMED = lazy_pattern(
    r"ecall|ebreak|unimp|wfi|wrs\.|[msud]ret|mnret|sfence|hfence|sinval|hinval|h[ls]v|cbo\.|fence\.i|csr|vset|"
    r"f[rs]c?sr|fs(rm|flags)|sspush|sspopchk|ssrdp|ssamoswap|cm\.|th\.|sf\.|mop|sctr|dret|pause"
)
"""They leave user code, wait, or change how code after them works."""
_MASKED = lazy_pattern(r"\.v[vxif]m$")
"""The last operand is the mask."""
_VARIANT = lazy_pattern(r"(?P<key>.*?)(?: @(?P<lmul>mf?\d)(?:,e(?P<element>\d+))?)?")
_ELEMENTS = (64, 32, 16, 8)
_LARGEST_ELEMENT = 64
_SMALLEST_ELEMENT = 8
_SMALLEST_FLOAT = 16
_WIDENING = lazy_pattern(r"vf?w(?!ev)|vf?n(cvt|clip|srl|sra)")
"""One operand's elements are twice as wide."""
_FROM_INTEGER = lazy_pattern(r"\.f\.x|\.x\.f|\.xu\.f|\.f\.xu|\.rtz\.xu?\.f")
"""Conversions between numbers of which the narrower is an integer."""
_MOST_REGISTERS = 8
_GROUP_STARTS = (8, 16, 24)


def spellings(key: str) -> Iterator[Spelling]:
    """
    Raises:
        CannotMeasureError: forms of that kind cannot be measured.
    """
    match = _VARIANT.fullmatch(key)
    bare = match["key"] if match else key
    mnemonic, _, rest = bare.partition(" ")
    if mnemonic.startswith("c."):
        raise CannotMeasureError(Reason.SHORT_ENCODING, key)
    if _NOT_TIMED.match(mnemonic):
        raise CannotMeasureError(Reason.SYSTEM, key)
    slots: list[Slot] = []
    texts: list[str] = []
    operands = rest.split(", ") if rest else []
    if _MASKED.search(mnemonic):
        operands[-1] = "v0"
    for number, operand in enumerate(operands, start=1):
        text = _operand(operand, str(number), slots)
        if text is None:
            return
        texts.append(text)
    line = "\n".join(texts)
    for chosen in islice(product(_IMMEDIATES, repeat=line.count("#")), _MOST_SPELLINGS):
        values = iter(chosen)
        filled = re.sub("#", lambda _, values=values: next(values), line)  # type: ignore[misc]
        spelling = Spelling(mnemonic, tuple(filled.split("\n")) if filled else (), tuple(slots))
        if mnemonic.startswith("v") and match is not None:
            yield from _with_vectors(spelling, match["lmul"] or "m1", match["element"])
        else:
            yield spelling


def _operand(key: str, number: str, slots: list[Slot]) -> str | None:
    if key in ("x", "f", "v"):
        slots.append(Slot(number, {"x": "general", "f": "float", "v": "vector"}[key], 64))  # type: ignore[arg-type]
        return f"{{{number}}}"
    if key in ("(x)", "i(x)"):
        slots.append(Slot("addr", "general", 64))
        return "#({addr})" if key == "i(x)" else "({addr})"
    if key == "i":
        return "#"
    return key if key in ("v0.t", "v0", "rtz", "rne") else None


def _with_vectors(spelling: Spelling, lmul: str, element: str | None) -> Iterator[Spelling]:
    """The type of the vectors, and how many registers each operand is."""
    size = 1 / int(lmul[2:]) if lmul.startswith("mf") else int(lmul[1:])
    for bits in [int(element)] if element else _ELEMENTS:
        if not _legal(spelling.mnemonic, size, bits):
            continue
        setting = f"vsetvli t0, zero, e{bits}, {lmul}, ta, ma"
        group = max(1, int(size))
        spans = _spans(spelling, setting)
        if spans is None or max(spans.values(), default=1) > _MOST_REGISTERS:
            continue
        shaped = tuple(_shaped(slot, spans, spelling.mnemonic) for slot in spelling.slots)
        yield replace(spelling, slots=shaped, setting=setting, group=group)


def _legal(mnemonic: str, size: float, bits: int) -> bool:
    """Whether vectors of such elements, in groups of so many registers, suit the form: the specification's rules."""
    other = bits  # width of the elements of another operand
    if _WIDENING.match(mnemonic):
        other = 2 * bits
    elif match := re.fullmatch(r"v[sz]ext\.vf(\d)", mnemonic):
        other = bits // int(match[1])
    elif match := re.match(r"v[ls][uo]x\w*ei(\d+)\.", mnemonic):
        other = int(match[1])
    elif mnemonic.startswith("vrgatherei16"):
        other = 16
    emul = size if "red" in mnemonic else size * other / bits  # of reductions one element alone is wider
    if not _SMALLEST_ELEMENT <= other <= _LARGEST_ELEMENT or not 1 / _MOST_REGISTERS <= emul <= _MOST_REGISTERS:
        return False
    floating = re.match(r"v(mf|f(?!irst))", mnemonic) is not None
    if floating and bits < _SMALLEST_FLOAT and not (_WIDENING.match(mnemonic) and _FROM_INTEGER.search(mnemonic)):
        return False
    return bits <= _LARGEST_ELEMENT * size


def _shaped(slot: Slot, spans: dict[str, int], mnemonic: str) -> Slot:
    if slot.kind != "vector":
        return slot
    span = spans.get(slot.name, 1)
    segments = re.match(r"v[ls]\w*seg(\d)", mnemonic) if slot.name == "1" else None
    fields = int(segments[1]) if segments else 1
    return replace(slot, span=span, alignment=max(1, span // fields))


def _spans(spelling: Spelling, setting: str) -> dict[str, int] | None:
    """Registers that each operand is, as the encoding tells; None where there is none."""
    starts = iter(_GROUP_STARTS)
    names = {
        slot.name: f"v{next(starts, 1)}" if slot.kind == "vector" else {"general": "x10", "float": "f10"}[slot.kind]
        for slot in spelling.slots
    }
    operands = re.sub(r"\{(\w+)\}", lambda match: names[match[1]], ", ".join(spelling.operands))
    listing = _core.assemble("riscv64", f"{setting}\n{spelling.mnemonic} {operands}")
    if listing.problems or len(listing.instructions) != 2:
        return None
    return {operand.name: len(operand.registers) for operand in listing.instructions[1].operands}
