"""Whether an instruction exists for a form key: LLVM's decoder finds one, or a spelling of the key assembles to it."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
        (r"\bst\b", ("st(1)", "st(2)")),
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
        (r"#i\b", ("#8", "#1")),
        (r"\bcond\b", ("eq",)),
        (r"\bb\.eq\b", ("b.eq",)),
        (r"\[x\]", ("[x9]",)),
        (r"\[x\b", ("[x9",)),
        (r"\bx\b", ("x1", "x2", "x3", "x4")),
        (r"\bw\b", ("w1", "w2", "w3", "w4")),
        (r"\bp/([mz])", (r"p1/\1",)),
        (r"\b([zvp])\.", (r"\g<1>1.", r"\g<1>2.", r"\g<1>3.")),
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


def unresolved(isa: Isa, forms: Iterable[str]) -> list[str]:
    """The forms that no instruction has. Takes some seconds: the enumeration of all forms."""
    keys = {form: form.partition(" @")[0] for form in forms}
    known = {enumerated.form.partition(" @")[0] for enumerated in _core.enumerate_forms(isa)}
    open_keys = sorted(set(keys.values()) - known)
    known |= _assembled(isa, open_keys)
    return [form for form, key in keys.items() if key not in known]


def _assembled(isa: Isa, keys: list[str]) -> set[str]:
    """The keys that a spelling of theirs assembles to."""
    texts = [spelling(isa, key) for key in keys]
    if not texts:
        return set()
    found = set()
    listing = _core.assemble(isa, "".join(f"{text}\n" for text in texts), "intel" if isa == "x86" else "")
    for instruction in listing.instructions:
        if not instruction.unknown and 0 < instruction.line <= len(keys):
            key = keys[instruction.line - 1]
            spelled = {instruction.form, *instruction.alternative_forms}
            if key in {form.partition(" @")[0] for form in spelled}:
                found.add(key)
    return found


def spelling(isa: Isa, key: str) -> str:
    """An instruction that the key may belong to: registers and numbers in place of kinds."""
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
        for name in names:
            operands = re.sub(pattern, name, operands, count=1)
        operands = re.sub(pattern, names[-1], operands)
    return f"{mnemonic} {operands}".strip()
