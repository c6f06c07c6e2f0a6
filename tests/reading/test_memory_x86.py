"""x86-64: memory accesses, address arithmetic, branches and facts of the encoding."""

from __future__ import annotations

import pytest

from corecast import _core
from reading_tools import accesses, many, one, table, values

ACCESSES = table("""
mov rax, [rdi + rcx*8 - 4] -> r8[rdi+rcx*8-4]
mov [rdi], eax -> w4[rdi]
add [rdi], ax -> rw2[rdi]
cmp byte ptr [rdi], 1 -> r1[rdi]
inc qword ptr [rdi] -> rw8[rdi]
bts [rdi], rax -> rw8[rdi]
bt qword ptr [rdi], 3 -> r8[rdi]
sete byte ptr [rdi] -> w1[rdi]
xchg [rdi], rax -> rw8[rdi]
lock xadd [rdi], rax -> rw8[rdi]
cmpxchg16b [rdi] -> rw16[rdi]
mov eax, [rip + table] -> r4[rip table]
mov rax, [rip + f@gotpcrel] -> r8[rip f@GOTPCREL]
mov rax, fs:[0] -> r8[fs:]
mov rax, fs:x@tpoff -> r8[fs: x@TPOFF]
mov rbx, gs:[rax + 8] -> r8[gs:rax+8]
mov ecx, [rax*4 + table] -> r4[rax*4 table]
movabs rax, [0x1122334455667788] -> r8[+1234605616436508552]
movabs [0x1122334455667788], al -> w1[+1234605616436508552]
lea rax, [rdi + 8] ->
nop dword ptr [rax] ->
prefetcht0 [rdi] ->
prefetchw [rdi] ->
clflush [rdi] ->
clwb [rdi] ->
mfence ->
vmovupd [rdi], zmm0 -> w64[rdi]
vfmadd231pd ymm0, ymm1, [rdi] -> r32[rdi]
vaddpd zmm0, zmm1, qword ptr [rdi]{1to8} -> r8[rdi]
vbroadcastsd ymm0, [rdi] -> r8[rdi]
vmaskmovpd [rdi], ymm1, ymm0 -> w32[rdi]
vmovdqu32 [rdi]{k1}, zmm0 -> w64[rdi]
vgatherdpd ymm0, [rax + xmm1*8], ymm2 -> r8[rax+vzmm1*8]
vscatterdpd [rax + ymm1*8]{k1}, zmm0 -> w8[rax+vzmm1*8]
vextractf128 [rdi], ymm0, 1 -> w16[rdi]
pextrb [rdi], xmm0, 3 -> w1[rdi]
push rax -> w8[rsp-8]
push qword ptr [rax] -> r8[rax] w8[rsp-8]
push ax -> w2[rsp-2]
pop rax -> r8[rsp]
pop qword ptr [rax] -> w8[rax] r8[rsp]
call .L -> w8[rsp-8]
call [rax] -> r8[rax] w8[rsp-8]
ret -> r8[rsp]
leave -> r8[rbp]
enter 16, 0 -> w8[rsp-8]
pushfq -> w8[rsp-8]
movsq -> w8[rdi] r8[rsi]
rep movsb -> w1[rdi] r1[rsi]
stosd -> w4[rdi]
lodsw -> r2[rsi]
cmpsb -> r1[rsi] r1[rdi]
scasd -> r4[rdi]
xlatb -> r1[rbx+rax*1]
maskmovdqu xmm0, xmm1 -> w16[rdi]
movdir64b rax, [rbx] -> r64[rbx] w64[rax]
clzero -> w64[rax]
fld dword ptr [rdi] -> r4[rdi]
fstp tbyte ptr [rdi] -> w10[rdi]
fild word ptr [rdi] -> r2[rdi]
fnstcw [rdi] -> w2[rdi]
fldcw [rdi] -> r2[rdi]
stmxcsr [rdi] -> w4[rdi]
tileloadd tmm0, [rax + rbx] -> r?[rax+rbx*1]
""")


@pytest.mark.parametrize(("text", "expected"), ACCESSES, ids=[text for text, _ in ACCESSES])
def test_memory_accesses(text: str, expected: str) -> None:
    """Base, index, scale, displacement, symbol, segment, width, read and write; implicit ones included."""
    assert " ".join(accesses("x86", one("x86", text))) == expected


VALUES = table("""
add rax, 8 -> rax=rax+8
sub rax, 8 -> rax=rax-8
add rax, -128 -> rax=rax-128
inc rcx -> rcx=rcx+1
dec ecx -> rcx=rcx-1
add rax, rbx -> rax=rax+rbx
sub rax, rbx -> rax=rax-rbx
add rax, rax -> rax=2*rax
sub rax, rax -> rax=0
xor eax, eax -> rax=0
mov eax, 5 -> rax=5
mov rax, rbx -> rax=rbx
movsxd rax, ebx -> rax=rbx
movabs rax, 0x1122334455667788 -> rax=1234605616436508552
lea rax, [rdi + rcx*8 - 4] -> rax=rdi+8*rcx-4
lea rax, [rdi + rdi*2] -> rax=3*rdi
lea rax, [rcx*4 + 16] -> rax=4*rcx+16
lea eax, [rdi] -> rax=rdi
lea rax, [rip + table] ->
lea rax, [rdi + table] ->
shl rax, 3 -> rax=8*rax
shl rax, cl ->
neg rax -> rax=-rax
not rax -> rax=-rax-1
imul rax, rbx, 24 -> rax=24*rbx
imul rax, rbx ->
mov rax, [rdi] ->
mov ax, 5 ->
add al, 1 ->
mov rax, offset table ->
push rax -> rsp=rsp-8
push ax -> rsp=rsp-2
pop rax -> rsp=rsp+8
pop rsp ->
call .L -> rsp=rsp-8
ret -> rsp=rsp+8
ret 16 -> rsp=rsp+24
leave -> rsp=rbp+8
pushfq -> rsp=rsp-8
popfq -> rsp=rsp+8
and rsp, -64 ->
""")


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[text for text, _ in VALUES])
def test_address_arithmetic(text: str, expected: str) -> None:
    """A written register is a constant plus multiples of old registers, or unknown."""
    assert ",".join(f"{name}={value}" for name, value in values("x86", one("x86", text)).items()) == expected


@pytest.mark.parametrize(
    ("text", "branch", "target"),
    [
        ("jne .L3", "conditional", ".L3"),
        ("jmp .L3", "unconditional", ".L3"),
        ("jmp rax", "indirect", ""),
        ("jmp [rax*8 + table]", "indirect", ""),
        ("call f", "call", "f"),
        ("call rax", "call", ""),
        ("ret", "ret", ""),
        ("ret 8", "ret", ""),
        ("loop .L3", "conditional", ".L3"),
        ("jrcxz .L3", "conditional", ".L3"),
        ("add rax, rbx", "none", ""),
        ("syscall", "none", ""),
    ],
)
def test_branches(text: str, branch: str, target: str) -> None:
    """Kind and label of a branch."""
    instruction = one("x86", text)
    assert (instruction.branch, instruction.target) == (branch, target)


@pytest.mark.parametrize(
    ("code", "target"), [("75fe", 0x1000), ("e9fb0f0000", 0x2000), ("e8fbffffff", 0x1000), ("ffe0", -1), ("90", -1)]
)
def test_targets_of_decoded_branches_are_addresses(code: str, target: int) -> None:
    """The distance counts from the end of the instruction."""
    assert _core.disassemble("x86", bytes.fromhex(code), 0x1000).instructions[0].target_address == target


ENCODINGS = [
    # code, length, bytes before the opcode, length-changing prefix, bits of the immediate's value
    ("4801d8", 3, 1, False, 0),  # add rax, rbx
    ("01d8", 2, 0, False, 0),
    ("0fafc3", 3, 1, False, 0),  # imul eax, ebx
    ("660f38dcc1", 5, 3, False, 0),  # aesenc
    ("660f3a0fc108", 6, 3, False, 8),  # palignr
    ("c5fd58c1", 4, 2, False, 0),  # vaddpd ymm, two-byte VEX
    ("c4e2fda8c1", 5, 3, False, 0),  # vfmadd213pd, three-byte VEX
    ("62f1fd4858c1", 6, 4, False, 0),  # vaddpd zmm, EVEX
    ("66c700e803", 5, 1, True, 16),  # mov word ptr [rax], 1000
    ("66b8e803", 4, 1, True, 16),
    ("6683c001", 4, 1, False, 8),  # add ax, 1: an 8-bit immediate does not change its length
    ("05e8030000", 5, 0, False, 16),  # add eax, 1000
    ("4883c0ff", 4, 1, False, 8),  # add rax, -1
    ("48b88877665544332211", 10, 1, False, 64),  # movabs
    ("f048010f", 4, 2, False, 0),  # lock add [rdi], rcx
]


@pytest.mark.parametrize(("code", "length", "offset", "lcp", "bits"), ENCODINGS)
def test_facts_of_the_encoding(code: str, length: int, offset: int, lcp: bool, bits: int) -> None:
    """What predecoding and the uop cache care about."""
    instruction = _core.disassemble("x86", bytes.fromhex(code)).instructions[0]
    assert instruction.length_bytes == length
    assert instruction.opcode_offset_bytes == offset
    assert instruction.length_changing_prefix is lcp
    assert instruction.immediate_bits == bits


@pytest.mark.parametrize(
    ("code", "immediate", "displacement"),
    [
        ("01d8", 0, 0),  # add eax, ebx
        ("d1e0", 0, 0),  # shl eax: none is encoded
        ("c1e005", 1, 0),
        ("6681f93412", 2, 0),  # cmp cx, 0x1234
        ("b801000000", 4, 0),  # as encoded, whatever the value
        ("48b87856341278563412", 8, 0),
        ("833978", 1, 0),  # cmp dword ptr [rcx], 120
        ("837c241078", 1, 1),
        ("81bc241002000078563412", 4, 4),
        ("8b4500", 0, 1),  # [rbp] has a displacement in any case
        ("8b0510020000", 0, 4),  # relative to the instruction pointer
        ("8b04cd00000000", 0, 4),  # an index alone
        ("8d440910", 0, 1),  # lea eax, [rcx + rcx + 16]
        ("48a18877665544332211", 0, 8),  # movabs rax, [...]
        ("c5f8c2c102", 1, 0),  # vcmpleps: the predicate
        ("660f70442410e4", 1, 1),  # pshufd xmm0, [rsp + 16], 228
        ("62f17c4810442401", 0, 1),  # vmovups zmm0, [rsp + 64]
        ("75fe", 0, 0),  # a target is not an immediate
    ],
)
def test_bytes_of_immediates_and_displacements(code: str, immediate: int, displacement: int) -> None:
    instruction = _core.disassemble("x86", bytes.fromhex(code)).instructions[0]
    assert not instruction.unknown
    assert (instruction.immediate_bytes, instruction.displacement_bytes) == (immediate, displacement)


def test_text_is_encoded_too() -> None:
    """Code read as text has lengths, addresses and bytes."""
    code = many("x86", "add rax, rbx\nmov word ptr [rax], 1000\nmovabs rax, 0x1122334455667788\njne .L")
    assert [instruction.length_bytes for instruction in code][:3] == [3, 5, 10]
    assert [instruction.address for instruction in code][:3] == [0, 3, 8]
    assert code[1].length_changing_prefix
    assert code[2].immediate_bits == 64
    assert code[0].bytes == bytes.fromhex("4801d8")
