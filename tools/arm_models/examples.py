"""Every AArch64 form with an example encoding: the enumeration, and spellings that it has no encoding of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import enumerated
from corecast import _core

SHIFTS = ("lsl #2", "lsl #9", "lsr #9", "asr #9", "ror #9")
EXTENSIONS = ("uxtb", "uxth", "uxtw", "sxtb", "sxth", "sxtw", "uxtx", "sxtx")
PREDICATES = ("punpkhi p1.h, p2.b", "punpklo p1.h, p2.b")
ZERO_REGISTER = 31
"""In the lowest five bits, where most instructions have their destination."""
TWO_REGISTER = ("mul", "mneg", "smulh", "umulh", "lsl", "lsr", "asr", "ror", "sdiv", "udiv")


@dataclass(frozen=True)
class Example:
    """One form and an instruction that has it (the fields are those of the enumeration)."""

    form: str
    opcode: str
    code: bytes


def _integer() -> Iterator[str]:
    for r in "xw":
        for name in ("add", "sub", "adds", "subs", "and", "orr", "eor", "bic", "orn", "eon", "ands", "bics"):
            yield f"{name} {r}1, {r}2, {r}3"
            arithmetic = name.startswith(("add", "sub"))
            yield from (f"{name} {r}1, {r}2, {r}3, {s}" for s in (SHIFTS[:-1] if arithmetic else SHIFTS))
            if arithmetic:
                yield from (f"{name} {r}1, {r}2, {i}" for i in ("#3", "#3, lsl #12"))
                yield from (f"{name} {r}1, {r}2, w3, {e}{n}" for e in EXTENSIONS[:6] for n in ("", " #2"))
        for name in ("cmp", "cmn", "tst", "neg", "negs", "mvn"):
            yield f"{name} {r}1, {r}2"
            yield from (f"{name} {r}1, {r}2, {s}" for s in SHIFTS)
            yield from (f"{name} {r}1, {i}" for i in ("#3", "#3, lsl #12", "#0xff"))
            yield from (f"{name} {r}1, w2, {e}{n}" for e in EXTENSIONS[:6] for n in ("", " #2"))
        yield from (f"{name} {r}1, {r}2, {r}3" for name in TWO_REGISTER)
        yield from (f"{name} {r}1, {r}2, #5" for name in ("lsl", "lsr", "asr", "ror"))
        yield from (f"{name} {r}1, {r}2" for name in ("rbit", "rev", "rev16", "clz", "cls", "mov", "ngc", "ngcs"))
        yield from (f"{name} {r}1, {r}2, #5, #7" for name in ("ubfx", "sbfx", "ubfiz", "sbfiz", "bfi", "bfxil"))
        yield from (f"{name} {r}1, {r}2, {r}3, {r}4" for name in ("madd", "msub"))
        yield from (
            f"{name} {r}1, #5{shift}" for name in ("movz", "movn", "movk", "mov") for shift in ("", ", lsl #16")
        )
        yield from (f"{name} {r}1, {r}2, eq" for name in ("cinc", "cinv", "cneg"))
        yield from (f"{name} {r}1, eq" for name in ("cset", "csetm"))
        yield from (f"{name} {r}1, w2" for name in ("sxtb", "sxth", "uxtb", "uxth"))
        yield f"bfc {r}1, #3, #4"
        yield f"mov {r}1, #0xff00ff00"
    yield from (f"{name} x1, w2, w3" for name in ("smull", "umull", "smnegl", "umnegl"))
    yield from ("sxtw x1, w2", "rev32 x1, x2", "adr x1, .", "adrp x1, .", "mov sp, x1")
    yield from (f"{name} x1, x2, x3, {e}" for name in ("add", "sub", "cmp x1,") for e in ("uxtx", "sxtx"))


def _vector() -> Iterator[str]:
    for f in "hsd":
        yield f"fcmp {f}1, {f}2"
        yield from (f"{name} {f}1, #0.0" for name in ("fcmp", "fcmpe"))
        yield from (
            f"{name} {f}1, {f}2" for name in ("fsqrt", "fabs", "fneg", "fmov", "frintn", "frintm", "frintp", "frintz")
        )
        yield from (f"fcvt {f}1, {g}2" for g in "hsd" if g != f)
        yield f"fmov {f}1, #1.0"
        for name, r in itertools.product(("scvtf", "ucvtf"), "xw"):
            yield f"{name} {f}1, {r}2"
            yield f"{name} {f}1, {f}2"
        for mode, r in itertools.product("nmpza", "xw"):
            yield from (f"fcvt{mode}{sign} {r}1, {f}2" for sign in "su")
            yield from (f"fcvt{mode}{sign} {f}1, {f}2" for sign in "su")
    yield from ("fmov d1, x2", "fmov x1, d2", "fmov s1, w2", "fmov w1, s2", "fmov x1, v2.d[1]", "fmov v1.d[1], x2")
    shapes = {"8b": "4h", "16b": "8h", "4h": "2s", "8h": "4s", "2s": "1d", "4s": "2d", "2d": ""}
    for shape, wide in shapes.items():
        yield from (
            f"{name} v1.{shape}, v2.{shape}" for name in ("rev64", "rev32", "rev16", "neg", "abs", "mvn", "not", "rbit")
        )
        yield from (
            f"{name} v1.{shape}, v2.{shape}"
            for name in ("mov", "cnt", "clz", "fabs", "fneg", "fsqrt", "scvtf", "ucvtf")
        )
        yield from (f"{name} v1.{shape}, v2.{shape}" for name in ("fcvtzs", "fcvtzu", "frintm", "frintz", "frintp"))
        yield from (f"{name} v1.{shape}, v2.{shape}, #0" for name in ("cmeq", "cmgt", "cmge", "cmlt", "cmle"))
        yield from (f"{name} v1.{shape}, v2.{shape}, #0.0" for name in ("fcmeq", "fcmgt", "fcmge", "fcmlt", "fcmle"))
        element = shape[-1]
        for name in ("addv", "smaxv", "sminv", "umaxv", "uminv", "fmaxv", "fminv", "fmaxnmv", "fminnmv"):
            yield f"{name} {element}1, v2.{shape}"
        if wide:
            yield from (f"{name} v1.{wide}, v2.{shape}" for name in ("saddlp", "uaddlp", "sadalp", "uadalp"))
            yield from (f"{name} {wide[-1]}1, v2.{shape}" for name in ("saddlv", "uaddlv"))
            upper = "" if shape in ("8b", "4h", "2s") else "2"
            full = {"8b": "8h", "16b": "8h", "4h": "4s", "8h": "4s", "2s": "2d", "4s": "2d"}[shape]
            for name in ("xtn", "sqxtn", "uqxtn", "sqxtun"):
                yield f"{name}{upper} v1.{shape}, v2.{full}"
            yield from (f"{name}{upper} v1.{full}, v2.{shape}" for name in ("sxtl", "uxtl", "fcvtl"))
            yield f"fcvtn{upper} v1.{shape}, v2.{full}"
        for structures in range(1, 5):
            group = ", ".join(f"v{number}.{shape}" for number in range(structures))
            lanes = ", ".join(f"v{number}.{element}" for number in range(structures))
            for address in (
                "[x9]",
                "[x9], x10",
                f"[x9], #{structures * (16 if (wide and shape in ('16b', '8h', '4s')) or shape == '2d' else 8)}",
            ):
                yield from (f"{name} {{{group}}}, {address}" for name in ("ld1", "st1"))
                yield from (f"{name}{structures} {{{group}}}, {address}" for name in ("ld", "st"))
            yield f"ld{structures}r {{{group}}}, [x9]"
            yield from (f"{name}{structures} {{{lanes}}}[1], [x9]" for name in ("ld", "st"))


def _memory() -> Iterator[str]:
    addresses = (
        "[x9]",
        "[x9, #16]",
        "[x9, #16]!",
        "[x9], #16",
        "[x9, x10]",
        *(f"[x9, x10, lsl #{n}]" for n in range(1, 5)),
    )
    extended = tuple(f"[x9, w10, {kind}{n}]" for kind in ("uxtw", "sxtw") for n in ("", " #1", " #2", " #3", " #4"))
    for r in "xwbhsdq":
        for address in (*addresses, *extended, "."):
            yield from (f"{name} {r}1, {address}" for name in ("ldr", "str"))
        for name in ("ldp", "stp", "ldnp", "stnp"):
            yield from (f"{name} {r}1, {r}2, {address}" for address in addresses[:4])
        yield from (f"{name} {r}1, [x9, #-9]" for name in ("ldur", "stur"))
    for name in ("ldrb", "ldrh", "ldrsb", "ldrsh", "ldrsw", "strb", "strh"):
        yield from (f"{name} {r}1, {address}" for r in "xw" for address in (*addresses, *extended))
    for name in ("ldar", "ldapr", "stlr", "ldxr", "ldaxr"):
        yield from (f"{name} {r}1, [x9]" for r in "xw")
        yield from (f"{name}{size} w1, [x9]" for size in "bh")
    yield from (f"prfm pldl1keep, {address}" for address in addresses)


def _branches() -> Iterator[str]:
    yield from ("b .", "bl .", "b.eq .", "ret", "br x1", "blr x1", "nop")
    yield from (f"{name} {r}1, ." for name in ("cbz", "cbnz") for r in "xw")
    yield from (f"{name} {r}1, #3, ." for name in ("tbz", "tbnz") for r in "xw")


def _with_result(form: str, code: bytes) -> bytes:
    """The same form with a register that keeps the result, where the example's is the one that is always 0."""
    word = int.from_bytes(code, "little")
    if word & ZERO_REGISTER != ZERO_REGISTER or _writes(code):
        return code
    for number in range(1, ZERO_REGISTER):
        other = (word & ~ZERO_REGISTER | number).to_bytes(4, "little")
        if _core.disassemble("aarch64", other).instructions[0].form == form and _writes(other):
            return other
    return code


def _writes(code: bytes) -> bool:
    return any(operand.write for operand in _core.disassemble("aarch64", code).instructions[0].operands)


@cache
def examples() -> tuple[Example, ...]:
    """The enumeration and, behind it, the forms that only the spellings above have."""
    found = {
        entry.form: Example(entry.form, entry.opcode, _with_result(entry.form, bytes(entry.code)))
        for entry in enumerated.forms("aarch64")
    }
    texts = [*_integer(), *_vector(), *_memory(), *_branches(), *PREDICATES]
    listing = _core.assemble("aarch64", "\n".join(texts) + "\n")
    schedule = _core.Schedule("aarch64", "neoverse-v2")
    for read in listing.instructions:
        if read.unknown:
            continue
        # Decoded once more: a reference to "." has its own spelling in text.
        instruction = _core.disassemble("aarch64", read.bytes).instructions[0]
        if instruction.form not in found:
            opcode = schedule.entry(read.bytes).opcode
            found[instruction.form] = Example(instruction.form, opcode, bytes(read.bytes))
    return tuple(found.values())
