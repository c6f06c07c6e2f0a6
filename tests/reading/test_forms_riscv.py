"""Form keys of RV64GCV, vector configuration included."""

from __future__ import annotations

import pytest

from corecast import _core
from reading_tools import accesses, many, one, operands, table, values

BASE = table("""
add a0, a1, a2                  -> add x, x, x
addi a0, a0, 8                  -> addi x, x, i
addiw a0, a0, 8                 -> addiw x, x, i
li a0, 5                        -> li x, i
mv a0, a1                       -> mv x, x
sext.w a0, a1                   -> sext.w x, x
zext.w a0, a1                   -> zext.w x, x
nop                             -> nop
lw a0, 8(a1)                    -> lw x, i(x)
lw a0, %lo(foo)(a1)             -> lw x, i(x)
ld a0, 0(sp)                    -> ld x, i(x)
ld a0, (a1)                     -> ld x, i(x)
sd a0, 8(sp)                    -> sd x, i(x)
sb a0, 0(a1)                    -> sb x, i(x)
lbu a0, 0(a1)                   -> lbu x, i(x)
lui a0, 5                       -> lui x, i
lui a0, %hi(foo)                -> lui x, i
auipc a0, %pcrel_hi(foo)        -> auipc x, i
slli a0, a1, 3                  -> slli x, x, i
sll a0, a1, a2                  -> sll x, x, x
sh3add a0, a1, a2               -> sh3add x, x, x
add.uw a0, a1, a2               -> add.uw x, x, x
slliw a0, a0, 3                 -> slliw x, x, i
mul a0, a1, a2                  -> mul x, x, x
div a0, a1, a2                  -> div x, x, x
rem a0, a1, a2                  -> rem x, x, x
andi a0, a1, 7                  -> andi x, x, i
not a0, a1                      -> not x, x
neg a0, a1                      -> neg x, x
negw a0, a1                     -> negw x, x
seqz a0, a1                     -> seqz x, x
snez a0, a1                     -> snez x, x
sltu a0, a1, a2                 -> sltu x, x, x
beq a0, a1, .L1                 -> beq x, x, rel
bne a0, zero, .L1               -> bnez x, rel
bnez a0, .L1                    -> bnez x, rel
beqz a0, .L1                    -> beqz x, rel
blt a0, a1, .L1                 -> blt x, x, rel
bgt a0, a1, .L1                 -> blt x, x, rel
j .L1                           -> j rel
jal foo                         -> jal rel
jal ra, foo                     -> jal rel
jal zero, foo                   -> j rel
jr a0                           -> jr x
jr t0                           -> jr x
jalr a0                         -> jalr x
jalr ra, a0, 4                  -> jalr i(x)
ret                             -> ret
call foo                        -> call rel
tail foo                        -> tail rel
fld fa0, 8(a0)                  -> fld f, i(x)
flw fa0, 8(a0)                  -> flw f, i(x)
fsd fa0, 8(a0)                  -> fsd f, i(x)
fadd.d fa0, fa1, fa2            -> fadd.d f, f, f
fmadd.d fa0, fa1, fa2, fa3      -> fmadd.d f, f, f, f
fmadd.s fa0, fa1, fa2, fa3, rne -> fmadd.s f, f, f, f
fmul.d fa0, fa0, fa0            -> fmul.d f, f, f
fdiv.d fa0, fa1, fa2            -> fdiv.d f, f, f
fsqrt.d fa0, fa1                -> fsqrt.d f, f
fmv.d fa0, fa1                  -> fmv.d f, f
fneg.d fa0, fa1                 -> fneg.d f, f
fabs.d fa0, fa1                 -> fabs.d f, f
fsgnj.d fa0, fa1, fa2           -> fsgnj.d f, f, f
fcvt.d.w fa0, a0                -> fcvt.d.w f, x
fcvt.w.d a0, fa0, rtz           -> fcvt.w.d x, f
fcvt.d.s fa0, fa1               -> fcvt.d.s f, f
fmv.x.d a0, fa0                 -> fmv.x.d x, f
fmv.d.x fa0, a0                 -> fmv.d.x f, x
feq.d a0, fa0, fa1              -> feq.d x, f, f
flt.d a0, fa0, fa1              -> flt.d x, f, f
fclass.d a0, fa0                -> fclass.d x, f
frflags a0                      -> frflags x
fsrm a0                         -> fsrm x
csrr a0, cycle                  -> rdcycle x
csrrw a0, fcsr, a1              -> fscsr x, x
csrr a0, vlenb                  -> csrr x, vlenb
rdcycle a0                      -> rdcycle x
csrw fcsr, a0                   -> fscsr x
fence                           -> fence
fence rw, rw                    -> fence ordering, ordering
fence.i                         -> fence.i
fence.tso                       -> fence.tso
ecall                           -> ecall
ebreak                          -> ebreak
pause                           -> pause
lr.d a0, (a1)                   -> lr.d x, (x)
sc.d a0, a2, (a1)               -> sc.d x, x, (x)
lr.w.aq a0, (a1)                -> lr.w.aq x, (x)
amoadd.d a0, a1, (a2)           -> amoadd.d x, x, (x)
amoadd.w.aqrl a0, a1, (a2)      -> amoadd.w.aqrl x, x, (x)
amoswap.d zero, a1, (a2)        -> amoswap.d x, x, (x)
amocas.d a0, a1, (a2)           -> amocas.d x, x, (x)
amocas.q a0, a2, (a4)           -> amocas.q x, x, (x)
amoadd.b a0, a1, (a2)           -> amoadd.b x, x, (x)
c.add a0, a1                    -> add x, x, x
c.lw a0, 4(a1)                  -> lw x, i(x)
c.addi a0, 4                    -> addi x, x, i
c.mv a0, a1                     -> mv x, x
c.j .L1                         -> j rel
c.ldsp a0, 8(sp)                -> ld x, i(x)
c.nop                           -> nop
cbo.zero (a0)                   -> cbo.zero (x)
cbo.clean (a0)                  -> cbo.clean (x)
prefetch.r 0(a0)                -> prefetch.r i(x)
prefetch.w 32(a0)               -> prefetch.w i(x)
min a0, a1, a2                  -> min x, x, x
clz a0, a1                      -> clz x, x
cpop a0, a1                     -> cpop x, x
rev8 a0, a1                     -> rev8 x, x
bset a0, a1, a2                 -> bset x, x, x
bexti a0, a1, 3                 -> bexti x, x, i
czero.eqz a0, a1, a2            -> czero.eqz x, x, x
clmul a0, a1, a2                -> clmul x, x, x
rori a0, a1, 3                  -> rori x, x, i
zext.h a0, a1                   -> zext.h x, x
sext.b a0, a1                   -> sext.b x, x
orc.b a0, a1                    -> orc.b x, x
flh fa0, 0(a0)                  -> flh f, i(x)
fli.d fa0, 1.0                  -> fli.d f, i
fround.d fa0, fa1               -> fround.d f, f
""")

VECTOR = table("""
vsetvli a0, a1, e64, m2, ta, ma -> vsetvli x, x, vtype
vsetivli a0, 4, e8, mf8, ta, ma -> vsetivli x, i, vtype
vsetvl a0, a1, a2 -> vsetvl x, x, x
vsetvli a0, a1, e64, m2, ta, ma; vfmacc.vv v8, v10, v12 -> vfmacc.vv v, v, v @m2,e64
vsetvli a0, a1, e64, m1, ta, ma; vle64.v v8, (a0) -> vle64.v v, (x) @m1,e64
vsetvli a0, a1, e32, m1, ta, ma; vadd.vv v8, v9, v10, v0.t -> vadd.vv v, v, v, v0.t @m1,e32
vsetvli a0, a1, e64, m2, ta, ma; vle32.v v8, (a0) -> vle32.v v, (x) @m1,e32
vsetvli a0, a1, e16, m2, ta, ma; vse64.v v8, (a0) -> vse64.v v, (x) @m8,e64
vsetvli a0, a1, e64, m1, ta, ma; vle8.v v8, (a0) -> vle8.v v, (x) @mf8,e8
vsetvli a0, a1, e64, m2, ta, ma; vluxei32.v v8, (a0), v16 -> vluxei32.v v, (x), v @m2,e64
vsetvli a0, a1, e64, m2, ta, ma; vlseg2e64.v v8, (a0) -> vlseg2e64.v v, (x) @m2,e64
vsetvli a0, a1, e64, m4, ta, ma; vlse64.v v8, (a0), a1 -> vlse64.v v, (x), x @m4,e64
vsetvli a0, a1, e32, mf2, ta, ma; vwadd.vv v8, v9, v10 -> vwadd.vv v, v, v @mf2,e32
vsetvli a0, a1, e8, m8, tu, mu; vadd.vi v8, v16, 3 -> vadd.vi v, v, i @m8,e8
vsetvli a0, a1, e8, mf4, ta, ma; vmseq.vx v0, v16, a0 -> vmseq.vx v, v, x @mf4,e8
vsetvli a0, a1, e64, m1, ta, ma; vredsum.vs v8, v9, v10 -> vredsum.vs v, v, v @m1,e64
vsetvli a0, a1, e64, m1, ta, ma; vfmv.f.s fa0, v8 -> vfmv.f.s f, v @m1,e64
vsetvli a0, a1, e64, m1, ta, ma; vmv.v.x v8, a0 -> vmv.v.x v, x @m1,e64
vsetvli a0, a1, e64, m1, ta, ma; vmerge.vvm v8, v9, v10, v0 -> vmerge.vvm v, v, v, v @m1,e64
vsetvli a0, a1, e64, m1, ta, ma; vid.v v8 -> vid.v v @m1,e64
vsetivli zero, 4, e16, m1, ta, ma; vrgather.vv v8, v9, v10 -> vrgather.vv v, v, v @m1,e16
vsetivli zero, 4, e16, m1, ta, ma; vcompress.vm v8, v9, v0 -> vcompress.vm v, v, v @m1,e16
vsetivli zero, 4, e16, m1, ta, ma; vslide1down.vx v8, v9, a0 -> vslide1down.vx v, v, x @m1,e16
vsetivli zero, 4, e16, m1, ta, ma; addi a0, a0, 1 -> addi x, x, i
""")


def decoded(text: str) -> tuple[_core.Instruction, _core.Instruction]:
    """Return the instruction as read from text and as decoded from its own bytes."""
    written = one("riscv64", text)
    listing = _core.disassemble("riscv64", written.bytes, 0)
    assert [problem.message for problem in listing.problems] == []
    assert len(listing.instructions) == 1
    return written, listing.instructions[0]


@pytest.mark.parametrize(("text", "form"), BASE, ids=[text for text, _ in BASE])
def test_form(text: str, form: str) -> None:
    """The key follows the canonical text, and decoding the bytes gives the same instruction."""
    if text.startswith(("call", "tail")):  # two instructions of the encoding
        assert one("riscv64", text).form == form
    else:
        written, back = decoded(text)
        assert written.form == form
        assert back.form == form
        assert operands("riscv64", back) == operands("riscv64", written)


@pytest.mark.parametrize(("text", "form"), VECTOR, ids=[text for text, _ in VECTOR])
def test_form_with_vector_configuration(text: str, form: str) -> None:
    """LMUL and element width of the vsetvli before come last; then the keys without them."""
    code = many("riscv64", text.replace(";", "\n"))
    key = code[-1].form
    assert key == form
    if "@" in key:
        bare = key.split(" @")[0]
        assert code[-1].alternative_forms[-2:] == [key.split(",e")[0] if ",e" in key else key, bare]


def test_unknown_configuration_gives_a_bare_key() -> None:
    """Without a vsetvli, or after vsetvl whose operand is data, nothing is known."""
    code = many(
        "riscv64", "vadd.vv v8, v16, v24\nvsetvli a0, a1, e64, m1, ta, ma\nvsetvl a0, a1, a2\nvadd.vv v8, v16, v24"
    )
    assert [code[0].form, code[-1].form] == ["vadd.vv v, v, v"] * 2


def test_compressed_instructions_have_the_key_of_the_long_ones() -> None:
    """Length is what differs."""
    short, long = one("riscv64", "c.add a0, a1"), one("riscv64", ".option norvc\nadd a0, a0, a1")
    assert short.form == long.form == "add x, x, x"
    assert (short.length_bytes, long.length_bytes) == (2, 4)
    assert operands("riscv64", short) == operands("riscv64", long)
    assert accesses("riscv64", short) == []
    assert values("riscv64", short) == values("riscv64", long)


def test_pseudo_instructions_expand_on_their_line() -> None:
    """`la` is two instructions of one line."""
    code = many("riscv64", "nop\nla a0, table\nli a1, 100000")
    assert [(instruction.form, instruction.line) for instruction in code] == [
        ("nop", 1),
        ("auipc x, i", 2),
        ("addi x, x, i", 2),
        ("lui x, i", 3),
        ("addi x, x, i", 3),
    ]
