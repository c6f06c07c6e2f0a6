"""Which instruction forms an AMD core has, by the CPUID features that iced-x86 gives for their encodings."""

from __future__ import annotations

from collections.abc import Iterable

import iced_x86 as ix

from corecast import _core

_ZEN1 = """INTEL8086 INTEL186 INTEL286 INTEL386 INTEL486 INTEL8086_ONLY X64 CMOV FPU FPU287 FPU387 MMX SSE SSE2 SSE3
SSSE3 SSE4_1 SSE4_2 SSE4A AVX AVX2 FMA F16C BMI1 BMI2 ADX AES PCLMULQDQ SHA LZCNT POPCNT MOVBE MULTIBYTENOP FXSR XSAVE
XSAVEOPT XSAVEC XSAVES CX8 CMPXCHG16B CLFSH CLFLUSHOPT CLZERO CPUID PAUSE TSC RDTSCP RDPMC MSR RDRAND RDSEED FSGSBASE
SEP SYSCALL MONITOR MONITORX PREFETCHW D3NOW_PREFETCH SMAP SVM SKINIT HLE_OR_RTM CET_IBT_NOP"""
_ZEN2 = _ZEN1 + " CLWB RDPID WBNOINVD RDPRU MCOMMIT CET_IBT"
_ZEN4 = (
    _ZEN2
    + """ VAES VPCLMULQDQ GFNI PKU INVPCID CET_SS INVLPGB SNP AVX512F AVX512VL AVX512BW AVX512DQ AVX512CD AVX512_IFMA
AVX512_VBMI AVX512_VBMI2 AVX512_VNNI AVX512_BITALG AVX512_VPOPCNTDQ AVX512_BF16"""
)
FEATURES = {
    "zen1": frozenset(_ZEN1.split()),
    "zen2": frozenset(_ZEN2.split()),
    "zen4": frozenset(_ZEN4.split()),
}
_NAMES = {value: name for name, value in vars(ix.CpuidFeature).items() if isinstance(value, int)}


def supported_forms(core: str, forms: Iterable[_core.EnumeratedForm]) -> list[_core.EnumeratedForm]:
    """The forms whose every CPUID feature the core has; encodings that iced-x86 does not know are too new for it."""
    features = FEATURES[core]
    found = []
    for form in forms:
        instruction = ix.Decoder(64, form.code).decode()
        if instruction.code == ix.Code.INVALID:
            continue
        if all(_NAMES[feature] in features for feature in instruction.cpuid_features()):
            found.append(form)
    return found
