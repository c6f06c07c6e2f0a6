"""Forms that are tried as blocking instructions of a core of which nothing is known.

One plain form for each kind of work that cores have units for. Which ports they have, and which are alike, is
measured.
"""

from __future__ import annotations

from corecast.asm.code import Isa

PLAIN: dict[Isa, tuple[str, ...]] = {
    "x86": (
        "imul r64, r64, i8", "pdep r64, r64, r64", "crc32 r32, r32", "andn r64, r64, r64", "rorx r64, r64, i8",
        "bzhi r64, r64, r64", "bextr r64, r64, r64", "blsi r64, r64", "tzcnt r64, r64", "lzcnt r64, r64",
        "popcnt r64, r64", "movsxd r64, r32", "movzx r32, r16", "mov r64, i32", "lea r64, m3", "cmovb r64, r64",
        "vaddpd xmm, xmm, xmm", "vmulpd xmm, xmm, xmm", "vpaddd xmm, xmm, xmm", "vpand xmm, xmm, xmm",
        "vpmulld xmm, xmm, xmm", "vpmaddwd xmm, xmm, xmm", "vpshufb xmm, xmm, xmm", "vpunpcklbw xmm, xmm, xmm",
        "vpslld xmm, xmm, i8", "vpsllvd xmm, xmm, xmm", "vpsadbw xmm, xmm, xmm", "vaesdec xmm, xmm, xmm",
        "vpermilps xmm, xmm, i8", "vblendps xmm, xmm, xmm, i8", "vcvtdq2ps xmm, xmm", "vpabsd xmm, xmm",
        "vpcmpgtd xmm, xmm, xmm", "vmovd r32, xmm", "vmovmskps r32, xmm", "vphminposuw xmm, xmm",
        "mov r32, m32", "vmovaps xmm, m128",
    ),
    "aarch64": (
        "mul x, x, x", "madd x, x, x, x", "umulh x, x, x", "add x, x, x", "add x, x, x, lsr #i", "and x, x, x",
        "adds x, x, x", "lsl x, x, x", "rbit x, x", "clz x, x", "crc32x w, w, x", "sbfm x, x, #i, #i",
        "extr x, x, x, #i", "csel x, x, x, cond", "fadd d, d, d", "fmul d, d, d", "fadd v.2d, v.2d, v.2d",
        "add v.4s, v.4s, v.4s", "mul v.4s, v.4s, v.4s", "and v.16b, v.16b, v.16b", "ushl v.4s, v.4s, v.4s",
        "zip1 v.4s, v.4s, v.4s", "tbl v.16b, v.16b, v.16b", "addv s, v.4s", "fcvtzs d, d", "scvtf d, d", "fmov x, d",
        "fmov d, x", "fcvt d, s", "sshll v.2d, v.2s, #i", "ldr x, [x]", "ldr q, [x]",
    ),
    "riscv64": (
        "add x, x, x", "and x, x, x", "sll x, x, x", "mul x, x, x", "mulh x, x, x", "addi x, x, i", "sh1add x, x, x",
        "cpop x, x", "clz x, x", "rev8 x, x", "andn x, x, x", "max x, x, x", "fadd.d f, f, f", "fmul.d f, f, f",
        "fsgnj.d f, f, f", "fclass.d x, f", "fcvt.d.l f, x", "fmv.x.d x, f", "fmv.d.x f, x", "feq.d x, f, f",
        "lw x, i(x)", "fld f, i(x)",
    ),
}  # fmt: skip
STORES: dict[Isa, tuple[str, ...]] = {
    "x86": ("mov m32, r32", "vmovaps m128, xmm"),
    "aarch64": ("str x, [x]", "str q, [x]"),
    "riscv64": ("sw x, i(x)", "fsd f, i(x)"),
}
