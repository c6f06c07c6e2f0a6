"""AArch64: what instructions read and write."""

from __future__ import annotations

import pytest

from corecast import _core
from reading_tools import accesses, one, operands, table, values

OPERANDS = table("""
add x0, x1, x2 -> 1=x0:w 2=x1:r 3=x2:r
add w0, w1, #1 -> 1=x0:w 2=x1:r
add sp, sp, #16 -> 1=sp:w 2=sp:r
orr w0, wzr, w0 -> 1=x0:w 2=x0:r
mov w0, wzr -> 1=x0:w
str xzr, [x0] -> addr=x0:r
ldp xzr, x1, [x2] -> 2=x1:w addr=x2:r
subs x0, x1, #1 -> 1=x0:w 2=x1:r ~flags=nzcv:w
cmp x0, x1 -> 1=x0:r 2=x1:r ~flags=nzcv:w
adc x0, x1, x2 -> 1=x0:w 2=x1:r 3=x2:r ~flags=nzcv:r
csel x0, x1, x2, eq -> 1=x0:w 2=x1:r 3=x2:r ~flags=nzcv:r
ccmp x0, x1, #0, eq -> 1=x0:r 2=x1:r ~flags=nzcv:rw
b.ne .L -> ~flags=nzcv:r
fcmp d0, d1 -> 1=z0:r 2=z1:r ~flags=nzcv:w
mrs x0, nzcv -> 1=x0:w ~flags=nzcv:r
msr nzcv, x0 -> 2=x0:r ~flags=nzcv:w
mrs x0, fpcr -> 1=x0:w
mrs x0, tpidr_el0 -> 1=x0:w
bl f -> ~x30:w
blr x0 -> 1=x0:r ~x30:w
ret -> ~x30:r
cbz x0, .L -> 1=x0:r
movk x0, #5, lsl #16 -> 1=x0:rw
bfi x0, x1, #2, #5 -> 1=x0:rw 2=x1:r
ror x0, x1, #5 -> 1=x0:w 2=x1:r
madd x0, x1, x2, x3 -> 1=x0:w 2=x1:r 3=x2:r 4=x3:r
fmadd d0, d1, d2, d3 -> 1=z0:w 2=z1:r 3=z2:r 4=z3:r
fmla v0.2d, v1.2d, v2.2d -> 1=z0:rw 2=z1:r 3=z2:r
fadd v0.2d, v1.2d, v2.2d -> 1=z0:w 2=z1:r 3=z2:r
mov v0.16b, v1.16b -> 1=z0:w 2=z1:r
mov v0.d[1], x0 -> 1=z0:rw 2=x0:r
mov x0, v0.d[1] -> 1=x0:w 2=z0:r
xtn v0.2s, v1.2d -> 1=z0:w 2=z1:r
xtn2 v0.4s, v1.2d -> 1=z0:rw 2=z1:r
aese v0.16b, v1.16b -> 1=z0:rw 2=z1:r
tbl v0.16b, {v1.16b, v2.16b}, v3.16b -> 1=z0:w 2=z1,z2:r 3=z3:r
tbl v0.16b, {v31.16b, v0.16b}, v3.16b -> 1=z0:w 2=z31,z0:r 3=z3:r
tbx v0.16b, {v1.16b}, v3.16b -> 1=z0:rw 2=z1:r 3=z3:r
ld1 {v0.4s, v1.4s}, [x0] -> 1=z0,z1:w addr=x0:r
ld2 {v31.4s, v0.4s}, [x0] -> 1=z31,z0:w addr=x0:r
ld4 {v0.4s - v3.4s}, [x0] -> 1=z0,z1,z2,z3:w addr=x0:r
ld1 {v0.s}[1], [x0] -> 1=z0:rw addr=x0:r
st3 {v0.2d, v1.2d, v2.2d}, [x0], #48 -> 1=z0,z1,z2:r addr=x0:rw
ldr d0, [x1], #8 -> 1=z0:w addr=x1:rw
ldr d0, [x1, #8]! -> 1=z0:w addr=x1:rw
ldr d0, [x1, x2, lsl #3] -> 1=z0:w addr=x1:r index=x2:r
ld1 {v0.4s}, [x0], x2 -> 1=z0:w addr=x0:rw index=x2:r
prfm pldl1keep, [x0, x1, lsl #3] -> addr=x0:r index=x1:r
dmb ish ->
dc zva, x0 -> addr=x0:r
ldxr x0, [x1] -> 1=x0:w addr=x1:r
stxr w0, x1, [x2] -> 1=x0:w 2=x1:r addr=x2:r
ldadd x0, x1, [x2] -> 1=x0:r 2=x1:w addr=x2:r
swp x0, x1, [x2] -> 1=x0:r 2=x1:w addr=x2:r
cas x0, x1, [x2] -> 1=x0:rw 2=x1:r addr=x2:r
casp x0, x1, x2, x3, [x4] -> 1=x0,x1:rw 3=x2,x3:r addr=x4:r
ld64b x0, [x8] -> 1=x0,x1,x2,x3,x4,x5,x6,x7:w addr=x8:r
paciasp -> ~x30:rw ~sp:r
fmla z0.d, p0/m, z1.d, z2.d -> 1=z0:rw 2=p0:r 3=z1:r 4=z2:r
fadd z0.d, p0/m, z0.d, z1.d -> 1=z0:rw 2=p0:r 4=z1:r
fadd z0.d, z1.d, z2.d -> 1=z0:w 2=z1:r 3=z2:r
mov z0.d, p0/m, z1.d -> 1=z0:rw 2=p0:r 3=z1:r
mov z0.d, z1.d -> 1=z0:w 2=z1:r
movprfx z0, z1 -> 1=z0:w 2=z1:r
movprfx z0.d, p0/m, z1.d -> 1=z0:rw 2=p0:r 3=z1:r
movprfx z0.d, p0/z, z1.d -> 1=z0:w 2=p0:r 3=z1:r
sel z0.d, p0, z1.d, z2.d -> 1=z0:w 2=p0:r 3=z1:r 4=z2:r
whilelo p0.d, x0, x1 -> 1=p0:w 2=x0:r 3=x1:r ~flags=nzcv:w
ptest p0, p1.b -> 1=p0:r 2=p1:r ~flags=nzcv:w
cmpgt p0.d, p1/z, z0.d, #1 -> 1=p0:w 2=p1:r 3=z0:r ~flags=nzcv:w
incd x0 -> 1=x0:rw
cntd x0 -> 1=x0:w
ptrue p0.d -> 1=p0:w
faddv d0, p0, z1.d -> 1=z0:w 2=p0:r 3=z1:r
fadda d0, p0, d0, z1.d -> 1=z0:rw 2=p0:r 4=z1:r
ld1d {z0.d}, p0/z, [x0, z1.d, lsl #3] -> 1=z0:w 2=p0:r addr=x0:r index=z1:r
ldnt1d {z0.d}, p0/z, [z1.d, x2] -> 1=z0:w 2=p0:r index=z1:r addr=x2:r
ld3w {z0.s - z2.s}, p0/z, [x0] -> 1=z0,z1,z2:w 2=p0:r addr=x0:r
st1d {z0.d}, p0, [x0, x1, lsl #3] -> 1=z0:r 2=p0:r addr=x0:r index=x1:r
tbl z0.d, {z1.d, z2.d}, z3.d -> 1=z0:w 2=z1,z2:r 3=z3:r
ldff1d {z0.d}, p0/z, [x0, x1, lsl #3] -> 1=z0:w 2=p0:r addr=x0:r index=x1:r ~ffr:rw
rdffr p0.b -> 1=p0:w ~ffr:r
setffr -> ~ffr:w
fmopa za0.d, p0/m, p1/m, z0.d, z1.d -> 1=za:rw 2=p0:r 3=p1:r 4=z0:r 5=z1:r
ld1d {za0h.d[w12, 0]}, p0/z, [x0] -> 1=za:rw;x12:r 2=p0:r addr=x0:r
st1d {za0h.d[w12, 0]}, p0, [x0] -> 1=za,x12:r 2=p0:r addr=x0:r
zero {za} -> 1=za:w
""")


@pytest.mark.parametrize(("text", "expected"), OPERANDS, ids=[text for text, _ in OPERANDS])
def test_registers_read_and_written(text: str, expected: str) -> None:
    """Zero registers and control registers carry nothing, lists are all their registers, merging reads the target."""
    assert " ".join(operands("aarch64", one("aarch64", text))) == expected


ACCESSES = table("""
ldr x0, [x1, #8] -> r8[x1+8]
ldr q0, [x1, #16]! -> r16[x1+16]!pre
ldr d0, [x1], #8 -> r8[x1]!post
str w0, [sp, #4] -> w4[sp+4]
ldur x0, [x1, #-8] -> r8[x1-8]
ldr x0, [x1, x2, lsl #3] -> r8[x1+x2*8]
ldr w0, [x1, w2, sxtw #2] -> r4[x1+x2*4]
ldrb w0, [x1] -> r1[x1]
ldrsh x0, [x1] -> r2[x1]
ldrsw x0, [x1] -> r4[x1]
ldr x0, [x1, :lo12:f] -> r8[x1 lo12:f]
ldr x0, [x0, :got_lo12:f] -> r8[x0 got_lo12:f]
ldr x0, f -> r8[rip f]
ldp x29, x30, [sp], #32 -> r16[sp]!post
stp x29, x30, [sp, #-32]! -> w16[sp-32]!pre
stp q0, q1, [x1] -> w32[x1]
ldpsw x0, x1, [x2] -> r8[x2]
ldp s0, s1, [x2] -> r8[x2]
ld1 {v0.4s}, [x0] -> r16[x0]
ld1 {v0.2s}, [x0] -> r8[x0]
ld1 {v0.s}[1], [x0] -> r4[x0]
ld1r {v0.4s}, [x0] -> r4[x0]
ld2 {v0.4s, v1.4s}, [x0], #32 -> r32[x0]!post
ld4r {v0.2d, v1.2d, v2.2d, v3.2d}, [x0] -> r32[x0]
st1 {v0.d}[1], [x0] -> w8[x0]
prfm pldl1keep, [x0] ->
dmb ish ->
dc zva, x0 -> w64[x0]
dc cvau, x0 ->
ldxr x0, [x1] -> r8[x1]
stxr w0, x1, [x2] -> w8[x2]
stlxrb w0, w1, [x2] -> w1[x2]
ldxp x0, x1, [x2] -> r16[x2]
stxp w0, x1, x2, [x3] -> w16[x3]
ldar w0, [x1] -> r4[x1]
stlr x0, [x1] -> w8[x1]
ldarh w0, [x1] -> r2[x1]
ldaprb w0, [x1] -> r1[x1]
ldadd x0, x1, [x2] -> rw8[x2]
ldaddalb w0, w1, [x2] -> rw1[x2]
stadd x0, [x1] -> rw8[x1]
stsmaxh w0, [x1] -> rw2[x1]
swpalb w0, w1, [x2] -> rw1[x2]
cas w0, w1, [x2] -> rw4[x2]
casp x0, x1, x2, x3, [x4] -> rw16[x4]
ld1d {z0.d}, p0/z, [x0] -> r?[x0]
ld1d {z0.d}, p0/z, [x0, #1, mul vl] -> r?[x0 vl*1]
ld1d {z0.d}, p0/z, [x0, #-1, mul vl] -> r?[x0 vl*-1]
ld1d {z0.d}, p0/z, [x0, x1, lsl #3] -> r?[x0+x1*8]
ld1d {z0.d}, p0/z, [x0, z1.d, lsl #3] -> r?[x0+vz1*8]
ld1d {z0.d}, p0/z, [z1.d, #8] -> r?[vz1*1+8]
ldnt1d {z0.d}, p0/z, [z1.d, x2] -> r?[x2+vz1*1]
st1d {z0.d}, p0, [x0] -> w?[x0]
ld1rd {z0.d}, p0/z, [x0, #8] -> r8[x0+8]
ld1rqd {z0.d}, p0/z, [x0] -> r16[x0]
ldr z0, [x0, #2, mul vl] -> r?[x0 vl*2]
str p0, [x0] -> w?[x0]
prfd pldl1keep, p0, [x0] ->
""")


@pytest.mark.parametrize(("text", "expected"), ACCESSES, ids=[text for text, _ in ACCESSES])
def test_memory_accesses(text: str, expected: str) -> None:
    """Width, direction and write-back; what the vector length scales is a symbol."""
    assert " ".join(accesses("aarch64", one("aarch64", text))) == expected


VALUES = table("""
add x0, x1, #4 -> x0=x1+4
sub x0, x1, #4 -> x0=x1-4
add x0, x1, x2, lsl #3 -> x0=x1+8*x2
sub x0, x1, x2 -> x0=x1-x2
sub x0, x1, x1 -> x0=0
adds x0, x0, #1 -> x0=x0+1
subs w0, w0, #1 -> x0=x0-1
add x0, x1, w2, sxtw #2 -> x0=x1+4*x2
add x0, x1, #1, lsl #12 -> x0=x1+4096
add x0, x1, x2, lsr #3 ->
add x0, x0, :lo12:f ->
add sp, sp, #16 -> sp=sp+16
mov x0, x1 -> x0=x1
mov x0, sp -> x0=sp
mov x0, #-5 -> x0=-5
mov w0, wzr -> x0=0
lsl x0, x1, #3 -> x0=8*x1
lsl x0, x1, x2 ->
neg x0, x1 -> x0=-x1
mvn x0, x1 -> x0=-x1-1
sxtw x0, w1 -> x0=x1
ubfiz x0, x1, #2, #10 -> x0=4*x1
adrp x0, f ->
cmp x0, x1 ->
csel x0, x1, x2, eq ->
ldr q0, [x1, #16]! -> x1=x1+16
ldr q0, [x1], #16 -> x1=x1+16
ld1 {v0.4s}, [x0], x2 -> x0=x0+x2
stp x29, x30, [sp, #-32]! -> sp=sp-32
ldr x0, [x1] ->
incd x0 ->
""")


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text for text, _ in VALUES])
def test_address_arithmetic(text: str, expected: str) -> None:
    """A written register is a constant plus multiples of old registers, or unknown; write-back included."""
    assert ",".join(f"{name}={value}" for name, value in values("aarch64", one("aarch64", text)).items()) == expected


@pytest.mark.parametrize(
    ("text", "branch", "target"),
    [
        ("b.eq .L3", "conditional", ".L3"),
        ("b .L3", "unconditional", ".L3"),
        ("cbnz x0, .L3", "conditional", ".L3"),
        ("tbz w0, #3, .L3", "conditional", ".L3"),
        ("bl f", "call", "f"),
        ("blr x0", "call", ""),
        ("br x0", "indirect", ""),
        ("ret", "ret", ""),
        ("ret x1", "ret", ""),
        ("svc #0", "none", ""),
        ("ldr x0, f", "none", ""),
    ],
)
def test_branches(text: str, branch: str, target: str) -> None:
    """Kind and label of a branch."""
    instruction = one("aarch64", text)
    assert (instruction.branch, instruction.target) == (branch, target)


def test_targets_of_decoded_branches_are_addresses() -> None:
    """The distance counts from the branch itself."""
    code = _core.disassemble("aarch64", bytes.fromhex("c1ffff5400000014"), 0x1000).instructions
    assert [instruction.target_address for instruction in code] == [0x0FF8, 0x1004]


@pytest.mark.parametrize(("text", "prefix"), [("movprfx z0, z1", True), ("mov z0.d, z1.d", False)])
def test_movprfx_is_a_prefix(text: str, prefix: bool) -> None:
    """Cores fuse movprfx with the instruction behind it."""
    assert one("aarch64", text).macro_prefix is prefix
