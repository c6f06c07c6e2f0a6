"""Which instruction forms a core has, by the CPUID features that iced-x86 gives for their encodings."""

from __future__ import annotations

from collections.abc import Iterable

import iced_x86 as ix

from corecast import _core

_HASWELL = """INTEL8086 INTEL186 INTEL286 INTEL386 INTEL486 X64 CMOV FPU FPU287 FPU387 MMX SSE SSE2 SSE3 SSSE3
SSE4_1 SSE4_2 AVX AVX2 FMA F16C BMI1 BMI2 AES PCLMULQDQ LZCNT POPCNT MOVBE MULTIBYTENOP FXSR XSAVE XSAVEOPT CX8
CMPXCHG16B CLFSH CPUID PAUSE TSC RDTSCP RDPMC MSR RDRAND FSGSBASE SEP SYSCALL MONITOR INVPCID PREFETCHW VMX INVEPT
INVVPID SMX SMM RTM HLE_OR_RTM SMAP RDPID"""
_SKYLAKE = _HASWELL + " ADX RDSEED CLFLUSHOPT XSAVEC XSAVES SGX1 MPX CLWB PKU"
_SKYLAKE_X = _SKYLAKE + " AVX512F AVX512VL AVX512BW AVX512DQ AVX512CD"
FEATURES = {
    "haswell": frozenset(_HASWELL.split()) - {"RDPID", "SMAP"},
    "skylake": frozenset(_SKYLAKE.split()) - {"RDPID", "CLWB", "PKU"},
    "skylake_x": frozenset(_SKYLAKE_X.split()) - {"RDPID"},
    "cascade_lake": frozenset((_SKYLAKE_X + " AVX512_VNNI").split()) - {"RDPID"},
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
