"""Fuzzes assembly text: dialects, directives, macros, markers, loops, and the analysis and reports of what is read."""

from __future__ import annotations

import random
import sys

from harness import DATA, ROOT, Fuzzer, analyze, flip, splice

WORDS = (
    *(".macro m x", ".macro m x=1, y:req, z:vararg", ".endm", "m 1", "m", "\\x", "\\@", ".exitm", ".purgem m"),
    *(".altmacro", ".rept 3", ".rept 100000", ".rept x", ".irp r,rax,rbx", ".irpc c,abc", ".endr", ".if 1", ".if x"),
    *(".ifdef x", ".ifndef y", ".ifc a,b", ".ifnb", ".elseif 0", ".else", ".endif", ".set x, 5", "x = x+1"),
    *(".equ y, x*2", ".equiv z,1", ".intel_syntax noprefix", ".att_syntax", ".att_syntax noprefix"),
    *(".intel_syntax prefix", ".text", ".data", '.section .text.a,"ax",@progbits', ".pushsection .b", ".popsection"),
    *(".previous", ".subsection 1", ".org 100", ".p2align 4,,10", ".align 16", ".balign 8", ".byte 100,103,144"),
    *(".byte 213,3,32,31", ".long 5", ".quad f", ".octa 1", '.ascii "a"', ".zero 1000000000"),
    *(".fill 1000000000,8,1", ".skip -1", ".space x", ".inst 0xd503201f", ".insn r 0x33", '.include "/dev/zero"'),
    *('.incbin "/dev/zero"', '.file 1 "a.c"', ".loc 1 5 3", ".cfi_startproc", ".type f, @function"),
    *("# LLVM-MCA-BEGIN a", "# LLVM-MCA-END a", "# OSACA-BEGIN", "# OSACA-END", "movl $111, %ebx"),
    *("movl $222, %ebx", "mov x1, #111", "mov x1, #222", "li a0, 5", "1:", "jmp 1b", "jne 1f", "b.ne 1b"),
    *("bnez a0, 1b", "f:", ".L1:", "jmp .L1", "%", "$", "#", "@", "[", "]", "{", "}", "(", ")", "*", '"', "'", "\\"),
    *(";", ",", "//", "/*", "*/", "\r", "\x00", "\t", "é", "-1", "0x7fffffffffffffff", "-9223372036854775808"),
    *("99999999999999999999", "0b1", "1e9", "5/0", "5%0", "~1", "!", "qword ptr", "offset", "{k1}{z}", "{1to8}"),
    *("{rn-sae}", "%fs:", "foo@PLT", "foo@GOTPCREL(%rip)", ":lo12:", "%hi(f)", "lock", "rep", "repne", "data16"),
    *("{evex}", "notrack", "bnd", "vsetvli a0, a1, e8, mf8, tu, mu", ".option norvc", ".arch armv9-a+sve2"),
    *("Disassembly of section .text:", "a.o:     file format elf64-x86-64", "0000000000000000 <f>:", "\t...", "(bad)"),
    *("   0:\t48 85 c9 \ttest %rcx,%rcx", "=> 0x0000 <+4>:\tnop", "    0.00 :   1129:   nop", "f100047f", "75 e4"),
    *("jne    a <f+0xa>", "0x26 <f+38>", "\t\t\t4: R_X86_64_PC32\tx-0x4", "Dump of assembler code for function f:"),
    *("ffffffffffffffff:", "<L0>:", " Percent |\tSource code & Disassembly of a", "\x1b[31m", ".macro m a", "m \\a\\a"),
    *(".cpu generic", ".arch_extension sve", '.attribute 5, "rv64gcv"', ".option arch, +v", ".code32"),
)  # fmt: skip


def seeds() -> list[bytes]:
    from corecast import _core

    found = [path.read_bytes() for path in sorted((DATA / "asm").glob("*.s"))]
    found += [path.read_bytes() for path in sorted((ROOT / "tests" / "golden").glob("*.s"))]
    found += [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.s"))]
    found += [path.read_bytes() for path in sorted((DATA / "listings").glob("*.txt"))]
    rng = random.Random(1)
    for isa in ("x86", "aarch64", "riscv64"):
        forms = _core.enumerate_forms(isa)
        for _ in range(12):
            lines = [_core.disassemble(isa, entry.code).instructions[0].text for entry in rng.sample(forms, 30)]
            head = [".intel_syntax noprefix"] if isa == "x86" else []
            back = {"x86": "jne .L1", "aarch64": "b.ne .L1", "riscv64": "bnez a0, .L1"}[isa]
            found.append("\n".join([*head, ".L1:", *lines, back, ""]).encode())
    return found


def mutate(rng: random.Random, pool: list[bytes]) -> bytes:
    data = rng.choice(pool)
    if len(data) > 6_000:  # a window of a large file is enough, and faster
        start = rng.randrange(len(data) - 3_000)
        data = data[start : start + rng.randrange(200, 3_000)]
    for _ in range(rng.randrange(1, 5)):
        lines = data.split(b"\n")
        at = rng.randrange(len(lines))
        match rng.randrange(9):
            case 0:
                data = flip(rng, data, rng.randrange(1, 6))
                continue
            case 1:
                other = rng.choice(pool)
                data = splice(rng, data, other[-3_000:])
                continue
            case 2:
                lines.insert(at, rng.choice(WORDS).encode())
            case 3:
                lines[at] += b" " + rng.choice(WORDS).encode()
            case 4:
                words = lines[at].split(b" ")
                words[rng.randrange(len(words))] = rng.choice(WORDS).encode()
                lines[at] = b" ".join(words)
            case 5:
                del lines[at : at + rng.randrange(1, 8)]
            case 6:
                lines[at:at] = lines[rng.randrange(len(lines)) :][: rng.randrange(1, 8)]
            case 7:
                lines[at] = lines[at].upper() if rng.random() < 0.5 else lines[at][: rng.randrange(len(lines[at]) + 1)]
            case 8:
                words = lines[at].replace(b",", b" , ").split()
                other_words = rng.choice(lines).replace(b",", b" , ").split()
                if words and other_words:
                    words[rng.randrange(len(words))] = rng.choice(other_words)
                lines[at] = b" ".join(words)
        data = b"\n".join(lines)
    return data


def target(data: bytes) -> None:
    from corecast.asm import RegionOptions, regions_of_text

    choice = len(data)
    text = data.decode("utf-8", "replace")
    isa = (None, "x86", "aarch64", "riscv64", None)[choice % 5]
    options = RegionOptions(isa=isa, loop=("auto", "all", "1")[choice % 3])  # type: ignore[arg-type]
    for kernel in regions_of_text(text, "fuzz.s", options)[:6]:
        analyze(kernel)


if __name__ == "__main__":
    sys.exit(Fuzzer("text", target, seeds, mutate, ".s").main())
