"""How LLVM's Intel printer spells an encoding: mnemonic and operand classes as in the keys of instruction forms."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

FIRST_MARKER = 0x40000000
"""Between two encodings stands `mov eax, FIRST_MARKER + number of the next one`."""
PADDING_NOPS = 8
"""More than any wrong reading swallows; an encoding counts only when all of them come out again."""
_PREFIX_WORDS = frozenset({"rep", "repne", "lock", "data16", "notrack", "xacquire", "xrelease"})
_WIDTHS = {
    "byte": 8, "word": 16, "dword": 32, "qword": 64, "xmmword": 128, "ymmword": 256, "zmmword": 512,
    "tbyte": 80, "fword": 48,
}  # fmt: skip
_R64 = ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp")
_CLASSES: dict[str, str] = {
    **dict.fromkeys(_R64, "r64"),
    **{f"e{name[1:]}": "r32" for name in _R64},
    **{name[1:]: "r16" for name in _R64},
    **dict.fromkeys(("al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl"), "r8"),
    **dict.fromkeys(("ah", "bh", "ch", "dh"), "r8h"),
    **dict.fromkeys(("cs", "ds", "es", "fs", "gs", "ss"), "sreg"),
    **{f"r{number}{suffix}": width for number in range(8, 16)
       for suffix, width in (("", "r64"), ("d", "r32"), ("w", "r16"), ("b", "r8"))},
    "st": "st",
}  # fmt: skip
_NUMBERED = re.compile(r"^(xmm|ymm|zmm|mm|k|tmm|cr|dr|bnd)\d+$|^(st)\(\d\)$")


@dataclass(frozen=True)
class Spelling:
    """One printed instruction."""

    mnemonic: str
    operands: tuple[str, ...]
    """Printed operands, in order."""

    def classes(self, literal: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """Return operand classes; registers in `literal` (fixed by the encoding) keep their name."""
        return tuple(operand_class(operand, literal) for operand in self.operands)


def operand_class(operand: str, literal: frozenset[str] = frozenset()) -> str:
    """Classify a printed operand: register class, literal register, m<bits>, m, or i."""
    bare = re.sub(r"\{[^}]*\}", "", operand).strip()
    if bare in literal:
        return bare
    if bare in _CLASSES:
        return _CLASSES[bare]
    numbered = _NUMBERED.match(bare)
    if numbered:
        return numbered.group(1) or numbered.group(2)
    if "[" in bare:
        width = _WIDTHS.get(bare.split(" ", 1)[0])
        return f"m{width}" if width else "m"
    return "i"


def parse(line: str) -> Spelling:
    """Split one line of llvm-mc's output."""
    words = line.split("#", 1)[0].strip().split()
    count = 0
    if words[0] in ("{vex}", "{evex}"):
        words = words[1:]
    while words[count] in _PREFIX_WORDS and count + 1 < len(words):
        count += 1
    mnemonic = " ".join(words[: count + 1])
    rest = " ".join(words[count + 1 :])
    return Spelling(mnemonic, tuple(part.strip() for part in rest.split(",")) if rest else ())


def _byte_line(encoding: bytes) -> str:
    return " ".join(f"0x{byte:02x}" for byte in encoding)


def spell(encodings: list[bytes], llvm_mc: str) -> list[Spelling | None]:
    """Disassemble every encoding; None where LLVM does not know it or reads it as several instructions."""
    lines: list[str] = []
    for number, encoding in enumerate(encodings):
        lines.append(_byte_line(b"\xb8" + (FIRST_MARKER + number).to_bytes(4, "little")))
        lines.append(_byte_line(encoding))
        lines.append(_byte_line(b"\x90" * PADDING_NOPS))
    command = [llvm_mc, "--disassemble", "--triple=x86_64", "--output-asm-variant=1"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    illegal = {(int(line) - 1) // 3 for line in re.findall(r"<stdin>:(\d+):\d+: warning: invalid", done.stderr)}
    printed: dict[int, list[str]] = {}
    current = -1
    for line in done.stdout.splitlines():
        text = line.strip()
        marker = re.fullmatch(r"mov\s+eax, (\d+)", text)
        if marker and 0 <= int(marker.group(1)) - FIRST_MARKER < len(encodings):
            current = int(marker.group(1)) - FIRST_MARKER
        elif text:
            printed.setdefault(current, []).append(text)
    spellings: list[Spelling | None] = []
    for number in range(len(encodings)):
        texts = printed.get(number, [])
        whole = number not in illegal and len(texts) == PADDING_NOPS + 1 and texts[1:] == ["nop"] * PADDING_NOPS
        spellings.append(parse(texts[0]) if whole else None)
    return spellings


def llvm_version(llvm_mc: str) -> str:
    """Return the version that llvm-mc tells."""
    told = subprocess.run([llvm_mc, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"LLVM version (\d+(?:\.\d+)*)", told)
    return found.group(1) if found else "of unknown version"
