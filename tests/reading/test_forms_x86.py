"""Form keys of x86-64, from both dialects and from bytes."""

from __future__ import annotations

import pytest

from corecast import _core
from reading_tools import accesses, many, one, operands, table, values

INTEL = table("""
add rax, 1                                      -> add r64, i8
add eax, 1000                                   -> add eax, i32
add rbx, 1000                                   -> add r64, i32
add bl, 3                                       -> add r8, i8
add ah, 3                                       -> add r8h, i8
add ah, bl                                      -> add r8h, r8
add word ptr [rdi], 1000                        -> add m16, i16
add [rdi+8*rcx-4], rax                          -> add m64, r64
lock add [rdi], rax                             -> lock add m64, r64
lock xadd [rdi], rax                            -> lock xadd m64, r64
xchg [rdi], rax                                 -> xchg m64, r64
lock cmpxchg [rdi], rbx                         -> lock cmpxchg m64, r64
cmpxchg16b [rdi]                                -> cmpxchg16b m128
rep movsb                                       -> rep movsb m8, m8
rep stosq                                       -> rep stosq m64, rax
repne scasb                                     -> repne scasb al, m8
repe cmpsb                                      -> rep cmpsb m8, m8
movsq                                           -> movsq m64, m64
lodsd                                           -> lodsd eax, m32
lea rax, [rdi+8*rcx-4]                          -> lea r64, m3
lea rax, [rdi+8*rcx]                            -> lea r64, m
lea rax, [rip+foo]                              -> lea r64, m3
lea eax, [rdi]                                  -> lea r32, m
lea ax, [rdi]                                   -> lea r16, m
shl rax, cl                                     -> shl r64, cl
shl rax, 1                                      -> shl r64, 1
shl rax                                         -> shl r64, 1
shl rax, 3                                      -> shl r64, i8
sar dword ptr [rdi], 1                          -> sar m32, 1
shld rax, rbx, cl                               -> shld r64, r64, cl
rcl rax, 1                                      -> rcl r64, 1
vgatherdpd ymm0, [rax+xmm1*8], ymm2             -> vgatherdpd ymm, vmxmm, ymm
vgatherdpd zmm0{k1}, [rax+ymm1*8]               -> vgatherdpd zmm{k}, vmymm
vscatterdpd [rax+ymm1*8]{k1}, zmm0              -> vscatterdpd vmymm{k}, zmm
vaddpd zmm1{k1}{z}, zmm2, qword ptr [rdi]{1to8} -> vaddpd zmm{k}{z}, zmm, m512bcst
vaddpd zmm1{k1}, zmm2, zmm3                     -> vaddpd zmm{k}, zmm, zmm
vaddpd zmm1, zmm2, zmm3, {rn-sae}               -> vaddpd zmm, zmm, zmm, {rn-sae}
vaddpd zmm1{k1}{z}, zmm2, zmm3, {rn-sae}        -> vaddpd zmm{k}{z}, zmm, zmm, {rn-sae}
vcmpltpd k1, zmm1, zmm2                         -> vcmppd k, zmm, zmm, i8
vcmppd k1{k2}, zmm1, zmm2, 1                    -> vcmppd k{k}, zmm, zmm, i8
vpcmpeqd k1, zmm1, zmm2                         -> vpcmpeqd k, zmm, zmm
vpcmpltud k1, zmm1, zmm2                        -> vpcmpud k, zmm, zmm, i8
cmpltpd xmm1, xmm2                              -> cmppd xmm, xmm, i8
vcmpltsd xmm1, xmm2, xmm3                       -> vcmpsd xmm, xmm, xmm, i8
vpcomltd xmm1, xmm2, xmm3                       -> vpcomd xmm, xmm, xmm, i8
vfmadd213pd ymm0, ymm1, [rdi]                   -> vfmadd213pd ymm, ymm, m256
vfmadd213pd ymm0, ymm1, ymm2                    -> vfmadd213pd ymm, ymm, ymm
vblendvpd ymm0, ymm1, ymm2, ymm3                -> vblendvpd ymm, ymm, ymm, ymm
blendvpd xmm0, xmm1, xmm0                       -> blendvpd xmm, xmm, xmm0
pblendvb xmm0, xmm1                             -> pblendvb xmm, xmm, xmm0
jne .L1                                         -> jne rel
jmp rax                                         -> jmp r64
jmp [rax]                                       -> jmp m64
call foo                                        -> call rel
call [rax]                                      -> call m64
call rax                                        -> call r64
ret                                             -> ret
ret 8                                           -> ret i16
push rax                                        -> push r64
pop rax                                         -> pop r64
push 5                                          -> push i8
push 5000                                       -> push i32
push qword ptr [rax]                            -> push m64
pop qword ptr [rax]                             -> pop m64
push fs                                         -> push fs
pop fs                                          -> pop fs
leave                                           -> leave
enter 16, 0                                     -> enter i16, i8
mov rax, fs:[0]                                 -> mov r64, m64
mov rax, fs:foo@tpoff                           -> mov r64, m64
mov rax, [rip+foo@gotpcrel]                     -> mov r64, m64
mov eax, [rip+foo]                              -> mov r32, m32
mov rax, [foo]                                  -> mov r64, m64
mov al, [foo]                                   -> mov r8, m8
movabs rax, [0x1122334455667788]                -> movabs rax, m64
movabs rax, 0x1122334455667788                  -> movabs r64, i64
mov ax, 1000                                    -> mov r16, i16
mov r9w, 1000                                   -> mov r16, i16
mov r9b, al                                     -> mov r8, r8
mov ah, 3                                       -> mov r8h, i8
movzx eax, ah                                   -> movzx r32, r8h
movzx eax, bl                                   -> movzx r32, r8
movzx eax, word ptr [rdi]                       -> movzx r32, m16
movsx rax, bl                                   -> movsx r64, r8
movsxd rax, ebx                                 -> movsxd r64, r32
xor eax, eax                                    -> xor r32, r32
xor al, al                                      -> xor r8, r8
pxor xmm1, xmm1                                 -> pxor xmm, xmm
vpxor xmm1, xmm2, xmm2                          -> vpxor xmm, xmm, xmm
vpternlogd zmm1, zmm1, zmm1, 255                -> vpternlogd zmm, zmm, zmm, i8
vpcmpeqd ymm1, ymm2, ymm2                       -> vpcmpeqd ymm, ymm, ymm
sbb rax, rax                                    -> sbb r64, r64
cmp rax, rax                                    -> cmp r64, r64
cmovne rax, rbx                                 -> cmovne r64, r64
sete al                                         -> sete r8
sete byte ptr [rdi]                             -> sete m8
mul rbx                                         -> mul r64
mul bl                                          -> mul r8
imul rbx                                        -> imul r64
imul rax, rbx                                   -> imul r64, r64
imul rax, rbx, 5                                -> imul r64, r64, i8
imul rax, [rbx], 500                            -> imul r64, m64, i32
div rbx                                         -> div r64
idiv qword ptr [rdi]                            -> idiv m64
cqo                                             -> cqo
cdq                                             -> cdq
cdqe                                            -> cdqe
mulx rax, rbx, rcx                              -> mulx r64, r64, r64
adcx rax, rbx                                   -> adcx r64, r64
adox rax, rbx                                   -> adox r64, r64
bt rax, 3                                       -> bt r64, i8
bts [rdi], rax                                  -> bts m64, r64
popcnt rax, rbx                                 -> popcnt r64, r64
andn rax, rbx, rcx                              -> andn r64, r64, r64
prefetcht0 [rdi]                                -> prefetcht0 m8
prefetchw [rdi]                                 -> prefetchw m8
clflush [rdi]                                   -> clflush m8
mfence                                          -> mfence
lfence                                          -> lfence
sfence                                          -> sfence
nop                                             -> nop
nop dword ptr [rax+rax*1]                       -> nop m32
pause                                           -> pause
cpuid                                           -> cpuid
rdtsc                                           -> rdtsc
fld qword ptr [rdi]                             -> fld m64
fld st(3)                                       -> fld st
fadd st, st(3)                                  -> fadd st, st
fadd st(3), st                                  -> fadd st, st
faddp st(1), st                                 -> faddp st, st
fmul dword ptr [rdi]                            -> fmul m32
fstp qword ptr [rdi]                            -> fstp m64
fstp st(1)                                      -> fstp st
fxch st(2)                                      -> fxch st
fcomi st, st(1)                                 -> fcomi st, st
fsqrt                                           -> fsqrt
fldz                                            -> fldz
fild word ptr [rdi]                             -> fild m16
fistp dword ptr [rdi]                           -> fistp m32
fnstcw [rdi]                                    -> fnstcw m16
fldcw [rdi]                                     -> fldcw m16
fnstsw ax                                       -> fnstsw ax
ldmxcsr [rdi]                                   -> ldmxcsr m32
stmxcsr [rdi]                                   -> stmxcsr m32
emms                                            -> emms
movd mm0, eax                                   -> movd mm, r32
paddb mm0, mm1                                  -> paddb mm, mm
movq xmm0, rax                                  -> movq xmm, r64
movd xmm0, eax                                  -> movd xmm, r32
movq rax, xmm0                                  -> movq r64, xmm
cvtsi2sd xmm0, rax                              -> cvtsi2sd xmm, r64
cvtsi2sd xmm0, dword ptr [rax]                  -> cvtsi2sd xmm, m32
vcvtsi2sd xmm0, xmm0, rax                       -> vcvtsi2sd xmm, xmm, r64
cvttsd2si rax, xmm0                             -> cvttsd2si r64, xmm
movsd xmm0, [rdi]                               -> movsd xmm, m64
movsd xmm0, xmm1                                -> movsd xmm, xmm
movhpd xmm0, [rdi]                              -> movhpd xmm, m64
movlps [rdi], xmm0                              -> movlps m64, xmm
movss [rdi], xmm0                               -> movss m32, xmm
vmovupd [rdi], ymm0                             -> vmovupd m256, ymm
vmovntpd [rdi], ymm0                            -> vmovntpd m256, ymm
vmaskmovpd ymm0, ymm1, [rdi]                    -> vmaskmovpd ymm, ymm, m256
vmaskmovpd [rdi], ymm1, ymm0                    -> vmaskmovpd m256, ymm, ymm
vmovdqu32 [rdi]{k1}, zmm0                       -> vmovdqu32 m512{k}, zmm
vextractf128 [rdi], ymm0, 1                     -> vextractf128 m128, ymm, i8
vinsertf128 ymm0, ymm1, [rdi], 1                -> vinsertf128 ymm, ymm, m128, i8
pextrb [rdi], xmm0, 3                           -> pextrb m8, xmm, i8
pinsrb xmm0, eax, 3                             -> pinsrb xmm, r32, i8
vbroadcastsd ymm0, [rdi]                        -> vbroadcastsd ymm, m64
vzeroupper                                      -> vzeroupper
vzeroall                                        -> vzeroall
kmovw k1, eax                                   -> kmovw k, r32
kortestw k1, k1                                 -> kortestw k, k
kandw k1, k2, k3                                -> kandw k, k, k
kxorw k1, k1, k1                                -> kxorw k, k, k
vpgatherdd xmm0, [rax+xmm1*4], xmm2             -> vpgatherdd xmm, vmxmm, xmm
maskmovdqu xmm0, xmm1                           -> maskmovdqu xmm, xmm
xlatb                                           -> xlatb
loop .L1                                        -> loop rel
jrcxz .L1                                       -> jrcxz rel
lahf                                            -> lahf
sahf                                            -> sahf
pushfq                                          -> pushfq
popfq                                           -> popfq
clc                                             -> clc
std                                             -> std
bswap rax                                       -> bswap r64
rdrand rax                                      -> rdrand r64
crc32 rax, bl                                   -> crc32 r64, r8
xgetbv                                          -> xgetbv
tdpbssd tmm0, tmm1, tmm2                        -> tdpbssd tmm, tmm, tmm
tileloadd tmm0, [rax+rbx]                       -> tileloadd tmm, m
in al, dx                                       -> in al, dx
mov cr0, rax                                    -> mov cr, r64
mov rax, dr0                                    -> mov r64, dr
ud2                                             -> ud2
endbr64                                         -> endbr64
notrack jmp rax                                 -> jmp r64
data16 nop                                      -> nop
rep ret                                         -> ret
xacquire lock add [rdi], rax                    -> lock add m64, r64
vp2intersectd k2, zmm1, zmm2                    -> vp2intersectd k, zmm, zmm
v4fmaddps zmm0, zmm4, [rdi]                     -> v4fmaddps zmm, zmm, m128
vfmaddpd ymm0, ymm1, ymm2, [rdi]                -> vfmaddpd ymm, ymm, ymm, m256
vfmaddpd ymm0, ymm1, [rdi], ymm2                -> vfmaddpd ymm, ymm, m256, ymm
sha256rnds2 xmm1, xmm2                          -> sha256rnds2 xmm, xmm, xmm0
movdir64b rax, [rbx]                            -> movdir64b r64, m512
incsspq rax                                     -> incsspq r64
vmovd eax, xmm16                                -> vmovd r32, xmm
{evex} vaddpd xmm0, xmm1, xmm2                  -> vaddpd xmm, xmm, xmm
monitor                                         -> monitor
clzero                                          -> clzero
syscall                                         -> syscall
""")

ATT = table("""
lock; addl $1, (%rax)                          -> lock add m32, i8
rep; ret                                       -> ret
rep; nop                                       -> pause
rep                                            -> rep
stosq                                          -> stosq m64, rax
data16 leaq foo@tlsgd(%rip), %rdi              -> lea r64, m3
rex64                                          -> rex64
call __tls_get_addr@PLT                        -> call rel
data16 nop                                     -> nop
data16 cs nopw 0x0(%rax,%rax,1)                -> nop m16
lock addl $1, (%rax)                           -> lock add m32, i8
rep stosb                                      -> rep stosb m8, al
repz cmpsb                                     -> rep cmpsb m8, m8
sqrtsd %xmm1, %xmm0                            -> sqrtsd xmm, xmm
sqrtss (%rax), %xmm0                           -> sqrtss xmm, m32
cvtsd2ss %xmm1, %xmm0                          -> cvtsd2ss xmm, xmm
cvtss2sd (%rax), %xmm0                         -> cvtss2sd xmm, m32
roundsd $1, %xmm1, %xmm0                       -> roundsd xmm, xmm, i8
rcpss %xmm1, %xmm0                             -> rcpss xmm, xmm
rsqrtss (%rax), %xmm0                          -> rsqrtss xmm, m32
cvtsi2ss %eax, %xmm0                           -> cvtsi2ss xmm, r32
bsf %rax, %rbx                                 -> bsf r64, r64
bsr (%rax), %rbx                               -> bsr r64, m64
lzcnt %rax, %rbx                               -> lzcnt r64, r64
movss %xmm0, %xmm1                             -> movss xmm, xmm
vsqrtsd %xmm1, %xmm2, %xmm0                    -> vsqrtsd xmm, xmm, xmm
movlhps %xmm1, %xmm0                           -> movlhps xmm, xmm
unpcklpd %xmm1, %xmm0                          -> unpcklpd xmm, xmm
shufpd $1, %xmm1, %xmm0                        -> shufpd xmm, xmm, i8
movzbl %al, %eax                               -> movzx r32, r8
movb $1, (%rax)                                -> mov m8, i8
movq foo@GOTPCREL(%rip), %rax                  -> mov r64, m64
movl table(,%rax,4), %ecx                      -> mov r32, m32
movsd .LC0(%rip), %xmm0                        -> movsd xmm, m64
mov %fs:0, %rax                                -> mov r64, m64
mov %gs:(%rax), %rbx                           -> mov r64, m64
cmpq $0, foo+8(%rip)                           -> cmp m64, i8
xlatb %gs:(%rbx)                               -> xlatb
xchg %eax, %eax                                -> xchg r32, r32
cmpxchg8b (%rax)                               -> cmpxchg8b m64
vpermil2pd $1, %xmm0, %xmm1, %xmm2, %xmm3      -> vpermil2pd xmm, xmm, xmm, xmm, i8
pclmulqdq $1, %xmm1, %xmm0                     -> pclmulqdq xmm, xmm, i8
vpconflictd %zmm0, %zmm1                       -> vpconflictd zmm, zmm
vcvtps2ph $1, %ymm0, (%rax)                    -> vcvtps2ph m128, ymm, i8
vcompresspd %zmm0, (%rax){%k1}                 -> vcompresspd m512{k}, zmm
vexpandpd (%rax), %zmm0{%k1}{z}                -> vexpandpd zmm{k}{z}, m512
vpmovqb %zmm0, (%rax)                          -> vpmovqb m64, zmm
vmovdqa64 (%rax), %zmm0{%k1}                   -> vmovdqa64 zmm{k}, m512
vfmadd231pd {rn-sae}, %zmm0, %zmm1, %zmm2{%k1} -> vfmadd231pd zmm{k}, zmm, zmm, {rn-sae}
kmovq %k1, (%rax)                              -> kmovq m64, k
""")

DIALECTS = table("""
addq $8, %rax -> add rax, 8
vfmadd231pd (%rax,%rcx,8), %ymm1, %ymm2 -> vfmadd231pd ymm2, ymm1, ymmword ptr [rax + rcx*8]
movslq %eax, %rbx -> movsxd rbx, eax
movzbl (%rdi), %eax -> movzx eax, byte ptr [rdi]
cltq -> cdqe
cqto -> cqo
movabsq $0x1122334455667788, %rax -> movabs rax, 0x1122334455667788
leaq -8(%rdi,%rsi,4), %rax -> lea rax, [rdi + rsi*4 - 8]
jmp *%rax -> jmp rax
call *8(%rax) -> call qword ptr [rax + 8]
fsubrp %st, %st(1) -> fsubp st(1), st
fdivp %st, %st(1) -> fdivrp st(1), st
flds (%rdi) -> fld dword ptr [rdi]
movq %fs:0, %rax -> mov rax, qword ptr fs:[0]
vaddpd (%rdi){1to8}, %zmm1, %zmm2{%k1}{z} -> vaddpd zmm2{k1}{z}, zmm1, qword ptr [rdi]{1to8}
vgatherdpd (%rax,%xmm1,8), %ymm0{%k1} -> vgatherdpd ymm0{k1}, [rax + xmm1*8]
cmovneq %rbx, %rax -> cmovne rax, rbx
cvtsi2sdq %rax, %xmm0 -> cvtsi2sd xmm0, rax
imulq $5, %rbx, %rax -> imul rax, rbx, 5
shrq %cl, %rax -> shr rax, cl
rep stosq -> rep stosq
lock cmpxchgq %rbx, (%rdi) -> lock cmpxchg [rdi], rbx
vcmppd $1, %zmm1, %zmm2, %k1 -> vcmpltpd k1, zmm2, zmm1
enter $16, $0 -> enter 16, 0
""")


def decoded(text: str, syntax: str = "intel") -> tuple[_core.Instruction, _core.Instruction]:
    """Return the instruction as read from text and as decoded from its own bytes."""
    written = one("x86", text, syntax)
    listing = _core.disassemble("x86", written.bytes, 0)
    assert [problem.message for problem in listing.problems] == []
    assert len(listing.instructions) == 1
    return written, listing.instructions[0]


@pytest.mark.parametrize(("text", "form"), INTEL, ids=[text for text, _ in INTEL])
def test_form_of_intel_syntax(text: str, form: str) -> None:
    """The key follows the canonical text, and decoding the bytes gives the same instruction."""
    written, back = decoded(text)
    assert written.form == form
    if not text.startswith(("mov r16, sreg",)):
        assert back.form == form
    assert operands("x86", back) == operands("x86", written)


@pytest.mark.parametrize(("text", "form"), ATT, ids=[text for text, _ in ATT])
def test_form_of_att_syntax(text: str, form: str) -> None:
    """AT&T syntax gives the same keys."""
    written, back = decoded(text, "att")
    assert written.form == back.form == form


@pytest.mark.parametrize(("att", "intel"), DIALECTS, ids=[att for att, _ in DIALECTS])
def test_both_dialects_give_one_instruction(att: str, intel: str) -> None:
    """Text, key, operands and memory do not depend on the dialect."""
    first, second = one("x86", att, "att"), one("x86", intel)
    assert first.text == second.text
    assert first.form == second.form
    assert operands("x86", first) == operands("x86", second)
    assert accesses("x86", first) == accesses("x86", second)
    assert values("x86", first) == values("x86", second)


def test_mnemonic_carries_the_prefixes_that_mean_something() -> None:
    """lock and rep are part of the mnemonic, encoding choices and branch hints are not."""
    mnemonics = {
        "lock add [rdi], rax": "lock add",
        "rep movsb": "rep movsb",
        "rep ret": "ret",
        "notrack jmp rax": "jmp",
        "{evex} vaddpd xmm0, xmm1, xmm2": "vaddpd",
        "data16 nop": "nop",
    }
    assert {text: one("x86", text).mnemonic for text in mnemonics} == mnemonics


def test_prefix_on_a_line_of_its_own_belongs_to_the_next_instruction() -> None:
    """`lock; addl` and `rep` before `stosq` are one instruction, as their bytes are."""
    instructions = many("x86", "lock; addl $1, (%rax)\nrep\nstosq\ndata16 leaq foo(%rip), %rdi", "att")
    assert [instruction.form for instruction in instructions] == [
        "lock add m32, i8",
        "rep stosq m64, rax",
        "lea r64, m3",
    ]
    assert [instruction.bytes.hex()[:4] for instruction in instructions] == ["f083", "f348", "6648"]


def test_prefix_before_a_label_stays_alone() -> None:
    """A jump may skip the prefix, so that it cannot be part of the instruction behind the label."""
    assert [instruction.mnemonic for instruction in many("x86", "lock\n1:\nadd [rdi], rax")] == ["lock", "add"]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("xor eax, eax", True),
        ("vpxor xmm1, xmm2, xmm2", True),
        ("vpxor xmm1, xmm1, xmm2", False),
        ("xor eax, ebx", False),
        ("xor al, ah", False),
        ("sub rax, [rax]", False),
        ("lea rax, [rbx + rbx]", False),
        ("mov rax, rax", False),
    ],
)
def test_same_register(text: str, same: bool) -> None:
    """All register sources are one register; addresses do not count."""
    assert one("x86", text).same_register is same


@pytest.mark.parametrize(
    ("text", "indexed"),
    [("mov rax, [rdi]", False), ("mov rax, [rdi + rcx]", True), ("vgatherdpd ymm0, [rax + xmm1*8], ymm2", False)],
)
def test_indexed(text: str, indexed: bool) -> None:
    """An index register makes a memory operand indexed, a vector of indices does not."""
    assert one("x86", text).indexed is indexed
