"""Which machine model fits the core that this program runs on."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from corecast.dataclass import dataclass

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
_WITH_AMX = frozenset({"sapphire_rapids", "emerald_rapids"})
_REDWOOD_COVE_L1I_BYTES = 65536  # of its predecessors: 32768
_REDWOOD_COVE_FLAGS = ("amx_fp16", "avx10", "prefetchi")  # that its predecessors lack
_BEFORE_REDWOOD_COVE = frozenset(
    {*_INTEL.values(), "cascade_lake"}
    - {"granite_rapids", "meteor_lake_p", "arrow_lake_p", "alder_lake_e", "sierraforest"}
)
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

    Linux only: reads /proc/cpuinfo, the sizes of caches and, on x86, CPUID.
    """
    found = host_core()
    if found is None:
        return None
    from corecast.errors import UnknownCpuError
    from corecast.machine.loader import find_name

    try:
        return find_name(found.name)
    except UnknownCpuError:
        return None


@dataclass(frozen=True)
class HostCore:
    """A core as it was recognized."""

    name: str
    doubt: str = ""
    """Why it is not the core that its number names; "" where the number counts."""


def host_core() -> HostCore | None:
    """This machine's core, None where it is not known. Linux only."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    from corecast import _core

    return core_of_cpuinfo(text, l1i_bytes(Path("/sys/devices/system/cpu/cpu0/cache")), _core.host_features())


def doubt_about_host() -> str:
    """What to add to the name of this machine's core where its number says another one; "" where it does not."""
    found = host_core()
    return f"; {found.doubt}" if found is not None and found.doubt else ""


def machine_of_cpuinfo(text: str, l1i_bytes: int | None = None) -> str | None:
    """The name of the core alone, see `core_of_cpuinfo`."""
    found = core_of_cpuinfo(text, l1i_bytes)
    return None if found is None else found.name


def core_of_cpuinfo(text: str, l1i_bytes: int | None = None, features: Collection[str] = ()) -> HostCore | None:
    """The microarchitecture of the first core that /proc/cpuinfo describes, None where it is not known.

    Args:
        text: of /proc/cpuinfo.
        l1i_bytes: size of its first-level instruction cache, None where that is not known.
        features: that CPUID names beside the flags in the text.
    """
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip() and fields:
            break  # the first core is enough
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    if "CPU implementer" in fields:
        return _known(_ARM.get((_number(fields["CPU implementer"]), _number(fields.get("CPU part", "")))))
    family, model = _number(fields.get("cpu family", "")), _number(fields.get("model", ""))
    if fields.get("vendor_id") == "GenuineIntel" and family == 6:
        cascade_lake = model == 0x55 and _number(fields.get("stepping", "")) >= _CASCADE_LAKE_STEPPING
        name = "cascade_lake" if cascade_lake else _INTEL.get(model)
        return _not_older(name, {*fields.get("flags", "").split(), *features}, l1i_bytes)
    if fields.get("vendor_id") == "AuthenticAMD":
        for its_family, first, last, core in _AMD:
            if family == its_family and first <= model <= last:
                return HostCore(core)
    if "spacemit,x60" in fields.get("uarch", "").lower() or "x60" in fields.get("model name", "").lower():
        return HostCore("spacemit_x60")
    return None


def _known(name: str | None) -> HostCore | None:
    return None if name is None else HostCore(name)


def _not_older(name: str | None, flags: Collection[str], l1i_bytes: int | None) -> HostCore | None:
    """The core by its number, unless that is one of an older core and something here is newer.

    A hypervisor may report the model number of an older core, but passes on what CPUID says of extensions and caches.
    """
    if name is None or name not in _BEFORE_REDWOOD_COVE:
        return _known(name)
    newer = [f"CPUID names {flag}" for flag in _REDWOOD_COVE_FLAGS if flag in flags]
    if l1i_bytes == _REDWOOD_COVE_L1I_BYTES:
        newer.append("its first-level instruction cache has 64 KiB")
    if newer and "avx512f" in flags:
        return HostCore("granite_rapids", f"its number is that of {name}, but {' and '.join(newer)}")
    if "amx_tile" in flags and name not in _WITH_AMX:
        return HostCore("sapphire_rapids", f"its number is that of {name}, but CPUID names amx_tile")
    return HostCore(name)


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
