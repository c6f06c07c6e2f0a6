"""The ISA extensions of the cores, where LLVM's list for the core is not the whole truth."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CoreExtensions:
    """What to add to LLVM's list for a CPU."""

    cpu: str = ""
    """The CPU in LLVM; "": the model's llvm_cpu, "-": LLVM has none."""
    added: str = ""
    source: str = ""
    """Of what is added."""
    confidence: str = "documented"


_AES = CoreExtensions(added="aes", source="Intel: AES-NI in all but the smallest parts; measured by uops.info")
_AES_RTM = CoreExtensions(added="aes rtm", source="Intel: AES-NI and TSX in most parts; measured by uops.info")
_RTM = CoreExtensions(added="rtm", source="Intel: TSX, unless microcode or the part switches it off")
_SVE2_CRYPTOGRAPHY = CoreExtensions(
    added="aes sha2 sha3 sm4 sve-aes sve-sha3 sve-sm4 sve-bitperm",
    source="Arm: the optional cryptographic extensions, which servers have",
)
_V1 = CoreExtensions(added="sha3 sm4", source="Arm: the optional cryptographic extensions, which servers have")
_XUANTIE = CoreExtensions(
    "-",
    "c zca m zmmul zaamo zalrsc f d zfh zfhmin xtheadvector",
    "T-Head: RV64GC with half precision and version 0.7.1 of the vector extension, as recalled",
    "assumed",
)

CORES = {
    "sandy_bridge": _AES,
    "ivy_bridge": _AES,
    "haswell": _AES_RTM,
    "broadwell": _AES_RTM,
    "skylake": _RTM,
    "skylake_x": _RTM,
    "cascade_lake": _RTM,
    "ice_lake_x": _RTM,
    "sapphire_rapids": _RTM,
    "emerald_rapids": _RTM,
    "granite_rapids": _RTM,
    "alder_lake_e": CoreExtensions("alderlake"),
    "meteor_lake_e": CoreExtensions("meteorlake"),
    "arrow_lake_e": CoreExtensions("arrowlake-s"),
    "arrow_lake_p": CoreExtensions("arrowlake-s"),
    "neoverse_v1": _V1,
    "neoverse_n2": _SVE2_CRYPTOGRAPHY,
    "neoverse_v2": _SVE2_CRYPTOGRAPHY,
    "neoverse_v3": _SVE2_CRYPTOGRAPHY,
    "gem5_sve": CoreExtensions(
        "a64fx", source="gem5 executes what these units have a class for: Armv8.2 with SVE", confidence="assumed"
    ),
    "xuantie_c910": _XUANTIE,
    "xuantie_c920": _XUANTIE,
}
"""By model; LLVM's list for `llvm_cpu` serves the others."""
