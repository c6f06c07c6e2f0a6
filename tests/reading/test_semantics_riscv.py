"""RV64GCV: what instructions read and write, register groups by LMUL included."""

from __future__ import annotations

import pytest

from corecast import _core
from reading_tools import accesses, many, one, operands, table, values

OPERANDS = table("""
add a0, a1, a2 -> 1=a0:w 2=a1:r 3=a2:r
add a0, a0, a1 -> 1=a0:w 2=a0:r 3=a1:r
c.add a0, a1 -> 1=a0:w 2=a0:r 3=a1:r
add a0, zero, a1 -> 1=a0:w 2=a1:r
addi zero, a0, 1 -> 2=a0:r
lui a0, 5 -> 1=a0:w
ld a0, 8(sp) -> 1=a0:w addr=sp:r
sd a0, 8(sp) -> 1=a0:r addr=sp:r
bne a0, zero, .L -> 1=a0:r
jal f -> ~ra:w
jalr a0 -> 1=a0:r ~ra:w
ret -> ~ra:r
fmadd.d fa0, fa1, fa2, fa3 -> 1=fa0:w 2=fa1:r 3=fa2:r 4=fa3:r
fmv.d fa0, fa1 -> 1=fa0:w 2=fa1:r
fadd.s fa0, fa1, fa2, rtz -> 1=fa0:w 2=fa1:r 3=fa2:r
fcvt.w.d a0, fa0, rtz -> 1=a0:w 2=fa0:r
fsrm a0 -> 1=a0:r
csrr a0, vlenb -> 1=a0:w
lr.d a0, (a1) -> 1=a0:w addr=a1:r
sc.d a0, a2, (a1) -> 1=a0:w 2=a2:r addr=a1:r
amoadd.d a0, a1, (a2) -> 1=a0:w 2=a1:r addr=a2:r
amocas.d a0, a1, (a2) -> 1=a0:rw 2=a1:r addr=a2:r
amocas.q a0, a2, (a4) -> 1=a0,a1:rw 2=a2,a3:r addr=a4:r
fence ->
prefetch.r 0(a0) -> addr=a0:r
vsetvli a0, a1, e64, m2, ta, ma -> 1=a0:w 2=a1:r ~vl:w ~vtype:w
vsetvli a0, zero, e64, m2, ta, ma -> 1=a0:w ~vl:w ~vtype:w
vsetvli zero, zero, e64, m2, ta, ma -> ~vtype:w
""")


@pytest.mark.parametrize(("text", "expected"), OPERANDS, ids=[text for text, _ in OPERANDS])
def test_registers_read_and_written(text: str, expected: str) -> None:
    """x0 and rounding modes carry nothing; vsetvli with two zeros keeps vl."""
    assert " ".join(operands("riscv64", one("riscv64", text))) == expected


def group(first: int, count: int) -> str:
    return ",".join(f"v{number}" for number in range(first, first + count))


# At e64: operands in text order, each the registers that it has at LMUL 2.
GROUPS = [
    ("vadd.vv v8, v10, v12", "w2 r2 r2"),
    ("vadd.vx v8, v10, a0", "w2 r2 x"),
    ("vfmacc.vv v8, v10, v12", "rw2 r2 r2"),
    ("vfmacc.vf v8, fa0, v12", "rw2 x r2"),
    ("vmv.v.v v8, v10", "w2 r2"),
    ("vid.v v8", "w2"),
    # widening: twice as many for the wide operand
    ("vwadd.vv v8, v12, v14", "w4 r2 r2"),
    ("vwadd.wv v8, v12, v16", "w4 r4 r2"),
    ("vwmul.vx v8, v12, a0", "w4 r2 x"),
    ("vfwmacc.vv v8, v12, v14", "rw4 r2 r2"),
    ("vfwcvt.f.x.v v8, v12", "w4 r2"),
    # narrowing
    ("vnsrl.wi v8, v12, 3", "w2 r4"),
    ("vnclip.wv v8, v12, v16", "w2 r4 r2"),
    ("vfncvt.f.f.w v8, v12", "w2 r4"),
    # extension: the source is a fraction
    ("vzext.vf2 v8, v12", "w2 r1"),
    ("vsext.vf4 v8, v12", "w2 r1"),
    # reductions: one register but for the vector reduced
    ("vredsum.vs v8, v10, v12", "w1 r2 r1"),
    ("vfredosum.vs v8, v10, v12", "w1 r2 r1"),
    ("vfwredusum.vs v8, v10, v12", "w1 r2 r1"),
    # masks
    ("vmseq.vv v0, v8, v10", "w1 r2 r2"),
    ("vmflt.vf v0, v8, fa0", "w1 r2 x"),
    ("vmand.mm v0, v1, v2", "w1 r1 r1"),
    ("vmadc.vv v0, v8, v10", "w1 r2 r2"),
    ("vmerge.vvm v8, v10, v12, v0", "w2 r2 r2 r1"),
    ("vadc.vvm v8, v10, v12, v0", "w2 r2 r2 r1"),
    ("vcompress.vm v8, v10, v0", "w2 r2 r1"),
    ("viota.m v8, v0", "w2 r1"),
    ("vcpop.m a0, v0", "x r1"),
    ("vmsbf.m v0, v1", "w1 r1"),
    # scalars in element 0
    ("vmv.x.s a0, v8", "x r1"),
    ("vfmv.f.s fa0, v8", "x r1"),
    ("vmv.s.x v8, a0", "rw1 x"),
    # whole registers
    ("vmv2r.v v8, v10", "w2 r2"),
    ("vmv4r.v v8, v12", "w4 r4"),
    ("vl4re64.v v8, (a0)", "w4"),
    ("vs1r.v v8, (a0)", "r1"),
    # loads and stores: effective LMUL = LMUL * EEW / SEW
    ("vle64.v v8, (a0)", "w2"),
    ("vle32.v v8, (a0)", "w1"),
    ("vse8.v v8, (a0)", "r1"),
    ("vlse64.v v8, (a0), a1", "w2 x"),
    ("vle64ff.v v8, (a0)", "w2"),
    ("vlm.v v0, (a0)", "w1"),
    ("vluxei32.v v8, (a0), v16", "w2 r1"),
    ("vluxei64.v v8, (a0), v16", "w2 r2"),
    ("vsuxei64.v v8, (a0), v16", "r2 r2"),
    # segments: as many groups as fields
    ("vlseg2e64.v v8, (a0)", "w4"),
    ("vlseg4e32.v v8, (a0)", "w4"),
    ("vsseg3e64.v v8, (a0)", "r6"),
    ("vluxseg2ei32.v v8, (a0), v16", "w4 r1"),
    # permutations
    ("vrgather.vv v8, v10, v12", "w2 r2 r2"),
    ("vrgatherei16.vv v8, v10, v12", "w2 r2 r1"),
    ("vslidedown.vx v8, v10, a0", "w2 r2 x"),
    ("vslideup.vi v8, v10, 1", "rw2 r2"),
    ("vslide1up.vx v8, v10, a0", "w2 r2 x"),
]


def groups(instruction: _core.Instruction) -> str:
    """Return access and size of each explicit register operand, `x` for scalars."""
    found = []
    for operand in instruction.operands:
        if operand.id >= 64 or not operand.registers:
            continue
        names = [_core.register_name("riscv64", use.reg) for use in operand.registers]
        if not names[0].startswith("v"):
            found.append("x")
            continue
        first = int(names[0][1:])
        assert names == group(first, len(names)).split(","), "a group is consecutive"
        found.append(("r" if operand.read else "") + ("w" if operand.write else "") + str(len(names)))
    return " ".join(found)


@pytest.mark.parametrize(("text", "expected"), GROUPS, ids=[text for text, _ in GROUPS])
def test_register_groups_at_lmul_2(text: str, expected: str) -> None:
    """Each vector operand stands for the registers of its effective LMUL."""
    assert groups(many("riscv64", f"vsetvli a5, a6, e64, m2, ta, ma\n{text}")[1]) == expected


@pytest.mark.parametrize(
    ("lmul", "registers"), [("mf8", 1), ("mf4", 1), ("mf2", 1), ("m1", 1), ("m2", 2), ("m4", 4), ("m8", 8)]
)
def test_register_groups_by_lmul(lmul: str, registers: int) -> None:
    """Fractions still take one register."""
    code = many("riscv64", f"vsetvli a5, a6, e8, {lmul}, ta, ma\nvadd.vv v8, v16, v24")
    assert groups(code[1]) == f"w{registers} r{registers} r{registers}"


def test_widening_of_a_fraction_takes_one_register() -> None:
    """Half a register of words gives one register of double words."""
    assert groups(many("riscv64", "vsetivli zero, 4, e32, mf2, ta, ma\nvwadd.vv v8, v9, v10")[1]) == "w1 r1 r1"


@pytest.mark.parametrize(
    ("policy", "masked", "reads"),
    [("ta, ma", False, False), ("ta, ma", True, False), ("ta, mu", False, False), ("ta, mu", True, True),
     ("tu, ma", False, True), ("tu, mu", True, True)],
)  # fmt: skip
def test_undisturbed_elements_keep_the_destination(policy: str, masked: bool, reads: bool) -> None:
    """Tail or masked-off elements that stay make the destination a source."""
    mask = ", v0.t" if masked else ""
    instruction = many("riscv64", f"vsetvli a5, a6, e64, m1, {policy}\nvadd.vv v8, v9, v10{mask}")[1]
    assert groups(instruction).split()[0] == ("rw1" if reads else "w1")
    assert ("mask=v0:r" in operands("riscv64", instruction)) is masked


def test_vector_instructions_depend_on_the_configuration() -> None:
    """vl and vtype are read by what works on vl elements, whole-register moves of memory do not read them."""
    code = many("riscv64", "vsetvli a5, a6, e64, m1, ta, ma\nvadd.vv v8, v9, v10\nvl1re64.v v8, (a0)")
    assert "~vl:r" in operands("riscv64", code[1])
    assert "~vl:r" not in operands("riscv64", code[2])


ACCESSES = table("""
lw a0, 8(a1) -> r4[a1+8]
ld a0, 0(sp) -> r8[sp]
sb a0, -1(a1) -> w1[a1-1]
lbu a0, 0(a1) -> r1[a1]
lhu a0, 0(a1) -> r2[a1]
lw a0, %lo(f)(a1) -> r4[a1 %lo(f)]
flh fa0, 0(a0) -> r2[a0]
flw fa0, 0(a0) -> r4[a0]
fsd fa0, 8(a0) -> w8[a0+8]
c.lwsp a0, 4(sp) -> r4[sp+4]
lr.w a0, (a1) -> r4[a1]
sc.d a0, a2, (a1) -> w8[a1]
amoadd.w a0, a1, (a2) -> rw4[a2]
amoadd.b a0, a1, (a2) -> rw1[a2]
amoadd.h.aqrl a0, a1, (a2) -> rw2[a2]
amocas.q a0, a2, (a4) -> rw16[a4]
cbo.zero (a0) -> w64[a0]
cbo.clean (a0) ->
prefetch.w 32(a0) ->
fence rw, rw ->
vle64.v v8, (a0) -> r?[a0]
vse64.v v8, (a0) -> w?[a0]
vlse64.v v8, (a0), a1 -> r?[a0+va1*1]
vlse64.v v8, (a0), zero -> r?[a0]
vluxei32.v v8, (a0), v16 -> r?[a0+vv16*1]
vsoxei64.v v8, (a0), v16, v0.t -> w?[a0+vv16*1]
vlseg2e64.v v8, (a0) -> r?[a0]
""")


@pytest.mark.parametrize(("text", "expected"), ACCESSES, ids=[text for text, _ in ACCESSES])
def test_memory_accesses(text: str, expected: str) -> None:
    """Width and direction; strided and indexed accesses have many addresses, so that their index is a vector."""
    assert " ".join(accesses("riscv64", one("riscv64", text))) == expected


VALUES = table("""
addi a0, a0, 8 -> a0=a0+8
addi a0, a1, -8 -> a0=a1-8
addiw a0, a0, 1 -> a0=a0+1
add a0, a1, a2 -> a0=a1+a2
add a0, a0, a0 -> a0=2*a0
sub a0, a1, a2 -> a0=a1-a2
sub a0, a1, a1 -> a0=0
li a0, 5 -> a0=5
lui a0, 5 -> a0=20480
lui a0, 0xfffff -> a0=-4096
mv a0, a1 -> a0=a1
neg a0, a1 -> a0=-a1
not a0, a1 -> a0=-a1-1
slli a0, a1, 3 -> a0=8*a1
sh1add a0, a1, a2 -> a0=2*a1+a2
sh3add a0, a1, a2 -> a0=8*a1+a2
sext.w a0, a1 -> a0=a1
addi sp, sp, -32 -> sp=sp-32
lui a0, %hi(f) ->
addi a0, a0, %lo(f) ->
mul a0, a1, a2 ->
ld a0, 0(a1) ->
fadd.d fa0, fa1, fa2 ->
""")


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text for text, _ in VALUES])
def test_address_arithmetic(text: str, expected: str) -> None:
    """A written register is a constant plus multiples of old registers, or unknown."""
    assert ",".join(f"{name}={value}" for name, value in values("riscv64", one("riscv64", text)).items()) == expected


@pytest.mark.parametrize(
    ("text", "branch", "target"),
    [
        ("beq a0, a1, .L3", "conditional", ".L3"),
        ("bnez a0, .L3", "conditional", ".L3"),
        ("c.bnez a0, .L3", "conditional", ".L3"),
        ("j .L3", "unconditional", ".L3"),
        ("tail f", "unconditional", "f"),
        ("jal f", "call", "f"),
        ("jal t0, f", "call", "f"),
        ("call f", "call", "f"),
        ("jalr a0", "call", ""),
        ("jr a0", "indirect", ""),
        ("ret", "ret", ""),
        ("bexti a0, a1, 3", "none", ""),
        ("ecall", "none", ""),
    ],
)
def test_branches(text: str, branch: str, target: str) -> None:
    """Kind and label of a branch."""
    instruction = one("riscv64", text)
    assert (instruction.branch, instruction.target) == (branch, target)


def test_targets_of_decoded_branches_are_addresses() -> None:
    """The distance counts from the branch itself."""
    code = _core.disassemble("riscv64", bytes.fromhex("e31eb5fe7df5"), 0x1000).instructions
    assert [instruction.form for instruction in code] == ["bne x, x, rel", "bnez x, rel"]
    assert [instruction.target_address for instruction in code] == [0x0FFC, 0x0FF2]
