"""x86-64: what instructions read and write, from the overlay and from LLVM."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from corecast import _core
from reading_tools import accesses, many, one, operands, table

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from x86_semantics.emit import read_tsv  # noqa: E402

ALL_FLAGS = "cf,pf,af,zf,sf,of"
FLAG_NAMES = {"C": "cf", "P": "pf", "A": "af", "Z": "zf", "S": "sf", "O": "of"}


def flags(text: str) -> str:
    """Return the flags operand as `cf:r;zf:w`, "" where there is none."""
    return "".join(part.removeprefix("~flags=") for part in operands("x86", one("x86", text)) if "flags=" in part)


FLAGS = table("""
add rax, rbx        -> cf,pf,af,zf,sf,of:w
inc rax             -> pf,af,zf,sf,of:w
dec qword ptr [rdi] -> pf,af,zf,sf,of:w
adc rax, rbx        -> cf:rw;pf,af,zf,sf,of:w
sbb rax, rbx        -> cf:rw;pf,af,zf,sf,of:w
adcx rax, rbx       -> cf:rw
adox rax, rbx       -> of:rw
shl rax, 3          -> cf,pf,af,zf,sf,of:w
shl rax, cl         -> cf,pf,af,zf,sf,of:rw
shlx rax, rbx, rcx  ->
rol rax, 3          -> cf,of:w
rcl rax, 1          -> cf:rw;of:w
not rax             ->
neg rax             -> cf,pf,af,zf,sf,of:w
bt rax, 3           -> cf,pf,af,sf,of:w
cmc                 -> cf:rw
clc                 -> cf:w
std                 ->
jne 0               -> zf:r
ja 0                -> cf,zf:r
jg 0                -> zf,sf,of:r
jp 0                -> pf:r
cmovl rax, rbx      -> sf,of:r
setc al             -> cf:r
lahf                -> cf,pf,af,zf,sf:r
sahf                -> cf,pf,af,zf,sf:w
pushfq              -> cf,pf,af,zf,sf,of:r
popfq               -> cf,pf,af,zf,sf,of:w
mul rbx             -> cf,pf,af,zf,sf,of:w
mulx rax, rbx, rcx  ->
lea rax, [rbx]      ->
mov rax, rbx        ->
test rax, rax       -> cf,pf,af,zf,sf,of:w
loopne 0            -> zf:r
jrcxz 0             ->
ucomisd xmm0, xmm1  -> cf,pf,af,zf,sf,of:w
ptest xmm0, xmm1    -> cf,pf,af,zf,sf,of:w
vaddpd xmm0, xmm1, xmm2 ->
kortestw k0, k1     -> cf,pf,af,zf,sf,of:w
cmpxchg16b [rdi]    -> zf:w
fcomi st, st(1)     -> cf,pf,af,zf,sf,of:w
repne scasb         -> cf,pf,af,zf,sf,of:rw
""".replace("jne 0", "jne .L").replace("ja 0", "ja .L").replace("jg 0", "jg .L").replace("jp 0", "jp .L")
    .replace("loopne 0", "loopne .L").replace("jrcxz 0", "jrcxz .L"))  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FLAGS, ids=[text for text, _ in FLAGS])
def test_each_flag_has_its_own_dependency(text: str, expected: str) -> None:
    """inc keeps CF, shifts by cl keep every flag if the count is zero, adcx and adox carry chains of their own."""
    assert flags(text) == expected


def test_flags_of_every_form_are_those_of_the_overlay() -> None:
    """For each enumerated form the overlay's row for its mnemonic and operands decides which flags are touched."""
    rows: dict[str, list[object]] = {}
    for row in read_tsv(ROOT / "src/corecast/isa/data/x86_semantics.tsv"):
        rows.setdefault(row.mnemonic, []).append(row)
    wrong, checked = [], 0
    for entry in _core.enumerate_forms("x86"):
        instruction = _core.disassemble("x86", entry.code).instructions[0]
        candidates = rows.get(instruction.mnemonic, [])
        if len(candidates) != 1:
            continue
        semantics = candidates[0].semantics  # type: ignore[attr-defined]
        written = semantics.flags_written + semantics.flags_conditional + semantics.flags_undefined
        read = semantics.flags_read + semantics.flags_conditional
        expected = {
            (name, letter in read, letter in written) for letter, name in FLAG_NAMES.items() if letter in read + written
        }
        found = {
            (_core.register_name("x86", use.reg), use.read, use.write)
            for operand in instruction.operands
            if operand.name == "flags"
            for use in operand.registers
        }
        checked += 1
        if found != expected:
            wrong.append((entry.form, found ^ expected))
    assert wrong == []
    assert checked > 2_000


OPERANDS = table("""
add rax, rbx -> 1=rax:rw 2=rbx:r ~flags=cf,pf,af,zf,sf,of:w
add eax, 1000 -> 1=rax.low32:rw ~flags=cf,pf,af,zf,sf,of:w
mov r9w, 1000 -> 1=r9.low16:w
mov ah, bl -> 1=rax.high8:w 2=rbx.low8:r
movzx eax, ah -> 1=rax.low32:w 2=rax.high8:r
mov eax, ebx -> 1=rax.low32:w 2=rbx.low32:r
cdq -> rax.low32:r rdx:w
cqo -> rax:r rdx:w
cdqe -> rax.low32:r;rax:w
mul bl -> 1=rbx.low8:r rax.low8:r;rax.low16:w
mul rbx -> 1=rbx:r rax:rw rdx:w
div rbx -> 1=rbx:r rax:rw rdx:rw
imul rax, rbx -> 1=rax:rw 2=rbx:r
imul rax, rbx, 5 -> 1=rax:w 2=rbx:r
mulx rax, rbx, rcx -> 1=rax:w 2=rbx:w 3=rcx:r rdx:r
xchg rax, rbx -> 1=rax:rw 2=rbx:rw
xadd rax, rbx -> 1=rax:rw 2=rbx:rw
cmpxchg [rdi], rbx -> 2=rbx:r addr=rdi:r rax:rw
cmpxchg16b [rdi] -> addr=rdi:r rax:rw rcx:r rdx:rw rbx:r
shl rax, cl -> 1=rax:rw 2=rcx.low8:r
bswap rax -> 1=rax:rw
popcnt rax, rbx -> 1=rax:w 2=rbx:r
bsf rax, rbx -> 1=rax:rw 2=rbx:r
cmovne rax, rbx -> 1=rax:rw 2=rbx:r
sete al -> 1=rax.low8:w
cpuid -> rax.low32:r;rax:w rcx.low32:r;rcx:w rdx:w rbx:w
rdtsc -> rax:w rdx:w
push rax -> 1=rax:r rsp:rw
pop rax -> 1=rax:w rsp:rw
pop fs -> 1=fs:w rsp:rw
push fs -> 1=fs:r rsp:rw
call .L -> rsp:rw
ret -> rsp:rw
leave -> rbp:rw rsp:w
loop .L -> rcx:rw
jrcxz .L -> rcx:r
movsq -> rsi:rw rdi:rw
rep movsq -> rcx:rw rsi:rw rdi:rw
rep stosq -> 2=rax:r rcx:rw rdi:rw
lodsd -> 1=rax.low32:w rsi:rw
repne scasb -> 1=rax.low8:r rcx:rw rdi:rw
xlatb -> rax.low8:rw rbx:r
lahf -> rax.high8:w
in al, dx -> 1=rax.low8:w 2=rdx.low16:r
prefetcht0 [rdi] -> addr=rdi:r
clflush [rdi] -> addr=rdi:r
mfence ->
nop ->
vzeroupper ->
vfmadd213pd ymm0, ymm1, ymm2 -> 1=zmm0:rw 2=zmm1:r 3=zmm2:r
vaddpd ymm0, ymm1, ymm2 -> 1=zmm0:w 2=zmm1:r 3=zmm2:r
addpd xmm0, xmm1 -> 1=zmm0:rw 2=zmm1:r
movsd xmm0, xmm1 -> 1=zmm0:rw 2=zmm1:r
cmpltsd xmm0, xmm1 -> 1=zmm0:rw 2=zmm1:r
cmpsd xmm0, [rdi], 1 -> 1=zmm0:rw addr=rdi:r
movsd xmm0, [rdi] -> 1=zmm0:w addr=rdi:r
sqrtsd xmm0, xmm1 -> 1=zmm0:rw 2=zmm1:r
cvtsi2sd xmm0, rax -> 1=zmm0:rw 2=rax:r
vaddpd zmm1{k1}{z}, zmm2, zmm3 -> 1=zmm1:w 2=zmm2:r 3=zmm3:r mask=k1:r
vaddpd zmm1{k1}, zmm2, zmm3 -> 1=zmm1:rw 2=zmm2:r 3=zmm3:r mask=k1:r
vcmpltpd k1{k2}, zmm1, zmm2 -> 1=k1:w 2=zmm1:r 3=zmm2:r mask=k2:r
vmovdqu32 [rdi]{k1}, zmm0 -> 2=zmm0:r mask=k1:r addr=rdi:r
vgatherdpd ymm0, [rax + xmm1*8], ymm2 -> 1=zmm0:rw 3=zmm2:rw addr=rax:r index=zmm1:r
vgatherdpd zmm0{k1}, [rax + ymm1*8] -> 1=zmm0:rw mask=k1:rw addr=rax:r index=zmm1:r
vscatterdpd [rax + ymm1*8]{k1}, zmm0 -> 2=zmm0:r mask=k1:rw addr=rax:r index=zmm1:r
vp2intersectd k2, zmm1, zmm2 -> 1=k2,k3:w 2=zmm1:r 3=zmm2:r
pblendvb xmm0, xmm1, xmm0 -> 1=zmm0:rw 2=zmm1:r 3=zmm0:r
maskmovdqu xmm0, xmm1 -> 1=zmm0:r 2=zmm1:r rdi:r
movdir64b rax, [rbx] -> 1=rax:r addr=rbx:r
kandw k1, k2, k3 -> 1=k1:w 2=k2:r 3=k3:r
tdpbssd tmm0, tmm1, tmm2 -> 1=tmm0:rw 2=tmm1:r 3=tmm2:r
clzero -> rax:r
syscall -> rcx:w r11:w
""")


@pytest.mark.parametrize(("text", "expected"), OPERANDS, ids=[text for text, _ in OPERANDS])
def test_registers_read_and_written(text: str, expected: str) -> None:
    """Explicit operands count from 1, the registers of an address and implicit ones have names; parts are kept."""
    found = [part.removeprefix("~") for part in operands("x86", one("x86", text))]
    wanted = [part for part in expected.split(" ") if part]
    assert [part for part in found if "flags" not in part] == [part for part in wanted if "flags" not in part]


def test_implicit_operands_are_told_apart() -> None:
    """What only the opcode names is implicit, in the text or not."""
    by_text = {
        text: [operand.name for operand in one("x86", text).operands if operand.implicit]
        for text in ("shl rax, cl", "add rax, 1", "add rax, 1000", "vaddpd xmm0, xmm1, xmm2")
    }
    assert by_text == {
        "shl rax, cl": ["2", "flags"],
        "add rax, 1": ["flags"],
        "add rax, 1000": ["1", "flags"],
        "vaddpd xmm0, xmm1, xmm2": [],
    }


def test_x87_registers_turn_with_the_stack() -> None:
    """fld pushes: its result is read as st(0) and, after another push, as st(1)."""
    first, second, sum_, store = many(
        "x86", "fld qword ptr [rdi]\nfld qword ptr [rsi]\nfaddp st(1), st\nfstp qword ptr [rdi]"
    )

    def touched(instruction: _core.Instruction, write: bool) -> set[int]:
        uses = (use for operand in instruction.operands for use in operand.registers)
        names = {use.reg for use in uses if (use.write if write else use.read)}
        return {reg for reg in names if _core.register_name("x86", reg) == "st"}

    assert touched(first, True) != touched(second, True)
    assert touched(sum_, False) == touched(first, True) | touched(second, True)
    assert touched(sum_, True) == touched(first, True) == touched(store, False)
    assert touched(store, True) == set()


def test_x87_code_without_pushes_stays_in_place() -> None:
    """fxch swaps two registers, arithmetic on st(0) carries a dependency from one to the next."""
    code = many("x86", "fadd st, st(1)\nfmul st, st(2)\nfxch st(1)\nfsqrt")
    written = [{use.reg for o in i.operands for use in o.registers if use.write} for i in code]
    assert written[0] == written[1] == written[3]
    assert len(written[2]) == 2
    assert written[0] < written[2]


def test_zero_idioms_and_others_read_their_register() -> None:
    """Whether a core skips the wait is its table's matter: the description keeps the architectural read."""
    assert operands("x86", one("x86", "xor eax, eax"))[0] == "1=rax.low32:rw"
    assert one("x86", "xor eax, eax").same_register
    assert accesses("x86", one("x86", "xor eax, eax")) == []
