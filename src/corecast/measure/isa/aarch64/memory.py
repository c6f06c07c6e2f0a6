"""How AArch64's helpers reach the memory that a form does, and what they store there and load."""

from __future__ import annotations

from corecast.measure.isa.forms import EndKind, Form
from corecast.measure.isa.link_table import Link, Width
from corecast.measure.rejection import CannotMeasureError, Reason
from corecast.pattern import lazy_pattern

_SIZES = {"b": "b", "h": "h", "s": "w", "d": "d"}
"""Letters of elements in mnemonics, by those of registers."""
_INDEXED = lazy_pattern(r"\[x\{addr\}, (?P<index>[xw]\{index\}.*)\]")
_ELEMENTS = lazy_pattern(r"(?:ld|st)(?:nt|ff|nf)?(?P<count>[1-4])s?(?P<size>[bhwd])")
_REGISTER = lazy_pattern(r"z\{\w+\}\.(?P<element>[bhsd])")


def _links(name: str, kind: EndKind, width: Width, store: str, load: str) -> tuple[Link, Link]:
    return (
        Link(f"st{name}", kind, "memory", f"st{store}", width=width),
        Link(f"ld{name}", "memory", kind, f"ld{load}", width=width),
    )


def _register(kind: EndKind, bits: int) -> tuple[Link, Link]:
    suffix = {8: "b", 16: "h"}.get(bits, "") if kind == "general" else ""
    letter = {8: "b", 16: "h", 32: "s", 64: "d", 128: "q"}[bits]
    if kind == "general":
        letter = "x" if bits == 64 else "w"
    place = "[{address}, #{displacement}]"
    return _links(
        f"r{suffix} {letter}",
        kind,
        bits,
        f"r{suffix} {letter}{{from_number}}, {place}",
        f"r{suffix} {letter}{{to_number}}, {place}",
    )


def _listed(end: str, count: int, element: str, letter: str) -> str:
    """Registers in succession, in braces that formatting leaves."""
    names = [end, *(f"{end}_{offset}" for offset in range(1, count))]
    return f"{{{{ {', '.join(f'{letter}{{{name}}}.{element}' for name in names)} }}}}"


def _several(count: int, element: str) -> tuple[Link, Link]:
    """Of as many registers as a form's list has; `stp` of the same register twice needs no list."""
    bits = count * (128 if element == "16b" else 64)
    stored, loaded = (_listed(end, count, element, "v") for end in ("from", "to"))
    return _links(f"1 {count} x {element}", "vector", bits, f"1 {stored}, [{{address}}]", f"1 {loaded}, [{{address}}]")


def _lanes(element: str, bits: int) -> tuple[Link, Link]:
    """One element of each of three registers; those of two and four are as wide as registers."""
    stored, loaded = (_listed(end, 3, element, "v") for end in ("from", "to"))
    return _links(f"3 {element}", "vector", 3 * bits, f"3 {stored}[1], [{{address}}]", f"3 {loaded}[1], [{{address}}]")


def _elements(count: int, size: str, element: str) -> tuple[Link, Link]:
    place = "[{address}, #{displacement}, mul vl]"
    stored, loaded = (_listed(end, count, element, "z") for end in ("from", "to"))
    name = f"{count}{size}"
    return _links(
        f"{name} z.{element}",
        "vector",
        f"{name} z.{element}",
        f"{name} {stored}, p{{mask}}, {place}",
        f"{name} {loaded}, p{{mask}}/z, {place}",
    )


def _whole(kind: EndKind, letter: str) -> tuple[Link, Link]:
    place = "[{address}, #{displacement}, mul vl]"
    return _links(f"r {letter}", kind, letter, f"r {letter}{{from}}, {place}", f"r {letter}{{to}}, {place}")


MEMORY: dict[tuple[EndKind, Width], tuple[Link, Link]] = {
    **{("general", bits): _register("general", bits) for bits in (8, 16, 32, 64)},
    **{("vector", bits): _register("vector", bits) for bits in (8, 16, 32, 64, 128)},
    **{("vector", 3 * bits): _lanes(element, bits) for element, bits in (("b", 8), ("h", 16), ("s", 32))},
    ("vector", 192): _several(3, "8b"),
    ("vector", 256): _links(
        "p q",
        "vector",
        256,
        "p q{from}, q{from}, [{address}, #{displacement}]",
        "p q{to}, q{vector}, [{address}, #{displacement}]",
    ),
    ("vector", 384): _several(3, "16b"),
    ("vector", 512): _several(4, "16b"),
    ("vector", "z"): _whole("vector", "z"),
    ("mask", "p"): _whole("mask", "p"),
}
MEMORY |= {
    ("vector", pair[0].width): pair
    for pair in (
        *(_elements(1, _SIZES[size], element) for element in "bhsd" for size in "bhsd"[: "bhsd".index(element) + 1]),
        *(_elements(count, _SIZES[element], element) for count in (2, 3, 4) for element in "bhsd"),
    )
}


def elements(form: Form) -> str:
    """How vectors whose length is the core's lie in the memory that a form reads or writes.

    Raises:
        CannotMeasureError: as no helper stores and loads them.
    """
    first = form.operands[0] if form.operands else ""
    if form.mnemonic in ("ldr", "str") and first[:1] in ("z", "p"):
        return first[0]
    mnemonic, register = _ELEMENTS.fullmatch(form.mnemonic), _REGISTER.search(first)
    if mnemonic is None or register is None:
        raise CannotMeasureError(Reason.NO_HELPER_STORE, "what the form does")
    return f"{mnemonic['count']}{mnemonic['size']} z.{register['element']}"


def address(form: Form, target: int, base: int, index: int) -> str:
    """Text of an instruction that gives a register the address that a form reaches, but for its displacement."""
    for operand in form.operands:
        if indexed := _INDEXED.fullmatch(operand):
            return f"add x{target}, x{base}, {indexed['index'].format(index=index)}"
    return f"mov x{target}, x{base}"
