"""CPUID features of the Intel cores, by the names that iced-x86 gives them."""

from __future__ import annotations

_NEHALEM = """INTEL8086 INTEL186 INTEL286 INTEL386 INTEL486 X64 CMOV FPU FPU287 FPU387 MMX SSE SSE2 SSE3 SSSE3
SSE4_1 SSE4_2 POPCNT MULTIBYTENOP FXSR CX8 CMPXCHG16B CLFSH CPUID PAUSE TSC RDTSCP RDPMC MSR SEP SYSCALL MONITOR
PREFETCHW VMX INVEPT INVVPID SMX SMM"""
_SANDY_BRIDGE = _NEHALEM + " AVX AES PCLMULQDQ XSAVE XSAVEOPT"
_IVY_BRIDGE = _SANDY_BRIDGE + " F16C RDRAND FSGSBASE"
_HASWELL = _IVY_BRIDGE + " AVX2 FMA BMI1 BMI2 LZCNT MOVBE INVPCID RTM HLE_OR_RTM SMAP RDPID"
_SKYLAKE = _HASWELL + " ADX RDSEED CLFLUSHOPT XSAVEC XSAVES SGX1 MPX CLWB PKU"
_SKYLAKE_X = _SKYLAKE + " AVX512F AVX512VL AVX512BW AVX512DQ AVX512CD"
_ICE_LAKE = (
    _SKYLAKE_X
    + """ AVX512_VNNI AVX512_IFMA AVX512_VBMI AVX512_VBMI2 AVX512_BITALG AVX512_VPOPCNTDQ GFNI VAES
VPCLMULQDQ SHA"""
)
_TIGER_LAKE = _ICE_LAKE + " AVX512_VP2INTERSECT MOVDIRI MOVDIR64B CET_IBT CET_SS"
_NEW_VECTORS = " GFNI VAES VPCLMULQDQ SHA AVX_VNNI"
_NEW_SYSTEM = " MOVDIRI MOVDIR64B WAITPKG SERIALIZE CET_IBT CET_SS PTWRITE CLDEMOTE"
_ALDER_LAKE = _SKYLAKE + _NEW_VECTORS + _NEW_SYSTEM + " HRESET"
_SAPPHIRE_RAPIDS = _ICE_LAKE + " AVX_VNNI AVX512_BF16 AVX512_FP16 ENQCMD UINTR TSXLDTRK" + _NEW_SYSTEM
_ARROW_LAKE = _ALDER_LAKE + " AVX_IFMA AVX_NE_CONVERT AVX_VNNI_INT8 CMPCCXADD UINTR"
_WITHOUT = frozenset({"MPX", "HLE_OR_RTM", "RTM", "SGX1"})
"""Gone from the client cores with E-cores beside them."""
_NOT_OF_CLIENTS = frozenset({"MPX", "HLE_OR_RTM", "RTM"})
"""Gone from the client cores since Ice Lake."""
FEATURES = {
    "nehalem": frozenset(_NEHALEM.split()),
    "sandy_bridge": frozenset(_SANDY_BRIDGE.split()),
    "ivy_bridge": frozenset(_IVY_BRIDGE.split()),
    "haswell": frozenset(_HASWELL.split()) - {"RDPID", "SMAP"},
    "broadwell": frozenset((_HASWELL + " ADX RDSEED").split()) - {"RDPID"},
    "skylake": frozenset(_SKYLAKE.split()) - {"RDPID", "CLWB", "PKU"},
    "skylake_x": frozenset(_SKYLAKE_X.split()) - {"RDPID"},
    "cascade_lake": frozenset((_SKYLAKE_X + " AVX512_VNNI").split()) - {"RDPID"},
    "ice_lake": frozenset(_ICE_LAKE.split()) - _NOT_OF_CLIENTS - {"CLWB"},
    "ice_lake_x": frozenset(_ICE_LAKE.split()) - {"MPX"},
    "tiger_lake": frozenset(_TIGER_LAKE.split()) - _NOT_OF_CLIENTS,
    "rocket_lake": frozenset(_ICE_LAKE.split()) - _NOT_OF_CLIENTS - {"CLWB"},
    "alder_lake_p": frozenset(_ALDER_LAKE.split()) - _WITHOUT,
    "sapphire_rapids": frozenset(_SAPPHIRE_RAPIDS.split()) - {"MPX"},
    "emerald_rapids": frozenset(_SAPPHIRE_RAPIDS.split()) - {"MPX"},
    "granite_rapids": frozenset((_SAPPHIRE_RAPIDS + " PREFETCHITI").split()) - {"MPX"},
    "meteor_lake_p": frozenset(_ALDER_LAKE.split()) - _WITHOUT,
    "arrow_lake_p": frozenset(_ARROW_LAKE.split()) - _WITHOUT,
    "alder_lake_e": frozenset(_ALDER_LAKE.split()) - _WITHOUT,
    "meteor_lake_e": frozenset(_ALDER_LAKE.split()) - _WITHOUT,
    "arrow_lake_e": frozenset(_ARROW_LAKE.split()) - _WITHOUT,
}
