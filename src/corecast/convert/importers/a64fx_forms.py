"""Form keys of AArch64 in the terms of the A64FX manual's instruction list.

The list names instructions as the architecture manual does ("ADD (shifted register)", "LD1D (scalar plus vector)")
with options ("Post-index", "<T> = 2D", a vector length). A form key is taken apart into operand kinds; an entry fits
where its qualifier and its option hold for them. Vector lengths other than 512 bits do not fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from corecast.convert.importers.a64fx_manual import Entry
from corecast.dataclass import dataclass
from corecast.pattern import lazy_pattern

VECTOR_BITS = 512
SVE_WITHOUT_VECTORS = lazy_pattern(r"((cnt|inc|dec|[su]q(inc|dec))[bhwd]|addvl|addpl|rdvl|cterm(eq|ne)|setffr)$")


@dataclass(frozen=True)
class Form:
    """A form key of AArch64 taken apart."""

    key: str

    @cached_property
    def mnemonic(self) -> str:
        return self.key.split(" ", 1)[0]

    @cached_property
    def operands(self) -> tuple[str, ...]:
        words = self.key.partition(" ")[2]
        return tuple(text.strip() for text in re.split(r",\s*(?![^\[{]*[\]}])", words)) if words else ()

    @cached_property
    def memory(self) -> str:
        return next((operand for operand in self.operands if operand.startswith("[")), "")

    @cached_property
    def registers(self) -> tuple[str, ...]:
        """Register operands, lists written out."""
        found: list[str] = []
        for operand in self.operands:
            if operand.startswith("{"):
                found.extend(operand.strip("{}[i]").replace(" - ", ", ").split(", "))
            elif re.match(r"(?:[wxbhsdq]|[vzp](?:[./].*)?)(?:\[i\])?$", operand):
                found.append(operand)
        return tuple(found)

    @cached_property
    def first(self) -> str:
        return self.registers[0] if self.registers else ""

    def has(self, *kinds: str) -> bool:
        """Whether a register operand is of one of the kinds ("x", "v", "z", "p")."""
        return any(register[0] in kinds and (register[0] in "vzp" or len(register) == 1) for register in self.registers)

    @property
    def immediate(self) -> bool:
        return any(operand.startswith("#") for operand in self.operands)

    @property
    def indexed(self) -> bool:
        """One lane of a source register."""
        return any(operand.endswith("[i]") and not operand.startswith("[") for operand in self.operands[1:])

    @property
    def shift(self) -> str:
        """Shift or extension of the last operand: "lsl #1..4", "uxtw"."""
        last = self.operands[-1] if self.operands else ""
        return last if re.match(r"(?:lsl|lsr|asr|ror|[us]xt[bhwx])\b", last) else ""

    @property
    def predicated(self) -> bool:
        return len(self.operands) > 1 and re.match(r"p(/|$)", self.operands[1]) is not None

    @property
    def write_back(self) -> str:
        if self.memory.endswith("!"):
            return "Pre-index"
        place = self.operands.index(self.memory) if self.memory else -1
        return "Post-index" if 0 <= place < len(self.operands) - 1 else ""

    @property
    def element(self) -> str:
        """Letter of the element size: B, H, S, D; of the result, or of scalar registers."""
        for register in self.registers:
            if match := re.search(r"\.\d*([bhsd])", register):
                return match[1].upper()
        return self.first.upper() if self.first in ("b", "h", "s", "d") else ""

    @property
    def arrangement(self) -> str:
        """Shape of NEON's first vector register: "2D", "4S"."""
        shapes = (register[2:].split("[")[0].upper() for register in self.registers if register.startswith("v."))
        return next(shapes, "")

    @property
    def table(self) -> str:
        if self.has("z", "p") or "z." in self.memory or SVE_WITHOUT_VECTORS.match(self.mnemonic):
            return "sve"
        if self.has("v", "b", "h", "s", "d", "q"):
            return "simdfp"
        return "base"


Test = Callable[[Form], bool]


def _vectors(form: Form) -> bool:
    """All data operands are whole vectors of one element size."""
    sizes = {register for register in form.registers if register.startswith("z.")}
    return len(sizes) == 1 and not form.immediate and not form.indexed and not form.has("w", "x", "b", "h", "s", "d")


def _address(base: str, offset: str) -> Test:
    def test(form: Form) -> bool:
        memory = form.memory.strip("[]!").split(", ")
        starts_with_vector = memory[0].startswith("z.")
        second = memory[1] if len(memory) > 1 else "#i"
        kind = "vector" if second.startswith("z.") else "immediate" if second.startswith("#") else "scalar"
        return starts_with_vector == (base == "vector") and kind == offset

    return test


def _general(form: Form) -> bool:
    return form.has("w", "x")


def scalar_vector(form: Form) -> bool:
    return form.first in ("b", "h", "s", "d")


QUALIFIERS: Mapping[str, Test] = {
    "immediate": lambda form: _plain_access(form) if form.memory else form.immediate and not form.indexed,
    "shifted register": lambda form: not form.immediate and not form.shift.startswith(("u", "sx")),
    "extended register": lambda form: form.shift.startswith(("u", "sx")),
    "register": lambda form: (
        _address("scalar", "scalar")(form) if form.memory else not form.immediate and not _general_and_vector(form)
    ),
    "literal": lambda form: not form.memory,
    "unscaled offset": lambda form: True,
    "vector": lambda form: not form.indexed and (form.first.startswith("z") or _only_vectors(form)),
    "scalar": lambda form: _scalar(form),
    "general": _general,
    "element": lambda form: form.indexed,
    "by element": lambda form: form.indexed,
    "zero": lambda form: form.immediate,
    "vector, immediate": lambda form: form.immediate and form.has("v"),
    "vector, register": lambda form: not form.immediate,
    "scalar, immediate": lambda form: _scalar_immediate(form),
    "immediate, scalar": lambda form: form.operands[1].startswith("#") and not form.operands[2].startswith("#"),
    "immediates": lambda form: form.operands[1].startswith("#") and form.operands[2].startswith("#"),
    "scalars": lambda form: not form.immediate,
    "scalar, integer": lambda form: _general(form) and not form.immediate,
    "scalar, fixed-point": lambda form: _general(form) and form.immediate,
    "vector, integer": lambda form: not _general(form) and not form.immediate,
    "vector, fixed-point": lambda form: not _general(form) and form.immediate,
    "multiple structures": lambda form: "[i]" not in form.key.split("[x")[0],
    "single structure": lambda form: "[i]" in form.key.split("[x")[0],
    "SIMD&FP": lambda form: True,
    "immediate, SIMD&FP": lambda form: _plain_access(form),
    "register, SIMD&FP": lambda form: bool(form.memory) and _address("scalar", "scalar")(form),
    "literal, SIMD&FP": lambda form: not form.memory,
    "vectors": _vectors,
    "vectors, predicated": lambda form: form.predicated and _vectors(form),
    "vectors, unpredicated": lambda form: not form.predicated and _vectors(form),
    "wide elements": lambda form: _wide(form),
    "wide elements, predicated": lambda form: form.predicated and _wide(form),
    "wide elements, unpredicated": lambda form: not form.predicated and _wide(form),
    "immediate, predicated": lambda form: form.predicated and form.immediate,
    "immediate, unpredicated": lambda form: not form.predicated and form.immediate,
    "predicates": lambda form: form.first.startswith("p") and not form.has("z"),
    "predicate": lambda form: form.first.startswith("p") and not form.has("z"),
    "predicated": lambda form: form.predicated,
    "unpredicated": lambda form: not form.predicated,
    "SIMD&FP scalar": lambda form: form.has("b", "h", "s", "d") and not _general(form),
    "indexed": lambda form: form.indexed,
    "scalar plus immediate": _address("scalar", "immediate"),
    "scalar plus scalar": _address("scalar", "scalar"),
    "scalar plus vector": _address("scalar", "vector"),
    "vector plus immediate": _address("vector", "immediate"),
}  # fmt: skip


def _plain_access(form: Form) -> bool:
    return bool(form.memory) and not _address("scalar", "scalar")(form)


def _only_vectors(form: Form) -> bool:
    return form.table == "simdfp" and not _general(form)


def _scalar(form: Form) -> bool:
    if form.table == "sve" or form.mnemonic.startswith(("fcvt", "scvtf", "ucvtf")):
        return _general(form)
    return scalar_vector(form) and not form.indexed


def _scalar_immediate(form: Form) -> bool:
    if form.mnemonic == "index":
        return not form.operands[1].startswith("#") and form.operands[2].startswith("#")
    return form.immediate and (_general(form) or (form.table == "simdfp" and not form.has("v")))


def _general_and_vector(form: Form) -> bool:
    return _general(form) and form.has("v", "b", "h", "s", "d")


def _wide(form: Form) -> bool:
    """z.d as the second source of narrower elements."""
    sizes = [register for register in form.registers if register.startswith("z.")]
    return len(sizes) > 1 and sizes[-1] == "z.d" and any(size != "z.d" for size in sizes) and not form.indexed


def sizes_of(option: str) -> set[str]:
    """Sizes and arrangements that an option names: "<T> = {4H|8H}" -> {"4H", "8H"}."""
    match = re.match(r"<\w+>\s*=\s*\{?([\w|]+?)\}?(?=\s|$|\d{3})", option.replace("D128", "D 128"))
    return set(match[1].split("|")) if match else set()


def _structures(option: str, form: Form) -> bool:
    """NEON ld1/st1: "No offset 2 registers <T> = {8B|4H}"."""
    count = re.search(r"(\d) registers?", option)
    if (form.write_back or "No offset") != ("Post-index" if option.startswith("Post-index") else "No offset"):
        return False
    if count and int(count[1]) != len(form.registers) - (1 if form.operands[-1] == "x" else 0):
        return False
    sizes = re.search(r"<T> = \{([\w|]+)\}", option)
    # The list leaves 2D out; it is 128 bits wide as 16B, 8H and 4S are.
    return not sizes or form.arrangement in sizes[1].split("|") or (form.arrangement == "2D" and "16B" in sizes[1])


def option_fits(entry: Entry, form: Form, element: str) -> bool:
    """Whether an entry's option holds for a form. `element` is the size named last in the instruction's rows."""
    option = entry.option
    if entry.table == "sve" and element:
        length = re.search(r"\b(128|256|512)$|D(128)$", option)
        return form.element in element and (length is None or option.endswith(str(VECTOR_BITS)))
    if option.startswith("<amount>"):
        shift = form.shift.removeprefix("lsl ")
        if "[1-4]" in option:
            return form.shift == "lsl #1..4"
        whole = "#" not in shift and "w" not in form.operands[-2:-1]  # uxtx and sxtx extend nothing
        return not form.shift or (whole and entry.instruction.endswith("(extended register)"))
    if option in ("Post-index", "Pre-index"):
        return form.write_back == option
    if option in ("Unsigned offset", "Signed offset"):
        return not form.write_back
    if option.startswith(("No offset", "Post-index ")):
        return _structures(option, form)
    if option.startswith("32-bit"):
        return ".s" in form.registers[0] or "z.s" in form.memory
    if option == "Packed offsets":
        return "xt" not in form.memory
    if option.startswith("<Ta> = ") or option.startswith(("<T>", "<R>")):
        sizes = sizes_of(option)
        return form.arrangement in sizes or (form.element in sizes and scalar_vector(form))
    if option.startswith("{Wn|Xn}"):
        return form.first in ("h", "s", "d", "v.d[i]")
    if option.startswith("{Hn|Sn|Dn}"):
        return not form.indexed and form.first in ("w", "x")
    if option.startswith("Vn.D[1]"):
        return form.indexed
    if " register table" in option:
        tables = {"Single": 1, "Tow": 2, "Three": 3, "Four": 4}[option.split()[0]]
        return len(form.registers) - 2 == tables
    if option.startswith(("Scalar", "Vector")):
        return any(size in (form.element, form.arrangement) for size in re.findall(r"\b\d?[HSD]\b", option))
    return True
