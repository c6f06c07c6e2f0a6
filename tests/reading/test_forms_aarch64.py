"""Form keys of AArch64: base, NEON, atomics, SVE, SVE2 and SME."""

from __future__ import annotations

import pytest

from corecast import _core
from reading_tools import accesses, many, one, operands, table, values

BASE = table("""
fmla v0.2d, v1.2d, v2.2d                -> fmla v.2d, v.2d, v.2d
fmla v0.2d, v1.2d, v2.d[1]              -> fmla v.2d, v.2d, v.d[i]
ldr q0, [x1, #16]!                      -> ldr q, [x, #i]!
ldr d0, [x1], #8                        -> ldr d, [x], #i
ldr d0, [x1, x2, lsl #3]                -> ldr d, [x, x, lsl #3]
ldr x0, [x1]                            -> ldr x, [x]
ldr x0, [x1, #8]                        -> ldr x, [x, #i]
ldr x0, [x1, x2]                        -> ldr x, [x, x]
ldr w0, [x1, w2, sxtw #2]               -> ldr w, [x, w, sxtw #2]
ldr x0, [sp, #8]                        -> ldr x, [x, #i]
ldr x0, foo                             -> ldr x, rel
ldr x0, =foo                            -> ldr x, rel
ldr x0, [x1, :lo12:foo]                 -> ldr x, [x, #i]
ldr x0, [x0, :got_lo12:foo]             -> ldr x, [x, #i]
add x0, x0, :lo12:foo                   -> add x, x, #i
adrp x0, foo                            -> adrp x, rel
adrp x0, :got:foo                       -> adrp x, rel
adr x0, foo                             -> adr x, rel
ldrsw x0, [x1]                          -> ldrsw x, [x]
ldrb w0, [x1, #1]!                      -> ldrb w, [x, #i]!
ldrsb w0, [x1]                          -> ldrsb w, [x]
ldrh w0, [x1]                           -> ldrh w, [x]
strb w0, [x1], #1                       -> strb w, [x], #i
strh w0, [x1]                           -> strh w, [x]
ldur x0, [x1, #-8]                      -> ldur x, [x, #i]
stur q0, [x1, #-16]                     -> stur q, [x, #i]
ldp d0, d1, [x1, #16]                   -> ldp d, d, [x, #i]
ldp x29, x30, [sp], #32                 -> ldp x, x, [x], #i
stp x29, x30, [sp, #-32]!               -> stp x, x, [x, #i]!
stp q0, q1, [x1]                        -> stp q, q, [x]
ldpsw x0, x1, [x2]                      -> ldpsw x, x, [x]
ldnp q0, q1, [x2]                       -> ldnp q, q, [x]
ldp w0, w1, [x2]                        -> ldp w, w, [x]
ldp xzr, x1, [x2]                       -> ldp x, x, [x]
str xzr, [x0]                           -> str x, [x]
str wzr, [x0, #4]                       -> str w, [x, #i]
ld1 {v0.4s}, [x0]                       -> ld1 v.4s, [x]
ld1 {v0.4s}, [x0], #16                  -> ld1 v.4s, [x], #i
ld1 {v0.4s, v1.4s}, [x0], #32           -> ld1 {v.4s, v.4s}, [x], #i
ld1 {v0.4s, v1.4s}, [x0], x2            -> ld1 {v.4s, v.4s}, [x], x
ld1 {v0.s}[1], [x0]                     -> ld1 v.s[i], [x]
ld1r {v0.4s}, [x0]                      -> ld1r v.4s, [x]
ld2 {v0.4s, v1.4s}, [x0]                -> ld2 {v.4s, v.4s}, [x]
ld3 {v0.4s, v1.4s, v2.4s}, [x0]         -> ld3 {v.4s, v.4s, v.4s}, [x]
ld4 {v0.4s - v3.4s}, [x0]               -> ld4 {v.4s, v.4s, v.4s, v.4s}, [x]
st2 {v0.4s, v1.4s}, [x0], #32           -> st2 {v.4s, v.4s}, [x], #i
ld4r {v0.2d, v1.2d, v2.2d, v3.2d}, [x0] -> ld4r {v.2d, v.2d, v.2d, v.2d}, [x]
st1 {v0.d}[1], [x0]                     -> st1 v.d[i], [x]
ld2 {v30.4s, v31.4s}, [x0]              -> ld2 {v.4s, v.4s}, [x]
ld2 {v31.4s, v0.4s}, [x0]               -> ld2 {v.4s, v.4s}, [x]
tbl v0.16b, {v1.16b, v2.16b}, v3.16b    -> tbl v.16b, {v.16b, v.16b}, v.16b
tbl v0.16b, {v1.16b}, v3.16b            -> tbl v.16b, v.16b, v.16b
tbx v0.16b, {v1.16b}, v3.16b            -> tbx v.16b, v.16b, v.16b
add x0, x1, x2                          -> add x, x, x
add x0, x1, x2, lsl #2                  -> add x, x, x, lsl #1..4
add x0, x1, x2, lsl #12                 -> add x, x, x, lsl #i
add x0, x1, x2, lsr #3                  -> add x, x, x, lsr #i
add x0, x1, w2, uxtw #2                 -> add x, x, w, uxtw #i
add x0, x1, w2, sxtw                    -> add x, x, w, sxtw
add x0, x1, #4                          -> add x, x, #i
add x0, x1, #1, lsl #12                 -> add x, x, #i, lsl #i
add sp, sp, #16                         -> add x, x, #i
sub x0, x1, x2                          -> sub x, x, x
subs x0, x1, #1                         -> subs x, x, #i
adds w0, w1, w2                         -> adds w, w, w
adc x0, x1, x2                          -> adc x, x, x
cmp x0, x1                              -> cmp x, x
cmp x0, #5                              -> cmp x, #i
cmn x0, x1                              -> cmn x, x
tst x0, x1                              -> tst x, x
and x0, x1, x2                          -> and x, x, x
ands x0, x1, #15                        -> ands x, x, #i
orr x0, x1, x2                          -> orr x, x, x
mov x0, x1                              -> mov x, x
mov x0, sp                              -> mov x, x
mov w0, wzr                             -> mov w, w
mov x0, #5                              -> mov x, #i
mov x0, #-1                             -> mov x, #i
movk x0, #5, lsl #16                    -> movk x, #i, lsl #i
movz x0, #5, lsl #16                    -> mov x, #i
mvn x0, x1                              -> mvn x, x
neg x0, x1                              -> neg x, x
negs x0, x1                             -> negs x, x
orr w0, wzr, w0                         -> mov w, w
csel x0, x1, x2, eq                     -> csel x, x, x, cond
cset x0, ne                             -> cset x, cond
csinc x0, x1, x2, lt                    -> csinc x, x, x, cond
ccmp x0, x1, #0, eq                     -> ccmp x, x, #i, cond
ccmp x0, #3, #0, eq                     -> ccmp x, #i, #i, cond
b.eq .L1                                -> b.cond rel
beq .L1                                 -> b.cond rel
b .L1                                   -> b rel
bl foo                                  -> bl rel
blr x0                                  -> blr x
br x0                                   -> br x
ret                                     -> ret
ret x1                                  -> ret x
cbz x0, .L1                             -> cbz x, rel
cbnz w0, .L1                            -> cbnz w, rel
tbz x0, #3, .L1                         -> tbz w, #i, rel
lsl x0, x1, #3                          -> lsl x, x, #i
lsl x0, x1, x2                          -> lsl x, x, x
lsr w0, w1, #2                          -> lsr w, w, #i
asr x0, x1, #2                          -> asr x, x, #i
ubfiz x0, x1, #2, #10                   -> ubfiz x, x, #i, #i
sbfiz x0, x1, #2, #10                   -> sbfiz x, x, #i, #i
ubfx x0, x1, #2, #10                    -> ubfx x, x, #i, #i
sxtw x0, w1                             -> sxtw x, w
uxtb w0, w1                             -> uxtb w, w
bfi x0, x1, #2, #5                      -> bfi x, x, #i, #i
bfxil x0, x1, #2, #5                    -> bfxil x, x, #i, #i
extr x0, x1, x2, #5                     -> extr x, x, x, #i
ror x0, x1, #5                          -> ror x, x, #i
madd x0, x1, x2, x3                     -> madd x, x, x, x
mul x0, x1, x2                          -> mul x, x, x
msub x0, x1, x2, x3                     -> msub x, x, x, x
smull x0, w1, w2                        -> smull x, w, w
umulh x0, x1, x2                        -> umulh x, x, x
sdiv x0, x1, x2                         -> sdiv x, x, x
clz x0, x1                              -> clz x, x
rbit x0, x1                             -> rbit x, x
rev x0, x1                              -> rev x, x
mov v0.d[1], x0                         -> mov v.d[i], x
mov v0.d[1], v1.d[0]                    -> mov v.d[i], v.d[i]
mov x0, v0.d[1]                         -> mov x, v.d[i]
umov w0, v0.s[1]                        -> mov w, v.s[i]
smov x0, v0.s[1]                        -> smov x, v.s[i]
dup v0.2d, x0                           -> dup v.2d, x
dup v0.2d, v1.d[0]                      -> dup v.2d, v.d[i]
mov v0.16b, v1.16b                      -> mov v.16b, v.16b
movi v0.2d, #0                          -> movi v.2d, #i
movi d0, #0                             -> movi d, #i
fmov d0, #1.0                           -> fmov d, #i
fmov d0, x0                             -> fmov d, x
fmov x0, d0                             -> fmov x, d
fmov d0, d1                             -> fmov d, d
fadd d0, d1, d2                         -> fadd d, d, d
fadd v0.2d, v1.2d, v2.2d                -> fadd v.2d, v.2d, v.2d
fmadd d0, d1, d2, d3                    -> fmadd d, d, d, d
faddp d0, v1.2d                         -> faddp d, v.2d
addv s0, v1.4s                          -> addv s, v.4s
fcmp d0, d1                             -> fcmp d, d
fcmp d0, #0.0                           -> fcmp d, #i
fcsel d0, d1, d2, gt                    -> fcsel d, d, d, cond
fcvt d0, s1                             -> fcvt d, s
scvtf d0, x1                            -> scvtf d, x
fcvtzs x0, d1                           -> fcvtzs x, d
scvtf v0.2d, v1.2d                      -> scvtf v.2d, v.2d
sshll v0.2d, v1.2s, #0                  -> sshll v.2d, v.2s, #i
sshll2 v0.2d, v1.4s, #0                 -> sshll2 v.2d, v.4s, #i
xtn v0.2s, v1.2d                        -> xtn v.2s, v.2d
xtn2 v0.4s, v1.2d                       -> xtn2 v.4s, v.2d
sxtl v0.2d, v1.2s                       -> sshll v.2d, v.2s, #i
mla v0.4s, v1.4s, v2.4s                 -> mla v.4s, v.4s, v.4s
sdot v0.4s, v1.16b, v2.16b              -> sdot v.4s, v.16b, v.16b
bsl v0.16b, v1.16b, v2.16b              -> bsl v.16b, v.16b, v.16b
bit v0.16b, v1.16b, v2.16b              -> bit v.16b, v.16b, v.16b
ins v0.s[1], w1                         -> mov v.s[i], w
ext v0.16b, v1.16b, v2.16b, #8          -> ext v.16b, v.16b, v.16b, #i
zip1 v0.4s, v1.4s, v2.4s                -> zip1 v.4s, v.4s, v.4s
aese v0.16b, v1.16b                     -> aese v.16b, v.16b
sha256h q0, q1, v2.4s                   -> sha256h q, q, v.4s
pmull v0.1q, v1.1d, v2.1d               -> pmull v.1q, v.1d, v.1d
fcmla v0.2d, v1.2d, v2.2d, #90          -> fcmla v.2d, v.2d, v.2d, #i
shl v0.4s, v1.4s, #3                    -> shl v.4s, v.4s, #i
cmeq v0.4s, v1.4s, #0                   -> cmeq v.4s, v.4s, #i
fcmgt v0.4s, v1.4s, #0.0                -> fcmgt v.4s, v.4s, #i
prfm pldl1keep, [x0]                    -> prfm prfop, [x]
prfm pldl1keep, [x0, #64]               -> prfm prfop, [x, #i]
prfm pldl2strm, [x0, x1, lsl #3]        -> prfm prfop, [x, x, lsl #3]
prfm pldl1keep, foo                     -> prfm prfop, rel
dmb ish                                 -> dmb ish
dsb sy                                  -> dsb sy
isb                                     -> isb
nop                                     -> nop
yield                                   -> yield
bti c                                   -> bti c
hint #34                                -> bti c
paciasp                                 -> paciasp
mrs x0, nzcv                            -> mrs x, nzcv
msr nzcv, x0                            -> msr nzcv, x
mrs x0, fpcr                            -> mrs x, fpcr
msr fpcr, x0                            -> msr fpcr, x
mrs x0, tpidr_el0                       -> mrs x, tpidr_el0
mrs x0, cntvct_el0                      -> mrs x, cntvct_el0
dc zva, x0                              -> dc zva, x
dc cvau, x0                             -> dc cvau, x
svc #0                                  -> svc #i
brk #1                                  -> brk #i
ldxr x0, [x1]                           -> ldxr x, [x]
stxr w0, x1, [x2]                       -> stxr w, x, [x]
ldaxr w0, [x1]                          -> ldaxr w, [x]
stlxr w0, w1, [x2]                      -> stlxr w, w, [x]
ldxp x0, x1, [x2]                       -> ldxp x, x, [x]
stxp w0, x1, x2, [x3]                   -> stxp w, x, x, [x]
ldar x0, [x1]                           -> ldar x, [x]
stlr x0, [x1]                           -> stlr x, [x]
ldaprb w0, [x1]                         -> ldaprb w, [x]
ldarh w0, [x1]                          -> ldarh w, [x]
stlrb w0, [x1]                          -> stlrb w, [x]
ldadd x0, x1, [x2]                      -> ldadd x, x, [x]
ldaddal w0, w1, [x2]                    -> ldaddal w, w, [x]
stadd x0, [x1]                          -> stadd x, [x]
swp x0, x1, [x2]                        -> swp x, x, [x]
cas x0, x1, [x2]                        -> cas x, x, [x]
casp x0, x1, x2, x3, [x4]               -> casp x, x, x, x, [x]
ldclrb w0, w1, [x2]                     -> ldclrb w, w, [x]
ldsmax x0, x1, [x2]                     -> ldsmax x, x, [x]
swpalb w0, w1, [x2]                     -> swpalb w, w, [x]
clrex                                   -> clrex
crc32x w0, w1, x2                       -> crc32x w, w, x
fcvtl v0.2d, v1.2s                      -> fcvtl v.2d, v.2s
fcvtn v0.2s, v1.2d                      -> fcvtn v.2s, v.2d
fcvtn2 v0.4s, v1.2d                     -> fcvtn2 v.4s, v.2d
ldrsw x0, [x1], #4                      -> ldrsw x, [x], #i
ldraa x0, [x1]                          -> ldraa x, [x]
ld64b x0, [x8]                          -> ld64b x, [x]
rmif x0, #3, #2                         -> rmif x, #i, #i
setf8 w0                                -> setf8 w
cfinv                                   -> cfinv
fjcvtzs w0, d0                          -> fjcvtzs w, d
fcadd v0.2d, v1.2d, v2.2d, #90          -> fcadd v.2d, v.2d, v.2d, #i
cpyfp [x0]!, [x1]!, x2!                 -> cpyfp [x]!, [x]!, x!
setp [x0]!, x1!, x2                     -> setp [x]!, x!, x
b.al .L1                                -> b.cond rel
bc.eq .L1                               -> bc.cond rel
""")

SCALABLE = table("""
ld1d {z0.d}, p0/z, [x0, z1.d, lsl #3]      -> ld1d z.d, p/z, [x, z.d, lsl #3]
ld1d {z0.d}, p0/z, [x0, x1, lsl #3]        -> ld1d z.d, p/z, [x, x, lsl #3]
ld1d {z0.d}, p0/z, [x0]                    -> ld1d z.d, p/z, [x]
ld1d {z0.d}, p0/z, [x0, #1, mul vl]        -> ld1d z.d, p/z, [x, #i, mul vl]
ld1d {z0.d}, p0/z, [z1.d]                  -> ld1d z.d, p/z, [z.d]
ld1d {z0.d}, p0/z, [z1.d, #8]              -> ld1d z.d, p/z, [z.d, #i]
ldnt1d {z0.d}, p0/z, [z1.d, x2]            -> ldnt1d z.d, p/z, [z.d, x]
ld1w {z0.s}, p0/z, [x0, z1.s, sxtw #2]     -> ld1w z.s, p/z, [x, z.s, sxtw #2]
ld1w {z0.d}, p0/z, [x0, x1, lsl #2]        -> ld1w z.d, p/z, [x, x, lsl #2]
ld1rd {z0.d}, p0/z, [x0, #8]               -> ld1rd z.d, p/z, [x, #i]
ld1rqd {z0.d}, p0/z, [x0]                  -> ld1rqd z.d, p/z, [x]
ldff1d {z0.d}, p0/z, [x0, x1, lsl #3]      -> ldff1d z.d, p/z, [x, x, lsl #3]
ldnf1d {z0.d}, p0/z, [x0]                  -> ldnf1d z.d, p/z, [x]
ld2d {z0.d, z1.d}, p0/z, [x0]              -> ld2d {z.d, z.d}, p/z, [x]
ld3w {z0.s - z2.s}, p0/z, [x0]             -> ld3w {z.s - z.s}, p/z, [x]
ld4b {z0.b - z3.b}, p0/z, [x0, x1]         -> ld4b {z.b - z.b}, p/z, [x, x]
st1d {z0.d}, p0, [x0, x1, lsl #3]          -> st1d z.d, p, [x, x, lsl #3]
st1d {z0.d}, p0, [x0, z1.d, lsl #3]        -> st1d z.d, p, [x, z.d, lsl #3]
st2d {z0.d, z1.d}, p0, [x0]                -> st2d {z.d, z.d}, p, [x]
stnt1d {z0.d}, p0, [x0]                    -> stnt1d z.d, p, [x]
ldr z0, [x0]                               -> ldr z, [x]
ldr z0, [x0, #1, mul vl]                   -> ldr z, [x, #i, mul vl]
str z0, [x0, #2, mul vl]                   -> str z, [x, #i, mul vl]
ldr p0, [x0]                               -> ldr p, [x]
str p0, [x0, #1, mul vl]                   -> str p, [x, #i, mul vl]
prfd pldl1keep, p0, [x0]                   -> prfd prfop, p, [x]
prfd pldl1keep, p0, [x0, x1, lsl #3]       -> prfd prfop, p, [x, x, lsl #3]
prfw pldl1keep, p0, [x0, z1.d, lsl #2]     -> prfw prfop, p, [x, z.d, lsl #2]
ptrue p0.d                                 -> ptrue p.d
ptrue p0.d, vl4                            -> ptrue p.d, pattern
ptrues p0.b                                -> ptrues p.b
pfalse p0.b                                -> pfalse p.b
whilelo p0.d, x0, x1                       -> whilelo p.d, x, x
whilelt p0.s, w0, w1                       -> whilelt p.s, w, w
fmla z0.d, p0/m, z1.d, z2.d                -> fmla z.d, p/m, z.d, z.d
fmad z0.d, p0/m, z1.d, z2.d                -> fmad z.d, p/m, z.d, z.d
fmla z0.d, z1.d, z2.d[1]                   -> fmla z.d, z.d, z.d[i]
fadd z0.d, z1.d, z2.d                      -> fadd z.d, z.d, z.d
fadd z0.d, p0/m, z0.d, z1.d                -> fadd z.d, p/m, z.d, z.d
fadd z0.d, p0/m, z0.d, #1.0                -> fadd z.d, p/m, z.d, #i
fmul z0.d, z1.d, z2.d                      -> fmul z.d, z.d, z.d
movprfx z0, z1                             -> movprfx z, z
movprfx z0.d, p0/z, z1.d                   -> movprfx z.d, p/z, z.d
movprfx z0.d, p0/m, z1.d                   -> movprfx z.d, p/m, z.d
mov z0.d, z1.d                             -> mov z.d, z.d
mov z0.d, p0/m, z1.d                       -> mov z.d, p/m, z.d
mov z0.d, p0/z, #1                         -> mov z.d, p/z, #i
mov z0.d, x0                               -> mov z.d, x
mov z0.d, d1                               -> mov z.d, d
mov z0.d, #0                               -> mov z.d, #i
mov z0.d, z1.d[1]                          -> mov z.d, z.d[i]
dup z0.d, x0                               -> mov z.d, x
fmov z0.d, #1.0                            -> fmov z.d, #i
sel z0.d, p0, z1.d, z2.d                   -> sel z.d, p, z.d, z.d
incd x0                                    -> incd x
incd x0, all, mul #2                       -> incd x, pattern, mul #i
incd z0.d                                  -> incd z.d
cntd x0                                    -> cntd x
cntd x0, vl4, mul #3                       -> cntd x, pattern, mul #i
cntp x0, p0, p1.d                          -> cntp x, p, p.d
incp x0, p0.d                              -> incp x, p.d
addvl x0, x0, #1                           -> addvl x, x, #i
rdvl x0, #1                                -> rdvl x, #i
sqincd x0                                  -> sqincd x
faddv d0, p0, z1.d                         -> faddv d, p, z.d
fadda d0, p0, d0, z1.d                     -> fadda d, p, d, z.d
uaddv d0, p0, z1.d                         -> uaddv d, p, z.d
index z0.d, #0, #1                         -> index z.d, #i, #i
index z0.d, x0, x1                         -> index z.d, x, x
compact z0.d, p0, z1.d                     -> compact z.d, p, z.d
splice z0.d, p0, z0.d, z1.d                -> splice z.d, p, z.d, z.d
ext z0.b, z0.b, z1.b, #8                   -> ext z.b, z.b, z.b, #i
tbl z0.d, z1.d, z2.d                       -> tbl z.d, z.d, z.d
tbl z0.d, {z1.d, z2.d}, z3.d               -> tbl z.d, {z.d, z.d}, z.d
tbx z0.d, z1.d, z2.d                       -> tbx z.d, z.d, z.d
zip1 z0.d, z1.d, z2.d                      -> zip1 z.d, z.d, z.d
cmpgt p0.d, p1/z, z0.d, z1.d               -> cmpgt p.d, p/z, z.d, z.d
cmpgt p0.d, p1/z, z0.d, #1                 -> cmpgt p.d, p/z, z.d, #i
fcmgt p0.d, p1/z, z0.d, #0.0               -> fcmgt p.d, p/z, z.d, #i
and p0.b, p1/z, p2.b, p3.b                 -> and p.b, p/z, p.b, p.b
ands p0.b, p1/z, p2.b, p3.b                -> ands p.b, p/z, p.b, p.b
mov p0.b, p1.b                             -> mov p.b, p.b
ptest p0, p1.b                             -> ptest p, p.b
brkb p0.b, p1/z, p2.b                      -> brkb p.b, p/z, p.b
pnext p0.d, p1, p0.d                       -> pnext p.d, p, p.d
lastb x0, p0, z0.d                         -> lastb x, p, z.d
clasta x0, p0, x0, z1.d                    -> clasta x, p, x, z.d
scvtf z0.d, p0/m, z1.s                     -> scvtf z.d, p/m, z.s
fcvt z0.d, p0/m, z1.s                      -> fcvt z.d, p/m, z.s
sdiv z0.d, p0/m, z0.d, z1.d                -> sdiv z.d, p/m, z.d, z.d
sdot z0.d, z1.h, z2.h                      -> sdot z.d, z.h, z.h
lsl z0.d, z1.d, #3                         -> lsl z.d, z.d, #i
asr z0.d, p0/m, z0.d, #2                   -> asr z.d, p/m, z.d, #i
add z0.d, z0.d, #1                         -> add z.d, z.d, #i
and z0.d, z1.d, z2.d                       -> and z.d, z.d, z.d
eor3 z0.d, z0.d, z1.d, z2.d                -> eor3 z.d, z.d, z.d, z.d
smullb z0.d, z1.s, z2.s                    -> smullb z.d, z.s, z.s
histcnt z0.d, p0/z, z1.d, z2.d             -> histcnt z.d, p/z, z.d, z.d
match p0.b, p1/z, z0.b, z1.b               -> match p.b, p/z, z.b, z.b
aese z0.b, z0.b, z1.b                      -> aese z.b, z.b, z.b
whilerw p0.d, x0, x1                       -> whilerw p.d, x, x
rdffr p0.b                                 -> rdffr p.b
rdffr p0.b, p1/z                           -> rdffr p.b, p/z
wrffr p0.b                                 -> wrffr p.b
setffr                                     -> setffr
ptrue pn8.d                                -> ptrue pn.d
ld1d {z0.d, z1.d}, pn8/z, [x0]             -> ld1d {z.d, z.d}, pn/z, [x]
whilelt pn8.d, x0, x1, vlx2                -> whilelt pn.d, x, x, vlx2
fmopa za0.d, p0/m, p1/m, z0.d, z1.d        -> fmopa za.d, p/m, p/m, z.d, z.d
ld1d {za0h.d[w12, 0]}, p0/z, [x0]          -> ld1d {za.d[w, i]}, p/z, [x]
mova z0.d, p0/m, za0h.d[w12, 0]            -> mov z.d, p/m, za.d[w, i]
smstart                                    -> smstart
zero {za}                                  -> zero za
ldr za[w12, 0], [x0]                       -> ldr za[w, i], [x]
fmla za.d[w8, 0, vgx2], {z0.d, z1.d}, z2.d -> fmla za.d[w, i, vgx2], {z.d, z.d}, z.d
ctermeq x0, x1                             -> ctermeq x, x
adr z0.d, [z1.d, z2.d, lsl #3]             -> adr z.d, [z.d, z.d, lsl #3]
ld1sb {z0.d}, p0/z, [x0]                   -> ld1sb z.d, p/z, [x]
ld1b {z0.s}, p0/z, [x0]                    -> ld1b z.s, p/z, [x]
st1h {z0.s}, p0, [x0]                      -> st1h z.s, p, [x]
revd z0.q, p0/m, z1.q                      -> revd z.q, p/m, z.q
fcmla z0.d, p0/m, z1.d, z2.d, #90          -> fcmla z.d, p/m, z.d, z.d, #i
ftssel z0.d, z1.d, z2.d                    -> ftssel z.d, z.d, z.d
fexpa z0.d, z1.d                           -> fexpa z.d, z.d
frecpe z0.d, z1.d                          -> frecpe z.d, z.d
ld1d {za0h.d[w12, 0]}, p0/z, [x0]          -> ld1d {za.d[w, i]}, p/z, [x]
st1d {za0h.d[w12, 0]}, p0, [x0]            -> st1d {za.d[w, i]}, p, [x]
mova z0.d, p0/m, za0h.d[w12, 0]            -> mov z.d, p/m, za.d[w, i]
mova za0h.d[w12, 0], p0/m, z0.d            -> mov za.d[w, i], p/m, z.d
zero {za}                                  -> zero za
zero {za0.d}                               -> zero za.d
ldr za[w12, 0], [x0]                       -> ldr za[w, i], [x]
str za[w12, 0], [x0]                       -> str za[w, i], [x]
fmla za.d[w8, 0, vgx2], {z0.d, z1.d}, z2.d -> fmla za.d[w, i, vgx2], {z.d, z.d}, z.d
fmopa za0.d, p0/m, p1/m, z0.d, z1.d        -> fmopa za.d, p/m, p/m, z.d, z.d
smstart                                    -> smstart
ldr x0, #8                                 -> ldr x, rel
""")


def decoded(text: str) -> tuple[_core.Instruction, _core.Instruction]:
    """Return the instruction as read from text and as decoded from its own bytes."""
    written = one("aarch64", text)
    listing = _core.disassemble("aarch64", written.bytes, 0)
    assert [problem.message for problem in listing.problems] == []
    assert len(listing.instructions) == 1
    return written, listing.instructions[0]


@pytest.mark.parametrize(("text", "form"), BASE + SCALABLE, ids=[text for text, _ in BASE + SCALABLE])
def test_form(text: str, form: str) -> None:
    """The key follows the canonical text, and decoding the bytes gives the same instruction."""
    written, back = decoded(text)
    assert written.form == form
    if "lo12:" not in text:  # the unlinked field is zero, and zero offsets are not printed
        assert back.form == form
    assert operands("aarch64", back) == operands("aarch64", written)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("mov x0, x1", "orr x, x, x"),
        ("cmp x0, x1", "subs x, x, x"),
        ("mul x0, x1, x2", "madd x, x, x, x"),
        ("mov v0.16b, v1.16b", "orr v.16b, v.16b, v.16b"),
        ("ldr x0, [x1]", "ldr x, [x, #i]"),
        ("ptrue p0.d", "ptrue p.d, pattern"),
    ],
)
def test_the_spelling_without_aliases_comes_next(text: str, plain: str) -> None:
    """Sources that know no aliases are found under the first alternative."""
    assert one("aarch64", text).alternative_forms[0] == plain


@pytest.mark.parametrize(("text", "indexed"), [("ldr x0, [x1, x2]", True), ("ldr x0, [x1, #8]", False)])
def test_indexed(text: str, indexed: bool) -> None:
    """An index register makes a memory operand indexed."""
    assert one("aarch64", text).indexed is indexed
    assert accesses("aarch64", one("aarch64", text))


def test_uppercase_and_lowercase_are_one() -> None:
    """The key is lower case."""
    first, second = many("aarch64", "ADD X0, X1, X2\nadd x0, x1, x2")
    assert first.form == second.form == "add x, x, x"
    assert values("aarch64", first) == values("aarch64", second)
