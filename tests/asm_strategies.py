"""Hypothesis strategies of the tests that read code."""

from __future__ import annotations

from hypothesis import strategies as st

_PIECES = (
    *("\tvaddpd %ymm0, %ymm1, %ymm2", "add rax, [rbx+8]", "\tfmla v0.2d, v1.2d, v2.2d", "ld1d {z0.d}, p0/z, [x0]"),
    *("\tfld fa0, 0(a0)", "vfmacc.vv v0, v1, v2", ".L1:", ".L2:", "\tjne .L1", "\tb.ne .L2", "bnez a0, .L1", "1:"),
    *("jmp 1b", "main:", "\t.type main, @function", "\t.text", "\t.data", '.section .text.hot,"ax",@progbits'),
    *(".byte 100,103,144", "\tmovl $111, %ebx", "mov x1, #222", ".byte 213,3,32,31", "# OSACA-BEGIN", "// OSACA-END"),
    *("# LLVM-MCA-BEGIN a", "# LLVM-MCA-END a", "# LLVM-MCA-END", ".intel_syntax noprefix", ".att_syntax", "#APP"),
    *(
        ".macro m x",
        "\\x",
        ".endm",
        "m nop",
        ".rept 3",
        ".endr",
        ".if 1",
        ".else",
        ".endif",
        "/* c",
        "*/",
        '"',
        "{",
        "}",
    ),
    *(
        '.file 1 "a.c"',
        ".loc 1 5 3",
        ".cfi_startproc",
        ".set x, 5",
        "x = 7",
        "call f",
        "ret",
        "\x00",
        "\r",
        "\ufeff",
        "é",
    ),
)

lines = st.one_of(st.sampled_from(_PIECES), st.text(max_size=30))
"""A line of something like assembly."""

texts = st.lists(lines, max_size=30).map("\n".join)
"""Files that hold some of what compilers write, in no good order."""

isas = st.sampled_from(["x86", "aarch64", "riscv64"])
