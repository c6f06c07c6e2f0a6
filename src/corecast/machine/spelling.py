"""Assembly text of form keys: an instruction that has the key, so that what holds for instructions holds for keys.

A key tells kinds of operands; registers and numbers are put in their place (`_SPELLED`). Where the first spelling is
no instruction others are tried (`_OTHERWISE`): destructive SVE forms name one register twice, some immediates have few
values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from corecast import _core
from corecast.machine.types import Isa

_SPELLED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "x86": (
        (r"\br8h\b", ("ah", "bh", "ch")),
        (r"\br8\b", ("cl", "dl", "bl")),
        (r"\br16\b", ("cx", "dx", "bx")),
        (r"\br32\b", ("ecx", "edx", "ebx")),
        (r"\br64\b", ("rcx", "rdx", "rbx")),
        (r"\bxmm\b", ("xmm1", "xmm2", "xmm3", "xmm4")),
        (r"\bymm\b", ("ymm1", "ymm2", "ymm3", "ymm4")),
        (r"\bzmm\b", ("zmm1", "zmm2", "zmm3", "zmm4")),
        (r"\bmm\b", ("mm1", "mm2")),
        (r"\bst\b(?!\()", ("st(0)", "st(1)")),
        (r"\bsreg\b", ("fs",)),
        (r"\{k\}", ("{k1}",)),
        (r"\bk\b", ("k1", "k2", "k3")),
        (r"\bi8\b", ("18",)),
        (r"\bi16\b", ("4660",)),
        (r"\bi32\b", ("305419896",)),
        (r"\bi64\b", ("1311768467463790320",)),
        (r"\brel\b", ("1f",)),
        (r"\bm3\b", ("[rsi+rdi+8]",)),
        (r"\bm8\b", ("byte ptr [rsi]",)),
        (r"\bm16\b", ("word ptr [rsi]",)),
        (r"\bm32\b", ("dword ptr [rsi]",)),
        (r"\bm64\b", ("qword ptr [rsi]",)),
        (r"\bm128\b", ("xmmword ptr [rsi]",)),
        (r"\bm256\b", ("ymmword ptr [rsi]",)),
        (r"\bm512\b", ("zmmword ptr [rsi]",)),
        (r"\bm80\b", ("tbyte ptr [rsi]",)),
        (r"\bm\b", ("[rsi]",)),
    ),
    "aarch64": (
        (r"lsl #i", ("lsl #12",)),
        (r"\b([su]xt[bhwx]) #i", (r"\1 #2",)),
        (r"\brel\b", (".",)),
        (r"\bpattern\b", ("vl8",)),
        (r"\bprfop\b", ("pldl1keep",)),
        (r"\bp\b(?![./])", ("p1", "p2", "p3")),
        (r"#i\b", ("#8", "#1")),
        (r"\bcond\b", ("eq",)),
        (r"\bb\.eq\b", ("b.eq",)),
        (r"\[x\]", ("[x9]",)),
        (r"\[x\b", ("[x9",)),
        (r"\bx\b", ("x1", "x2", "x3", "x4")),
        (r"\bw\b", ("w1", "w2", "w3", "w4")),
        (r"\bp/([mz])", (r"p1/\1",)),
        (r"\b([zvp])\.", (r"\g<1>1.", r"\g<1>2.", r"\g<1>3.", r"\g<1>4.")),
        (r"(?<![.\w])([bhsdq])(?![.\w])", (r"\g<1>1", r"\g<1>2", r"\g<1>3", r"\g<1>4")),
        (r"\[i\]", ("[1]",)),
        (r"lsl #1\.\.4", ("lsl #2",)),
    ),
    "riscv64": (
        (r"\brel\b", ("somewhere",)),
        (r"(?<=, )vtype$", ("e64, m1, ta, ma",)),
        (r"\bi\b", ("8", "1")),
        (r"\bx\b", ("a1", "a2", "a3")),
        (r"(?<![.\w])f(?![.\w])", ("fa1", "fa2", "fa3", "fa4")),
        (r"(?<![.\w])v(?![.\w])", ("v8", "v16", "v24")),
    ),
}
"""Operand kinds as patterns -> what stands for the first, second, ... of them."""

_ELEMENTS = (("qword", 64), ("dword", 32), ("word", 16))
_NUMBERS = ("0", "1", "2", "3", "4", "12", "16", "24", "32", "48", "64", "90", "0.0")
_OTHERWISE: dict[str, tuple[tuple[tuple[str, str], ...], ...]] = {
    "x86": (),
    "aarch64": (
        (
            (r"\bz2(\.\w+)(.*)\bz3\b", r"z1\1\2z2"),  # the first source is the destination
            (r"\bz2\b", "z1"),
            (r"^(\w+) ([vz]1\.\w+)(?=[,\[])", r"\1 {\2}"),  # a list of one register
            (r"^(tb[lx]) ([vz]1\.\w+), ([vz]2\.\w+)", r"\1 \2, {\3}"),
        ),
        tuple((r"#8(?!\d)", f"#{number}") for number in _NUMBERS),
        ((r"lsl #12", "lsl #8"), (r"lsl #12", "lsl #16")),
    ),
    "riscv64": (((r", v24$", ", v0"),), ((r"\b8, 1\b", "1, 1"),)),
}
"""Other spellings: what to put in the place of what, by what the choices are independent of."""


def spellings(isa: Isa, key: str) -> Iterator[str]:
    """Instructions that the key may belong to, likeliest first."""
    plain, _, variant = key.partition(" @")
    for form in _elements(plain):
        text = spelling(isa, form, one_register=variant == "same")
        if variant == "indexed":
            text = text.replace("[rsi]", "[rsi+rdi]")
        texts = [text]
        for choices in _OTHERWISE[isa]:
            texts += [re.sub(pattern, instead, each) for each in texts for pattern, instead in choices]
        yield from dict.fromkeys(texts)


def _elements(form: str) -> Iterator[str]:
    """A broadcast memory operand of each width that an element may have; other forms as they are."""
    match = re.search(r"\bm(128|256|512)bcst\b", form)
    if match is None:
        yield form
        return
    for name, bits in _ELEMENTS:
        yield f"{form[: match.start()]}{name} ptr [rsi]{{1to{int(match[1]) // bits}}}{form[match.end() :]}"


def instructions_of(isa: Isa, keys: Iterable[str]) -> dict[str, _core.Instruction]:
    """An instruction for each key that a spelling of it assembles to; keys without one are left out."""
    attempts = [(key, text) for key in dict.fromkeys(keys) for text in spellings(isa, key)]
    found: dict[str, _core.Instruction] = {}
    if not attempts:
        return found
    lines = "".join(f"{_vector_type(isa, key)}{text}\n" for key, text in attempts)
    for instruction in _core.assemble(isa, lines, "intel" if isa == "x86" else "").instructions:
        if not instruction.unknown and 0 < instruction.line <= len(attempts):
            key = attempts[instruction.line - 1][0]
            if key not in found and has_key(instruction, key):
                found[key] = instruction
    return found


def has_key(instruction: _core.Instruction, key: str) -> bool:
    """Whether the key is one that the instruction is looked up by."""
    plain, _, variant = key.partition(" @")
    own = {instruction.form, *instruction.alternative_forms}
    if variant in ("same", "indexed", "zero"):
        applies = {
            "same": instruction.same_register, "indexed": instruction.indexed, "zero": instruction.zero_immediate
        }  # fmt: skip
        return plain in own and applies[variant]
    return key in own or (not variant and plain in {form.partition(" @")[0] for form in own})


def _vector_type(isa: Isa, key: str) -> str:
    """RISC-V: the setting of element width and group size that the key's variant, or its mnemonic, is about."""
    if isa != "riscv64" or not key.startswith("v") or key.startswith("vset"):
        return ""
    variant = re.search(r" @(mf?\d)(?:,e(\d+))?$", key)
    group, width = (variant[1], variant[2]) if variant else ("m1", None)
    if width is None:
        named = re.match(r"v[ls]s?(?:seg\d)?e(\d+)(?:ff)?\.v", key)
        width = named[1] if named else {"mf2": "16", "mf4": "8", "mf8": "8"}.get(group, "32")
    return f"vsetvli zero, zero, e{width}, {group}, ta, ma; "


def spelling(isa: Isa, key: str, *, one_register: bool = False) -> str:
    """An instruction that the key may belong to: registers and numbers in place of kinds.

    Args:
        one_register: all registers of a kind are the same one.
    """
    mnemonic, _, operands = key.partition(" ")
    if mnemonic in ("lock", "rep", "repe", "repne"):
        second, _, operands = operands.partition(" ")
        mnemonic = f"{mnemonic} {second}"
    if isa == "aarch64" and mnemonic == "b.cond":
        mnemonic = "b.eq"
    if mnemonic == "movk":
        operands = operands.replace("lsl #i", "lsl #16")
    if mnemonic == "csrr":
        return key.replace("x,", "a1,")
    for pattern, names in _SPELLED[isa]:
        for name in names[-1:] if one_register else names:
            operands = re.sub(pattern, name, operands, count=1)
        operands = re.sub(pattern, names[-1], operands)
    return f"{mnemonic} {operands}".strip()
