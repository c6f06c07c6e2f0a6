"""Which machine model fits the core that this program runs on."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

# CPUID family and model (Intel's and AMD's public tables), stepping where one model number covers two cores.
_INTEL = {
    0x1A: "nehalem", 0x1E: "nehalem", 0x1F: "nehalem", 0x2E: "nehalem", 0x25: "westmere", 0x2C: "westmere",
    0x2F: "westmere", 0x2A: "sandy_bridge", 0x2D: "sandy_bridge", 0x3A: "ivy_bridge", 0x3E: "ivy_bridge",
    0x3C: "haswell", 0x3F: "haswell", 0x45: "haswell", 0x46: "haswell",
    0x3D: "broadwell", 0x47: "broadwell", 0x4F: "broadwell", 0x56: "broadwell",
    0x4E: "skylake", 0x5E: "skylake", 0x8E: "kaby_lake", 0x9E: "coffee_lake",
    0xA5: "coffee_lake", 0xA6: "coffee_lake",
    0x55: "skylake_x", 0x7D: "ice_lake", 0x7E: "ice_lake", 0x6A: "ice_lake_sp", 0x6C: "ice_lake_sp",
    0x8C: "tiger_lake", 0x8D: "tiger_lake", 0xA7: "rocket_lake",
    0x97: "alder_lake_p", 0x9A: "alder_lake_p", 0xB7: "alder_lake_p", 0xBA: "alder_lake_p", 0xBF: "alder_lake_p",
    0xBE: "alder_lake_e", 0x8F: "sapphire_rapids", 0xCF: "emerald_rapids", 0xAD: "granite_rapids",
    0xAE: "granite_rapids", 0xAA: "meteor_lake_p", 0xAC: "meteor_lake_p", 0xB5: "meteor_lake_p",
    0xAF: "sierraforest", 0xB6: "sierraforest", 0xBD: "arrow_lake_p", 0xC5: "arrow_lake_p", 0xC6: "arrow_lake_p",
}  # fmt: skip
_CASCADE_LAKE_STEPPING = 5  # of model 0x55; lower ones are Skylake-SP
_WITH_AMX = frozenset({"sapphire_rapids", "emerald_rapids", "granite_rapids"})
_REDWOOD_COVE_L1I_BYTES = 65536  # of its predecessors: 32768
_AMD = (  # family, first and last model
    (0x17, 0x00, 0x0F, "zen1"), (0x17, 0x10, 0x1F, "zen1"), (0x17, 0x30, 0x7F, "zen2"), (0x17, 0x90, 0xAF, "zen2"),
    (0x19, 0x00, 0x0F, "zen3"), (0x19, 0x20, 0x5F, "zen3"), (0x19, 0x10, 0x1F, "zen4"), (0x19, 0x60, 0xAF, "zen4"),
    (0x1A, 0x00, 0xFF, "zen5"),
)  # fmt: skip
# MIDR_EL1: implementer and part number (Arm's public tables).
_ARM = {
    (0x41, 0xD08): "cortex_a72", (0x41, 0xD0C): "neoverse_n1", (0x41, 0xD40): "neoverse_v1",
    (0x41, 0xD49): "neoverse_n2", (0x41, 0xD4F): "neoverse_v2", (0x41, 0xD84): "neoverse_v3",
    (0x42, 0x516): "thunderx2", (0x43, 0x0AF): "thunderx2", (0x46, 0x001): "a64fx", (0x48, 0xD01): "tsv110",
    (0x61, 0x022): "apple_m1", (0x61, 0x023): "apple_m1",
}  # fmt: skip


def host_machine() -> str | None:
    """The name of the model of this machine's core, None where it is not known or there is no model of it.

    Linux only: reads /proc/cpuinfo and the sizes of caches.
    """
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    name = machine_of_cpuinfo(text, l1i_bytes(Path("/sys/devices/system/cpu/cpu0/cache")))
    if name is None:
        return None
    from corecast.errors import UnknownCpuError
    from corecast.machine.loader import find_name

    try:
        return find_name(name)
    except UnknownCpuError:
        return None


def machine_of_cpuinfo(text: str, l1i_bytes: int | None = None) -> str | None:
    """The microarchitecture of the first core that /proc/cpuinfo describes, None where it is not known.

    Args:
        l1i_bytes: size of its first-level instruction cache, None where that is not known.
    """
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip() and fields:
            break  # the first core is enough
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    if "CPU implementer" in fields:
        return _ARM.get((_number(fields["CPU implementer"]), _number(fields.get("CPU part", ""))))
    family, model = _number(fields.get("cpu family", "")), _number(fields.get("model", ""))
    if fields.get("vendor_id") == "GenuineIntel" and family == 6:
        cascade_lake = model == 0x55 and _number(fields.get("stepping", "")) >= _CASCADE_LAKE_STEPPING
        name = "cascade_lake" if cascade_lake else _INTEL.get(model)
        return _not_older(name, fields.get("flags", "").split(), l1i_bytes)
    if fields.get("vendor_id") == "AuthenticAMD":
        for its_family, first, last, core in _AMD:
            if family == its_family and first <= model <= last:
                return core
    if "spacemit,x60" in fields.get("uarch", "").lower() or "x60" in fields.get("model name", "").lower():
        return "spacemit_x60"
    return None


def _not_older(name: str | None, flags: Collection[str], l1i_bytes: int | None) -> str | None:
    """The core by its number, but where that is one without AMX and the flags name AMX.

    A hypervisor may tell the number of an older core, and passes the flags through that programs need.
    """
    if name is None or name in _WITH_AMX or "amx_tile" not in flags:
        return name
    redwood_cove = "amx_fp16" in flags or l1i_bytes == _REDWOOD_COVE_L1I_BYTES
    return "granite_rapids" if redwood_cove else "sapphire_rapids"


def l1i_bytes(caches: Path) -> int | None:
    """Size of the first-level instruction cache that Linux tells of a core, None where it tells none.

    Args:
        caches: folder of the core's caches, /sys/devices/system/cpu/cpuN/cache.
    """
    for cache in sorted(caches.glob("index*")):
        try:
            level, kind, size = ((cache / name).read_text().strip() for name in ("level", "type", "size"))
        except OSError:
            continue
        if (level, kind) == ("1", "Instruction") and size.endswith("K") and size[:-1].isdigit():
            return int(size[:-1]) * 1024
    return None


def _number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        return -1
