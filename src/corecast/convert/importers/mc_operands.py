"""Operands as LLVM's MCInst counts them, and which of ours they are.

Definitions come first, then uses; a use tied to a definition has a separate number, lanes and immediates are counted
as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from corecast import _core
from corecast.machine.rows import endpoint_name

X86_CLASSES = {"GR8": "r8", "GR16": "r16", "GR32": "r32", "GR64": "r64", "VR64": "mm", "VR512": "zmm", "VK": "k"}
UNTIED = ("CMPXCHG",)
"""Opcodes whose definition is read although LLVM ties no use to it."""
ALIAS_DROPS = {"cmp": 1, "cmn": 1, "tst": 1, "neg": 2, "negs": 2, "mvn": 2, "mul": 4, "mneg": 4, "smull": 4, "umull": 4}
"""AArch64 aliases: which operand of the instruction they leave out (xzr)."""


def operand_texts(form: str) -> list[str]:
    """The operands of a form key as written: "vaddpd zmm{k}{z}, zmm, m512" -> ["zmm{k}{z}", "zmm", "m512"]."""
    words = form.split(" @")[0].partition(" ")[2]
    return [text.strip() for text in re.split(r",\s*(?![^{\[]*[}\]])", words)] if words else []


def mc_operands(isa: str, form: str, instruction: _core.Instruction, opcode: str = "") -> list[str]:
    """The operand, as our files write it, at each place of the instruction's MCInst; "" where none of ours."""
    texts = operand_texts(form)
    mask = any(operand.id == 68 for operand in instruction.operands)
    operands = {operand.id: operand for operand in instruction.operands if operand.id < 64}
    places = [place for place in range(1, len(texts) + 1) if not (isa == "x86" and _literal(texts[place - 1]))]
    drop = ALIAS_DROPS.get(instruction.mnemonic) if isa == "aarch64" else None
    registers = {place: operand for place, operand in operands.items() if operand.kind == "reg"}
    written = [place for place in places[:2] if place in registers and registers[place].write]
    definitions = [place for place in written if place == 1 or 1 in written]
    tied = [place for place in definitions if operands[place].read and not opcode.startswith(UNTIED)]
    rest = [place for place in places if place not in definitions]
    order = [str(place) for place in definitions]
    if isa == "aarch64":
        order += _aarch64_uses(texts, operands.keys(), tied, rest)
    else:
        order += [str(place) for place in tied]
        if isa == "x86" and mask and "{k}" in form:
            order.append("mask")
        order += [str(place) for place in rest]
        if isa == "riscv64" and mask and texts and texts[-1] == "v0.t":
            order[-1] = "mask"
    if drop is not None:
        order.insert(drop - 1, "")
    return order


def _literal(text: str) -> bool:
    return text in ("al", "ax", "eax", "rax", "cl", "dx", "xmm0", "1", "st0")


def _aarch64_uses(texts: Sequence[str], known: Iterable[int], tied: Sequence[int], rest: Sequence[int]) -> list[str]:
    """SVE: a merging predicate stands before the tied operand, except where the instruction has one source only."""
    present = set(known)
    uses: list[str] = []
    for place in rest:
        uses.append(str(place) if place in present else "1")  # printed a second time: the tied operand itself
        if re.search(r"\[i\]$", texts[place - 1]):
            uses.append("")
    if not tied or any(place not in present for place in rest):
        return uses
    at = 1 if len(texts) > 3 and texts[1].endswith("/m") else 0
    uses[at:at] = ["1", ""] if texts[0].endswith("[i]") else ["1"]
    return uses


def has_class(register_class: str, text: str) -> bool:
    """Whether an operand, as a key writes it, can be of that register class of LLVM's."""
    base = text.partition("{")[0]
    if register_class.startswith(("VR128", "FR")):
        return base == "xmm"
    if register_class.startswith("VR256"):
        return base == "ymm"
    for prefix, expected in X86_CLASSES.items():
        if register_class.startswith(prefix) and (prefix != "VK" or register_class[2:].isdigit()):
            return base == expected
    return True


def implicit_endpoint(isa: str, register: str, form: str, instruction: _core.Instruction) -> str | None:
    """Our name of an implicit register; None where the instruction has none such."""
    if register in ("EFLAGS", "NZCV"):
        return "flags" if any(operand.id == 67 for operand in instruction.operands) else None
    name = register.lower()
    if isa == "x86":
        texts = operand_texts(form)
        if name in texts:
            return str(texts.index(name) + 1)
        name = {"l": f"r{name[:1]}x", "x": f"r{name[-2:]}"}.get(name[-1:], name) if len(name) <= 3 else name
    names = {endpoint_name(isa, operand.id) for operand in instruction.operands if operand.id >= 128}
    return name if name in names else None


def opcode_candidates(opcode: str) -> list[str]:
    """Names under which an opcode's form may be listed: itself, then those that print alike (EVEX, reversed, ...)."""
    found = [opcode]
    plain = re.sub(r"(_REV|_EVEX|_alt|_NOREX)$", "", opcode)
    plain = re.sub(r"^(V?)(MIN|MAX)C([PS][SD])", r"\1\2\3", plain)
    for name in (plain, plain.replace("Z128", ""), plain.replace("Z256", "Y"), re.sub(r"Zr", "r", plain)):
        found += [name, name.removesuffix("_Int"), name + "_Int"]
    found.append("C_" + opcode)  # RISC-V: the compressed encoding prints alike
    if re.search(r"8ri8$", plain):
        found.append(plain[:-1])
    return list(dict.fromkeys(found))
