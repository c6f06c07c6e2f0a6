"""Extensions that LLVM's x86 opcodes need: iced-x86's CPUID features by LLVM's names; rules for what it lacks."""

from __future__ import annotations

import re
from collections.abc import Mapping

import iced_x86 as ix

_FEATURES = {value: name for name, value in vars(ix.CpuidFeature).items() if isinstance(value, int)}
_NAMES = {
    "SSE3": "sse3", "SSSE3": "ssse3", "SSE4_1": "sse4.1", "SSE4_2": "sse4.2", "SSE4A": "sse4a", "AVX": "avx",
    "AVX2": "avx2", "FMA": "fma", "F16C": "f16c", "BMI1": "bmi", "BMI2": "bmi2", "LZCNT": "lzcnt", "POPCNT": "popcnt",
    "MOVBE": "movbe", "ADX": "adx", "AES": "aes", "PCLMULQDQ": "pclmul", "SHA": "sha", "GFNI": "gfni", "VAES": "vaes",
    "VPCLMULQDQ": "vpclmulqdq", "CMPXCHG16B": "cx16", "XOP": "xop", "FMA4": "fma4", "TBM": "tbm", "LWP": "lwp",
    "AVX512F": "avx512f", "AVX512VL": "avx512vl", "AVX512BW": "avx512bw", "AVX512DQ": "avx512dq",
    "AVX512CD": "avx512cd",
    "AVX512_IFMA": "avx512ifma", "AVX512_VBMI": "avx512vbmi", "AVX512_VBMI2": "avx512vbmi2",
    "AVX512_VNNI": "avx512vnni", "AVX512_BITALG": "avx512bitalg", "AVX512_VPOPCNTDQ": "avx512vpopcntdq",
    "AVX512_BF16": "avx512bf16", "AVX512_FP16": "avx512fp16", "AVX512_VP2INTERSECT": "avx512vp2intersect",
    "AVX512ER": "avx512er", "AVX512PF": "avx512pf", "AVX512_4FMAPS": "avx5124fmaps", "AVX512_4VNNIW": "avx5124vnniw",
    "AVX_VNNI": "avxvnni", "AVX_VNNI_INT8": "avxvnniint8", "AVX_VNNI_INT16": "avxvnniint16", "AVX_IFMA": "avxifma",
    "AVX_NE_CONVERT": "avxneconvert", "SHA512": "sha512", "SM3": "sm3", "SM4": "sm4", "CMPCCXADD": "cmpccxadd",
    "RAO_INT": "raoint", "AMX_TILE": "amx-tile", "AMX_INT8": "amx-int8", "AMX_BF16": "amx-bf16",
    "AMX_FP16": "amx-fp16", "AMX_COMPLEX": "amx-complex", "AESKLE": "kl", "KL": "kl", "WIDE_KL": "widekl",
    "RDRAND": "rdrnd", "RDSEED": "rdseed", "RDPID": "rdpid", "RDPRU": "rdpru", "FSGSBASE": "fsgsbase",
    "MOVDIRI": "movdiri", "MOVDIR64B": "movdir64b", "ENQCMD": "enqcmd", "SERIALIZE": "serialize",
    "WAITPKG": "waitpkg", "UINTR": "uintr", "TSXLDTRK": "tsxldtrk", "RTM": "rtm", "HLE_OR_RTM": "rtm",
    "CLFLUSHOPT": "clflushopt", "CLWB": "clwb", "CLZERO": "clzero", "MONITORX": "mwaitx", "XSAVE": "xsave",
    "XSAVEOPT": "xsaveopt", "XSAVEC": "xsavec", "XSAVES": "xsaves", "PKU": "pku", "INVPCID": "invpcid",
    "PTWRITE": "ptwrite", "CET_SS": "shstk", "HRESET": "hreset",
}  # fmt: skip
"""Of the features that user code may need. The rest is part of every x86-64 core, of its system mode, or, on cores
that lack it, executed as something else (hints)."""
_IMPLIED = {
    "avx512vl": ("avx512f",),
    "avx512bw": ("avx512f",),
    "avx512dq": ("avx512f",),
    "avx512cd": ("avx512f",),
    "avx512fp16": ("avx512f",),
    "avx512vnni": ("avx512f",),
}
_HINTS = re.compile(r"ENDBR|TZCNT|RDSSP|INCSSP|CLDEMOTE|PREFETCH|PAUSE")
"""Nops on cores without the extension; tzcnt is bsf there, for which compilers for any core use it."""
_APX = re.compile(r"(_EVEX|_NF|_ND)(_REV)?$")
_NEW = {
    "MOVRS": "movrs", "VMOVRS": "avx10.2 movrs", "TDPBF8PS": "amx-fp8", "TDPBHF8PS": "amx-fp8", "TDPHBF8PS": "amx-fp8",
    "TDPHF8PS": "amx-fp8", "TILELOADDRS": "amx-movrs", "TMMULTF32PS": "amx-tf32", "TCVTROW": "amx-avx512",
    "TILEMOVROW": "amx-avx512", "URDMSR": "usermsr", "UWRMSR": "usermsr",
}  # fmt: skip


def requirements(examples: Mapping[str, list[bytes]]) -> dict[str, str]:
    """What each opcode needs, "avx512f avx512vl"; those that need nothing are left out."""
    found = {}
    for opcode, codes in examples.items():
        needs = _needs(opcode, codes)
        if needs:
            found[opcode] = " ".join(sorted(needs))
    return found


def _needs(opcode: str, codes: list[bytes]) -> set[str]:
    if _HINTS.match(opcode):
        return set()
    for code in codes:
        decoded = ix.Decoder(64, code, ix.DecoderOptions.NO_INVALID_CHECK).decode()
        if decoded.code == ix.Code.INVALID or decoded.len != len(code):
            continue
        names = {_NAMES[name] for each in decoded.cpuid_features() if (name := _FEATURES[each]) in _NAMES}
        if decoded.encoding == ix.EncodingKind.EVEX:
            names |= {"avx512f"}
        return names | {implied for name in names for implied in _IMPLIED.get(name, ())}
    return _needs_of_new(opcode, codes[0])


def _needs_of_new(opcode: str, code: bytes) -> set[str]:
    extended_evex = code[0] == 0x62
    if _APX.search(opcode) or (extended_evex and code[1] & 7 == 4):
        return {"apxf"}
    for start, names in _NEW.items():
        if opcode.startswith(start):
            return set(names.split())
    return {"avx10.2"} if extended_evex else set()
